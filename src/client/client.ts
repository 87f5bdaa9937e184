import type { Answer, CommandName } from '../wire/command.js';
import type { Envelope, Live, Snapshot } from '../wire/envelope.js';
import type { Hello } from '../wire/greeting.js';
import { ANSWER_TIMEOUT_MS, Errands } from './errands.js';
import { FINAL_CLOSES, type OpenSocket, PROTOCOL, SOCKET_OPEN, type Socket, TOKEN_PROTOCOL } from './socket.js';

export type { Hello };

/**
 * `connecting`: a socket is being opened or the next attempt waits; `live`: all that happened is here;
 * `closed`: for good, `code` is the close code (4001 token, 4003 revoked, 4004 no such table, 4009 version), or null
 * after `close()`.
 */
export type LinkState =
  | { readonly link: 'connecting'; readonly attempt: number }
  | { readonly link: 'live'; readonly hello: Hello }
  | { readonly link: 'closed'; readonly code: number | null; readonly reason: string };

export interface ClientOptions {
  /** Address of the daemon, `http://…` or `ws://…`; a path is ignored. */
  readonly url: string;
  readonly table: string;
  readonly role?: 'gm' | 'player' | 'overlay' | 'spectator';
  readonly seat?: string;
  readonly token?: string;
  /** Last `seq` already known; the missing envelopes are asked for. */
  readonly since?: number;
  readonly open: OpenSocket;
  onState?(state: LinkState): void;
  /** The whole state: at the start, and whenever too much was missed. */
  onSnapshot?(snapshot: Snapshot): void;
  /** Records in order, each once. `replayed`: it happened before this connection was live; animate nothing. */
  onEnvelope?(envelope: Envelope, replayed: boolean): void;
  onLive?(live: Live): void;
  /** Wait before the n-th attempt in milliseconds, n from 1; default 250 ms doubling to 10 s, half of it random. */
  readonly backoff?: (attempt: number) => number;
  readonly answerTimeoutMs?: number;
}

/** 250 ms, doubled per attempt, at most 10 s; half of it random so that a room of phones does not come back at once. */
export function defaultBackoff(attempt: number): number {
  const whole = Math.min(10_000, 250 * 2 ** Math.min(attempt - 1, 10));
  return whole / 2 + (Math.random() * whole) / 2;
}

/** Address of the WebSocket of a table (contracts D). The token is not part of it: it travels as a sub-protocol. */
export function socketUrl(options: Pick<ClientOptions, 'url' | 'table' | 'role' | 'seat'>, since?: number): string {
  const url = new URL('/ws', options.url);
  url.protocol = url.protocol === 'https:' || url.protocol === 'wss:' ? 'wss:' : 'ws:';
  url.searchParams.set('table', options.table);
  if (options.role !== undefined) url.searchParams.set('role', options.role);
  if (options.seat !== undefined) url.searchParams.set('seat', options.seat);
  if (since !== undefined) url.searchParams.set('since', String(since));
  return url.href;
}

type Message = { readonly kind: string } & Record<string, unknown>;

function parse(data: unknown): Message | null {
  if (typeof data !== 'string') return null;
  try {
    const value: unknown = JSON.parse(data);
    return typeof value === 'object' && value !== null && 'kind' in value ? (value as Message) : null;
  } catch {
    return null;
  }
}

/**
 * Follows one table: keeps `seq` and `prev`, resumes after a lost connection, sends commands again under the same id.
 * Works in a browser and in Node; the socket is passed in.
 */
export class TableClient {
  readonly #options: ClientOptions;
  readonly #errands: Errands;
  #socket: Socket | null = null;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #attempt = 0;
  #seq: number | null;
  #target = 0;
  #hello: Hello | null = null;
  #live = false;
  #closed = false;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#seq = options.since ?? null;
    this.#errands = new Errands(options.answerTimeoutMs ?? ANSWER_TIMEOUT_MS);
    this.#connect();
  }

  /** Number of the last record received, or null before the first. */
  get seq(): number | null {
    return this.#seq;
  }

  /**
   * Sends a command and waits for its answer, over reconnects too. Never rejects: without an answer it is refused with
   * code `no_answer`, `closed` or `busy`.
   */
  send(name: CommandName, args: object = {}, id?: string): Promise<Answer> {
    const { text, answer } = this.#errands.add(name, args, id);
    if (text !== null && this.#hello !== null) this.#put(text);
    if (this.#closed) this.#errands.abandon('closed', 'the connection is closed');
    return answer;
  }

  /** Closes for good. */
  close(): void {
    if (this.#closed) return;
    this.#end(null, 'closed here');
    this.#socket?.close(1000);
  }

  /** Opens a fresh connection at once: for a page that woke up or came back on line, whose socket may be dead. */
  refresh(): void {
    if (this.#closed) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#drop();
    this.#connect();
  }

  #connect(): void {
    if (this.#closed) return;
    this.#attempt += 1;
    this.#options.onState?.({ link: 'connecting', attempt: this.#attempt });
    const protocols = [PROTOCOL];
    if (this.#options.token !== undefined) protocols.push(TOKEN_PROTOCOL + this.#options.token);
    const socket = this.#options.open(socketUrl(this.#options, this.#seq ?? undefined), protocols);
    this.#socket = socket;
    socket.onmessage = (event) => {
      if (this.#socket === socket && !this.#closed) this.#receive(parse(event.data));
    };
    socket.onerror = () => undefined;
    socket.onclose = (event) => {
      if (this.#socket === socket) this.#lost(event.code, event.reason);
    };
  }

  #lost(code: number, reason: string): void {
    this.#socket = null;
    this.#hello = null;
    this.#live = false;
    if (this.#closed) return;
    if (FINAL_CLOSES.includes(code)) this.#end(code, reason);
    else this.#retry();
  }

  #retry(): void {
    if (this.#timer !== null) return;
    const wait = (this.#options.backoff ?? defaultBackoff)(Math.max(1, this.#attempt));
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#connect();
    }, wait);
  }

  #end(code: number | null, reason: string): void {
    this.#closed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#errands.abandon('closed', reason);
    this.#options.onState?.({ link: 'closed', code, reason });
  }

  #put(text: string): void {
    if (this.#socket?.readyState === SOCKET_OPEN) this.#socket.send(text);
  }

  #receive(message: Message | null): void {
    if (message === null) return;
    if (message.kind === 'hello') this.#greeted(message as unknown as Hello);
    else if (message.kind === 'snapshot') this.#whole(message as unknown as Snapshot);
    else if (message.kind === 'live') this.#options.onLive?.(message as unknown as Live);
    else if (message.kind === 'ack' || message.kind === 'refused') this.#errands.answer(message as unknown as Answer);
    else if (typeof message.seq === 'number' && typeof message.prev === 'number')
      this.#record(message as unknown as Envelope);
  }

  #greeted(hello: Hello): void {
    this.#hello = hello;
    this.#target = hello.seq;
    for (const text of this.#errands.texts()) this.#put(text);
    if (this.#seq === hello.seq) this.#caughtUp();
  }

  #whole(snapshot: Snapshot): void {
    this.#seq = snapshot.seq;
    this.#options.onSnapshot?.(snapshot);
    if (snapshot.seq >= this.#target) this.#caughtUp();
  }

  #record(envelope: Envelope): void {
    if (this.#seq !== null && envelope.seq <= this.#seq) return;
    if (envelope.prev !== this.#seq) {
      this.#gap();
      return;
    }
    this.#seq = envelope.seq;
    this.#options.onEnvelope?.(envelope, envelope.seq <= this.#target);
    if (!this.#live && envelope.seq >= this.#target) this.#caughtUp();
  }

  #caughtUp(): void {
    if (this.#live || this.#hello === null) return;
    this.#live = true;
    this.#attempt = 0;
    this.#options.onState?.({ link: 'live', hello: this.#hello });
  }

  /** Something is missing: asks for it by connecting again; if that does not close the gap, for the whole state. */
  #gap(): void {
    if (!this.#live) this.#seq = null;
    this.#drop();
    this.#retry();
  }

  #drop(): void {
    const socket = this.#socket;
    this.#socket = null;
    this.#hello = null;
    this.#live = false;
    socket?.close(1000);
  }
}
