import type { BluetoothState } from '../devices/ble/probe.js';
import type { AdapterReport, BluetoothPort } from '../devices/ble/radio/ports.js';
import type { JsonObject } from '../dice/json.js';

/**
 * Bluetooth as `GET /api/v1/status` tells it: `state` available, unavailable with reason and remedy, or still checking;
 * with a radio at work also what it does, each of its adapters, how many links they have and how each enrolled die is
 * followed.
 */
export function bluetoothStatus(found: BluetoothState | null, port: BluetoothPort | null): JsonObject {
  if (port !== null) return radioStatus(port);
  if (found === null) return { state: 'checking' };
  const { state, reason, remedy, driver } = found;
  return { state, reason, remedy, ...(driver === undefined ? {} : { driver }) };
}

function radioStatus(port: BluetoothPort): JsonObject {
  const { state, reason, remedy, inItalian: _, adapters, census, ...radio } = port.state();
  const { links, dice } = port.plan();
  return {
    state: state === 'unavailable' || state === 'restarting' ? 'unavailable' : 'available',
    ...(reason === undefined ? {} : { reason }),
    ...(remedy === undefined ? {} : { remedy }),
    radio: {
      state,
      ...radio,
      ...(census === undefined ? {} : { census: { ...census } }),
      adapters: adapters.map(adapterStatus),
    },
    links,
    followed: dice.map((die) => ({ ...die, listening: die.listening === undefined ? null : { ...die.listening } })),
    unknown: port.unknown().length,
  };
}

function adapterStatus({ trouble, census, ...adapter }: AdapterReport): JsonObject {
  return {
    ...adapter,
    ...(trouble === undefined ? {} : { trouble: { it: { ...trouble.it }, en: { ...trouble.en } } }),
    ...(census === undefined ? {} : { census: { ...census } }),
  };
}
