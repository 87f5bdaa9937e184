import type { DeviceStatus } from '../../device.js';
import type { AdapterReport, RadioCensus, RadioState, Remedied } from './ports.js';
import type { RadioProcessState } from './supervisor.js';

type Words = NonNullable<AdapterReport['trouble']>;

/** What people are told of a radio that does not work, and what to do. */
const TROUBLES: ReadonlyMap<string, Words> = new Map([
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

const ANEW: Words = {
  it: { reason: 'la radio Bluetooth si è bloccata e viene riavviata', remedy: 'niente: riparte da sola' },
  en: { reason: 'the Bluetooth radio was stuck and is started anew', remedy: 'nothing: it goes on by itself' },
};

/** What is known of an adapter. `hasWorked`: it did since the start. */
interface Told {
  readonly name: string;
  readonly links: number;
  readonly hasWorked: boolean;
  readonly radio: RadioProcessState;
}

function troubleOf({ radio: { adapter, trouble }, hasWorked }: Told): Words | null {
  if (adapter === 'poweredOn') return null;
  if (adapter === 'unauthorized' || adapter === 'unsupported') return TROUBLES.get('unauthorized') ?? ANEW;
  if (trouble !== null) return TROUBLES.get(trouble.what) ?? ANEW;
  // At the start every adapter is off for a moment.
  return hasWorked && adapter === 'poweredOff' ? (TROUBLES.get('no_adapter') ?? ANEW) : null;
}

/** An adapter as people are told of it. `linked`: dice that it has now. */
export function adapterReport(told: Told, linked: number): AdapterReport {
  const { name, links, radio } = told;
  const { phase, adapter, epoch, restarts, scanning, driver, census, trouble } = radio;
  const facts = {
    ...{ name, links, linked, epoch, restarts, scanning },
    dropped: census?.dropped ?? 0,
    ...(driver === null ? {} : { driver }),
    ...(census === null ? {} : { census }),
  };
  const words = troubleOf(told);
  if (words !== null) {
    const detail = trouble === null ? '' : ` (${trouble.text})`;
    const detailed = ({ reason, remedy }: Remedied): Remedied => ({ reason: reason + detail, remedy });
    const state = phase === 'off' || phase === 'on' ? 'unavailable' : 'restarting';
    return { ...facts, state, trouble: { it: detailed(words.it), en: detailed(words.en) } };
  }
  if (phase === 'off') return { ...facts, state: 'off' };
  return { ...facts, state: phase === 'on' && adapter === 'poweredOn' ? 'on' : 'starting' };
}

/**
 * All adapters in one. That no enrolled die is awake (`quiet`) is no fault of the radio: it scans, and the controller
 * answers. Where one of several adapters does not work the reason names it.
 */
export function stateOf(adapters: readonly AdapterReport[], dice: readonly DeviceStatus[]): RadioState {
  const sum = (count: (adapter: AdapterReport) => number): number =>
    adapters.reduce((total, adapter) => total + count(adapter), 0);
  const works = adapters.some(({ state }) => state === 'on');
  const first = adapters.find(({ state }) => state === 'starting') ?? adapters[0];
  const isQuiet = dice.length > 0 && dice.every(({ link }) => link !== 'up');
  const census = censusOf(adapters.flatMap((adapter) => adapter.census ?? []));
  const driver = adapters.find((adapter) => adapter.driver !== undefined)?.driver;
  return {
    state: works ? (isQuiet ? 'quiet' : 'on') : (first?.state ?? 'off'),
    ...troublesOf(adapters),
    epoch: Math.max(0, ...adapters.map(({ epoch }) => epoch)),
    restarts: sum(({ restarts }) => restarts),
    dropped: sum(({ dropped }) => dropped),
    holes: dice.reduce((total, { counters }) => total + (counters.holes ?? 0), 0),
    scanning: adapters.some(({ scanning }) => scanning),
    ...(driver === undefined ? {} : { driver }),
    ...(census === undefined ? {} : { census }),
    adapters,
  };
}

/** What ails the adapters, each named where there are several. */
function troublesOf(adapters: readonly AdapterReport[]): Pick<RadioState, 'reason' | 'remedy' | 'inItalian'> {
  const ill = adapters.flatMap(({ name, trouble }) => (trouble === undefined ? [] : [{ name, trouble }]));
  const [first] = ill;
  if (first === undefined) return {};
  const told = (language: 'it' | 'en'): Remedied => ({
    reason: ill
      .map(({ name, trouble }) => (adapters.length > 1 ? `${name}: ` : '') + trouble[language].reason)
      .join('; '),
    remedy: first.trouble[language].remedy,
  });
  return { ...told('en'), inItalian: told('it') };
}

function censusOf([first, ...others]: readonly RadioCensus[]): RadioCensus | undefined {
  if (first === undefined) return undefined;
  return others.reduce(
    (sum, { malformed, addresses, peripherals, listeners, heapKb }) => ({
      malformed: sum.malformed + malformed,
      addresses: sum.addresses + addresses,
      peripherals: sum.peripherals + peripherals,
      listeners: sum.listeners + listeners,
      heapKb: sum.heapKb + heapKb,
    }),
    first,
  );
}
