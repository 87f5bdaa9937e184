import { randomBytes } from 'node:crypto';
import { type Stats, statSync } from 'node:fs';
import { isId, isSeatId } from '../dice/ids.js';
import { err, ok, type Result } from '../dice/result.js';
import {
  changeTokens,
  freshToken,
  hashOf,
  MAX_TOKENS,
  ROLES,
  type Role,
  readTokens,
  type StoredToken,
} from './token-file.js';

/** How often the daemon looks whether `tiro token` changed the file; a change is obeyed within 2 s (contracts G). */
const LOOK_MS = 200;

/** Id of the token that the configuration gives; `tiro token` neither lists nor revokes it. */
const GIVEN_ID = 'given';

/** What a token is to allow. `table` and `seat` narrow it; without them it holds for all tables, for any seat. */
export interface TokenOrder {
  readonly role: string;
  readonly table?: string;
  readonly seat?: string;
  readonly label?: string;
}

function checked(order: TokenOrder): Result<Omit<StoredToken, 'id' | 'hash' | 'created'>, string> {
  const role = ROLES.find((known) => known === order.role);
  if (role === undefined) return err(`"${order.role.slice(0, 40)}" is no role: ${ROLES.join(', ')}`);
  if (order.table !== undefined && !isId(order.table))
    return err(`"${order.table.slice(0, 40)}" is no table id: a small letter or digit, then at most 31 of a-z 0-9 _ -`);
  if (order.seat !== undefined && role !== 'player')
    return err('only a player has a seat: leave out --seat, or use --role player');
  if (order.seat !== undefined && !isSeatId(order.seat))
    return err(`"${order.seat.slice(0, 40)}" is no seat of a player: an id, but not gm or table`);
  return ok({
    role,
    ...(order.table === undefined ? {} : { table: order.table }),
    ...(order.seat === undefined ? {} : { seat: order.seat }),
    ...(order.label === undefined ? {} : { label: order.label.slice(0, 60) }),
  });
}

/**
 * Makes a token and stores its hash. The token itself is given once and never again.
 * @param path the token file, `tokens.json` in the data folder
 */
export function createToken(path: string, order: TokenOrder): Result<{ token: string; stored: StoredToken }, string> {
  const wanted = checked(order);
  if (!wanted.ok) return wanted;
  const token = freshToken();
  const stored: StoredToken = {
    id: randomBytes(5).toString('hex'),
    hash: hashOf(token),
    created: new Date().toISOString(),
    ...wanted.value,
  };
  return changeTokens(path, (tokens) =>
    tokens.length >= MAX_TOKENS
      ? err(`there are ${MAX_TOKENS} tokens already: revoke some`)
      : ok({ tokens: [...tokens, stored], value: { token, stored } }),
  );
}

/** Revokes a token by its id; a running daemon closes its connections within 2 s. */
export function revokeToken(path: string, id: string): Result<StoredToken, string> {
  return changeTokens(path, (tokens) => {
    const gone = tokens.find((token) => token.id === id);
    if (gone === undefined) return err(`no token has the id "${id.slice(0, 40)}": see tiro token list`);
    return ok({ tokens: tokens.filter((token) => token !== gone), value: gone });
  });
}

const stampOf = (path: string): string => {
  const stats: Stats | undefined = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? '' : `${stats.mtimeMs} ${stats.size} ${stats.ino}`;
};

/** The tokens of a running daemon: follows the file, and tells when one came or went. */
export class TokenStore {
  readonly path: string;
  readonly #warn: (message: string) => void;
  readonly #listeners = new Set<() => void>();
  readonly #timer: NodeJS.Timeout;
  #stamp: string;
  readonly #given: readonly StoredToken[];
  #byHash = new Map<string, StoredToken>();
  #ids = new Set<string>();

  private constructor(
    path: string,
    tokens: readonly StoredToken[],
    stamp: string,
    warn: (message: string) => void,
    given: string,
  ) {
    this.#given =
      given === '' ? [] : [{ id: GIVEN_ID, hash: hashOf(given), created: new Date(0).toISOString(), role: 'gm' }];
    this.path = path;
    this.#warn = warn;
    this.#stamp = stamp;
    this.#take(tokens);
    this.#timer = setInterval(() => this.look(), LOOK_MS);
    this.#timer.unref();
  }

  /**
   * Opens the token file. A damaged file is refused and kept (F054).
   * @param given a GM's token from the configuration (`http.gmToken`), kept nowhere; empty: none
   * @param warn told when the file becomes unreadable later; the tokens known until then stay in force
   */
  static open(path: string, warn: (message: string) => void, given = ''): Result<TokenStore, string> {
    const stamp = stampOf(path);
    const tokens = readTokens(path);
    return tokens.ok ? ok(new TokenStore(path, tokens.value, stamp, warn, given)) : tokens;
  }

  /** The stored token this text belongs to, or undefined. */
  find(token: string): StoredToken | undefined {
    return token.length > 128 ? undefined : this.#byHash.get(hashOf(token));
  }

  /** True while the token with this id is valid. */
  holds(id: string): boolean {
    return this.#ids.has(id);
  }

  /**
   * True once a GM's token for all tables exists: from then on nobody is trusted for being on this computer (design,
   * Security). One for a single table, as a program over MQTT needs it, could not take over what this computer may do.
   */
  hasSecret(): boolean {
    for (const { role, table } of this.#byHash.values()) if (role === 'gm' && table === undefined) return true;
    return false;
  }

  list(): readonly StoredToken[] {
    return [...this.#byHash.values()];
  }

  create(order: TokenOrder): Result<{ token: string; stored: StoredToken }, string> {
    const made = createToken(this.path, order);
    if (made.ok) this.look();
    return made;
  }

  revoke(id: string): Result<StoredToken, string> {
    const gone = revokeToken(this.path, id);
    if (gone.ok) this.look();
    return gone;
  }

  /** Called after every change of the list. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Reads the file if it changed since the last look. */
  look(): void {
    const stamp = stampOf(this.path);
    if (stamp === this.#stamp) return;
    this.#stamp = stamp;
    const tokens = readTokens(this.path);
    if (!tokens.ok) {
      this.#warn(`${tokens.error} Until then the tokens known so far stay in force.`);
      return;
    }
    this.#take(tokens.value);
    for (const listener of this.#listeners) listener();
  }

  close(): void {
    clearInterval(this.#timer);
    this.#listeners.clear();
  }

  #take(stored: readonly StoredToken[]): void {
    const tokens = [...stored, ...this.#given];
    this.#byHash = new Map(tokens.map((token) => [token.hash, token]));
    this.#ids = new Set(tokens.map((token) => token.id));
  }
}

export type { Role, StoredToken };
