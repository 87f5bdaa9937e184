import type { Result } from '../dice/result.js';

/** Why a configuration is not taken: where in its text, and what to do. */
export interface SettingFault {
  /** Name of the file without its folder, `environment` or `command line`. */
  readonly file: string;
  /** From 1; absent where there is no text. */
  readonly line?: number;
  readonly column?: number;
  readonly key: string;
  readonly reason: string;
  readonly remedy: string;
}

/** One leaf of the configuration as a page shows it. A secret's value is told as `********`, or empty. */
export interface SettingLeaf {
  readonly path: string;
  readonly title: string;
  readonly titolo: string;
  readonly unit?: string;
  readonly default: unknown;
  readonly value: unknown;
  readonly differs: boolean;
  readonly from: 'default' | 'file' | 'environment' | 'arguments';
  /** `TIRO_…`, which goes before the file. */
  readonly variable: string;
  /** True where a change takes effect at the next start. */
  readonly restart: boolean;
}

/** The configuration that serves, and the text it is made from. */
export interface SettingsState {
  readonly path: string;
  /** False: there is no file yet, and `text` is a commented one to begin with. */
  readonly exists: boolean;
  /** The file as it is now, its secrets masked; it may be the faulty one. */
  readonly text: string;
  /** Why the file is not what serves; empty where it is. */
  readonly faults: readonly SettingFault[];
  readonly leaves: readonly SettingLeaf[];
  /** Leaves whose new value waits for the next start. */
  readonly pending: readonly string[];
}

/** What a text changes, or changed: the paths of leaves. */
export interface SettingsChange {
  readonly changed: readonly string[];
  readonly pending: readonly string[];
}

/** A text that was not taken; nothing has changed. */
export interface SettingsRefusal {
  /** As the error of any other answer (contracts E). */
  readonly fault: {
    readonly status: number;
    readonly code: string;
    readonly message: string;
    readonly where?: string;
    readonly remedy?: string;
  };
  /** Empty where the text is right and the disk is not. */
  readonly faults: readonly SettingFault[];
}

/** The daemon's configuration, as the GM may see and change it. */
export interface Settings {
  state(): SettingsState;
  /** What the status says: whether the file is what serves. */
  brief(): { readonly state: 'ok' | 'faulty'; readonly reason?: string; readonly pending: readonly string[] };
  /** Tries a text and changes nothing. */
  check(text: string): Result<SettingsChange, SettingsRefusal>;
  /** Tries a text, writes it whole with the old file kept beside, and applies it. */
  save(text: string): Promise<Result<SettingsChange, SettingsRefusal>>;
}
