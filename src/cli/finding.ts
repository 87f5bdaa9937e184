/** The same said in both languages. */
export interface Wording {
  readonly it: string;
  readonly en: string;
}

/** What one look of the doctor found: `warn` is a part that does not work while the rest does, `fail` stops the start. */
export interface Finding {
  readonly check: 'node' | 'native' | 'configuration' | 'data' | 'http' | 'mqtt' | 'serial' | 'bluetooth';
  readonly level: 'ok' | 'warn' | 'fail';
  readonly told: Wording;
  readonly remedy?: Wording;
}
