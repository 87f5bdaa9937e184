import { randomBytes } from 'node:crypto';
import type { BrokerAddress } from './mqtt-line.js';
import { MqttLink } from './mqtt-link.js';
import type { MqttCommand, MqttHouse, MqttOutlet } from './mqtt-outlet.js';

/** Where the client id is kept that this instance chose for itself, so that two never share one (F038). */
export interface IdBook {
  read(): Promise<string | undefined>;
  write(id: string): Promise<void>;
}

export interface ExternalParts {
  readonly address: BrokerAddress;
  /** The user's client id; without one the instance chooses its own and keeps it. */
  readonly clientId?: string;
  readonly ids: IdBook;
  readonly onCommand: (command: MqttCommand) => void;
  readonly log: (message: string) => void;
}

/** A fresh client id: 32 random bits in hex are enough to be alone at a broker. */
const freshId = (): string => `tiro-${randomBytes(4).toString('hex')}`;

/**
 * A broker that runs elsewhere: Mosquitto, NATS, RabbitMQ, EMQX or any that speaks MQTT 3.1.1 or 5. Each table has a
 * connection of its own, with the client id followed by the table's.
 */
export class ExternalBroker implements MqttHouse {
  readonly #parts: ExternalParts;
  readonly #links = new Map<string, MqttLink>();
  #id: string;

  private constructor(parts: ExternalParts, id: string) {
    this.#parts = parts;
    this.#id = id;
  }

  /** Never waits for the broker: it may come later. */
  static async open(parts: ExternalParts): Promise<ExternalBroker> {
    const kept = parts.clientId ?? (await parts.ids.read());
    const broker = new ExternalBroker(parts, kept ?? freshId());
    if (kept === undefined) broker.#keep();
    return broker;
  }

  /** Address without login. */
  get url(): string {
    const { secure, host, port } = this.#parts.address;
    return `${secure ? 'mqtts' : 'mqtt'}://${host.includes(':') ? `[${host}]` : host}:${port}`;
  }

  /** Null while every table is connected, else why one is not. */
  get reason(): string | null {
    for (const { reason } of this.#links.values()) if (reason !== null) return reason;
    return null;
  }

  open(table: string): MqttOutlet {
    const known = this.#links.get(table);
    if (known !== undefined) return known;
    const { address, onCommand, log } = this.#parts;
    const clientId = (): string => `${this.#id}-${table}`;
    const link = new MqttLink({ table, address, clientId, anotherId: () => this.#another(), onCommand, log });
    this.#links.set(table, link);
    return link;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#links.values()].map((link) => link.close()));
  }

  /** A copy of this instance, such as a restored backup, runs elsewhere under our id. */
  #another(): boolean {
    if (this.#parts.clientId !== undefined) return false;
    this.#id = freshId();
    this.#keep();
    return true;
  }

  #keep(): void {
    void this.#parts.ids.write(this.#id).catch((error: unknown) => {
      this.#parts.log(`MQTT: the client id cannot be kept: ${String(error)}`);
    });
  }
}
