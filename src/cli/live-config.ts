import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Settings, SettingsRefusal } from '../broadcast/settings.js';
import { type ConfigFault, faultText, withRemedy } from '../config/fault.js';
import { type Leaf, leavesOf, variableOf } from '../config/leaf.js';
import { type ConfigResult, loadConfig, valueAt } from '../config/load.js';
import { exampleText } from '../config/publish.js';
import { type Config, configSchema } from '../config/schema.js';
import { MASK, maskSecrets, unmaskSecrets } from '../config/secrets.js';
import { MAX_CONFIG_BYTES } from '../config/text.js';
import { err, ok, type Result } from '../dice/result.js';
import { replaceFile } from '../journal/atomic-file.js';
import type { SettingFault, SettingsChange, SettingsState } from '../wire/settings.js';
import { fakesWait, NEXT_START, same } from './changes.js';
import type { Log } from './running.js';

/** A configuration that was taken. */
export type Loaded = Extract<ConfigResult, { readonly ok: true }>;

export interface LiveParts {
  /** The file of the start; where there was none, `tiro.yaml` in the data folder is looked for at each reload. */
  readonly file: string | undefined;
  /** Data folder. */
  readonly dir: string;
  /** What goes before the file, as at the start. */
  readonly env: { readonly [name: string]: string | undefined };
  readonly args: { readonly [path: string]: unknown };
  readonly loaded: Loaded;
  readonly log: Log;
}

/** Copy of the last text that served, in the data folder. */
export const GOOD_FILE = 'tiro.good.yaml';

/**
 * The configuration of a running daemon. A text is read and checked whole before anything changes; a faulty one changes
 * nothing. Changes are made one after the other.
 */
export class LiveConfig implements Settings {
  readonly path: string;
  readonly #parts: LiveParts;
  readonly #named: boolean;
  readonly #boot: Config;
  readonly #leaves: readonly Leaf[] = leavesOf(configSchema);
  #now: Loaded;
  #faults: readonly ConfigFault[] = [];
  #apply: (next: Config, before: Config) => Promise<void> = async () => undefined;
  #work: Promise<unknown> = Promise.resolve();
  #waiting: Promise<void> | null = null;
  #closed = false;

  constructor(parts: LiveParts) {
    this.#parts = parts;
    this.#now = parts.loaded;
    this.#boot = parts.loaded.value;
    this.#named = parts.file !== undefined;
    this.path = parts.file ?? join(parts.dir, 'tiro.yaml');
    if (this.#named) this.#inTurn(() => this.#keepGood()).catch(() => undefined);
  }

  /** The configuration that serves. */
  get config(): Config {
    return this.#now.value;
  }

  /** Who applies a changed configuration. */
  onChange(apply: (next: Config, before: Config) => Promise<void>): void {
    this.#apply = apply;
  }

  /** Reads the file again. On faults the old configuration serves on, and the log says where they are. Never rejects. */
  reload(): Promise<void> {
    // However often it is asked: what has not begun to read yet will read the newest.
    this.#waiting ??= this.#inTurn(async () => {
      this.#waiting = null;
      await this.#reload();
    }).catch((error: unknown) => this.#parts.log('warn', `the configuration was not read again: ${reasonOf(error)}`));
    return this.#waiting;
  }

  async #reload(): Promise<void> {
    const { log } = this.#parts;
    const loaded = this.#load();
    if (!loaded.ok) {
      this.#faults = loaded.error;
      log('error', `the configuration is not taken, the old one serves on: ${loaded.error.map(told).join('; ')}`);
      return;
    }
    const { changed, pending } = await this.#take(loaded);
    log('info', `the configuration was read again: ${changed.length === 0 ? 'nothing changed' : changed.join(', ')}`);
    if (pending.length > 0) log('warn', `takes effect at the next start: ${pending.join(', ')}`);
  }

  #load(text?: string): ConfigResult {
    const { env, args } = this.#parts;
    const there = text !== undefined || this.#named || existsSync(this.path);
    return loadConfig({
      env,
      args,
      ...(there ? { file: this.path } : {}),
      ...(text === undefined ? {} : { text }),
    });
  }

  async #take(loaded: Loaded): Promise<SettingsChange> {
    const before = this.#now;
    const changed = this.#differing(loaded.value, before.value);
    this.#faults = [];
    this.#now = loaded;
    for (const notice of loaded.notices) if (!before.notices.includes(notice)) this.#parts.log('warn', notice);
    await this.#keepGood();
    await this.#apply(loaded.value, before.value).catch((error: unknown) => {
      this.#parts.log('error', `a change of the configuration could not be applied: ${reasonOf(error)}`);
    });
    return { changed, pending: this.#pending(loaded.value) };
  }

  async #keepGood(): Promise<void> {
    try {
      await replaceFile(join(this.#parts.dir, GOOD_FILE), this.#now.text);
    } catch (error) {
      this.#parts.log('warn', `the copy of the good configuration could not be kept: ${reasonOf(error)}`);
    }
  }

  state(): SettingsState {
    const text = this.#textOfFile();
    return {
      path: this.path,
      exists: text !== null,
      text: text === null ? exampleText().replace(/^# yaml-language-server.*\n/, '') : maskSecrets(text),
      faults: this.#faults.map(settingFault),
      leaves: this.#leaves.map((leaf) => this.#leafState(leaf)),
      pending: this.#pending(this.config),
    };
  }

  #leafState({ path, meta, fallback }: Leaf): SettingsState['leaves'][number] {
    const name = path.join('.');
    const set = valueAt(this.config, path);
    const { title, titolo, unit } = meta;
    return {
      path: name,
      title,
      titolo,
      ...(unit === undefined ? {} : { unit }),
      default: fallback,
      value: meta.secret === true && set !== '' ? MASK : set,
      differs: !same(set, fallback),
      from: this.#now.origins.get(name)?.from ?? 'default',
      variable: variableOf(path),
      restart: NEXT_START.includes(name),
    };
  }

  brief(): ReturnType<Settings['brief']> {
    const [first] = this.#faults;
    const pending = this.#pending(this.config);
    return first === undefined ? { state: 'ok', pending } : { state: 'faulty', reason: told(first), pending };
  }

  check(text: string): Result<SettingsChange, SettingsRefusal> {
    const loaded = this.#load(unmaskSecrets(text, this.#textOfFile() ?? ''));
    if (!loaded.ok) return err(refusal(loaded.error));
    return ok({ changed: this.#differing(loaded.value, this.config), pending: this.#pending(loaded.value) });
  }

  save(text: string): Promise<Result<SettingsChange, SettingsRefusal>> {
    return this.#inTurn(() => this.#save(text));
  }

  async #save(text: string): Promise<Result<SettingsChange, SettingsRefusal>> {
    const old = this.#textOfFile();
    const whole = unmaskSecrets(text, old ?? '');
    const loaded = this.#load(whole);
    if (!loaded.ok) return err(refusal(loaded.error));
    try {
      if (old !== null && old !== whole) await replaceFile(`${this.path}.before`, old);
      if (old !== whole) await replaceFile(this.path, whole);
    } catch (error) {
      const message = `the configuration cannot be written: ${reasonOf(error)}`;
      this.#parts.log('error', message);
      const remedy = 'make room on the disk, or let this program write the file; the old one is intact';
      return err({ fault: { status: 507, code: 'not_written', message, remedy }, faults: [] });
    }
    const taken = await this.#take(loaded);
    this.#parts.log('info', `the configuration was changed from a page: ${taken.changed.join(', ') || 'nothing'}`);
    return ok(taken);
  }

  /** Waits for the change that is being made; none is made after it. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#work;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#work.then(() => {
      if (this.#closed) throw new Error('the daemon is stopping');
      return work();
    });
    this.#work = turn.catch(() => undefined);
    return turn;
  }

  #textOfFile(): string | null {
    try {
      return statSync(this.path).size > MAX_CONFIG_BYTES ? '' : readFileSync(this.path, 'utf8');
    } catch {
      return null;
    }
  }

  #differing(a: Config, b: Config): string[] {
    const other = this.#leaves.filter(({ path }) => !same(valueAt(a, path), valueAt(b, path)));
    return other.map(({ path }) => path.join('.'));
  }

  #pending(now: Config): string[] {
    const waiting = this.#differing(now, this.#boot).filter((path) => NEXT_START.includes(path));
    return waiting.includes('devices.fake') || !fakesWait(now, this.#boot) ? waiting : [...waiting, 'devices.fake'];
  }
}

const reasonOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error).slice(0, 200);

/** Folders of this computer are nobody's business but its owner's. */
const plainFault = (fault: ConfigFault): ConfigFault & { readonly remedy: string } =>
  withRemedy({ ...fault, file: basename(fault.file) });

const told = (fault: ConfigFault): string => faultText(plainFault(fault));

const settingFault = (fault: ConfigFault): SettingFault => plainFault(fault);

function refusal(faults: readonly ConfigFault[]): SettingsRefusal {
  const [first] = faults;
  const { remedy, line, column, key } = plainFault(first ?? { file: '', key: '', reason: '' });
  const where = line === undefined ? key : `line ${line}, column ${column ?? 1}`;
  const message = first === undefined ? 'not taken' : told(first);
  return { fault: { status: 400, code: 'config_invalid', message, where, remedy }, faults: faults.map(settingFault) };
}
