import type { Duplex } from 'node:stream';
import type { RawData, WebSocket } from 'ws';
import { parseCommand } from '../wire/command.js';
import { forbids, type Grant, type Viewer } from './access.js';
import { parseJson } from './bounded-json.js';
import { textFrame } from './frame.js';
import { put, replay } from './outbox.js';
import type { Follower, Room } from './room.js';

/** Commands of one connection that may be on their way at once. */
export const MAX_COMMANDS_UNDERWAY = 64;

/** A peer that does not answer the closing handshake is cut off after this. */
const CLOSE_GRACE_MS = 1000;

/** Silent pings after which a peer counts as dead. */
const MAX_MISSED = 2;

export const CLOSE = {
  unsupported: 1003,
  restarting: 1012,
  token: 4001,
  revoked: 4003,
  noTable: 4004,
  tooSlow: 4008,
} as const;

/** Closes, and cuts off a peer that does not answer. */
export function shut(socket: WebSocket, code: number, reason: string): void {
  socket.close(code, reason);
  const cut = setTimeout(() => socket.terminate(), CLOSE_GRACE_MS);
  cut.unref();
  socket.once('close', () => clearTimeout(cut));
}

/** As whom a connection came in; shared by all that came in alike. */
export interface Visitor {
  readonly grant: Grant;
  readonly viewer: Viewer;
}

/** One client of one table (contracts D): hello, what it missed, then every record of its audience. */
export class Session implements Follower {
  readonly visitor: Visitor;
  readonly room: Room;
  readonly #socket: WebSocket;
  readonly #wire: Duplex;
  #missed = 0;
  #underway = 0;
  #gone = false;

  /** @param wire what `socket` speaks through, as the HTTP server handed it over */
  constructor(socket: WebSocket, wire: Duplex, visitor: Visitor, room: Room) {
    this.#socket = socket;
    this.#wire = wire;
    this.visitor = visitor;
    this.room = room;
  }

  /** Greets, then sends what is missing since `since` (or the whole state), then follows. */
  begin(version: string, since: number | null): void {
    const { table } = this.room;
    const { caller, audience } = this.visitor.viewer;
    const { role, seat } = caller;
    const seq = table.seq(audience);
    this.#say({ kind: 'hello', version, role, ...(seat === undefined ? {} : { seat }), seq });
    if (since === null || since > seq) this.#whole();
    else this.#missing(since);
  }

  /** The peer has answered. */
  alive(): void {
    this.#missed = 0;
  }

  /** The connection is closed. */
  left(): void {
    this.#gone = true;
    this.room.part(this.visitor.viewer.audience, this);
  }

  take(frame: Buffer): void {
    if (!put(this.#socket, this.#wire, frame)) this.end(CLOSE.tooSlow, 'too slow: come back with since');
  }

  /** Asks whether the peer still lives; cuts it off when it has been silent too long (F044). */
  ping(): void {
    if (this.#missed >= MAX_MISSED) this.#socket.terminate();
    else {
      this.#missed += 1;
      this.#socket.ping();
    }
  }

  end(code: number, reason: string): void {
    if (this.#gone) return;
    this.left();
    shut(this.#socket, code, reason);
  }

  #whole(): void {
    const { audience } = this.visitor.viewer;
    const seq = this.room.table.seq(audience);
    replay(this.#socket, this.#wire, [this.room.snapshot(audience)], () => this.#missing(seq));
  }

  /** What came while the replay was on its way is asked for again, until nothing is missing. */
  #missing(since: number): void {
    const { audience } = this.visitor.viewer;
    const seq = this.room.table.seq(audience);
    if (seq === since) {
      if (!this.#gone) this.room.join(audience, this);
      return;
    }
    const texts = this.room.table.since(audience, since);
    if (texts === null) this.#whole();
    else replay(this.#socket, this.#wire, texts, () => this.#missing(seq));
  }

  #say(message: object): void {
    if (!this.#gone) this.take(textFrame(JSON.stringify(message)));
  }

  /** Takes a message of the peer. */
  receive(data: RawData, binary: boolean): void {
    if (this.#gone) return;
    this.alive();
    if (binary) {
      this.end(CLOSE.unsupported, 'text frames only');
      return;
    }
    const input = parseJson(String(data));
    if (!input.ok) {
      this.#say({ kind: 'error', code: 'json_invalid', message: input.error });
      return;
    }
    const command = parseCommand(input.value);
    if (!command.ok) {
      const { id, error } = command;
      if (id === '') this.#say({ kind: 'error', code: 'command_invalid', message: error });
      else this.#say({ kind: 'refused', id, code: 'command_invalid', reason: error });
      return;
    }
    void this.#obey(command.value);
  }

  async #obey(command: Parameters<typeof forbids>[1]): Promise<void> {
    const { id } = command;
    const forbidden = forbids(this.visitor.viewer, command);
    if (forbidden !== null) {
      this.#say({ kind: 'refused', id, code: 'forbidden', reason: forbidden });
      return;
    }
    if (this.#underway >= MAX_COMMANDS_UNDERWAY) {
      this.#say({ kind: 'refused', id, code: 'busy', reason: 'too many commands without an answer yet' });
      return;
    }
    this.#underway += 1;
    try {
      this.#say(await this.room.table.command(this.visitor.viewer.caller, command));
    } finally {
      this.#underway -= 1;
    }
  }
}
