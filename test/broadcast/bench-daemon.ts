import { mkdtempSync, rmSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import WebSocket from 'ws';
import type { Daemon, FakeDeed, NetworkConfig } from '../../src/broadcast/daemon.js';
import { HttpDoor, type HttpParts } from '../../src/broadcast/http.js';
import { TokenStore } from '../../src/broadcast/tokens.js';
import { ok } from '../../src/dice/result.js';
import type { TablePort } from '../../src/table/port.js';
import { BenchTable } from './bench-table.js';

/** A daemon without rules and devices, its HTTP door on a free port of loopback, its tokens in a fresh folder. */
export class Bench {
  readonly folder = mkdtempSync(join(tmpdir(), 'tiro-broadcast-'));
  readonly table = new BenchTable('prova');
  readonly tables: TablePort[] = [this.table];
  readonly driven: { device: string; deed: FakeDeed }[] = [];
  readonly logged: string[] = [];
  readonly tokens: TokenStore;
  readonly daemon: Daemon;
  private readonly tableListeners = new Set<(table: TablePort) => void>();
  private readonly sockets = new Set<WebSocket>();
  private opened: HttpDoor | null = null;

  constructor() {
    const tokens = TokenStore.open(join(this.folder, 'tokens.json'), (message) => this.logged.push(message));
    if (!tokens.ok) throw new Error(tokens.error);
    this.tokens = tokens.value;
    this.daemon = this.makeDaemon();
  }

  static async open(config: Partial<NetworkConfig> = {}, parts: Partial<HttpParts> = {}): Promise<Bench> {
    const bench = new Bench();
    const door = await HttpDoor.open({
      daemon: bench.daemon,
      config: { host: '127.0.0.1', port: 0, trustLoopback: true, names: [], pages: null, schemas: null, ...config },
      tokens: bench.tokens,
      mqtt: () => ({ url: null, reason: 'off' }),
      ...parts,
    });
    if (!door.ok) throw new Error(door.error.message);
    bench.opened = door.value;
    return bench;
  }

  get door(): HttpDoor {
    if (this.opened === null) throw new Error('the bench was not opened');
    return this.opened;
  }

  get url(): string {
    return `http://127.0.0.1:${this.door.port}`;
  }

  /** Makes a token. */
  token(role: string, more: { table?: string; seat?: string } = {}): { id: string; token: string } {
    const made = this.tokens.create({ role, ...more });
    if (!made.ok) throw new Error(made.error);
    return { id: made.value.stored.id, token: made.value.token };
  }

  addTable(id: string): BenchTable {
    const table = new BenchTable(id);
    this.tables.push(table);
    for (const listener of this.tableListeners) listener(table);
    return table;
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Told> {
    return this.ask('GET', path, headers);
  }

  post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Told> {
    return this.ask('POST', path, { 'content-type': 'application/json', ...headers }, JSON.stringify(body));
  }

  /** A request whose headers, Host included, are wholly ours. */
  ask(method: string, path: string, headers: Record<string, string> = {}, body?: string): Promise<Told> {
    return new Promise((resolve, reject) => {
      const asked = httpRequest(
        { host: '127.0.0.1', port: this.door.port, method, path, headers, agent: false },
        (response) => {
          const parts: Buffer[] = [];
          response.on('data', (part: Buffer) => parts.push(part));
          response.on('end', () => {
            const text = Buffer.concat(parts).toString();
            const isJson = (response.headers['content-type'] ?? '').includes('json');
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              text,
              json: isJson ? (JSON.parse(text) as Body) : {},
            });
          });
        },
      );
      asked.on('error', reject);
      asked.end(body);
    });
  }

  /** A WebSocket client that keeps what it hears. */
  follow(query: string, options: WebSocket.ClientOptions & { protocols?: string[] } = {}): Ear {
    const { protocols, ...rest } = options;
    const socket = new WebSocket(`ws://127.0.0.1:${this.door.port}/ws?${query}`, protocols ?? [], rest);
    this.sockets.add(socket);
    return new Ear(socket);
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.terminate();
    await this.opened?.close();
    this.tokens.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private makeDaemon(): Daemon {
    return {
      version: '0.0.0-bench',
      tables: () => this.tables,
      onTable: (listener) => {
        this.tableListeners.add(listener);
        return () => this.tableListeners.delete(listener);
      },
      createTable: async (order) => ok(this.addTable(order.id)),
      status: () => ({ ble: { state: 'off' }, serial: { state: 'off' } }),
      dice: () => [
        {
          id: 'ada-d20',
          device: 'fake-godice-d20',
          model: 'godice',
          type: 'd20',
          table: 'prova',
          seat: 'ada',
          duty: 'rolls',
          counter: null,
          link: 'up',
          battery: 80,
          face: 17,
          fake: true,
          name: null,
        },
      ],
      fake: async (device, deed) => {
        this.driven.push({ device, deed });
        return ok({ signals: [], roll: null, seq: null });
      },
      readiness: () => ({ ready: true, reasons: [] }),
      log: (_level, message) => this.logged.push(message),
    };
  }
}

/** A body of an answer, the fields the tests look into. */
export interface Body {
  readonly error?: {
    readonly code: string;
    readonly message: string;
    readonly where?: string;
    readonly remedy?: string;
  };
  readonly kind?: string;
  readonly seq?: number;
  readonly next?: number | null;
  readonly view?: Record<string, unknown>;
  readonly events?: readonly Heard[];
  readonly tables?: readonly { readonly id: string; readonly clients: number; readonly present: readonly object[] }[];
  readonly [field: string]: unknown;
}

/** A message of a WebSocket, the fields the tests look into. */
export interface Heard {
  readonly kind: string;
  readonly seq?: number;
  readonly prev?: number;
  readonly id?: string;
  readonly code?: string;
  readonly role?: string;
  readonly seat?: string;
  readonly roll?: { readonly id: string; readonly natural?: number };
  readonly view?: Record<string, unknown>;
  readonly [field: string]: unknown;
}

export interface Told {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly text: string;
  readonly json: Body;
}

/** What a client heard. */
export class Ear {
  readonly socket: WebSocket;
  readonly heard: Heard[] = [];
  code: number | null = null;
  private readonly gone: Promise<number>;

  constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (data) => this.heard.push(JSON.parse(String(data)) as Heard));
    socket.on('error', () => undefined);
    this.gone = new Promise((resolve) => {
      socket.on('close', (code) => {
        this.code = code;
        resolve(code);
      });
    });
  }

  /** The first message that fits, waiting for it. */
  async hear(fits: (message: Heard) => boolean, ms = 5000): Promise<Heard> {
    const until = Date.now() + ms;
    for (;;) {
      const found = this.heard.find(fits);
      if (found !== undefined) return found;
      if (Date.now() > until)
        throw new Error(`not heard within ${ms} ms; heard ${JSON.stringify(this.heard).slice(0, 500)}`);
      await sleep(5);
    }
  }

  ready(): Promise<unknown> {
    return this.hear((message) => message.kind === 'hello').then(() =>
      this.hear((message) => message.kind === 'snapshot'),
    );
  }

  /** The close code, waiting for the close. */
  async closed(ms = 5000): Promise<number> {
    const late = sleep(ms, null, { ref: false }).then(() => {
      throw new Error(`still open after ${ms} ms`);
    });
    return Promise.race([this.gone, late]);
  }

  say(message: unknown): void {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }
}
