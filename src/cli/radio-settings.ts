import type { Config } from '../config/schema.js';
import type { BluetoothDriver, BluetoothState } from '../devices/ble/probe.js';
import type { AdapterSettings } from '../devices/ble/radio/adapter.js';
import type { RadioSettings } from '../devices/ble/radio/dice.js';

/** The variable by which the libraries themselves are told of a controller on a serial port. */
const UART_VARIABLE = 'BLUETOOTH_HCI_SOCKET_UART_PORT';
const UART = 'uart:';
/** The name of an adapter that nobody chose. */
const FIRST = 'Bluetooth';

const listOf = <T>(value: T | readonly T[]): readonly T[] => (Array.isArray(value) ? value : [value as T]);

/** The adapters that this configuration names, in its order: those of the system, and those on serial ports. */
export function adaptersOf(ble: Config['ble'], env: NodeJS.ProcessEnv = process.env): readonly AdapterSettings[] {
  const told = env[UART_VARIABLE] ?? '';
  const ways = ble.hci === 'native' && told !== '' ? [UART + told] : listOf(ble.hci);
  const links = listOf(ble.links);
  return ways
    .flatMap((way) => (way.startsWith(UART) ? [onPort(way.slice(UART.length))] : listOf(ble.adapter).map(ofSystem)))
    .map((adapter, place) => ({ ...adapter, links: links[place] ?? links.at(-1) ?? 1 }));
}

type Unlimited = Omit<AdapterSettings, 'links'>;

const onPort = (uart: string): Unlimited => ({ name: uart, uart });

function ofSystem(name: string): Unlimited {
  if (name === '') return { name: FIRST };
  const number = /^hci(\d+)$/.exec(name)?.[1];
  return number === undefined ? { name, address: name.toLowerCase() } : { name, adapter: Number(number) };
}

/** True where all adapters are the system's: whether they are there can be asked beforehand. */
export const isNative = (ble: Config['ble']): boolean => adaptersOf(ble).every(({ uart }) => uart === undefined);

/** Libraries to try, the best one first: the one that was found to load, or all that may. */
function driversOf(ble: Config['ble'], found: BluetoothDriver | undefined): readonly BluetoothDriver[] {
  if (ble.driver !== 'auto') return [ble.driver];
  return found === undefined ? ['abandonware', 'stoprocent'] : [found];
}

/** How the radio processes are begun under this configuration. */
export const radioSettings = (ble: Config['ble'], found?: BluetoothState): RadioSettings => ({
  drivers: driversOf(ble, found?.driver),
  adapters: adaptersOf(ble),
});
