import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { ok, type Result } from '../dice/result.js';
import type { TablePort } from '../table/port.js';
import { type Access, type Grant, type Viewer, viewerOf } from './access.js';
import { type Daemon, type Fault, tableOf } from './daemon.js';
import { errorBody } from './fault.js';
import { addressOf, readQuery, wholeNumber } from './query.js';
import { Room } from './room.js';
import { CLOSE, Session, shut } from './session.js';

/** Largest message a client may send (contracts D). */
export const MAX_MESSAGE_BYTES = 64 * 1024;

/** One more than the bytes of a message: a rain of one-byte pieces ends at the size limit, one of empty pieces here. */
const MAX_PIECES = MAX_MESSAGE_BYTES + 1;

/** Connections at once; a table has tens, a stream's overlays some more. */
const MAX_SESSIONS = 4000;

/** Three of these without an answer are under 60 s (F044). */
export const PING_MS = 18_000;

interface Asked {
  readonly grant: Grant;
  readonly viewer: Viewer;
  readonly table: TablePort;
  readonly since: number | null;
}

/** What a connection is refused with: before the upgrade by a status, after it by a close code a page can see. */
type Refusal = { readonly fault: Fault; readonly close?: number };

/** The WebSocket door of the daemon. */
export class Sockets {
  readonly #daemon: Daemon;
  readonly #access: Access;
  readonly #server: WebSocketServer;
  readonly #rooms = new Map<TablePort, Room>();
  readonly #sessions = new Set<Session>();
  readonly #closes = new Map<number, number>();
  readonly #heart: NodeJS.Timeout;

  constructor(daemon: Daemon, access: Access, pingMs: number = PING_MS) {
    this.#daemon = daemon;
    this.#access = access;
    this.#server = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      maxPayload: MAX_MESSAGE_BYTES,
      maxFragments: MAX_PIECES,
      perMessageDeflate: false,
      handleProtocols: (offered) =>
        offered.has('tiro.v1') ? 'tiro.v1' : ([...offered].find((name) => name.startsWith('tiro.token.')) ?? false),
    });
    this.#heart = setInterval(() => {
      for (const session of this.#sessions) session.ping();
    }, pingMs);
    this.#heart.unref();
  }

  /** Number of connections, of one table or in all. */
  count(table?: TablePort): number {
    if (table === undefined) return this.#sessions.size;
    let count = 0;
    for (const session of this.#sessions) if (session.room.table === table) count += 1;
    return count;
  }

  /** Who is connected to a table: role, and seat of a player. */
  present(table: TablePort): readonly { readonly role: string; readonly seat?: string }[] {
    const here = [...this.#sessions].filter((session) => session.room.table === table);
    return here.map(({ viewer: { caller } }) => ({
      role: caller.role,
      ...(caller.seat === undefined ? {} : { seat: caller.seat }),
    }));
  }

  /** Close codes so far, for `/metrics`. */
  closes(): ReadonlyMap<number, number> {
    return this.#closes;
  }

  /** Takes the `upgrade` of an HTTP server. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy());
    const asked = this.#ask(request);
    const refusal = asked.ok ? null : asked.error;
    if (refusal !== null && refusal.close === undefined) {
      refuse(socket, refusal.fault);
      return;
    }
    this.#server.handleUpgrade(request, socket, head, (client) => {
      client.on('error', () => undefined);
      client.once('close', (code) => this.#closes.set(code, (this.#closes.get(code) ?? 0) + 1));
      if (asked.ok) this.#welcome(client, socket, asked.value);
      else shut(client, refusal?.close ?? CLOSE.token, asked.error.fault.message.slice(0, 120));
    });
  }

  /** Closes every connection whose token was revoked, or which needs one now (F145). */
  review(): void {
    for (const session of this.#sessions) {
      if (this.#access.stillHolds(session.grant)) continue;
      if (session.grant.id === 'loopback') session.end(CLOSE.token, 'a token is needed now');
      else session.end(CLOSE.revoked, 'the token was revoked');
    }
  }

  /** Says that the daemon restarts, and lets everybody go. */
  close(): void {
    clearInterval(this.#heart);
    for (const session of this.#sessions) session.end(CLOSE.restarting, 'restarting');
    for (const room of this.#rooms.values()) room.close();
    this.#rooms.clear();
    this.#server.close();
  }

  #ask(request: IncomingMessage): Result<Asked, Refusal> {
    const refused = (fault: Fault, close?: number): { ok: false; error: Refusal } => ({
      ok: false,
      error: { fault, ...(close === undefined ? {} : { close }) },
    });
    const door = this.#access.door(request);
    if (!door.ok) return refused(door.error);
    const url = addressOf(request.url);
    if (url?.pathname !== '/ws') return refused({ status: 404, code: 'not_found', message: 'WebSockets are at /ws' });
    const query = readQuery(url.searchParams, ['table', 'since']);
    if (!query.ok) return refused(query.error);
    const since = wholeNumber(query.value, 'since', { min: 0, max: Number.MAX_SAFE_INTEGER, fallback: -1 });
    if (!since.ok) return refused(since.error);
    if (this.#sessions.size >= MAX_SESSIONS)
      return refused({ status: 503, code: 'full', message: 'too many connections' });
    const grant = this.#access.identify(request, url.searchParams, door.value.opaque);
    if (!grant.ok) return refused(grant.error, CLOSE.token);
    const table = tableOf(this.#daemon, query.value.get('table') ?? '');
    if (table === undefined)
      return refused({ status: 404, code: 'no_such_table', message: 'no such table' }, CLOSE.noTable);
    if (grant.value.table !== undefined && grant.value.table !== table.id)
      return refused({ status: 403, code: 'forbidden', message: 'this token is for another table' }, CLOSE.token);
    const wish = { role: query.value.get('role') ?? null, seat: query.value.get('seat') ?? null };
    const viewer = viewerOf(grant.value, wish, table.seats());
    if (!viewer.ok) return refused(viewer.error, CLOSE.token);
    return ok({ grant: grant.value, viewer: viewer.value, table, since: since.value < 0 ? null : since.value });
  }

  #welcome(client: WebSocket, socket: Duplex, asked: Asked): void {
    const session = new Session(client, socket, asked.grant, asked.viewer, this.#room(asked.table));
    this.#sessions.add(session);
    client.once('close', () => this.#sessions.delete(session));
    session.begin(this.#daemon.version, asked.since);
  }

  #room(table: TablePort): Room {
    const known = this.#rooms.get(table);
    if (known !== undefined) return known;
    const room = new Room(table);
    this.#rooms.set(table, room);
    return room;
  }
}

function refuse(socket: Duplex, fault: Fault): void {
  const body = JSON.stringify(errorBody(fault));
  socket.end(
    `HTTP/1.1 ${fault.status} Refused\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
