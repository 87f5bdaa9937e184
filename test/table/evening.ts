import type { Device } from '../../src/devices/device.js';
import { FakeGodice } from '../../src/devices/fake/fake-godice.js';
import { FakePixels } from '../../src/devices/fake/fake-pixels.js';
import { CROOKED, ROLLING } from '../../src/devices/fake/pixels-bytes.js';
import { fromHex } from '../../src/devices/hex.js';
import type { DieType } from '../../src/dice/die.js';
import type { JsonObject } from '../../src/dice/json.js';
import type { Seat } from '../../src/games/game.js';
import type { Table } from '../../src/table/table.js';
import type { TrackerView } from '../../src/wire/view.js';
import { bound, GM, GM_SEES, gameOf, House, player, seated, sees, viewOf } from './house.js';

/** Long enough for a throw to settle, and for a tracker to have lain still, with either make of dice. */
const SETTLED_MS = 300;
const DWELT_MS = 900;

const PIXELS = ['d4', 'd6', 'd8', 'd10', 'd00', 'd12', 'd20'] as const;
const GODICE = { d4: 'd4', d6: 'd6', d8: 'd8', d10: 'd10', d00: 'd10x', d12: 'd12', d20: 'd20' } as const;
const COUNTERS = { d20: 'pv', d6: 'pa', d00: 'level' } as const;

type Fake = FakePixels | FakeGodice;

/** A whole evening at one table: boards whose fake dice speak bytes, and players who tap. Time passes only when told to. */
export class Evening {
  readonly #dir: string;
  readonly #dice = new Map<string, Fake>();
  #house: House;
  #heard: Promise<unknown>[] = [];

  private constructor(dir: string, house: House) {
    this.#dir = dir;
    this.#house = house;
  }

  /** The numbers `drawn` are drawn by the table, in this order. */
  static async open(dir: string, drawn: number[]): Promise<Evening> {
    const evening = new Evening(dir, await House.open(dir, { drawn }));
    evening.#layOut();
    await evening.#house.table({ id: 'taverna', seats: seated('ada', 'bea', 'cleo', 'dan') });
    return evening;
  }

  get table(): Table {
    const table = this.#house.tables.get('taverna');
    if (table === undefined) throw new Error('no table');
    return table;
  }

  /** Ada's and Bea's sets are Pixels, Cleo's are GoDice; Dan has none. */
  #layOut(): void {
    const { clock, journal } = this.#house;
    const common = { epoch: journal.epoch, clock };
    for (const type of PIXELS) {
      for (const seat of ['ada', 'bea'])
        this.#lay(new FakePixels({ ...common, id: `${seat}-${type}`, type }), type, 'Pixels');
      this.#lay(
        new FakeGodice({ ...common, id: `cleo-${type}`, shell: GODICE[type], answersInit: true }),
        type,
        'GoDice',
      );
    }
  }

  #lay(die: Fake & Device, type: DieType, model: string): void {
    this.#house.tables.announce({ id: die.id, device: die.id, model, type, fake: true, link: 'up' });
    die.start((heard) => this.#heard.push(this.#house.tables.hear(heard).outcome));
    this.#dice.set(die.id, die);
  }

  #die(id: string): Fake {
    const die = this.#dice.get(id);
    if (die === undefined) throw new Error(`no die ${id}`);
    return die;
  }

  async pass(ms: number): Promise<void> {
    await this.#house.pass(ms);
    await Promise.all(this.#heard.splice(0));
    await this.table.settled();
  }

  /** A die is thrown and lies. */
  async throws(die: string, natural: number): Promise<void> {
    const told = this.#die(die).roll(natural);
    if (!told.ok) throw new Error(told.error);
    await this.pass(SETTLED_MS);
  }

  /** A die is turned by hand, and left so. */
  async sets(die: string, face: number): Promise<void> {
    const told = this.#die(die).set(face);
    if (!told.ok) throw new Error(told.error);
    await this.pass(DWELT_MS);
  }

  /** A Pixels tumbles and comes to rest against something. */
  async cocks(die: string, face: number): Promise<void> {
    await this.#says(die, `${ROLLING}00`, `${ROLLING}03`, `${ROLLING}07`, CROOKED + hex(face - 1));
  }

  /** The link is lost while the die tumbles; it lies on `face` when it is found again. */
  async losesLink(die: string, face: number): Promise<void> {
    await this.#says(die, `${ROLLING}00`, `${ROLLING}05`);
    this.#die(die).link(false);
    await this.pass(4_000);
    const told = this.#die(die).set(face);
    if (!told.ok) throw new Error(told.error);
    this.#die(die).link(true);
    await this.pass(SETTLED_MS);
  }

  async #says(die: string, ...messages: readonly string[]): Promise<void> {
    for (const message of messages) this.#die(die).notify(fromHex(message) ?? new Uint8Array());
    await this.pass(SETTLED_MS);
  }

  async gm(verb: string, args: object = {}): Promise<string | undefined> {
    return (await this.#house.ack(this.table, GM, verb, args)).roll;
  }

  /** The GM confirms the ruling that is previewed, if one is. */
  async confirms(): Promise<void> {
    const [preview] = (viewOf(this.table) as unknown as { previews: { id: string }[] }).previews;
    if (preview !== undefined) await this.gm('confirm', { preview: preview.id });
  }

  /** The GM does something in the game. */
  async master(action: string, args: JsonObject = {}): Promise<void> {
    await this.gm('choose', { action, ...args });
  }

  async by(seat: Seat, verb: string, args: object = {}): Promise<string | undefined> {
    return (await this.#house.ack(this.table, player(seat), verb, args)).roll;
  }

  async chooses(seat: Seat, action: string, args: JsonObject = {}): Promise<void> {
    await this.by(seat, 'choose', { action, ...args });
  }

  /** The GM's dice are typed. */
  async rolls(...dice: readonly (readonly [type: string, natural: number])[]): Promise<void> {
    await this.gm('type', { seat: 'gm', dice: dice.map(([type, natural]) => ({ type, natural })) });
  }

  /** What a player is refused. */
  refusal(seat: Seat, verb: string, args: object = {}): Promise<string> {
    return this.#house.refusal(this.table, player(seat), verb, args);
  }

  /** Every tracker of a seat is set to the face it should show, one after the other. */
  async setsRight(...seats: readonly Seat[]): Promise<void> {
    for (const seat of seats) {
      const expected = (this.game.seats as { [seat: string]: { expected: JsonObject } })[seat]?.expected ?? {};
      for (const [type, counter] of Object.entries(COUNTERS)) {
        const face = expected[counter];
        if (typeof face === 'number' && this.#dice.has(`${seat}-${type}`)) await this.sets(`${seat}-${type}`, face);
      }
    }
  }

  get game(): JsonObject {
    return gameOf(this.table);
  }

  /** Trackers of a seat that do not show what they should. */
  wrong(seat: Seat): readonly string[] {
    const { seats } = viewOf(this.table) as unknown as { seats: { id: string; trackers: TrackerView[] }[] };
    const own = seats.find(({ id }) => id === seat)?.trackers ?? [];
    return own.flatMap(({ counter, mismatch, asked }) =>
      mismatch === true ? [`${counter} ${asked ?? 'mismatch'}`] : [],
    );
  }

  /** Boards that are asked to be turned, as `ada.pa=4`. */
  get due(): readonly string[] {
    const { awaited } = this.table.snapshot(GM_SEES);
    return awaited.flatMap(({ seat, counter, face }) => (face === undefined ? [] : [`${seat}.${counter}=${face}`]));
  }

  /** The newest notices a seat sees, by code. */
  notices(seat: Seat): readonly string[] {
    const { notices } = viewOf(this.table, sees(seat)) as unknown as { notices: { code: string }[] };
    return notices.map(({ code }) => code);
  }

  /** Rolls that did not count, newest last. */
  get loose(): readonly { readonly id: string; readonly code: string }[] {
    return (viewOf(this.table) as unknown as { loose: { id: string; code: string }[] }).loose;
  }

  /** The last offer to count a rest that is no throw by itself. */
  get offered(): string {
    return this.table.state().offers.at(-1)?.roll ?? '';
  }

  get lastRoll(): string {
    return this.table.state().rolls.at(-1)?.wire.id ?? '';
  }

  /** The power goes: everything is opened again from the same folder, the dice are the same. */
  async restarts(): Promise<void> {
    this.#house = await this.#house.again(this.#dir);
    this.#layOut();
  }

  async close(): Promise<void> {
    for (const die of this.#dice.values()) await die.stop();
    await this.#house.close();
  }
}

const hex = (byte: number): string => byte.toString(16).padStart(2, '0');

/** A die of Bea's or Cleo's set as a list enlists it. */
export function enlisted(seat: Seat): object[] {
  return PIXELS.map((type) => {
    const counter = Object.hasOwn(COUNTERS, type) ? COUNTERS[type as keyof typeof COUNTERS] : undefined;
    const { die, duty } = bound(`${seat}-${type}`, type, seat, counter);
    return { die, seat, duty, ...(counter === undefined ? {} : { counter }) };
  });
}
