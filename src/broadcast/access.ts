import type { IncomingMessage } from 'node:http';
import { isSeatId } from '../dice/ids.js';
import { err, ok, type Result } from '../dice/result.js';
import { PLAYER_MAY } from '../table/permit.js';
import type { Audience, Caller } from '../table/port.js';
import type { Command } from '../wire/command.js';
import type { Fault } from './daemon.js';
import { isLoopbackAddress, isLoopbackName, type OwnNames, parseHost, plainAddress } from './names.js';
import type { Role, TokenStore } from './tokens.js';

/** What a caller has been given: by a token, or for being on this computer while no secret is set. */
export interface Grant {
  /** Id of the token, or `loopback`. */
  readonly id: string;
  readonly role: Role;
  readonly table?: string;
  readonly seat?: string;
  /** Came from a page without an origin (a local file): may look, may not act. */
  readonly readOnly: boolean;
}

/** A grant as it is used at one table: who acts, and what is shown. */
export interface Viewer {
  readonly caller: Caller;
  readonly audience: Audience;
  readonly readOnly: boolean;
}

/** Header lines of a request; a browser behind two proxies sends some thirty. */
const MAX_HEADERS = 100;

export const LOOPBACK_ID = 'loopback';

const fault = (status: number, code: string, message: string, remedy?: string): { ok: false; error: Fault } =>
  err({ status, code, message, ...(remedy === undefined ? {} : { remedy }) });

const header = (request: IncomingMessage, name: string): string | undefined => {
  const value = request.headers[name];
  return typeof value === 'string' ? value : undefined;
};

/** The token of a request: `Authorization: Bearer`, `?token=`, or the sub-protocol `tiro.token.…` (contracts D). */
export function tokenOf(request: IncomingMessage, query: URLSearchParams): string | undefined {
  const bearer = /^bearer +(\S+)$/i.exec(header(request, 'authorization') ?? '')?.[1];
  if (bearer !== undefined) return bearer;
  const parameter = query.get('token');
  if (parameter !== null) return parameter;
  const protocols = (header(request, 'sec-websocket-protocol') ?? '').split(',').map((part) => part.trim());
  return protocols.find((part) => part.startsWith('tiro.token.'))?.slice('tiro.token.'.length);
}

/** Who may come in, and as whom. */
export class Access {
  readonly #tokens: TokenStore;
  readonly #names: OwnNames;
  readonly #trustLoopback: boolean;

  constructor(tokens: TokenStore, names: OwnNames, trustLoopback: boolean) {
    this.#tokens = tokens;
    this.#names = names;
    this.#trustLoopback = trustLoopback;
  }

  /** Refuses a foreign Host (F053) and a foreign Origin; asked before anything else of a request. */
  door(request: IncomingMessage): Result<{ readonly host: string; readonly opaque: boolean }, Fault> {
    if (request.rawHeaders.length > 2 * MAX_HEADERS) return fault(431, 'headers', `more than ${MAX_HEADERS} headers`);
    const text = header(request, 'host');
    const host = text === undefined ? null : parseHost(text);
    if (text === undefined || host === null)
      return fault(421, 'host_missing', 'the request names no valid host', 'send a Host header with our name and port');
    if (!this.#names.own(host, plainAddress(request.socket.localAddress)))
      return fault(
        421,
        'host_unknown',
        `"${host.name}" is no name of this computer`,
        `add "${host.name}" to http.allowedHosts in the configuration if it is`,
      );
    const origin = header(request, 'origin');
    if (origin === undefined) return ok({ host: text, opaque: false });
    if (origin === 'null') return ok({ host: text, opaque: true });
    if (this.#known(origin, text)) return ok({ host: text, opaque: false });
    const shown = origin.replace(/[^!-~]/g, '?').slice(0, 100);
    return fault(
      403,
      'origin_unknown',
      `pages of ${shown} may not use this daemon`,
      `add "${shown}" to http.allowedOrigins in the configuration if they may`,
    );
  }

  /** A page we served ourselves (same host and port), or one of a configured name. */
  #known(origin: string, host: string): boolean {
    const found = /^(https?):\/\/(.+)$/i.exec(origin);
    const from = found?.[2] === undefined ? null : parseHost(found[2]);
    const here = parseHost(host);
    if (from === null || here === null) return false;
    const implied = found?.[1]?.toLowerCase() === 'https' ? 443 : 80;
    const same = from.name === here.name && (from.port ?? implied) === (here.port ?? implied);
    return same || this.#names.configured(from);
  }

  /** True while a request from this computer needs no token. */
  #trusted(request: IncomingMessage): boolean {
    if (!this.loopbackTrusted()) return false;
    const names = Object.keys(request.headers);
    if (names.some((name) => name === 'forwarded' || name.startsWith('x-forwarded-'))) return false;
    const host = parseHost(header(request, 'host') ?? '');
    return (
      isLoopbackAddress(plainAddress(request.socket.remoteAddress)) &&
      host !== null &&
      isLoopbackName(host.name) &&
      (host.port ?? 80) === request.socket.localPort
    );
  }

  /** True until a GM's token exists, unless the configuration says never. */
  loopbackTrusted(): boolean {
    return this.#trustLoopback && !this.#tokens.hasSecret();
  }

  /** Who this is. A token that is given must be valid, even where none is needed. */
  identify(request: IncomingMessage, query: URLSearchParams, opaque: boolean): Result<Grant, Fault> {
    const token = tokenOf(request, query);
    if (token !== undefined) {
      const grant = this.grantOf(token);
      if (grant === null)
        return fault(401, 'token_invalid', 'this token is unknown or was revoked', 'make a new one: tiro token create');
      return ok({ ...grant, readOnly: opaque });
    }
    // A page without an origin may be a local overlay file, or any site in a sandboxed frame: it sees what is public.
    if (this.#trusted(request)) return ok({ id: LOOPBACK_ID, role: opaque ? 'overlay' : 'gm', readOnly: opaque });
    return fault(
      401,
      'token_missing',
      'a token is needed here',
      'make one on the computer of the table: tiro token create',
    );
  }

  /** What a token allows, or null if it is unknown or was revoked. */
  grantOf(token: string): Grant | null {
    const stored = this.#tokens.find(token);
    if (stored === undefined) return null;
    const { id, role, table, seat } = stored;
    return {
      id,
      role,
      ...(table === undefined ? {} : { table }),
      ...(seat === undefined ? {} : { seat }),
      readOnly: false,
    };
  }

  /** True while a connection that came in with this grant may stay (F145). */
  stillHolds(grant: Grant): boolean {
    return grant.id === LOOPBACK_ID ? this.loopbackTrusted() : this.#tokens.holds(grant.id);
  }
}

/** Roles that see what is public and may do nothing. */
const WATCHERS: readonly Role[] = ['overlay', 'spectator'];

/**
 * What a grant becomes at a table, narrowed by `role` and `seat` as asked for: a GM may look as anybody, a player only
 * as itself or as a spectator.
 * @param seats seats of the table
 */
export function viewerOf(
  grant: Grant,
  asked: { readonly role?: string | null; readonly seat?: string | null },
  seats: readonly string[],
): Result<Viewer, Fault> {
  if (grant.role === 'monitor') return fault(403, 'forbidden', 'a monitor token is for /metrics only');
  const seat = asked.seat ?? grant.seat;
  const fallback = grant.role === 'player' && seat === undefined ? 'spectator' : grant.role;
  const wanted = asked.role ?? (grant.role === 'gm' && asked.seat ? 'player' : fallback);
  const watcher = WATCHERS.find((role) => role === wanted);
  if (watcher !== undefined)
    return ok({ caller: { id: grant.id, role: watcher }, audience: { role: 'spectator' }, readOnly: true });
  if (wanted === 'gm' && grant.role === 'gm')
    return ok({ caller: { id: grant.id, role: 'gm' }, audience: { role: 'gm' }, readOnly: grant.readOnly });
  if (wanted !== 'player' || WATCHERS.includes(grant.role))
    return fault(403, 'forbidden', `this token does not allow the role "${wanted.slice(0, 20)}"`);
  if (grant.seat !== undefined && seat !== grant.seat)
    return fault(403, 'forbidden', `this token is for the seat ${grant.seat}`);
  if (seat === undefined || !isSeatId(seat) || !seats.includes(seat))
    return fault(404, 'no_such_seat', 'there is no such seat at this table', `one of: ${seats.join(', ')}`);
  return ok({
    caller: { id: grant.id, role: 'player', seat },
    audience: { role: 'seat', seat },
    readOnly: grant.readOnly,
  });
}

/** Why this viewer may not give this command, or null if it may. */
export function forbids(viewer: Viewer, command: Command): string | null {
  if (viewer.readOnly) return 'this connection may look, not act';
  const { role, seat } = viewer.caller;
  if (role === 'gm') return null;
  if (role !== 'player' || seat === undefined) return 'this connection may look, not act';
  if (!PLAYER_MAY.has(command.do)) return `only the GM may ${command.do}`;
  const named = 'seat' in command.args ? command.args.seat : undefined;
  // Whom a throw is lent to is another seat by nature; the table checks that the throw is the lender's own.
  if (command.do !== 'lend' && named !== undefined && named !== seat) return `you act for the seat ${seat} only`;
  return null;
}
