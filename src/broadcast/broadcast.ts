import { err, ok, type Result } from '../dice/result.js';
import type { Daemon, NetworkConfig } from './daemon.js';
import { HttpDoor, type HttpParts } from './http.js';
import type { ListenFault } from './listeners.js';
import { MqttVoice } from './mqtt.js';
import { EmbeddedBroker } from './mqtt-broker.js';
import type { MqttState } from './routes-state.js';
import type { TokenStore } from './tokens.js';

export interface BroadcastParts extends Pick<HttpParts, 'interfaces' | 'pingMs'> {
  readonly daemon: Daemon;
  readonly tokens: TokenStore;
  readonly config: NetworkConfig & { readonly mqttPort: number | 'off' };
}

/** HTTP, WebSocket and MQTT of a running daemon. */
export interface Broadcast {
  readonly http: HttpDoor;
  readonly mqtt: MqttState;
  /** Clients of the embedded broker; 0 without one. */
  mqttClients(): number;
  /** Says goodbye on every transport, then stops listening. */
  close(): Promise<void>;
}

/**
 * Opens all transports. Without a free HTTP port nothing is opened; without MQTT the rest works, and the status says why.
 */
export async function openBroadcast(parts: BroadcastParts): Promise<Result<Broadcast, ListenFault>> {
  const { daemon, tokens, config } = parts;
  let mqtt: MqttState = { url: null, reason: 'off' };
  const opened = await HttpDoor.open({ ...parts, mqtt: () => mqtt });
  if (!opened.ok) return err(opened.error);
  const http = opened.value;
  let voice: MqttVoice | null = null;
  let broker: EmbeddedBroker | null = null;
  if (config.mqttPort !== 'off') {
    const started = await EmbeddedBroker.start({
      port: config.mqttPort,
      valid: (token) => tokens.find(token) !== undefined,
      onCommand: (command) => void voice?.hear(command),
      log: (message) => daemon.log('warn', message),
    });
    if (started.ok) {
      broker = started.value;
      voice = new MqttVoice(daemon, http.access, broker);
      const moved = config.mqttPort !== 0 && broker.port !== config.mqttPort;
      mqtt = { url: broker.url, ...(moved ? { reason: `port ${config.mqttPort} is taken` } : {}) };
    } else mqtt = { url: null, reason: started.error };
  }
  const unwatch = tokens.onChange(() => broker?.review());
  return ok({
    http,
    get mqtt() {
      return mqtt;
    },
    mqttClients: () => broker?.clients ?? 0,
    async close() {
      unwatch();
      await voice?.end();
      await Promise.all([broker?.close(), http.close()]);
    },
  });
}
