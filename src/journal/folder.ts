import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder that only this user may enter, and those above it that are missing. One level at a time: Node's own
 * recursive way never ends under `/proc`, and tells a read-only disk as a missing folder.
 * @throws the system's error (EROFS, EACCES, ENOSPC, ENOTDIR, EEXIST where a file is in the way …)
 */
export function makeFolder(dir: string): void {
  if (isFolder(dir)) return;
  const above = dirname(dir);
  if (above !== dir) makeFolder(above);
  try {
    mkdirSync(dir, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!isFolder(dir)) throw error;
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
