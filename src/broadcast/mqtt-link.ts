import { setTimeout as sleep } from 'node:timers/promises';
import { type BrokerAddress, type LineFault, MqttLine } from './mqtt-line.js';
import type { Delivery, MqttCommand, MqttMessage, MqttOutlet, MqttRemote } from './mqtt-outlet.js';
import { topicPart } from './mqtt-outlet.js';
import { Post } from './mqtt-post.js';

/** A connection that ended sooner was no connection: two programs with one client id throw each other out (F038). */
const SHORT_MS = 20_000;

/** So many short connections in a row, and a client id that we chose ourselves is chosen anew. */
const SHORT_MANY = 2;

/** A broker that owes an answer for this long is not there. */
const ANSWER_MS = 20_000;

/** How long a goodbye waits for the broker; the last word on the table has been waited for before. */
const GOODBYE_MS = 1000;

/** Refused for who we are: user and password, or rights (MQTT 3.1.1 codes 4 and 5, MQTT 5 codes 134, 135 and 138). */
const LOGIN = new Set<LineFault['code']>([4, 5, 134, 135, 138]);
const CLIENT_ID = new Set<LineFault['code']>([2, 133]);
const VERSION = new Set<LineFault['code']>([1, 132]);
const TAKEN_OVER = 142;

export interface LinkParts {
  readonly table: string;
  readonly address: BrokerAddress;
  /** This instance's id at the broker; asked for on every attempt. */
  clientId(): string;
  /** The id is in use elsewhere: a new one is wanted. False if the user chose it. */
  anotherId(): boolean;
  onCommand(command: MqttCommand): void;
  log(message: string): void;
}

/** Waits before the n-th attempt, n from 1, in milliseconds; between half and the whole of it is waited. */
const waits = {
  broken: (n: number): number => Math.min(10_000, 500 * 2 ** (n - 1)),
  login: (n: number): number => Math.min(30_000, 2000 * 2 ** (n - 1)),
  short: (n: number): number => Math.min(60_000, 8000 * 2 ** (n - 2)),
};

/**
 * A table's way to an external broker: a connection of its own, because MQTT gives each connection one last will. It
 * comes back by itself, more slowly the longer it does not succeed; while it is away nothing waits in memory.
 */
export class MqttLink implements MqttOutlet, MqttRemote {
  readonly #parts: LinkParts;
  readonly #post = new Post();
  readonly #ups: ((again: boolean) => void)[] = [];
  readonly #watch: NodeJS.Timeout;
  #line: MqttLine | null = null;
  #retry: NodeJS.Timeout | undefined;
  #reason: string | null = 'connecting';
  #up = false;
  #upAt = 0;
  #answeredAt = 0;
  #connections = 0;
  #failures = 0;
  #shorts = 0;
  #ended = false;

  constructor(parts: LinkParts) {
    this.#parts = parts;
    this.#watch = setInterval(() => this.#look(), ANSWER_MS / 4).unref();
    this.#dial();
  }

  get remote(): MqttRemote {
    return this;
  }

  /** Null while connected, else why not. */
  get reason(): string | null {
    return this.#reason;
  }

  get connected(): boolean {
    return this.#up;
  }

  publish(message: MqttMessage): void {
    this.#post.add(message);
  }

  deliver(message: MqttMessage): Promise<Delivery> {
    return this.#post.deliver(message);
  }

  flush(): Promise<void> {
    return this.#post.idle();
  }

  onUp(listener: (again: boolean) => void): void {
    this.#ups.push(listener);
    if (this.#up) listener(this.#connections > 1);
  }

  /** Waits for the broker's answers, says goodbye and ends; a broker that does not answer sends the last will itself. */
  async close(): Promise<void> {
    this.#ended = true;
    clearTimeout(this.#retry);
    clearInterval(this.#watch);
    const line = this.#line;
    if (line === null) return;
    const late = sleep(GOODBYE_MS, 'late', { ref: false });
    const answer = this.#up ? await Promise.race([this.#post.idle(), late]) : 'late';
    if (answer === 'late') line.drop('the broker did not answer');
    else await Promise.race([line.leave(), sleep(GOODBYE_MS, undefined, { ref: false })]);
    this.#post.shut();
  }

  #dial(): void {
    const base = `tiro/${topicPart(this.#parts.table)}`;
    const will: MqttMessage = { topic: `${base}/status`, payload: 'offline', qos: 1, retain: true };
    const line: MqttLine = new MqttLine(this.#parts.address, this.#parts.clientId(), will, {
      up: (most) => this.#welcome(line, base, most),
      down: (fault) => this.#lost(fault),
      message: (topic, payload, retained) => {
        if (topic !== `${base}/command`) return;
        if (retained) this.#parts.log(`MQTT: a retained message on ${topic} is no command`);
        else this.#parts.onCommand({ table: this.#parts.table, payload, token: undefined });
      },
    });
    this.#line = line;
  }

  #welcome(line: MqttLine, base: string, most: number): void {
    this.#up = true;
    this.#upAt = this.#answeredAt = performance.now();
    this.#connections += 1;
    this.#failures = 0;
    void line.subscribe(`${base}/command`).then((refused) => {
      if (refused !== null && this.#line === line) this.#tell(`commands are not heard: ${refused}`);
    });
    this.#post.open(
      (message, done) =>
        line.carry(
          message,
          (outcome) => {
            this.#answeredAt = performance.now();
            done(outcome);
          },
          (reason) => this.#tell(`not taken: ${reason}`),
        ),
      most,
    );
    this.#tell(null);
    for (const listener of this.#ups) listener(this.#connections > 1);
  }

  #lost(fault: LineFault): void {
    this.#line = null;
    const stood = this.#up;
    this.#up = false;
    this.#post.shut();
    if (this.#ended) return;
    const short = stood && performance.now() - this.#upAt < SHORT_MS;
    if (stood) this.#shorts = short ? this.#shorts + 1 : 0;
    if (!short) this.#failures += 1;
    const shared = fault.code === TAKEN_OVER || this.#shorts >= SHORT_MANY;
    this.#tell(this.#explain(fault, shared));
    const another = (shared || CLIENT_ID.has(fault.code)) && this.#parts.anotherId();
    if (another) this.#shorts = 1;
    const wait = this.#wait(fault, stood);
    this.#retry = setTimeout(() => this.#dial(), wait / 2 + (Math.random() * wait) / 2);
  }

  #wait(fault: LineFault, stood: boolean): number {
    if (stood && this.#shorts > 1) return waits.short(this.#shorts);
    return LOGIN.has(fault.code) ? waits.login(this.#failures) : waits.broken(Math.max(1, this.#failures));
  }

  #explain({ code, message }: LineFault, shared: boolean): string {
    if (LOGIN.has(code)) return `the broker refuses the login (${message}): check mqtt.username and mqtt.password`;
    if (VERSION.has(code)) return `the broker does not speak this version of MQTT (${message}): set mqtt.protocol`;
    if (shared)
      return `the broker ends every connection (${message}): another program may use the client id ${this.#parts.clientId()}`;
    return message;
  }

  /** Once per change: a broker that is away for a week fills no log. */
  #tell(reason: string | null): void {
    if (this.#reason === reason) return;
    const table = this.#parts.table;
    const { host, port } = this.#parts.address;
    this.#reason = reason;
    this.#parts.log(`MQTT: ${table} at ${host}:${port}: ${reason ?? 'connected'}`);
  }

  #look(): void {
    if (!this.#up || !this.#post.owed) this.#answeredAt = performance.now();
    else if (performance.now() - this.#answeredAt > ANSWER_MS) this.#line?.drop('the broker gives no answers');
  }
}
