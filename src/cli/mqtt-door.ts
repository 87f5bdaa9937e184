import type { Access } from '../broadcast/access.js';
import { MqttVoice } from '../broadcast/mqtt.js';
import { EmbeddedBroker } from '../broadcast/mqtt-broker.js';
import type { MqttState } from '../broadcast/routes-state.js';
import type { Running } from './running.js';

/** MQTT as it is served now: the address, or why not; one missing part never stops the rest. */
export interface MqttDoor {
  state(): MqttState;
  /** Says `offline` on every table, waits until the broker has it, and closes. */
  close(): Promise<void>;
}

/** Starts the embedded broker on the first free port from `port` on and gives the daemon its voice there. */
export async function openMqtt(running: Running, access: Access, port: number): Promise<MqttDoor> {
  let voice: MqttVoice | undefined;
  const broker = await EmbeddedBroker.start({
    port,
    valid: (token) => access.grantOf(token) !== null,
    onCommand: (command) => void voice?.hear(command),
    log: (message) => running.log('warn', message),
  });
  if (!broker.ok) return { state: () => ({ url: null, reason: broker.error }), close: async () => {} };
  voice = new MqttVoice(running, access, broker.value);
  const { url } = broker.value;
  const moved = port !== 0 && broker.value.port !== port;
  return {
    state: () => ({ url, ...(moved ? { reason: `port ${port} is taken` } : {}) }),
    async close() {
      await voice?.end();
      await broker.value.close();
    },
  };
}
