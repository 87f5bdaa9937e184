import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import type { NetworkConfig } from '../broadcast/daemon.js';
import { HttpDoor } from '../broadcast/http.js';
import { TokenStore } from '../broadcast/tokens.js';
import { faultText, withRemedy } from '../config/fault.js';
import { loadConfig } from '../config/load.js';
import type { Config } from '../config/schema.js';
import { lockDataDir } from '../journal/lock.js';
import { type JournalOptions, openJournal } from '../journal/open.js';
import { AwakeClock } from './awake-clock.js';
import { BluetoothWatch } from './bluetooth-watch.js';
import { applyChanges } from './changes.js';
import { Greeting } from './greeting.js';
import { Hangups } from './hangup.js';
import { GOOD_FILE, LiveConfig, type Loaded } from './live-config.js';
import { MQTT_OFF, MqttGate } from './mqtt-door.js';
import { configFile, dataFolder } from './places.js';
import { portHolder } from './port-holder.js';
import { Recorder } from './recorder.js';
import type { Happening } from './recording.js';
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
  /** A new file for all that happens (`tiro record`). */
  readonly record?: string | undefined;
  /** Ends by itself after so many seconds. */
  readonly seconds?: number | undefined;
}

/** What benchmarks change and no configuration can: how the journal meets the disk. */
export type StartTuning = Pick<JournalOptions, 'tuning'>;

/** Exit codes of `tiro start` (contracts G): 1 cannot start, 2 wrong configuration, 3 another daemon holds the data. */
export const EXIT = { ok: 0, failed: 1, configuration: 2, held: 3 } as const;

const RECORDING_ENDED = 'the recording ended early';

/** Something that is closed in turn when the daemon stops. */
type Closing = () => Promise<unknown> | undefined;

/**
 * `tiro start`: the composition root. Runs until SIGTERM or SIGINT.
 * @param tuning what only a benchmark sets
 * @returns the exit code
 */
export async function start(given: StartArguments, tuning: StartTuning = {}): Promise<number> {
  const hangups = new Hangups();
  const configured = configure(given);
  if (!configured.ok) return configured.exit;
  const { loaded } = configured;
  const { log, level } = logger(loaded.value);
  for (const notice of loaded.notices) log('warn', notice);
  const dir = dataFolder(loaded.value.data.dir);
  const lock = lockDataDir(dir);
  if (!lock.ok) return complain(lock.error.message, lock.error.code === 'held' ? EXIT.held : EXIT.failed);
  const closing: Closing[] = [async () => lock.value.release()];
  // Heard from here on: asked to stop while it still starts, the daemon ends as cleanly as later.
  const stop = stopSignal(given.seconds);
  try {
    const live = new LiveConfig({ ...configured, env: process.env, dir, log });
    const code = await open({ live, dir, log, level, tuning, record: given.record }, closing);
    if (code !== null) return code;
    // The last to be opened and the first to be closed: what is being changed is changed before anything ends.
    closing.push(() => live.close());
    hangups.onHangup(() => void live.reload());
    await stop;
    hangups.close();
    return EXIT.ok;
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

type Configured =
  | { readonly ok: true; readonly loaded: Loaded; readonly file: string | undefined; readonly args: Arguments }
  | { readonly ok: false; readonly exit: number };

type Arguments = { readonly [path: string]: unknown };

function configure(given: StartArguments): Configured {
  const file = configFile(given);
  const args: Arguments = {
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
  if (loaded.ok) return { ok: true, loaded, file, args };
  for (const fault of loaded.error) process.stderr.write(`${faultText(withRemedy(fault))}\n`);
  const good = join(dataFolder(given.data ?? process.env.TIRO_DATA_DIR ?? ''), GOOD_FILE);
  if (existsSync(good)) process.stderr.write(`the last configuration that served is kept in ${good}\n`);
  return { ok: false, exit: EXIT.configuration };
}

/** What the parts of the daemon are opened with. */
interface Opening {
  readonly live: LiveConfig;
  readonly dir: string;
  readonly log: Log;
  readonly level: (level: Config['log']['level']) => void;
  readonly tuning: StartTuning;
  readonly record: string | undefined;
}

/** Opens journal, tables, doors and devices in their order; returns an exit code if one that must be there is not. */
async function open({ live, dir, log, level, tuning, record }: Opening, closing: Closing[]): Promise<number | null> {
  const { config } = live;
  const journal = await openJournal({ dir, ...tuning });
  if (!journal.ok) return complain(journal.error.message, EXIT.failed);
  closing.push(() => journal.value.close());
  const tokens = TokenStore.open(join(dir, TOKEN_FILE), (message) => log('warn', message), config.http.gmToken);
  if (!tokens.ok) return complain(tokens.error, EXIT.failed);
  closing.push(async () => tokens.value.close());
  const time = new AwakeClock((ms) => log('warn', `the computer slept, or this program did not run, for ${ms} ms`));
  closing.push(async () => time.stop());
  const recorder =
    record === undefined ? null : Recorder.open(record, time.now, (why) => log('error', RECORDING_ENDED, { why }));
  if (recorder?.ok === false) return complain(recorder.error, EXIT.failed);
  closing.push(async () => recorder?.value.close());
  const begun = await recorder?.value.begin(journal.value, packageVersion(), config);
  if (begun?.ok === false) return complain(begun.error, EXIT.failed);
  const happened = (happening: Happening): void => recorder?.value.note(happening);
  const running = await Running.open(packageVersion(), config, journal.value, log, time, { happened });
  running.settings = live;
  let mqtt: MqttGate | null = null;
  const http = await HttpDoor.open({
    daemon: running,
    config: {
      ...network(config),
      names: namesOf(live),
      pages: folder('./web', '../web'),
      schemas: folder('../docs/schemas', '../../docs/schemas'),
    },
    tokens: tokens.value,
    mqtt: () => mqtt?.state() ?? MQTT_OFF,
  });
  if (!http.ok) {
    const holder = http.error.code === 'EADDRINUSE' ? portHolder(config.http.port) : undefined;
    return complain(`${http.error.message}${holder === undefined ? '' : ` (held by ${holder})`}`, EXIT.failed);
  }
  closing.push(() => http.value.close());
  const gate = new MqttGate(running, http.value.access, journal.value);
  mqtt = gate;
  await gate.open(config.mqtt);
  closing.push(() => gate.close());
  closing.push(() => running.stop());
  running.start();
  const greeting = new Greeting(live.config.language, (line) => process.stdout.write(`${line}\n`));
  greeting.ready(running, { urls: http.value.urls(), mqtt: gate.state(), data: dir, fakes: config.devices.fake });
  const bluetooth = new BluetoothWatch(config.ble, running, greeting);
  bluetooth.start();
  closing.push(() => bluetooth.stop());
  live.onChange((next, before) =>
    applyChanges(next, before, {
      level,
      configure: (now) => running.configure(now),
      trays: (now) => running.renewTrays(now),
      mqtt: (now) => gate.open(now.mqtt),
    }),
  );
  return null;
}

function network({ http: { host, port, trustLoopback } }: Config): Omit<NetworkConfig, 'names' | 'pages' | 'schemas'> {
  return { host, port, trustLoopback };
}

/** Names of the configuration as it is now; the same list until it changes. */
function namesOf(live: LiveConfig): () => readonly string[] {
  let read: Config['http'] | null = null;
  let names: readonly string[] = [];
  return () => {
    const { http } = live.config;
    if (http !== read) names = [...http.allowedHosts, ...http.allowedOrigins];
    read = http;
    return names;
  };
}

/** The first of these folders, seen from here, that exists. */
function folder(...places: readonly string[]): string | null {
  const found = places.map((place) => fileURLToPath(new URL(place, import.meta.url))).find((path) => existsSync(path));
  return found ?? null;
}

function logger(config: Config): { readonly log: Log; readonly level: Opening['level'] } {
  const place = pino.destination(2);
  // The terminal may be gone after a hang-up; that is no reason to end.
  place.on('error', () => undefined);
  const out = pino({ level: config.log.level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, place);
  return {
    log: (level, message, about) => out[level](about ?? {}, message),
    level(level) {
      out.level = level;
    },
  };
}

function complain(message: string, code: number): number {
  process.stderr.write(`tiro start: ${message}\n`);
  return code;
}

/** Resolves when the process is asked to stop, or after so many seconds; a second signal ends it at once. */
function stopSignal(seconds: number | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (seconds !== undefined) setTimeout(resolve, seconds * 1000).unref();
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  });
}
