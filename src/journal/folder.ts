import { mkdirSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder that only this user may enter, and those above it that are missing. One level at a time: Node's own
 * recursive way never ends under `/proc`, and tells a read-only disk as a missing folder.
 * @throws the system's error (EROFS, EACCES, ENOSPC, ENOTDIR, EEXIST where a file is in the way …)
 */
export function makeFolder(dir: string): void {
  if (isFolder(dir)) return;
  const above = dirname(dir);
  // Below a file the system itself says what is in the way.
  if (above !== dir && found(above) === undefined) makeFolder(above);
  try {
    mkdirSync(dir, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!isFolder(dir)) throw error;
  }
}

const isFolder = (path: string): boolean => found(path)?.isDirectory() ?? false;

/** What is there; below a file some versions of Node throw, others say that nothing is. */
function found(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
