import { connect, type IClientOptions, type MqttClient } from 'mqtt';
import { WebSocket } from 'ws';
import { type Daemon, until } from './daemon.js';

// biome-ignore lint/suspicious/noExplicitAny: tests look into messages of any shape.
export type Message = any;

/** A client on the WebSocket that keeps all it hears. */
export class Ear {
  readonly heard: Message[] = [];
  readonly texts: string[] = [];
  readonly socket: WebSocket;
  /** Close code, once closed. */
  closed: number | null = null;
  #count = 0;

  constructor(daemon: Daemon, query: string, options: { token?: string; headers?: Record<string, string> } = {}) {
    const headers = {
      ...(options.token === undefined ? {} : { Authorization: `Bearer ${options.token}` }),
      ...options.headers,
    };
    this.socket = new WebSocket(`${daemon.url.replace('http', 'ws')}/ws?${query}`, { headers });
    this.socket.on('message', (data) => {
      this.texts.push(String(data));
      this.heard.push(JSON.parse(String(data)));
    });
    this.socket.on('error', () => undefined);
    this.socket.on('close', (code) => {
      this.closed = code;
    });
  }

  /** A client that has its first snapshot. */
  static async at(daemon: Daemon, query: string, options: { token?: string } = {}): Promise<Ear> {
    const ear = new Ear(daemon, query, options);
    await ear.first((message) => message.kind === 'snapshot');
    return ear;
  }

  /** The first message, heard or still to come, that fits. */
  first(fits: (message: Message) => boolean, ms = 10_000): Promise<Message> {
    return until(
      'a message',
      () => {
        const found = this.heard.find(fits);
        if (found === undefined && this.closed !== null) throw new Error(`the connection is closed: ${this.closed}`);
        return found;
      },
      ms,
    );
  }

  rolls(): Message[] {
    return this.heard.filter((message) => message.kind === 'roll').map((message) => message.roll);
  }

  /** Gives a command and waits for its answer. */
  async command(name: string, args: object = {}, id = `w-${++this.#count}`): Promise<Message> {
    this.socket.send(JSON.stringify({ id, do: name, args }));
    return this.first((message) => (message.kind === 'ack' || message.kind === 'refused') && message.id === id);
  }

  end(): void {
    this.socket.terminate();
  }
}

export interface Published {
  readonly topic: string;
  readonly text: string;
  readonly retain: boolean;
}

/** A client on MQTT that keeps all it hears. */
export class MqttEar {
  readonly heard: Published[] = [];
  readonly client: MqttClient;

  private constructor(client: MqttClient) {
    this.client = client;
    client.on('error', () => undefined);
    client.on('message', (topic, payload, packet) =>
      this.heard.push({ topic, text: payload.toString(), retain: packet.retain }),
    );
  }

  static async at(daemon: Daemon, topic = '#', options: IClientOptions = {}): Promise<MqttEar> {
    const status = await daemon.get('/api/v1/status', options.password?.toString());
    const client = connect(status.json.mqtt.url, { reconnectPeriod: 0, ...options });
    const ear = new MqttEar(client);
    await until('connected to MQTT', () => client.connected);
    await client.subscribeAsync(topic, { qos: 1 });
    return ear;
  }

  on(topic: string): readonly Published[] {
    return this.heard.filter((message) => message.topic === topic);
  }

  end(): void {
    this.client.end(true);
  }
}
