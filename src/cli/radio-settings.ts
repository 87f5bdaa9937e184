import type { Config } from '../config/schema.js';
import type { BluetoothDriver, BluetoothState } from '../devices/ble/probe.js';
import type { RadioSettings } from '../devices/ble/radio/supervisor.js';

/** The variable by which the libraries themselves are told of a controller on a serial port. */
const UART_VARIABLE = 'BLUETOOTH_HCI_SOCKET_UART_PORT';
const UART = 'uart:';

/** The serial port with a Bluetooth controller behind it; undefined where the system's own Bluetooth is used. */
export function uartOf({ hci }: Config['ble'], env: NodeJS.ProcessEnv = process.env): string | undefined {
  if (hci.startsWith(UART)) return hci.slice(UART.length);
  const told = env[UART_VARIABLE];
  return told === undefined || told === '' ? undefined : told;
}

/** Libraries to try, the best one first: the one that was found to load, or all that may. */
function driversOf(ble: Config['ble'], found: BluetoothDriver | undefined): readonly BluetoothDriver[] {
  if (ble.driver !== 'auto') return [ble.driver];
  return found === undefined ? ['abandonware', 'stoprocent'] : [found];
}

/** How the radio process is begun under this configuration. */
export function radioSettings(ble: Config['ble'], found?: BluetoothState): RadioSettings & { readonly links: number } {
  const uart = uartOf(ble);
  const number = /^hci(\d+)$/.exec(ble.adapter)?.[1];
  return {
    drivers: driversOf(ble, found?.driver),
    links: ble.links,
    ...(uart === undefined ? {} : { uart }),
    ...(number === undefined ? {} : { adapter: Number(number) }),
    ...(ble.adapter.includes(':') ? { address: ble.adapter.toLowerCase() } : {}),
  };
}
