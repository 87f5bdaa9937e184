import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Whether Bluetooth dice can be heard here, and if not, why and what to do. */
export interface BluetoothState {
  readonly state: 'available' | 'unavailable';
  readonly reason: string;
  readonly remedy: string;
  readonly inItalian: { readonly reason: string; readonly remedy: string };
  /** The library that loads here. */
  readonly driver?: BluetoothDriver;
  /** What is missing may come while the program runs: a switch, a right, a dongle. */
  readonly passing?: true;
}

export type BluetoothDriver = 'abandonware' | 'stoprocent';

export interface BluetoothProbeOptions {
  readonly driver?: BluetoothDriver | 'auto';
  /** A file beside whose node_modules the libraries are looked for. */
  readonly packagesAt?: string;
  readonly sysfs?: string;
  readonly platform?: NodeJS.Platform;
  readonly timeoutMs?: number;
}

const PROBE_TIMEOUT_MS = 8000;
const MAX_ANSWER_CHARS = 8192;

/** What the child says on its last line. */
interface Answer {
  readonly driver?: BluetoothDriver;
  readonly adapters?: number;
  readonly errno?: number;
  readonly failures: readonly string[];
}

/**
 * Runs in a process of its own: where the kernel has no Bluetooth a library may throw at load before any handler can be
 * attached, end the process, or never let it end (F001).
 */
const CHILD = `
const { createRequire } = require('node:module');
const at = createRequire(process.argv[1]);
const answer = { failures: [] };
const say = () => process.stdout.write(JSON.stringify(answer) + '\\n', () => process.exit(0));
for (const driver of process.argv[2].split(',')) {
  const noble = '@' + driver + '/noble';
  try {
    at.resolve(noble + '/package.json');
    if (process.argv[3] === 'linux') {
      const socket = '@' + driver + '/bluetooth-hci-socket';
      const Hci = createRequire(at.resolve(noble + '/package.json'))(socket);
      const hci = new Hci();
      hci.on('error', (error) => { answer.errno = error.errno; });
      const list = typeof hci.getDeviceList === 'function' ? hci.getDeviceList() : [];
      answer.adapters = Array.isArray(list) ? list.length : 0;
    } else at(noble);
    answer.driver = driver;
    break;
  } catch (error) {
    answer.failures.push(noble + ': ' + String(error && (error.code || error.message)).slice(0, 200));
  }
}
setTimeout(say, 50);
`;

/**
 * Finds out whether Bluetooth dice can be heard: loads the library in a child process and looks for an adapter and for
 * a switch that is off. Never rejects; answers within the timeout (8 s by default).
 */
export async function probeBluetooth(options: BluetoothProbeOptions = {}): Promise<BluetoothState> {
  const platform = options.platform ?? process.platform;
  const answer = await askChild(options, platform);
  const kind = judge(answer, platform, options.sysfs ?? '/sys');
  const detail = typeof answer === 'string' ? answer : answer.failures.join('; ');
  const tail = kind === 'library' && detail !== '' ? `: ${detail}` : '';
  const { it, en } = WORDS[kind];
  return {
    state: kind === 'available' ? 'available' : 'unavailable',
    reason: en.reason + tail,
    remedy: en.remedy,
    inItalian: { reason: it.reason + tail, remedy: it.remedy },
    ...(typeof answer === 'object' && answer.driver !== undefined ? { driver: answer.driver } : {}),
    ...(PASSING.includes(kind) ? { passing: true as const } : {}),
  };
}

function driversFor(wanted: BluetoothDriver | 'auto', platform: NodeJS.Platform): readonly BluetoothDriver[] {
  if (wanted !== 'auto') return [wanted];
  // Prebuilt for Windows and macOS, where the other must be compiled (design, Choices).
  return platform === 'linux' ? ['abandonware', 'stoprocent'] : ['stoprocent', 'abandonware'];
}

function askChild(options: BluetoothProbeOptions, platform: NodeJS.Platform): Promise<Answer | string> {
  const at = options.packagesAt ?? fileURLToPath(import.meta.url);
  const drivers = driversFor(options.driver ?? 'auto', platform).join(',');
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['-e', CHILD, at, drivers, platform], {
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: options.timeoutMs ?? PROBE_TIMEOUT_MS,
      killSignal: 'SIGKILL',
      windowsHide: true,
    });
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      text = (text + chunk.toString('utf8')).slice(-MAX_ANSWER_CHARS);
    });
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code, signal) => {
      resolve(parseAnswer(text) ?? `the library ended the process that loaded it (${signal ?? code})`);
    });
  });
}

function parseAnswer(text: string): Answer | undefined {
  try {
    return JSON.parse(text.trim().split('\n').at(-1) ?? '') as Answer;
  } catch {
    return undefined;
  }
}

type Kind = 'available' | 'library' | 'absent' | 'kernel' | 'permission' | 'blocked' | 'no_adapter';

const PASSING: readonly Kind[] = ['permission', 'blocked', 'no_adapter'];

const ERRNO: ReadonlyMap<number, Kind> = new Map<number, Kind>([
  [97, 'kernel'],
  [93, 'kernel'],
  [1, 'permission'],
  [13, 'permission'],
]);

function judge(answer: Answer | string, platform: NodeJS.Platform, sysfs: string): Kind {
  if (typeof answer === 'string') return 'library';
  if (answer.driver === undefined) {
    if (answer.failures.some((failure) => failure.includes('EAFNOSUPPORT'))) return 'kernel';
    return answer.failures.every((failure) => failure.includes('MODULE_NOT_FOUND')) ? 'absent' : 'library';
  }
  const failed = answer.errno === undefined ? undefined : ERRNO.get(answer.errno);
  if (failed !== undefined) return failed;
  if (platform !== 'linux') return 'available';
  if (isBlocked(sysfs)) return 'blocked';
  return (answer.adapters ?? 0) > 0 || folders(join(sysfs, 'class', 'bluetooth')).length > 0
    ? 'available'
    : 'no_adapter';
}

function folders(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

/** True if rfkill holds every Bluetooth radio off, by switch or by software. */
function isBlocked(sysfs: string): boolean {
  const base = join(sysfs, 'class', 'rfkill');
  const read = (radio: string, name: string): string => {
    try {
      return readFileSync(join(base, radio, name), 'utf8').trim();
    } catch {
      return '';
    }
  };
  const radios = folders(base).filter((radio) => read(radio, 'type') === 'bluetooth');
  return radios.length > 0 && radios.every((radio) => read(radio, 'soft') === '1' || read(radio, 'hard') === '1');
}

interface Words {
  readonly reason: string;
  readonly remedy: string;
}

const WORDS: { readonly [K in Kind]: { readonly it: Words; readonly en: Words } } = {
  available: {
    it: { reason: 'il Bluetooth è disponibile', remedy: '' },
    en: { reason: 'Bluetooth is available', remedy: '' },
  },
  library: {
    it: {
      reason: 'la libreria Bluetooth non si carica',
      remedy: 'reinstalla con npm ci, oppure prova ble.driver: stoprocent',
    },
    en: {
      reason: 'the Bluetooth library does not load',
      remedy: 'install again with npm ci, or try ble.driver: stoprocent',
    },
  },
  absent: {
    it: {
      reason: 'la libreria Bluetooth non è installata',
      remedy: 'esegui npm ci --ignore-scripts: così non serve un compilatore',
    },
    en: {
      reason: 'the Bluetooth library is not installed',
      remedy: 'run npm ci --ignore-scripts: that needs no compiler',
    },
  },
  kernel: {
    it: {
      reason: 'questo sistema non ha il Bluetooth (EAFNOSUPPORT)',
      remedy:
        'in un contenitore o in una macchina virtuale usa la rete del computer ospite, altrimenti carica il modulo bluetooth del kernel; vassoio e dadi virtuali funzionano comunque',
    },
    en: {
      reason: 'this system has no Bluetooth (EAFNOSUPPORT)',
      remedy:
        "in a container or a virtual machine use the host's network, else load the kernel's bluetooth module; tray and virtual dice work all the same",
    },
  },
  permission: {
    it: {
      reason: 'manca il permesso di usare il Bluetooth (EPERM)',
      remedy: 'dai a Node il permesso: sudo setcap cap_net_raw+eip "$(readlink -f "$(which node)")"',
    },
    en: {
      reason: 'no permission to use Bluetooth (EPERM)',
      remedy: 'allow it to Node: sudo setcap cap_net_raw+eip "$(readlink -f "$(which node)")"',
    },
  },
  blocked: {
    it: {
      reason: 'il Bluetooth è spento (rfkill)',
      remedy: 'accendilo: sudo rfkill unblock bluetooth, o il tasto del portatile',
    },
    en: {
      reason: 'Bluetooth is switched off (rfkill)',
      remedy: "switch it on: sudo rfkill unblock bluetooth, or the laptop's key",
    },
  },
  no_adapter: {
    it: { reason: 'nessun adattatore Bluetooth', remedy: 'collega un adattatore USB, poi riavvia' },
    en: { reason: 'no Bluetooth adapter', remedy: 'plug in a USB adapter, then start again' },
  },
};
