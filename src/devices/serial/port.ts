import { readFile, stat } from 'node:fs/promises';
import { isMainThread } from 'node:worker_threads';

/** Why a port could not be opened, with one sentence and its remedy for people. */
export interface PortFault {
  readonly code: 'port_busy' | 'port_permission' | 'port_absent' | 'port_unusable' | 'no_serial';
  readonly reason: string;
}

/** An open port. It is never opened again: every connection gets a new one. */
export interface OpenPort {
  /** Queues bytes; a failure shows as `closed`. */
  write(text: string): void;
  /** Resolves when the handle is gone, at the latest after 2 s. */
  close(): Promise<void>;
}

export interface PortEvents {
  data(chunk: Uint8Array): void;
  /** At most once; not after `close` was called. */
  closed(why: string): void;
}

export type PortOpener = (
  path: string,
  baud: number,
  events: PortEvents,
) => Promise<{ readonly port: OpenPort } | { readonly fault: PortFault }>;

/** A handle that does not close in this time is given up. */
export const CLOSE_TIMEOUT_MS = 2000;
/** Bytes that may wait to be written; a tray that takes none loses what comes then. */
export const MAX_WAITING_BYTES = 4096;

/**
 * Opens a port by serialport's native binding, which is loaded only now: without it only the serial tray is missing.
 * `hupcl: false` keeps DTR up, so that closing does not reset a board; modem lines are never touched, for a pseudo-terminal
 * has none.
 */
export const openNative: PortOpener = async (path, baud, events) => {
  // The binding polls on the main thread's loop: from a worker it takes the whole process down.
  if (!isMainThread)
    return { fault: { code: 'no_serial', reason: 'no serial trays: they work in the main thread only' } };
  const loaded = await import('serialport').catch((error: unknown) => messageOf(error));
  if (typeof loaded === 'string') {
    const reason = `no serial trays: the serialport binding does not load (${loaded.slice(0, 120)}); run npm ci`;
    return { fault: { code: 'no_serial', reason } };
  }
  const port = new loaded.SerialPort({ path, baudRate: baud, autoOpen: false, hupcl: false, lock: true });
  let over = false;
  const end = (why: string): void => {
    if (over) return;
    over = true;
    events.closed(why);
  };
  port.on('error', (error: Error) => end(error.message));
  port.on('close', (error: Error | null) => end(error?.message ?? 'closed'));
  const failure = await new Promise<Error | null>((resolve) => port.open(resolve));
  if (failure !== null) {
    over = true;
    return { fault: await faultOf(path, failure.message) };
  }
  port.on('data', (chunk: Uint8Array) => {
    if (!over) events.data(chunk);
  });
  return {
    port: {
      write(text) {
        if (!over && port.writableLength < MAX_WAITING_BYTES) port.write(text, 'latin1');
      },
      async close() {
        over = true;
        await new Promise<void>((resolve) => {
          const late = setTimeout(resolve, CLOSE_TIMEOUT_MS);
          const done = (): void => {
            clearTimeout(late);
            resolve();
          };
          if (port.isOpen) port.close(done);
          else done();
        });
        port.removeAllListeners('data');
        port.destroy();
      },
    },
  };
};

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Puts the binding's words for a failed opening into a reason with its remedy (F092, F093). */
export async function faultOf(path: string, message: string): Promise<PortFault> {
  if (/cannot lock|temporarily unavailable|busy|access denied/i.test(message)) {
    const reason = `port busy by another program: ${path}; close it there (a serial monitor, another instance), it is tried again`;
    return { code: 'port_busy', reason };
  }
  if (/permission|EACCES|EPERM/i.test(message))
    return { code: 'port_permission', reason: await permissionReason(path) };
  if (/no such file|ENOENT|not found|no such device|ENXIO|ENODEV/i.test(message)) {
    return { code: 'port_absent', reason: `${path} is not there: plug the tray in` };
  }
  return { code: 'port_unusable', reason: `${path} cannot be used as a serial port: ${message.slice(0, 120)}` };
}

/** Names the path, the group that owns it, and what to do on the machine and in a container. */
export async function permissionReason(path: string, groupFile = '/etc/group'): Promise<string> {
  const owner = await stat(path).catch(() => undefined);
  if (owner === undefined) return `no permission to open ${path}`;
  const group = await groupName(owner.gid, groupFile);
  const remedy = `sudo usermod -aG ${group ?? owner.gid} <user>, then log in again; in a container --group-add ${owner.gid}`;
  const mode = (owner.mode & 0o777).toString(8).padStart(3, '0');
  return `no permission to open ${path} (owner group ${group ?? 'without a name'}, ${owner.gid}, mode ${mode}): ${remedy}`;
}

async function groupName(gid: number, groupFile: string): Promise<string | undefined> {
  const text = await readFile(groupFile, 'utf8').catch(() => '');
  const line = text.split('\n').find((l) => l.split(':')[2] === String(gid));
  return line?.split(':')[0];
}
