import { readFileSync } from 'node:fs';
import type { Access } from '../broadcast/access.js';
import { MqttVoice } from '../broadcast/mqtt.js';
import { EmbeddedBroker } from '../broadcast/mqtt-broker.js';
import type { CursorBook } from '../broadcast/mqtt-courier.js';
import type { BrokerAddress } from '../broadcast/mqtt-line.js';
import type { MqttState } from '../broadcast/routes-state.js';
import type { Config } from '../config/schema.js';
import { err, ok, type Result } from '../dice/result.js';
import type { Journal } from '../journal/journal.js';
import type { Running } from './running.js';

/** MQTT as it is served now: the address, or why not; one missing part never stops the rest. */
export interface MqttDoor {
  state(): MqttState;
  /** Says `offline` on every table, waits until the broker has it, and closes. */
  close(): Promise<void>;
}

/** What is kept in the chronicle's file for a broker elsewhere. */
type Meta = Pick<Journal, 'getMeta' | 'setMeta'>;

const CLIENT_ID = 'mqtt.client';

/** Opens what the configuration asks for; null where MQTT is off. A broker elsewhere is not waited for. */
export async function openMqtt(
  running: Running,
  access: Access,
  config: Config['mqtt'],
  meta: Meta,
): Promise<MqttDoor | null> {
  if (config.mode === 'off') return null;
  return config.mode === 'embedded'
    ? openEmbedded(running, access, config.port)
    : openExternal(running, access, config, meta);
}

/** MQTT through changes of its configuration: closed, and opened anew. */
export class MqttGate implements MqttDoor {
  readonly #running: Running;
  readonly #access: Access;
  readonly #meta: Meta;
  #door: MqttDoor | null = null;

  constructor(running: Running, access: Access, meta: Meta) {
    this.#running = running;
    this.#access = access;
    this.#meta = meta;
  }

  /** Closes what is open and opens what `config` asks for. */
  async open(config: Config['mqtt']): Promise<void> {
    await this.close();
    this.#door = await openMqtt(this.#running, this.#access, config, this.#meta);
  }

  state(): MqttState {
    return this.#door?.state() ?? MQTT_OFF;
  }

  async close(): Promise<void> {
    const door = this.#door;
    this.#door = null;
    await door?.close();
  }
}

export const MQTT_OFF: MqttState = { url: null, mode: 'off', reason: 'mqtt.mode is off' };

const closed = (reason: string): MqttDoor => ({ state: () => ({ url: null, reason }), close: async () => {} });

/** Starts the embedded broker on the first free port from `port` on and gives the daemon its voice there. */
async function openEmbedded(running: Running, access: Access, port: number): Promise<MqttDoor> {
  let voice: MqttVoice | undefined;
  const broker = await EmbeddedBroker.start({
    port,
    valid: (token) => access.grantOf(token) !== null,
    onCommand: (command) => void voice?.hear(command),
    log: (message) => running.log('warn', message),
  });
  if (!broker.ok) return closed(broker.error);
  voice = new MqttVoice(running, access, broker.value);
  const { url } = broker.value;
  const moved = port !== 0 && broker.value.port !== port;
  return {
    state: () => ({ url, mode: 'embedded', ...(moved ? { reason: `port ${port} is taken`, taken: port } : {}) }),
    async close() {
      await voice?.end();
      await broker.value.close();
    },
  };
}

async function openExternal(running: Running, access: Access, config: Config['mqtt'], meta: Meta): Promise<MqttDoor> {
  const address = addressOf(config);
  if (!address.ok) {
    running.log('error', `MQTT: ${address.error}`);
    return closed(address.error);
  }
  // Loaded only where it is wanted: a client that most tables never need costs time and memory.
  const { ExternalBroker } = await import('../broadcast/mqtt-client.js');
  let voice: MqttVoice | undefined;
  const broker = await ExternalBroker.open({
    address: address.value,
    ...(config.clientId === '' ? {} : { clientId: config.clientId }),
    ids: {
      async read() {
        const id = await meta.getMeta(CLIENT_ID);
        return typeof id === 'string' ? id : undefined;
      },
      write: (id) => meta.setMeta(CLIENT_ID, id),
    },
    onCommand: (command) => void voice?.hear(command),
    log: (message) => running.log('warn', message),
  });
  voice = new MqttVoice(running, access, broker, cursorsIn(meta));
  return {
    state() {
      const { url, reason } = broker;
      return { url, mode: 'external', connected: reason === null, ...(reason === null ? {} : { reason }) };
    },
    async close() {
      await voice?.end();
      await broker.close();
    },
  };
}

function cursorsIn(meta: Meta): CursorBook {
  return {
    async read(table) {
      const seq = await meta.getMeta(`mqtt.cursor.${table}`);
      return typeof seq === 'number' && Number.isSafeInteger(seq) && seq >= 0 ? seq : undefined;
    },
    write: (table, seq) => meta.setMeta(`mqtt.cursor.${table}`, seq),
  };
}

function addressOf(config: Config['mqtt']): Result<BrokerAddress, string> {
  if (config.url === '') return err('mqtt.mode is external, and mqtt.url is empty');
  const { protocol, hostname, port } = new URL(config.url.replace(/^mqtt/, 'http'));
  const secure = protocol === 'https:';
  const files: { ca?: string; cert?: string; key?: string } = {};
  for (const name of ['ca', 'cert', 'key'] as const) {
    if (config[name] === '') continue;
    try {
      files[name] = readFileSync(config[name], 'utf8');
    } catch (error) {
      return err(`mqtt.${name} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return ok({
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    // An address's own default port would be that of the web.
    port: Number(/:(\d+)\/?$/.exec(config.url)?.[1] ?? (secure ? 8883 : 1883)) || Number(port),
    secure,
    ...files,
    ...(config.username === '' ? {} : { username: config.username }),
    ...(config.password === '' ? {} : { password: config.password }),
    protocol: config.protocol,
  });
}
