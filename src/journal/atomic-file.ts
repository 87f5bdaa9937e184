import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Windows refuses a rename while a virus scanner or an editor has the file open; that passes. */
const RENAME_TRIES = 5;
const RENAME_PAUSE_MS = 60;

let drafts = 0;

/**
 * Replaces a file whole or not at all: a power cut or a full disk leaves the old content (F017). Written beside it, synced,
 * renamed, the folder synced. Calls for one path are made one after the other.
 * @param path followed if it is a symbolic link
 * @param mode for a new file; an existing one keeps its own. Tokens and settings are nobody else's: 0600.
 * @throws the error of the file system; the old file is then intact and no draft is left
 */
export async function replaceFile(path: string, data: string | Uint8Array, mode = 0o600): Promise<void> {
  const place = await realpath(path).catch(() => path);
  const kept = await stat(place).then(
    (found) => found.mode & 0o777,
    () => mode,
  );
  drafts += 1;
  const draft = `${place}.${process.pid}-${drafts}.tmp`;
  try {
    const file = await open(draft, 'wx', kept);
    try {
      await file.writeFile(data);
      await file.sync();
    } finally {
      await file.close();
    }
    await renameOver(draft, place);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await syncFolder(dirname(place));
}

async function renameOver(draft: string, place: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await rename(draft, place);
    } catch (error) {
      if (process.platform !== 'win32' || attempt === RENAME_TRIES) throw error;
      await delay(RENAME_PAUSE_MS);
    }
  }
}

async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
