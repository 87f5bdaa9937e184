import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { HttpDoor } from '../broadcast/http.js';
import { TokenStore } from '../broadcast/tokens.js';
import { faultText } from '../config/fault.js';
import { loadConfig } from '../config/load.js';
import type { Config } from '../config/schema.js';
import { probeBluetooth } from '../devices/ble/probe.js';
import { lockDataDir } from '../journal/lock.js';
import { type JournalOptions, openJournal } from '../journal/open.js';
import { AwakeClock } from './awake-clock.js';
import { Greeting } from './greeting.js';
import { type MqttDoor, openMqtt } from './mqtt-door.js';
import { configFile, dataFolder } from './places.js';
import { portHolder } from './port-holder.js';
import { type Log, Running } from './running.js';
import { TOKEN_FILE } from './token.js';
import { packageVersion } from './version.js';

/** Arguments of `tiro start`, as the command line gave them. */
export interface StartArguments {
  readonly port?: number | undefined;
  readonly host?: string | undefined;
  readonly mqttPort?: number | 'off' | undefined;
  readonly data?: string | undefined;
  readonly config?: string | undefined;
}

/** What benchmarks change and no configuration can: how the journal meets the disk. */
export type StartTuning = Pick<JournalOptions, 'tuning'>;

/** Exit codes of `tiro start` (contracts G): 1 cannot start, 2 wrong configuration, 3 another daemon holds the data. */
export const EXIT = { ok: 0, failed: 1, configuration: 2, held: 3 } as const;

/** Something that is closed in turn when the daemon stops. */
type Closing = () => Promise<unknown> | undefined;

/**
 * `tiro start`: the composition root. Runs until SIGTERM or SIGINT.
 * @param tuning what only a benchmark sets
 * @returns the exit code
 */
export async function start(given: StartArguments, tuning: StartTuning = {}): Promise<number> {
  const loaded = configure(given);
  if (!loaded.ok) return loaded.exit;
  const { config, notices } = loaded;
  const log = logger(config);
  for (const notice of notices) log('warn', notice);
  const dir = dataFolder(config.data.dir);
  const lock = lockDataDir(dir);
  if (!lock.ok) return complain(lock.error.message, lock.error.code === 'held' ? EXIT.held : EXIT.failed);
  const closing: Closing[] = [async () => lock.value.release()];
  // Heard from here on: asked to stop while it still starts, the daemon ends as cleanly as later.
  const stop = stopSignal();
  try {
    const code = await open(config, dir, log, closing, tuning);
    if (code !== null) return code;
    await stop;
    return EXIT.ok;
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

function configure(
  given: StartArguments,
): { ok: true; config: Config; notices: readonly string[] } | { ok: false; exit: number } {
  const file = configFile(given);
  const args = {
    ...(given.port === undefined ? {} : { 'http.port': given.port }),
    ...(given.host === undefined ? {} : { 'http.host': given.host }),
    ...(given.data === undefined ? {} : { 'data.dir': given.data }),
    ...(given.mqttPort === undefined
      ? {}
      : given.mqttPort === 'off'
        ? { 'mqtt.mode': 'off' }
        : { 'mqtt.port': given.mqttPort }),
  };
  const loaded = loadConfig({ env: process.env, args, ...(file === undefined ? {} : { file }) });
  if (loaded.ok) return { ok: true, config: loaded.value, notices: loaded.notices };
  for (const fault of loaded.error) process.stderr.write(`${faultText(fault)}\n`);
  return { ok: false, exit: EXIT.configuration };
}

/** Opens journal, tables, doors and devices in their order; returns an exit code if one that must be there is not. */
async function open(
  config: Config,
  dir: string,
  log: Log,
  closing: Closing[],
  tuning: StartTuning,
): Promise<number | null> {
  mkdirSync(dir, { recursive: true });
  const journal = await openJournal({ dir, ...tuning });
  if (!journal.ok) return complain(journal.error.message, EXIT.failed);
  closing.push(() => journal.value.close());
  const tokens = TokenStore.open(join(dir, TOKEN_FILE), (message) => log('warn', message), config.http.gmToken);
  if (!tokens.ok) return complain(tokens.error, EXIT.failed);
  closing.push(async () => tokens.value.close());
  const time = new AwakeClock((ms) => log('warn', `the computer slept, or this program did not run, for ${ms} ms`));
  closing.push(async () => time.stop());
  const running = await Running.open(packageVersion(), config, journal.value, log, time);
  let mqtt: MqttDoor | null = null;
  const http = await HttpDoor.open({
    daemon: running,
    config: {
      ...network(config),
      pages: folder('./web', '../web'),
      schemas: folder('../docs/schemas', '../../docs/schemas'),
    },
    tokens: tokens.value,
    mqtt: () => mqtt?.state() ?? { url: null, reason: 'mqtt.mode is off' },
  });
  if (!http.ok) {
    const holder = http.error.code === 'EADDRINUSE' ? portHolder(config.http.port) : undefined;
    return complain(`${http.error.message}${holder === undefined ? '' : ` (held by ${holder})`}`, EXIT.failed);
  }
  closing.push(() => http.value.close());
  mqtt = await openMqtt(running, http.value.access, config.mqtt, journal.value);
  closing.push(() => mqtt?.close());
  closing.push(() => running.stop());
  running.start();
  const greeting = new Greeting(config.language, (line) => process.stdout.write(`${line}\n`));
  greeting.ready(running, {
    urls: http.value.urls(),
    mqtt: mqtt?.state() ?? { url: null, reason: 'off' },
    data: dir,
    fakes: config.devices.fake,
  });
  const bluetooth = lookForBluetooth(config, running, greeting);
  closing.push(() => bluetooth);
  return null;
}

async function lookForBluetooth(config: Config, running: Running, greeting: Greeting): Promise<void> {
  if (config.ble.enabled === 'off') {
    running.bluetooth(BLUETOOTH_OFF);
    return;
  }
  const state = await probeBluetooth({ driver: config.ble.driver });
  running.bluetooth(state);
  greeting.bluetooth(state);
}

const BLUETOOTH_OFF = {
  state: 'unavailable',
  reason: 'ble.enabled is off',
  remedy: 'set ble.enabled to auto or on',
  inItalian: { reason: 'ble.enabled è off', remedy: 'metti ble.enabled su auto o on' },
} as const;

function network(config: Config): { host: string; port: number; trustLoopback: boolean; names: readonly string[] } {
  const { host, port, trustLoopback, allowedHosts, allowedOrigins } = config.http;
  return { host, port, trustLoopback, names: [...allowedHosts, ...allowedOrigins] };
}

/** The first of these folders, seen from here, that exists. */
function folder(...places: readonly string[]): string | null {
  const found = places.map((place) => fileURLToPath(new URL(place, import.meta.url))).find((path) => existsSync(path));
  return found ?? null;
}

function logger(config: Config): Log {
  const out = pino(
    { level: config.log.level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination(2),
  );
  return (level, message, about) => out[level](about ?? {}, message);
}

function complain(message: string, code: number): number {
  process.stderr.write(`tiro start: ${message}\n`);
  return code;
}

/** Resolves when the process is asked to stop; a second signal ends it at once. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  });
}
