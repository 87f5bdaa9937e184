import { type Face, isFaceOf } from '../../dice/die.js';
import { err, ok, type Result } from '../../dice/result.js';
import type { Signal } from '../device.js';
import { fitsLeds, kindByLeds, kindByNumber, type PixelsKind, placesOf, typeOfKind } from './pixels-faces.js';

export const PIXELS_MODEL = 'Pixels';
/** A Pixels throw has lain still for half a second when it is told: it counts at once (design, step 2). */
export const PIXELS_SETTLE_MS = 0;
/** A Pixels that counts must lie still this long: faces passed in a turn are told as rests (protocols/pixels §4.6). */
export const PIXELS_DWELL_MS = 600;

/**
 * How to read one die. `type` is the owner's word and holds where the die does not say what it is, as long as its lights
 * allow it; `override` holds against the die. `firmware` (UNIX seconds) holds until the die tells its own. `guess` is the
 * kind of a die that has told nothing at all. `values` are printed faces of its own for some indices: a die that was
 * updated keeps old normals under a new date (§5). `id` is the die that is expected behind the link.
 */
export interface PixelsOptions {
  readonly type?: PixelsKind;
  readonly override?: PixelsKind;
  readonly guess?: PixelsKind;
  readonly firmware?: number;
  readonly id?: string;
  readonly values?: readonly (readonly [index: number, face: Face])[];
}

/** What the die has told about itself. */
export interface KnownDie {
  readonly id: string;
  /** Its number in IAmADie or an advert; 0 is unknown. */
  readonly dieType: number;
  readonly leds?: number;
  readonly firmware?: number;
}

/** A die on its way since a `rolling`. `counts` is false once the charger took it: the throw is lost. */
export interface Tumble {
  readonly since: number;
  /** Time of the last `rolling`. */
  readonly at: number;
  /** Different indices told while rolling. */
  readonly seen: readonly number[];
  readonly counts: boolean;
  /** What lay up before a face that was told for one look only: the blow of a bump shows another face for that long. */
  readonly under: number | null;
}

/** The last rest told. `moved` becomes true once something moved, charged or reconnected the die. */
export interface LastRest {
  readonly index: number;
  readonly crooked: boolean;
  readonly moved: boolean;
  readonly at: number;
  /** Index that lay up before it. */
  readonly before: number | null;
}

export interface BatteryTold {
  readonly percent: number;
  readonly charging: boolean;
  readonly trouble: 'bad_charging' | 'error' | null;
  readonly band: BatteryBand;
}

/** Coarse battery: the level jumps by 10 to 20 points at the charger (protocols/pixels §6). */
export const BATTERY_BANDS = ['empty', 'low', 'medium', 'high'] as const;
export type BatteryBand = (typeof BATTERY_BANDS)[number];

/** Session of one Pixels die: plain data. Times are monotonic milliseconds. */
export interface PixelsState {
  readonly options: PixelsOptions;
  readonly die: KnownDie | null;
  /** Id and firmware from a scan response: later adverts come without one, and IAmADie must agree. */
  readonly facts: { readonly id: string; readonly firmware: number } | null;
  /** Null while the link is down. */
  readonly upAt: number | null;
  /** Until when the next state is the answer to RequestRollState; null if none was asked for. */
  readonly askedUntil: number | null;
  readonly tumble: Tumble | null;
  /** Index that lay up before the movement; where no rest is known, the first index told. */
  readonly old: number | null;
  readonly last: LastRest | null;
  readonly battery: BatteryTold | null;
  /** End of the calm after a charge, inclusive; null before the first charge. */
  readonly calmUntil: number | null;
  /** The last advert and the identity told from adverts, to tell each only once. */
  readonly advert: { readonly packet: string; readonly identity: string } | null;
}

export interface Step {
  readonly state: PixelsState;
  readonly signals: readonly Signal[];
}

/** The next state and what is told. */
export const stay = (state: PixelsState, ...signals: readonly Signal[]): Step => ({ state, signals });

/** The last rest after something moved the die: an equal reading is then a new one. */
export const stirred = (last: LastRest | null): LastRest | null => (last === null ? null : { ...last, moved: true });

/** The session at its start: nothing is known, the link has been up since `upAt`. */
export const freshState = (options: PixelsOptions, upAt: number): PixelsState => ({
  options,
  die: null,
  facts: null,
  upAt,
  askedUntil: null,
  tumble: null,
  old: null,
  last: null,
  battery: null,
  calmUntil: null,
  advert: null,
});

/** Build timestamp as far as it is known: the die's own, else the owner's. */
export const firmwareOf = ({ die, options }: PixelsState): number | undefined => die?.firmware ?? options.firmware;

/** What the die is; undefined for a die that does not say and whose lights do not tell. */
export function kindOf({ die, options }: PixelsState): PixelsKind | undefined {
  if (options.override !== undefined) return options.override;
  if (die === null) return options.type ?? options.guess;
  const declared = kindByNumber(die.dieType);
  if (declared !== undefined) return declared;
  const { leds } = die;
  if (options.type !== undefined && (leds === undefined || fitsLeds(options.type, leds))) return options.type;
  return leds === undefined ? undefined : kindByLeds(leds);
}

/** Checks faces of a die's own before they are used; the error names the pair that is wrong. */
export function checkPixelsValues(options: PixelsOptions): Result<PixelsOptions, string> {
  const kind = options.override ?? options.type;
  if (options.values === undefined || options.values.length === 0) return ok(options);
  if (kind === undefined) return err('faces of its own need the type of the die');
  const type = typeOfKind(kind);
  const places = Math.max(placesOf(kind, undefined), placesOf(kind, options.firmware));
  for (const [index, face] of options.values) {
    if (!Number.isInteger(index) || index < 0 || index >= places) {
      return err(`index ${index}: expected 0 to ${places - 1}`);
    }
    if (!isFaceOf(type, face)) return err(`index ${index}: a ${type} has no face ${face}`);
  }
  return ok(options);
}
