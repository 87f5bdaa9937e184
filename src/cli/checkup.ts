import { accessSync, constants, existsSync, readdirSync, statfsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import type { Config } from '../config/schema.js';
import type { Finding } from './finding.js';
import { LOCKED, type OpenTable } from './open-table.js';

const OLDEST = { major: 20, minor: 19 };
const RECOMMENDED_MAJOR = 24;
const LITTLE_SPACE_BYTES = 200 * 1024 * 1024;
const MQTT_TRIES = 10;

/** Node is old enough to run and young enough to be kept safe. */
export function checkNode(version: string = process.versions.node): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const told = { it: `Node ${version}`, en: `Node ${version}` };
  const remedy = {
    it: `installa Node ${RECOMMENDED_MAJOR} da nodejs.org`,
    en: `install Node ${RECOMMENDED_MAJOR} from nodejs.org`,
  };
  if (major < OLDEST.major || (major === OLDEST.major && minor < OLDEST.minor)) {
    return { check: 'node', level: 'fail', told, remedy };
  }
  if (major >= RECOMMENDED_MAJOR) return { check: 'node', level: 'ok', told };
  const it = `Node ${version}: funziona, ma è consigliato il ${RECOMMENDED_MAJOR}`;
  const en = `Node ${version}: works, but ${RECOMMENDED_MAJOR} is recommended`;
  return { check: 'node', level: 'warn', told: { it, en }, remedy };
}

/** The parts that are machine code load under this Node: the chronicle's database must, the serial port may fail. */
export function checkNative(packagesAt: string = import.meta.url): Finding[] {
  const require = createRequire(packagesAt);
  const parts = [
    ['libsql', 'fail', 'la cronaca', 'the chronicle'],
    ['serialport', 'warn', 'i vassoi', 'trays'],
  ] as const;
  return parts.map(([name, level, it, en]): Finding => {
    try {
      require(name);
      return { check: 'native', level: 'ok', told: { it: `${name} (${it})`, en: `${name} (${en})` } };
    } catch (error) {
      const why = error instanceof Error ? (error.message.split('\n')[0] ?? '').slice(0, 200) : String(error);
      return {
        check: 'native',
        level,
        told: { it: `${name} (${it}) non si carica: ${why}`, en: `${name} (${en}) does not load: ${why}` },
        remedy: {
          it: `cancella node_modules ed esegui npm ci con questo Node (${process.version}), senza ignore-scripts`,
          en: `delete node_modules and run npm ci with this Node (${process.version}), without ignore-scripts`,
        },
      };
    }
  });
}

/** The data folder, or the nearest folder above it that exists, can be written and has room. Makes nothing. */
export function checkDataFolder(folder: string): Finding {
  let existing = folder;
  while (!existsSync(existing) && dirname(existing) !== existing) existing = dirname(existing);
  try {
    accessSync(existing, constants.W_OK | constants.X_OK);
    const { bavail, bsize } = statfsSync(existing);
    const free = Math.floor((bavail * bsize) / (1024 * 1024));
    const told = {
      it: `cartella dei dati ${folder}, ${free} MiB liberi`,
      en: `data folder ${folder}, ${free} MiB free`,
    };
    if (bavail * bsize >= LITTLE_SPACE_BYTES) return { check: 'data', level: 'ok', told };
    return {
      check: 'data',
      level: 'warn',
      told,
      remedy: { it: 'libera spazio sul disco', en: 'make room on the disk' },
    };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return {
      check: 'data',
      level: 'fail',
      told: { it: `non si può scrivere in ${existing}: ${why}`, en: `${existing} cannot be written: ${why}` },
      remedy: { it: 'scegli un’altra cartella con --data', en: 'choose another folder with --data' },
    };
  }
}

function isFree(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** The port of the pages is free, or our own table is open on it: taken by another, the start would end with 1. */
export async function checkHttpPort({ port, host }: Config['http'], open?: OpenTable): Promise<Finding> {
  if (open?.locked === true) return { check: 'http', level: 'warn', ...LOCKED };
  if (open !== undefined) {
    const it = `il tavolo è aperto sulla porta ${port} (versione ${open.version})`;
    return {
      check: 'http',
      level: 'ok',
      told: { it, en: `the table is open on port ${port} (version ${open.version})` },
    };
  }
  if (await isFree(port, host)) {
    return { check: 'http', level: 'ok', told: { it: `porta ${port} libera`, en: `port ${port} is free` } };
  }
  return {
    check: 'http',
    level: 'fail',
    told: { it: `la porta ${port} è occupata da un altro programma`, en: `port ${port} is taken by another program` },
    remedy: { it: `avvia con --port ${port + 1}`, en: `start with --port ${port + 1}` },
  };
}

/** The MQTT port is free, or one of the next ten is; of a broker elsewhere only its address is known here. */
export async function checkMqttPort({ mode, port, url }: Config['mqtt'], open?: OpenTable): Promise<Finding> {
  if (open?.locked === false && open.mqtt !== null) {
    return { check: 'mqtt', level: 'ok', told: { it: `MQTT aperto: ${open.mqtt}`, en: `MQTT is open: ${open.mqtt}` } };
  }
  if (mode === 'external') {
    const told = { it: `MQTT presso ${url || '(mqtt.url manca)'}`, en: `MQTT at ${url || '(mqtt.url is missing)'}` };
    if (url !== '') return { check: 'mqtt', level: 'ok', told };
    const remedy = { it: 'scrivi mqtt.url, oppure mqtt.mode: embedded', en: 'set mqtt.url, or mqtt.mode: embedded' };
    return { check: 'mqtt', level: 'warn', told, remedy };
  }
  if (mode === 'off') return { check: 'mqtt', level: 'ok', told: { it: 'MQTT spento', en: 'MQTT is off' } };
  for (let candidate = port; candidate <= port + MQTT_TRIES; candidate += 1) {
    if (!(await isFree(candidate, '127.0.0.1'))) continue;
    if (candidate === port) {
      return { check: 'mqtt', level: 'ok', told: { it: `porta MQTT ${port} libera`, en: `MQTT port ${port} is free` } };
    }
    return {
      check: 'mqtt',
      level: 'warn',
      told: {
        it: `la porta MQTT ${port} è occupata: si userà la ${candidate}`,
        en: `MQTT port ${port} is taken: ${candidate} will be used`,
      },
      remedy: { it: `per sceglierla: --mqtt-port ${candidate}`, en: `to choose it: --mqtt-port ${candidate}` },
    };
  }
  return {
    check: 'mqtt',
    level: 'warn',
    told: {
      it: `porte MQTT da ${port} a ${port + MQTT_TRIES} occupate`,
      en: `MQTT ports ${port} to ${port + MQTT_TRIES} are taken`,
    },
    remedy: { it: 'scegline un’altra con --mqtt-port', en: 'choose another with --mqtt-port' },
  };
}

/** Serial ports as the system shows them, without asking a program that a slim system lacks (F019). */
function portsSeen(dev: string): string[] {
  try {
    return readdirSync(dev)
      .filter((name) => /^(ttyACM|ttyUSB|cu\.usb)/.test(name))
      .map((name) => join(dev, name));
  } catch {
    return [];
  }
}

/** The ports given and the ports seen can be opened by this user. */
export function checkSerial(serial: Config['devices']['serial'], dev = '/dev'): Finding[] {
  const given = serial.map(({ path }) => path).filter((path) => path !== 'auto' && path.startsWith('/'));
  const paths = [...new Set([...given, ...portsSeen(dev)])];
  if (paths.length === 0) {
    return [
      { check: 'serial', level: 'ok', told: { it: 'nessun vassoio su porta seriale', en: 'no tray on a serial port' } },
    ];
  }
  return paths.map((path): Finding => {
    try {
      accessSync(path, constants.R_OK | constants.W_OK);
      return { check: 'serial', level: 'ok', told: { it: `porta seriale ${path}`, en: `serial port ${path}` } };
    } catch (error) {
      return serialTrouble(path, (error as NodeJS.ErrnoException).code);
    }
  });
}

function serialTrouble(path: string, code: string | undefined): Finding {
  if (code === 'ENOENT') {
    const told = { it: `la porta ${path} non c’è`, en: `port ${path} is not there` };
    return { check: 'serial', level: 'warn', told, remedy: { it: 'collega il vassoio', en: 'plug the tray in' } };
  }
  return {
    check: 'serial',
    level: 'warn',
    told: { it: `manca il permesso di usare ${path}`, en: `no permission to use ${path}` },
    remedy: {
      it: 'sudo usermod -aG dialout "$USER", poi esci e rientra',
      en: 'sudo usermod -aG dialout "$USER", then log out and in again',
    },
  };
}
