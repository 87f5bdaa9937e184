import type { DeviceStatus } from '../../device.js';
import type { RadioState } from './ports.js';
import type { RadioProcessState } from './supervisor.js';

interface Words {
  readonly reason: string;
  readonly remedy: string;
}

/** What people are told of a radio that does not work, and what to do. */
const TROUBLES: ReadonlyMap<string, { readonly it: Words; readonly en: Words }> = new Map([
  [
    'no_library',
    {
      it: { reason: 'la libreria Bluetooth non si carica', remedy: 'reinstalla con npm ci, oppure cambia ble.driver' },
      en: { reason: 'the Bluetooth library does not load', remedy: 'install again with npm ci, or change ble.driver' },
    },
  ],
  [
    'scan_refused',
    {
      it: {
        reason: "l'adattatore Bluetooth si rifiuta di cercare",
        remedy: 'chiudi gli altri programmi che usano il Bluetooth, oppure stacca e riattacca l’adattatore',
      },
      en: {
        reason: 'the Bluetooth adapter refuses to scan',
        remedy: 'close other programs that use Bluetooth, or unplug the adapter and plug it in again',
      },
    },
  ],
  [
    'no_adapter',
    {
      it: {
        reason: "l'adattatore Bluetooth è spento o manca",
        remedy: 'accendi il Bluetooth (sudo rfkill unblock bluetooth) o collega un adattatore: riparte da solo',
      },
      en: {
        reason: 'the Bluetooth adapter is off or missing',
        remedy: 'switch Bluetooth on (sudo rfkill unblock bluetooth) or plug an adapter in: it goes on by itself',
      },
    },
  ],
  [
    'unauthorized',
    {
      it: {
        reason: 'manca il permesso di usare il Bluetooth',
        remedy: 'dai a Node il permesso: sudo setcap cap_net_raw+eip "$(readlink -f "$(which node)")"',
      },
      en: {
        reason: 'no permission to use Bluetooth',
        remedy: 'allow it to Node: sudo setcap cap_net_raw+eip "$(readlink -f "$(which node)")"',
      },
    },
  ],
]);

const ANEW: { readonly it: Words; readonly en: Words } = {
  it: { reason: 'la radio Bluetooth si è bloccata e viene riavviata', remedy: 'niente: riparte da sola' },
  en: { reason: 'the Bluetooth radio was stuck and is started anew', remedy: 'nothing: it goes on by itself' },
};

function troubleOf({ adapter, trouble }: RadioProcessState): { readonly it: Words; readonly en: Words } | null {
  if (adapter === 'unauthorized' || adapter === 'unsupported') return TROUBLES.get('unauthorized') ?? ANEW;
  return trouble === null ? null : (TROUBLES.get(trouble.what) ?? ANEW);
}

/**
 * The radio as people are told of it. That no enrolled die is awake (`quiet`) is no fault of the radio: it scans, and the
 * controller answers.
 */
export function stateOf(radio: RadioProcessState, dice: readonly DeviceStatus[]): RadioState {
  const { phase, adapter, epoch, restarts, scanning, driver, census, trouble } = radio;
  const holes = dice.reduce((sum, { counters }) => sum + (counters.holes ?? 0), 0);
  const facts = {
    epoch,
    restarts,
    dropped: census?.dropped ?? 0,
    holes,
    scanning,
    ...(driver === null ? {} : { driver }),
    ...(census === null ? {} : { census }),
  };
  const words = troubleOf(radio);
  if (words !== null && adapter !== 'poweredOn') {
    const detail = trouble === null ? '' : ` (${trouble.text})`;
    const told = { reason: words.en.reason + detail, remedy: words.en.remedy };
    const inItalian = { reason: words.it.reason + detail, remedy: words.it.remedy };
    const state = phase === 'off' || phase === 'on' ? 'unavailable' : 'restarting';
    return { state, ...told, inItalian, ...facts };
  }
  if (phase === 'off') return { state: 'off', ...facts };
  if (phase !== 'on' || adapter !== 'poweredOn') return { state: 'starting', ...facts };
  return { state: dice.length > 0 && dice.every(({ link }) => link !== 'up') ? 'quiet' : 'on', ...facts };
}
