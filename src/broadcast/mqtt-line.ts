import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectSecure } from 'node:tls';
import { type IClientOptions, type IClientPublishOptions, type IConnackPacket, MqttClient } from 'mqtt';
import { PacketGauge } from './mqtt-connection.js';
import type { Delivery, MqttMessage } from './mqtt-outlet.js';
import { MAX_FLYING } from './mqtt-post.js';

/** Largest packet taken from a broker: commands are at most 64 KiB, and what is larger is refused by its header. */
const MAX_INCOMING_BYTES = 1024 * 1024;

const KEEP_ALIVE_S = 30;
const CONNECT_TIMEOUT_MS = 10_000;

/** With MQTT 5 a broker throws rolls away that nobody fetched for a day; they are in the chronicle (F121). */
const EXPIRY_S = 24 * 3600;

/** MQTT 5 answers after which the same message may be taken later; any other refusal is for good. */
const LATER = new Set([128, 131, 135, 151]);

/** Where the broker is, and how one logs in. Certificates and keys are PEM texts. */
export interface BrokerAddress {
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly username?: string;
  readonly password?: string;
  /** 4 is MQTT 3.1.1. */
  readonly protocol: 4 | 5;
}

/** Why a connection was refused or ended; `code` is the broker's, or the system's. */
export interface LineFault {
  readonly code: number | string | null;
  readonly message: string;
}

export interface LineEars {
  /** `most`: as many unanswered messages as the broker allows. */
  up(most: number): void;
  /** The connection ended, or never stood. Called once. */
  down(fault: LineFault): void;
  message(topic: string, payload: Buffer, retained: boolean): void;
}

/**
 * One connection to a broker, from its first byte to its last: it is never opened again, so nothing of an older
 * connection waits in memory and nothing is sent behind the back of who counts what was acknowledged.
 */
export class MqttLine {
  readonly #client: MqttClient;
  readonly #protocol: 4 | 5;
  #fault: LineFault | null = null;
  #down = false;

  constructor(address: BrokerAddress, clientId: string, will: MqttMessage, ears: LineEars) {
    this.#protocol = address.protocol;
    const client = new MqttClient(() => this.#dial(address), optionsOf(address, clientId, will));
    this.#client = client;
    client.on('connect', (packet) => ears.up(receiveMaximum(packet)));
    client.on('message', (topic, payload, packet) => ears.message(topic, payload, packet.retain));
    client.on('disconnect', ({ reasonCode }) =>
      this.#note({ code: reasonCode ?? null, message: 'ended by the broker' }),
    );
    client.on('error', (error) => {
      const code =
        'code' in error && (typeof error.code === 'number' || typeof error.code === 'string') ? error.code : null;
      this.#note({ code, message: error.message });
    });
    client.on('close', () => {
      if (this.#down) return;
      this.#down = true;
      client.end(true);
      ears.down(this.#fault ?? { code: null, message: 'the broker ended the connection' });
    });
  }

  /** Asks to hear a topic; resolves with the reason if the broker refuses. */
  subscribe(topic: string): Promise<string | null> {
    return new Promise((resolve) => {
      this.#client.subscribe(topic, { qos: 1 }, (error) => resolve(error === null ? null : error.message));
    });
  }

  /** Publishes; `done` is called with the broker's answer, and not if the connection ends before. */
  carry(message: MqttMessage, done: (outcome: Delivery) => void, refused: (reason: string) => void): void {
    const { topic, payload, qos, retain } = message;
    const options: IClientPublishOptions = { qos, retain };
    if (this.#protocol === 5 && !retain) options.properties = { messageExpiryInterval: EXPIRY_S };
    this.#client.publish(topic, payload, options, (error) => {
      if (this.#down) return;
      if (!error) return done('taken');
      const code = 'code' in error && typeof error.code === 'number' ? error.code : null;
      if (code === null) return;
      refused(`${topic}: ${error.message}`);
      done(LATER.has(code) ? 'refused' : 'impossible');
    });
  }

  /** Says goodbye, so that the broker does not send the will. */
  async leave(): Promise<void> {
    if (this.#down) return;
    this.#down = true;
    await this.#client.endAsync(false).catch(() => undefined);
  }

  /** Ends without a word: the broker sends the will. */
  drop(reason: string): void {
    this.#note({ code: null, message: reason });
    this.#client.stream.destroy();
  }

  #note(fault: LineFault): void {
    this.#fault ??= fault;
  }

  #dial(address: BrokerAddress): Socket {
    const { host, port, secure, ca, cert, key } = address;
    const socket = secure
      ? connectSecure({
          host,
          port,
          ...(isIP(host) === 0 ? { servername: host } : {}),
          ...(ca === undefined ? {} : { ca }),
          ...(cert === undefined ? {} : { cert }),
          ...(key === undefined ? {} : { key }),
        })
      : connectPlain({ host, port });
    socket.setNoDelay(true);
    const gauge = new PacketGauge(MAX_INCOMING_BYTES);
    socket.on('data', (bytes: Buffer) => {
      if (!gauge.take(bytes)) this.drop(`the broker sent more than ${MAX_INCOMING_BYTES} bytes at once`);
    });
    socket.on('error', (error: NodeJS.ErrnoException) =>
      this.#note({ code: error.code ?? null, message: error.message || (error.code ?? 'failed') }),
    );
    return socket;
  }
}

function optionsOf(address: BrokerAddress, clientId: string, will: MqttMessage): IClientOptions {
  const { username, password, protocol } = address;
  const { topic, payload, qos, retain } = will;
  return {
    clientId,
    protocolId: 'MQTT',
    protocolVersion: protocol,
    clean: true,
    keepalive: KEEP_ALIVE_S,
    connectTimeout: CONNECT_TIMEOUT_MS,
    reconnectPeriod: 0,
    resubscribe: false,
    will: { topic, payload: Buffer.from(payload), qos, retain },
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...(protocol === 5 ? { properties: { sessionExpiryInterval: 0, maximumPacketSize: MAX_INCOMING_BYTES } } : {}),
  };
}

function receiveMaximum(packet: IConnackPacket): number {
  return packet.properties?.receiveMaximum ?? MAX_FLYING;
}
