import type { EventEmitter } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Aedes, type AuthenticateError, type Client } from 'aedes';
import { err, ok, type Result } from '../dice/result.js';
import { MqttConnection } from './mqtt-connection.js';
import type { MqttCommand, MqttHouse, MqttMessage, MqttOutlet } from './mqtt-outlet.js';

const HOST = '127.0.0.1';

/** A taken port is passed over for one of the next ten (contracts G). */
const MORE_PORTS = 10;

const MAX_CLIENTS = 256;
const MAX_SUBSCRIPTIONS = 100;

/** Publishing pauses while more than this waits for somebody, so that a burst does not cost a good reader its place. */
const PACE_BYTES = 256 * 1024;

/** A subscriber that stays above that mark for so long has stalled and is let go (F073). */
const STALLED_MS = 1000;

/** Messages that may wait here; a longer queue lets go of whoever holds it up. */
const MAX_QUEUE = 10_000;

/** How often connections are looked at whose token may have been revoked; obeyed within 2 s (contracts G). */
const REVIEW_MS = 500;

/** Messages handed to the broker at once. */
const MAX_BATCH = 32;

/** The user name that goes with a token. */
const USER = 'tiro';

/** Where commands go inside the broker: nobody may subscribe to it, so no token in a payload is ever shown. */
const INNER_TOPIC = '$tiro/command';

const COMMAND_TOPIC = /^tiro\/([a-z0-9][a-z0-9_-]{0,31})\/command$/;

export interface BrokerParts {
  /** 0 takes a free port. */
  readonly port: number;
  /** True if this token is valid now. */
  readonly valid: (token: string) => boolean;
  readonly onCommand: (command: MqttCommand) => void;
  readonly log: (message: string) => void;
}

interface Guest {
  readonly connection: MqttConnection;
  token?: string;
  subscriptions: number;
}

function badLogin(): AuthenticateError {
  return Object.assign(new Error('unknown user or token'), { returnCode: 4 });
}

/**
 * The broker we bring along, on loopback only. Anonymous clients may subscribe; to publish, and then only commands, a
 * client logs in as `tiro` with a token. It keeps no sessions: who comes back finds what is retained.
 */
export class EmbeddedBroker implements MqttHouse, MqttOutlet {
  readonly #parts: BrokerParts;
  readonly #server: Server;
  readonly #aedes: Aedes;
  readonly #guests = new Map<MqttConnection, Guest>();
  readonly #queue: MqttMessage[] = [];
  readonly #reviews: NodeJS.Timeout;
  #running: Promise<void> | null = null;
  #port = 0;
  #evicted = 0;

  private constructor(parts: BrokerParts) {
    this.#parts = parts;
    this.#aedes = new Aedes({
      // No waiting between subscribers: each connection bounds itself.
      concurrency: 0,
      connectTimeout: 10_000,
      maxTopicLevels: 20,
      preConnect: (_client, packet, done) => {
        packet.clean = true;
        done(null, true);
      },
      authenticate: (client, username, password, done) => {
        const known = this.#login(client, username, password);
        done(known ? null : badLogin(), known);
      },
      authorizePublish: (client, packet, done) => done(this.#takes(client, packet)),
      authorizeSubscribe: (client, subscription, done) =>
        done(null, this.#admits(client, subscription.topic) ? subscription : null),
      authorizeForward: (client, packet) => (this.#mayHear(client, packet.topic) ? packet : null),
    });
    const events: EventEmitter = this.#aedes;
    events.on('error', (error: Error) => parts.log(`MQTT: ${error.message}`));
    this.#aedes.on('clientError', () => undefined);
    this.#aedes.on('connectionError', () => undefined);
    this.#aedes.on('unsubscribe', (topics, client) => {
      const guest = this.#guest(client);
      if (guest !== undefined) guest.subscriptions -= topics.length;
    });
    this.#server = createServer((socket) => this.#welcome(socket));
    this.#server.maxConnections = MAX_CLIENTS;
    this.#reviews = setInterval(() => this.#review(), REVIEW_MS);
    this.#reviews.unref();
  }

  /** Listens on the port or one of the next ten; refused with the reason if none is free. */
  static async start(parts: BrokerParts): Promise<Result<EmbeddedBroker, string>> {
    const broker = new EmbeddedBroker(parts);
    await broker.#aedes.listen();
    const last = parts.port === 0 ? 0 : Math.min(parts.port + MORE_PORTS, 65_535);
    for (let port = parts.port; port <= last; port++) {
      const fault = await broker.#listen(port);
      if (fault === null) return ok(broker);
      if (fault !== 'EADDRINUSE') {
        await broker.close();
        return err(`${HOST}:${port}: ${fault}`);
      }
    }
    await broker.close();
    return err(`the ports ${parts.port} to ${last} are taken`);
  }

  get port(): number {
    return this.#port;
  }

  get url(): string {
    return `mqtt://${HOST}:${this.#port}`;
  }

  /** Clients connected now. */
  get clients(): number {
    return this.#guests.size;
  }

  /** Subscribers let go because they did not read. */
  get evicted(): number {
    return this.#evicted;
  }

  /** All tables share one way: broker and tables live and end together. */
  open(_table: string): MqttOutlet {
    return this;
  }

  publish(message: MqttMessage): void {
    this.#queue.push(message);
    if (this.#queue.length > MAX_QUEUE) this.#evict();
    this.#running ??= this.#run();
  }

  async flush(): Promise<void> {
    await this.#running;
  }

  /** Hands over what waits, ends the connections, stops listening. */
  async close(): Promise<void> {
    clearInterval(this.#reviews);
    await this.flush();
    for (let wait = 0; wait < 50 && this.#slow(1).length > 0; wait++) await sleep(10);
    await new Promise<void>((resolve) => this.#aedes.close(resolve));
    if (!this.#server.listening) return;
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
      for (const connection of this.#guests.keys()) connection.destroy();
    });
  }

  #review(): void {
    for (const { token, connection } of this.#guests.values())
      if (token !== undefined && !this.#parts.valid(token)) connection.destroy();
  }

  #listen(port: number): Promise<string | null> {
    return new Promise((resolve) => {
      const failed = (error: NodeJS.ErrnoException): void => resolve(error.code ?? error.message);
      this.#server.once('error', failed);
      this.#server.listen({ host: HOST, port }, () => {
        this.#server.removeListener('error', failed);
        this.#server.on('error', () => undefined);
        const bound = this.#server.address();
        this.#port = typeof bound === 'object' && bound !== null ? bound.port : port;
        resolve(null);
      });
    });
  }

  #welcome(socket: Socket): void {
    const connection = new MqttConnection(socket);
    this.#guests.set(connection, { connection, subscriptions: 0 });
    connection.on('error', () => undefined);
    connection.once('close', () => this.#guests.delete(connection));
    this.#aedes.handle(connection);
  }

  #guest(client: Client | null): Guest | undefined {
    return client?.conn instanceof MqttConnection ? this.#guests.get(client.conn) : undefined;
  }

  #login(client: Client, username: string | undefined, password: Buffer | undefined): boolean {
    if (username === undefined && password === undefined) return true;
    const token = password?.toString('utf8') ?? '';
    const guest = this.#guest(client);
    if (username !== USER || guest === undefined || !this.#parts.valid(token)) return false;
    guest.token = token;
    return true;
  }

  /** Takes a command out of the stream; anything else that is published ends the connection. */
  #takes(client: Client | null, packet: { topic: string; payload: string | Buffer; retain: boolean }): Error | null {
    const guest = this.#guest(client);
    const table = COMMAND_TOPIC.exec(packet.topic)?.[1];
    if (guest?.token === undefined || table === undefined || !this.#parts.valid(guest.token)) {
      this.#parts.log(`MQTT: a client may not publish on ${packet.topic.slice(0, 60).replace(/[^ -~]/g, '?')}`);
      return new Error('only commands, by a client with a token');
    }
    const payload = Buffer.isBuffer(packet.payload) ? packet.payload : Buffer.from(packet.payload);
    packet.topic = INNER_TOPIC;
    packet.payload = Buffer.alloc(0);
    packet.retain = false;
    this.#parts.onCommand({ table, payload, token: guest.token });
    return null;
  }

  #admits(client: Client, topic: string): boolean {
    const guest = this.#guest(client);
    if (guest === undefined || topic.startsWith('$') || guest.subscriptions >= MAX_SUBSCRIPTIONS) return false;
    guest.subscriptions += 1;
    return true;
  }

  /** Replies are for those who may give commands. */
  #mayHear(client: Client, topic: string): boolean {
    return topic.split('/')[2] !== 'reply' || this.#guest(client)?.token !== undefined;
  }

  /** Batch after batch: the broker drops a message that another overtook. */
  async #run(): Promise<void> {
    for (let batch = this.#batch(); batch.length > 0; batch = this.#batch()) {
      if (this.#slow(PACE_BYTES).length > 0) await this.#wait();
      await Promise.all(batch.map((message) => this.#put(message)));
    }
    this.#running = null;
  }

  /** The next messages that take the same way through the broker, and so cannot overtake each other. */
  #batch(): readonly MqttMessage[] {
    const first = this.#queue[0];
    let count = 0;
    for (const { qos, retain } of this.#queue.slice(0, MAX_BATCH)) {
      if (qos !== first?.qos || retain !== first.retain) break;
      count += 1;
    }
    return this.#queue.splice(0, count);
  }

  #put({ topic, payload, qos, retain }: MqttMessage): Promise<void> {
    const packet = { cmd: 'publish' as const, topic, payload: Buffer.from(payload), qos, retain, dup: false };
    return new Promise((resolve) => {
      this.#aedes.publish(packet, (error) => {
        if (error) this.#parts.log(`MQTT: ${topic} was not published: ${error.message}`);
        resolve();
      });
    });
  }

  async #wait(): Promise<void> {
    const until = Date.now() + STALLED_MS;
    while (this.#slow(PACE_BYTES).length > 0 && this.#queue.length < MAX_QUEUE) {
      if (Date.now() > until) {
        this.#evict();
        return;
      }
      await sleep(2);
    }
  }

  #slow(bytes: number): readonly MqttConnection[] {
    return [...this.#guests.keys()].filter((connection) => connection.waiting >= bytes);
  }

  #evict(): void {
    for (const connection of this.#slow(PACE_BYTES)) {
      this.#evicted += 1;
      connection.destroy();
    }
  }
}
