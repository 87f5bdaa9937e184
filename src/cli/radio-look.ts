import { parseShell } from '../devices/ble/godice-faces.js';
import { parsePixelsKind } from '../devices/ble/pixels-faces.js';
import type { BluetoothPort, DieReading, Followed, UnknownDie, WantedDie } from '../devices/ble/radio/ports.js';
import type { Following, Sighting } from '../table/known-dice.js';
import type { Binding } from '../table/record.js';
import type { Tables } from '../table/tables.js';

/** Unknown dice that are listened to at once while a seat claims its own, the nearest first. */
export const MAX_CLAIM_WANTED = 64;
/** The pages look anew at the dice at most this often, in milliseconds. */
export const TELL_EVERY_MS = 2_000;

/** What the look needs of the radio. */
export type Radio = Pick<BluetoothPort, 'want' | 'unknown' | 'plan' | 'state'>;

/**
 * Carries between the radio and the tables: whom to listen to, which unknown dice are on the air, and how each enrolled
 * one is followed.
 */
export class RadioLook {
  readonly #radio: Radio;
  readonly #tables: Tables;
  readonly #now: () => number;
  readonly #sighted: (die: Sighting) => void;
  /** Unknown dice as they were told, by id. */
  #listed = new Map<string, UnknownDie>();
  /** Unknown dice that are heard for the claim that is open. */
  #claims = new Map<string, UnknownDie>();
  #plan = '';
  #toldAt = Number.NEGATIVE_INFINITY;
  #untold = false;

  /** @param sighted told of every die that was not known before */
  constructor(radio: Radio, tables: Tables, now: () => number, sighted: (die: Sighting) => void = () => undefined) {
    this.#sighted = sighted;
    this.#radio = radio;
    this.#tables = tables;
    this.#now = now;
  }

  /** Says whom to listen to: all enrolled Bluetooth dice, and unknown ones that are being claimed or asked about. */
  want(): void {
    const enrolled = wantedDice(this.#tables.bindings());
    const { asked } = this.#tables;
    if (!this.#tables.claiming) this.#claims = new Map([...this.#claims].filter(([die]) => asked.includes(die)));
    const known = new Set(enrolled.map(({ die }) => die));
    const claims = [...this.#claims.keys()].filter((die) => !known.has(die));
    this.#radio.want([...enrolled, ...claims.map((die): WantedDie => ({ die, duty: 'claim' }))]);
  }

  /** Looks at what is on the air now; to be called a few times a second. */
  look(): void {
    const unknown = this.#radio.unknown();
    if (this.#tables.claiming) this.#claim(unknown);
    this.#list(unknown);
    this.#follow();
    if (!this.#untold || this.#now() - this.#toldAt < TELL_EVERY_MS) return;
    this.#untold = false;
    this.#toldAt = this.#now();
    this.#tables.tellDice();
  }

  #claim(unknown: readonly UnknownDie[]): void {
    const before = this.#claims.size;
    for (const die of unknown) {
      if (this.#claims.size >= MAX_CLAIM_WANTED) break;
      if (!this.#tables.isBlocked(die.die)) this.#claims.set(die.die, die);
    }
    if (this.#claims.size > before) this.want();
  }

  #list(unknown: readonly UnknownDie[]): void {
    const now = new Map([...this.#claims, ...unknown.map((die) => [die.die, die] as const)]);
    for (const die of now.values()) {
      const { die: id, model, type = null, colour, battery, rssi } = die;
      const told = { ...(colour === undefined ? {} : { colour }), ...(battery === undefined ? {} : { battery }), rssi };
      const sighting = { id, device: id, model, type, fake: false, link: 'down', ...told };
      if (!this.#tables.announce(sighting)) continue;
      this.#untold = true;
      this.#sighted(sighting);
    }
    for (const id of this.#listed.keys()) if (!now.has(id) && this.#tables.gone(id)) this.#untold = true;
    this.#listed = now;
  }

  #follow(): void {
    const { links, dice } = this.#radio.plan();
    const { state, reason, remedy, inItalian, adapters } = this.#radio.state();
    const several = adapters.length > 1;
    const followed = dice
      .filter(({ duty }) => duty !== 'claim')
      .map((one) => [one.die, followingOf(one, several)] as const);
    for (const [die, following] of followed) this.#tables.followed(die, following);
    const told =
      reason === undefined ? {} : { en: { reason, remedy: remedy ?? '' }, it: inItalian ?? { reason, remedy: '' } };
    const each = adapters.map(({ name, state: own, links: most, linked }) => ({
      name,
      state: own,
      links: most,
      linked,
    }));
    const radio = { state, links, ...(several ? { adapters: each } : {}), ...told };
    this.#tables.radio(radio);
    const plan = JSON.stringify([radio, followed]);
    if (plan !== this.#plan) this.#untold = true;
    this.#plan = plan;
  }
}

/** How a die is followed, in the words of the pages; through which adapter where there are `several`. */
function followingOf({ by, listening, adapter, why }: Followed, several: boolean): Following {
  const told = {
    by,
    ...(several && adapter !== undefined ? { adapter } : {}),
    ...(why === undefined ? {} : { why }),
  };
  if (listening === undefined || by === 'link') return told;
  return { ...told, percent: listening.percent, ...(listening.reliable ? {} : { unreliable: true as const }) };
}

/** The Bluetooth dice among these enrolments, each with how it is read. */
export const wantedDice = (bindings: readonly Binding[]): readonly WantedDie[] => bindings.flatMap(wantedOf);

/** An enrolled Bluetooth die as the radio is asked to hear it; nothing for other devices. */
function wantedOf({ die, model, duty, fake, ...read }: Binding): readonly WantedDie[] {
  if (fake === true || (model !== 'GoDice' && model !== 'Pixels')) return [];
  const reading = readingOf(model, read);
  return [{ die, duty, ...(Object.keys(reading).length === 0 ? {} : { reading }) }];
}

function readingOf(model: 'GoDice' | 'Pixels', { shell, kind, faces }: Partial<Binding>): DieReading {
  const worn = parseShell(shell ?? '');
  const is = parsePixelsKind(kind ?? '');
  return {
    ...(model === 'GoDice' && worn !== null ? { shell: worn } : {}),
    ...(model === 'Pixels' && is !== null ? { kind: is } : {}),
    ...(faces === undefined ? {} : { values: faces }),
  };
}
