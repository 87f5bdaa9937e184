import { createHash, randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { ID_PATTERN } from '../dice/ids.js';
import { err, ok, type Result } from '../dice/result.js';
import { firstIssue } from '../wire/command.js';

export const ROLES = ['gm', 'player', 'overlay', 'spectator', 'monitor'] as const;
export type Role = (typeof ROLES)[number];

/** More tokens than any venue needs; a file with more is refused. */
export const MAX_TOKENS = 1000;

/** A lock older than this was left behind by a process that died. */
const STALE_LOCK_MS = 10_000;
const LOCK_WAIT_MS = 3_000;

const id = z.string().regex(ID_PATTERN);

const grantSchema = z.object({
  id: z.string().regex(/^[a-z0-9]{1,32}$/),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  role: z.enum(ROLES),
  table: id.optional(),
  seat: id.optional(),
  created: z.iso.datetime(),
  label: z.string().max(60).optional(),
});

const fileSchema = z.object({ v: z.literal(1), tokens: z.array(grantSchema).max(MAX_TOKENS) });

/** A token as it is kept: never the token itself, only the SHA-256 of it. */
export interface StoredToken {
  readonly id: string;
  readonly hash: string;
  readonly role: Role;
  readonly table?: string;
  readonly seat?: string;
  readonly created: string;
  readonly label?: string;
}

/** SHA-256 in hex. A plain hash is enough: a token holds 256 random bits, no word of a person. */
export const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

/** A fresh token, `tiro_` and 43 characters of base64url. */
export const freshToken = (): string => `tiro_${randomBytes(32).toString('base64url')}`;

/**
 * Reads a token file. A missing file holds no tokens; a damaged one is refused and left as it is (F054), because taking
 * it for empty would open the table to everybody.
 */
export function readTokens(path: string): Result<readonly StoredToken[], string> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ok([]);
    return err(`${path} cannot be read: ${(error as Error).message}`);
  }
  const remedy = 'Put back a good copy, or move the file away: then no token is valid and new ones must be made.';
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return err(`${path} is damaged (no valid JSON). ${remedy}`);
  }
  const parsed = fileSchema.safeParse(data);
  if (!parsed.success) return err(`${path} is damaged (${firstIssue(parsed.error)}). ${remedy}`);
  return ok(parsed.data.tokens as readonly StoredToken[]);
}

/** Writes beside the file, syncs, then renames: a crash leaves the old file or the new one, never half of one. */
function replaceFile(path: string, text: string): void {
  const fresh = `${path}.${process.pid}.new`;
  const file = openSync(fresh, 'w', 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(fresh, path);
  // Windows cannot open a folder; there the rename is durable by itself.
  if (process.platform === 'win32') return;
  const folder = openSync(dirname(path), 'r');
  fsyncSync(folder);
  closeSync(folder);
}

function lock(path: string): Result<() => void, string> {
  const name = `${path}.lock`;
  const until = Date.now() + LOCK_WAIT_MS;
  for (;;) {
    try {
      closeSync(openSync(name, 'wx'));
      return ok(() => rmSync(name, { force: true }));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
        return err(`${name} cannot be made: ${(error as Error).message}`);
    }
    const age = Date.now() - (statSync(name, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > STALE_LOCK_MS) rmSync(name, { force: true });
    else if (Date.now() > until) return err(`${name} is held by another process; try again`);
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
  }
}

/**
 * Changes the file under a lock: the running daemon and `tiro token` may write at the same time. Blocks for at most 3 s.
 * @returns what `change` gave beside the new list, or why nothing was written
 */
export function changeTokens<T>(
  path: string,
  change: (tokens: readonly StoredToken[]) => Result<{ tokens: readonly StoredToken[]; value: T }, string>,
): Result<T, string> {
  const held = lock(path);
  if (!held.ok) return held;
  try {
    const now = readTokens(path);
    if (!now.ok) return now;
    const changed = change(now.value);
    if (!changed.ok) return changed;
    replaceFile(path, `${JSON.stringify({ v: 1, tokens: changed.value.tokens }, null, 2)}\n`);
    return ok(changed.value.value);
  } catch (error) {
    return err(`${path} cannot be written: ${(error as Error).message}`);
  } finally {
    held.value();
  }
}
