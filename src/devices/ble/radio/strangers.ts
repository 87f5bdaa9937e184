import { readName } from '../godice-frames.js';
import { readAdvert } from '../pixels-advert.js';
import { kindByLeds, kindByNumber, typeOfKind } from '../pixels-faces.js';
import type { AdvertReport } from './messages.js';
import { MAX_UNKNOWN, type UnknownDie } from './ports.js';

/** A die that was silent for so long is no longer listed: it sleeps, or has left. */
export const LISTED_MS = 60_000;
/** Of several adapters that hear a die within this time the nearest one tells its signal. */
const TOGETHER_MS = 1_000;

interface Met {
  readonly report: AdvertReport;
  readonly adapter: string | undefined;
  readonly at: number;
}

/** Dice on the air, whoever's they are: what they say of themselves, while they say it. Remembers a bounded number. */
export class Strangers {
  readonly #met = new Map<string, Met>();

  /** @param adapter name of the one that heard it */
  note(report: AdvertReport, at: number, adapter?: string): void {
    const before = this.#met.get(report.die);
    const isFarther = before !== undefined && before.adapter !== adapter && before.report.rssi > report.rssi;
    if (isFarther && at - before.at < TOGETHER_MS) return;
    // The newest at the end: the first of the map is the longest silent one.
    this.#met.delete(report.die);
    this.#met.set(report.die, { report, adapter, at });
    const [oldest] = this.#met.keys();
    if (this.#met.size > 2 * MAX_UNKNOWN && oldest !== undefined) this.#met.delete(oldest);
  }

  find(die: string, at: number): UnknownDie | undefined {
    const met = this.#met.get(die);
    return met === undefined || at - met.at > LISTED_MS ? undefined : described(met, at);
  }

  /** All but those left out, the strongest first, at most `MAX_UNKNOWN`. */
  list(without: (die: string) => boolean, at: number): readonly UnknownDie[] {
    return [...this.#met.values()]
      .filter((met) => at - met.at <= LISTED_MS && !without(met.report.die))
      .sort((a, b) => b.report.rssi - a.report.rssi)
      .slice(0, MAX_UNKNOWN)
      .map((met) => described(met, at));
  }
}

function described({ report, adapter, at: heardAt }: Met, at: number): UnknownDie {
  const { die, make, rssi, name } = report;
  const silentMs = Math.round(at - heardAt);
  const heardBy = { ...(adapter === undefined ? {} : { adapter }), ...(name === undefined ? {} : { name }) };
  const base = { die, model: make, rssi, silentMs, ...heardBy };
  if (make === 'GoDice') {
    const colour = name === undefined ? undefined : readName(name)?.colour;
    return { ...base, ...(colour === undefined ? {} : { colour }) };
  }
  const told = readAdvert(report.advert, report.scanResponse, undefined);
  if (told.kind !== 'advert') return base;
  const kind = kindByNumber(told.dieType) ?? kindByLeds(told.leds);
  return {
    ...base,
    ...(kind === undefined ? {} : { type: typeOfKind(kind) }),
    ...(told.colour === undefined ? {} : { colour: told.colour }),
    ...(told.battery.percent > 100 ? {} : { battery: told.battery.percent }),
  };
}
