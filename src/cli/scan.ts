import type { Writable } from 'node:stream';
import { faultText } from '../config/fault.js';
import { loadConfig } from '../config/load.js';
import type { Config } from '../config/schema.js';
import { probeBluetooth } from '../devices/ble/probe.js';
import { BluetoothDice } from '../devices/ble/radio/dice.js';
import { monotonicClock } from '../devices/clock.js';
import type { DieListing } from '../table/port.js';
import { askTable, LOCKED, openTableAt } from './open-table.js';
import { configFile } from './places.js';
import { isNative, radioSettings } from './radio-settings.js';
import { adapterLines, lineOf, nearestFirst, type ScannedDie, scannedOf, tableOf } from './scan-table.js';
import { adaptersIn, type ToldAdapter } from './told-adapters.js';

/** How often the table in the terminal is drawn. */
const DRAW_MS = 1_000;
/** Without a terminal, and with nothing said, the scan looks for so long. */
const SECONDS = 10;
const DEFAULT_ROWS = 24;
/** Clears the screen and goes to its corner. */
const CLEAR = '\u001b[H\u001b[2J';

/** Arguments of `tiro scan`. */
export interface ScanArguments {
  readonly seconds?: number | undefined;
  readonly json?: boolean | undefined;
  readonly config?: string | undefined;
}

/** A terminal, or what stands in its place. */
export type Screen = Writable & { readonly isTTY?: boolean; readonly rows?: number };

/** What is on the air, and the adapters that hear it. */
interface Sight {
  readonly dice: readonly ScannedDie[];
  readonly adapters: readonly ToldAdapter[];
}

/** Where the dice come from: the table that is open on this computer and holds the radio, or a radio of our own. */
interface Source {
  look(): Promise<Sight>;
  /** What ails it, with the remedy; null while it works. */
  trouble(): string | null;
  stop(): Promise<void>;
}

/**
 * `tiro scan`: Bluetooth dice on the air. In a terminal a table that is drawn anew every second, else a line for every die
 * as it is met; `--json` prints one list at the end.
 * @returns exit code: 0; 1 if there is no Bluetooth; 2 if the configuration is wrong
 */
export async function scan(given: ScanArguments, screen: Screen, stderr: Writable): Promise<number> {
  const file = configFile(given);
  const loaded = loadConfig({ env: process.env, args: {}, ...(file === undefined ? {} : { file }) });
  if (!loaded.ok) {
    for (const fault of loaded.error) stderr.write(`${faultText(fault)}\n`);
    return 2;
  }
  const config = loaded.value;
  const source = (await openSource(config)) ?? (await ownRadio(config));
  if (typeof source === 'string') {
    stderr.write(`tiro scan: ${source}\n`);
    return 1;
  }
  const live = screen.isTTY === true && given.json !== true;
  const seconds = given.seconds ?? (live ? null : SECONDS);
  try {
    const { dice, adapters } = await watch(
      source,
      seconds,
      live ? drawing(screen, config.language) : telling(screen, given, config.language),
    );
    if (given.json === true) {
      screen.write(`${JSON.stringify({ adapters, dice: nearestFirst(dice) }, null, 2)}\n`);
    } else if (!live) {
      for (const line of adapterLines(adapters, dice, config.language)) screen.write(`${line}\n`);
    }
    const trouble = dice.length === 0 ? source.trouble() : null;
    if (trouble !== null) stderr.write(`tiro scan: ${trouble}\n`);
    return trouble === null ? 0 : 1;
  } finally {
    await source.stop();
  }
}

type Show = (sight: Sight) => void;

function drawing(screen: Screen, language: Config['language']): Show {
  return ({ dice, adapters }) => {
    const above = adapterLines(adapters, dice, language);
    const rows = (screen.rows ?? DEFAULT_ROWS) - 1 - above.length;
    screen.write(`${CLEAR}${[...above, ...tableOf(dice, language, rows)].join('\n')}\n`);
  };
}

/** A line for every die, when it is met first; nothing while a list is to come at the end. */
function telling(screen: Screen, { json }: ScanArguments, language: Config['language']): Show {
  const met = new Set<string>();
  return ({ dice }) => {
    for (const die of json === true ? [] : nearestFirst(dice)) {
      if (met.has(die.die)) continue;
      met.add(die.die);
      screen.write(`${lineOf(die, language)}\n`);
    }
  };
}

/** Shows what is there until the time is over, or until the user ends it. */
async function watch(source: Source, seconds: number | null, show: Show): Promise<Sight> {
  let ended = false;
  let wake: () => void = () => undefined;
  const end = (): void => {
    ended = true;
    wake();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end);
  const until = seconds === null ? Number.POSITIVE_INFINITY : performance.now() + seconds * 1000;
  let sight: Sight = { dice: [], adapters: [] };
  while (!ended && performance.now() < until) {
    sight = await source.look();
    show(sight);
    await new Promise<void>((resolve) => {
      wake = resolve;
      setTimeout(resolve, Math.min(DRAW_MS, Math.max(0, until - performance.now())));
    });
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, end);
  return sight;
}

/** The table that is open on this computer: it has the radio, and only one program may; or why it does not answer. */
async function openSource({ http: { port }, language }: Config): Promise<Source | string | undefined> {
  const open = await openTableAt(port);
  if (open === undefined) return undefined;
  if (open.locked) return `${LOCKED.told[language]}: ${LOCKED.remedy[language]}`;
  const ask = async (path: string): Promise<unknown> => (await askTable(port, path)).body;
  let known: Sight = { dice: [], adapters: [] };
  return {
    async look() {
      try {
        const { dice = [] } = (await ask('/api/v1/dice')) as { dice?: readonly DieListing[] };
        known = { dice: scannedOf(dice), adapters: adaptersIn(await ask('/api/v1/status')) };
      } catch {
        // The table was closed meanwhile: what was seen last stays.
      }
      return known;
    },
    trouble: () => null,
    stop: async () => undefined,
  };
}

/** A radio of our own; or why there is none. */
async function ownRadio({ ble, language }: Config): Promise<Source | string> {
  const found = isNative(ble) ? await probeBluetooth({ driver: ble.driver }) : undefined;
  if (found !== undefined && found.state !== 'available') {
    const { reason, remedy } = language === 'it' ? found.inItalian : found;
    return `${reason}: ${remedy}`;
  }
  const radio = new BluetoothDice({ ...radioSettings(ble, found), run: 0, clock: monotonicClock });
  radio.start(() => undefined);
  return {
    look: async () => {
      const { adapters } = radio.state();
      const dice = radio.unknown().map(({ die, model, type = null, colour, battery = null, rssi, name, adapter }) => ({
        ...{ die, model, type, colour, battery, rssi, name },
        ...(adapters.length > 1 ? { adapter } : {}),
        ...{ table: null, seat: null },
      }));
      return { dice, adapters };
    },
    trouble() {
      const { reason, remedy = '', inItalian } = radio.state();
      if (reason === undefined) return null;
      const words = language === 'it' ? (inItalian ?? { reason, remedy }) : { reason, remedy };
      return `${words.reason}: ${words.remedy}`;
    },
    stop: () => radio.stop(),
  };
}
