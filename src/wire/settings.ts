import { z } from 'zod';

/** Body of `POST /api/v1/config`; `dry` tries the text and changes nothing. The body around it is bounded too (64 KiB). */
export const settingsOrderSchema = z.strictObject({ text: z.string().max(64 * 1024), dry: z.literal(true).optional() });

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
