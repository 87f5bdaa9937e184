import type { Result } from '../dice/result.js';
import type { SettingFault, SettingsChange, SettingsState } from '../wire/settings.js';

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
