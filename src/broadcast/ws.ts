import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import { ok, type Result } from '../dice/result.js';
import type { TablePort } from '../table/port.js';
import { type Access, type Grant, type Viewer, viewerOf } from './access.js';
import { type Daemon, type Fault, tableOf } from './daemon.js';
import { errorBody } from './fault.js';
import { addressOf, readQuery, wholeNumber } from './query.js';
import { Room } from './room.js';
import { CLOSE, Session, shut, type Visitor } from './session.js';

/** Largest message a client may send (contracts D). */
export const MAX_MESSAGE_BYTES = 64 * 1024;

/** One more than the bytes of a message: a rain of one-byte pieces ends at the size limit, one of empty pieces here. */
const MAX_PIECES = MAX_MESSAGE_BYTES + 1;

/** Connections at once; a table has tens, a stream's overlays some more. */
const MAX_SESSIONS = 4000;

/** Three of these without an answer are under 60 s (F044). */
export const PING_MS = 18_000;

/** Kinds of visitors remembered to be shared. */
const MAX_VISITORS = 1000;

interface Asked {
  readonly visitor: Visitor;
  readonly table: TablePort;
  readonly since: number | null;
}

/** What a connection is refused with: before the upgrade by a status, after it by a close code a page can see. */
type Refusal = { readonly fault: Fault; readonly close?: number };

const ignored = (): void => undefined;
function destroyed(this: Duplex): void {
  this.destroy();
}

interface ClientListeners {
  readonly close: (this: WebSocket, code: number) => void;
  readonly message: (this: WebSocket, data: RawData, binary: boolean) => void;
  readonly pong: (this: WebSocket) => void;
}

/** Listeners that all clients share: in a crowd of overlays and phones, their own would weigh more than their sessions. */
function listenersOf(sessions: Map<WebSocket, Session>, closes: Map<number, number>): ClientListeners {
  return {
    close(code) {
      closes.set(code, (closes.get(code) ?? 0) + 1);
      sessions.get(this)?.left();
      sessions.delete(this);
    },
    message(data, binary) {
      sessions.get(this)?.receive(data, binary);
    },
    pong() {
      sessions.get(this)?.alive();
    },
  };
}

/** The WebSocket door of the daemon. */
export class Sockets {
  readonly #daemon: Daemon;
  readonly #access: Access;
  readonly #server: WebSocketServer;
  readonly #rooms = new Map<TablePort, Room>();
  readonly #sessions = new Map<WebSocket, Session>();
  readonly #visitors = new Map<string, Visitor>();
  readonly #closes = new Map<number, number>();
  readonly #heart: NodeJS.Timeout;
  readonly #listeners: ClientListeners;

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
    this.#listeners = listenersOf(this.#sessions, this.#closes);
    this.#heart = setInterval(() => {
      for (const session of this.#sessions.values()) session.ping();
    }, pingMs);
    this.#heart.unref();
  }

  /** Number of connections, of one table or in all. */
  count(table?: TablePort): number {
    if (table === undefined) return this.#sessions.size;
    let count = 0;
    for (const session of this.#sessions.values()) if (session.room.table === table) count += 1;
    return count;
  }

  /** Who is connected to a table: role, and seat of a player. */
  present(table: TablePort): readonly { readonly role: string; readonly seat?: string }[] {
    const here = [...this.#sessions.values()].filter((session) => session.room.table === table);
    return here
      .map(({ visitor: { viewer } }) => viewer.caller)
      .map((caller) => ({
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
    socket.on('error', destroyed);
    const asked = this.#ask(request);
    const refusal = asked.ok ? null : asked.error;
    if (refusal !== null && refusal.close === undefined) {
      refuse(socket, refusal.fault);
      return;
    }
    this.#server.handleUpgrade(request, socket, head, (client) => {
      socket.removeListener('error', destroyed);
      client.on('error', ignored);
      client.on('close', this.#listeners.close);
      if (asked.ok) this.#welcome(client, socket, asked.value);
      else shut(client, refusal?.close ?? CLOSE.token, asked.error.fault.message.slice(0, 120));
    });
  }

  /** Closes every connection whose token was revoked, or which needs one now (F145). */
  review(): void {
    for (const session of this.#sessions.values()) {
      if (this.#access.stillHolds(session.visitor.grant)) continue;
      if (session.visitor.grant.id === 'loopback') session.end(CLOSE.token, 'a token is needed now');
      else session.end(CLOSE.revoked, 'the token was revoked');
    }
  }

  /** Says that the daemon restarts, and lets everybody go. */
  close(): void {
    clearInterval(this.#heart);
    for (const session of this.#sessions.values()) session.end(CLOSE.restarting, 'restarting');
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
    return ok({
      visitor: this.#visitor(grant.value, viewer.value),
      table,
      since: since.value < 0 ? null : since.value,
    });
  }

  #welcome(client: WebSocket, socket: Duplex, asked: Asked): void {
    const session = new Session(client, socket, asked.visitor, this.#room(asked.table));
    this.#sessions.set(client, session);
    client.on('message', this.#listeners.message);
    client.on('pong', this.#listeners.pong);
    session.begin(this.#daemon.version, asked.since);
  }

  /** Those who come in alike share one; a grant's id says what it allows. */
  #visitor(grant: Grant, viewer: Viewer): Visitor {
    const { role, seat } = viewer.caller;
    const key = `${grant.id} ${role} ${seat ?? ''} ${grant.readOnly}`;
    const known = this.#visitors.get(key);
    if (known !== undefined) return known;
    if (this.#visitors.size >= MAX_VISITORS) this.#visitors.clear();
    const visitor = { grant, viewer };
    this.#visitors.set(key, visitor);
    return visitor;
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
