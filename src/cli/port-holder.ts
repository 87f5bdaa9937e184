import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** State of a listening socket in /proc/net/tcp. */
const LISTEN = '0A';

/**
 * The program that listens on a TCP port, as `node (pid 4711)`; undefined where it cannot be told: not Linux, another
 * user's process, or nobody any more.
 */
export function portHolder(port: number): string | undefined {
  try {
    const inodes = new Set(['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) => listening(file, port)));
    const holders = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry) && holds(entry, inodes));
    // A child has its parent's sockets too: for good if they were handed on, else until it runs its own program.
    const pid = holders.find((holder) => !holders.includes(parentOf(holder)));
    return pid === undefined ? undefined : `${readFileSync(`/proc/${pid}/comm`, 'utf8').trim()} (pid ${pid})`;
  } catch {
    return undefined;
  }
}

function listening(file: string, port: number): string[] {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  return readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields[1]?.endsWith(`:${hex}`) === true && fields[3] === LISTEN)
    .flatMap((fields) => fields[9] ?? []);
}

function holds(pid: string, inodes: ReadonlySet<string>): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => {
      const inode = /^socket:\[(\d+)\]$/.exec(linkOf(`/proc/${pid}/fd/${fd}`))?.[1];
      return inode !== undefined && inodes.has(inode);
    });
  } catch {
    return false;
  }
}

function parentOf(pid: string): string {
  try {
    // The name in brackets may hold anything.
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1] ?? '';
  } catch {
    return '';
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
