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
    const pid = readdirSync('/proc').find((entry) => /^\d+$/.test(entry) && holds(entry, inodes));
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

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
