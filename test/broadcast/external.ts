import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type IClientOptions, type MqttClient } from 'mqtt';
import { MqttVoice } from '../../src/broadcast/mqtt.js';
import { ExternalBroker } from '../../src/broadcast/mqtt-client.js';
import type { BrokerAddress } from '../../src/broadcast/mqtt-line.js';
import { Bench } from './bench-daemon.js';
import type { BenchTable } from './bench-table.js';
import { LOGIN } from './brokers.js';

/** What a chronicle would keep for a broker elsewhere: it outlives the venue. */
export class Kept {
  readonly cursors = new Map<string, number>();
  id: string | undefined;
}

export interface VenueOptions extends Partial<BrokerAddress> {
  readonly kept?: Kept;
  readonly clientId?: string;
  /** An earlier venue's bench, whose table goes on. */
  readonly bench?: Bench;
}

const venues = new Set<Venue>();
const benches = new Set<Bench>();
const clients = new Set<MqttClient>();

export async function cleanUpVenues(): Promise<void> {
  for (const client of clients) client.end(true);
  clients.clear();
  await Promise.all([...venues].map((venue) => venue.stop()));
  for (const bench of benches) await bench.close();
  benches.clear();
}

/** A table without rules that speaks to a broker elsewhere. */
export class Venue {
  readonly bench: Bench;
  readonly broker: ExternalBroker;
  readonly kept: Kept;
  readonly #voice: MqttVoice;

  private constructor(bench: Bench, broker: ExternalBroker, voice: MqttVoice, kept: Kept) {
    this.bench = bench;
    this.broker = broker;
    this.kept = kept;
    this.#voice = voice;
    venues.add(this);
  }

  static async open(port: number, options: VenueOptions = {}): Promise<Venue> {
    const { kept = new Kept(), clientId, bench = await Bench.open(), ...address } = options;
    benches.add(bench);
    let voice: MqttVoice | undefined;
    const broker = await ExternalBroker.open({
      address: { host: '127.0.0.1', port, secure: false, protocol: 4, ...LOGIN, ...address },
      ...(clientId === undefined ? {} : { clientId }),
      ids: {
        read: async () => kept.id,
        write: async (id) => {
          kept.id = id;
        },
      },
      onCommand: (command) => void voice?.hear(command),
      log: (message) => bench.logged.push(message),
    });
    voice = new MqttVoice(bench.daemon, bench.door.access, broker, {
      read: async (table) => kept.cursors.get(table),
      write: async (table, seq) => {
        kept.cursors.set(table, seq);
      },
    });
    return new Venue(bench, broker, voice, kept);
  }

  get table(): BenchTable {
    return this.bench.table;
  }

  /** Waits for a connection of every table. */
  async connected(ms = 20_000): Promise<this> {
    for (const end = Date.now() + ms; Date.now() < end; await sleep(5)) if (this.broker.reason === null) return this;
    throw new Error(`not connected within ${ms} ms: ${this.broker.reason}`);
  }

  /** The clean stop of a daemon. */
  async stop(): Promise<void> {
    if (!venues.delete(this)) return;
    await this.#voice.end();
    await this.broker.close();
  }
}

export interface Message {
  readonly topic: string;
  readonly text: string;
  readonly retain: boolean;
  readonly qos: number;
}

/** A subscriber that keeps what it hears and comes back by itself. */
export class Listener {
  readonly heard: Message[] = [];
  readonly client: MqttClient;

  private constructor(client: MqttClient) {
    this.client = client;
    clients.add(client);
    client.on('error', () => undefined);
    client.on('message', (topic, payload, packet) =>
      this.heard.push({ topic, text: payload.toString(), retain: packet.retain, qos: packet.qos }),
    );
  }

  static async open(port: number, topics: string | string[], options: IClientOptions = {}): Promise<Listener> {
    const client = connect(`mqtt://127.0.0.1:${port}`, { reconnectPeriod: 200, ...LOGIN, ...options });
    const listener = new Listener(client);
    await listener.until(() => client.connected, 20_000);
    await client.subscribeAsync(topics, { qos: 1 });
    return listener;
  }

  async until(fits: () => boolean, ms = 10_000): Promise<void> {
    for (const end = Date.now() + ms; Date.now() < end; await sleep(5)) if (fits()) return;
    throw new Error(`not within ${ms} ms; heard ${JSON.stringify(this.heard.slice(-5)).slice(0, 800)}`);
  }

  on(topic: string): readonly Message[] {
    return this.heard.filter((message) => message.topic === topic);
  }

  texts(topic: string): readonly string[] {
    return this.on(topic).map(({ text }) => text);
  }

  /** Rolls of the first table, each once, in the order of their first coming. */
  rolls(): { readonly id: string; readonly natural: number; readonly late: boolean; readonly at: string }[] {
    const seen = new Map<string, { id: string; natural: number; late: boolean; at: string }>();
    for (const text of this.texts('tiro/prova/roll')) {
      const { roll, late, at } = JSON.parse(text);
      if (!seen.has(roll.id)) seen.set(roll.id, { id: roll.id, natural: roll.natural, late: late === true, at });
    }
    return [...seen.values()];
  }

  end(): void {
    clients.delete(this.client);
    this.client.end(true);
  }
}
