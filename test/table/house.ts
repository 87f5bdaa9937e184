import type { DieHeard, Heard, How, Signal } from '../../src/devices/device.js';
import type { DieType } from '../../src/dice/die.js';
import type { JsonObject } from '../../src/dice/json.js';
import type { AnyGame, Audience, Seat } from '../../src/games/game.js';
import { gameById } from '../../src/games/registry.js';
import type { Journal } from '../../src/journal/journal.js';
import type { Caller } from '../../src/table/port.js';
import type { Binding } from '../../src/table/record.js';
import type { Judged } from '../../src/table/room.js';
import type { Table } from '../../src/table/table.js';
import { type NewTable, Tables } from '../../src/table/tables.js';
import type { Clock } from '../../src/table/timers.js';
import { type Ack, type Answer, type Command, parseCommand } from '../../src/wire/command.js';
import type { Envelope, Live, RollWire } from '../../src/wire/envelope.js';
import { opened } from '../journal/built.js';

/** A clock that stands still until it is told to pass. */
export class StandingClock implements Clock {
  #now = 0;
  #wall = Date.UTC(2026, 10, 30);
  readonly #due: { at: number; run: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  wall(): number {
    return this.#wall;
  }

  after(ms: number, run: () => void): () => void {
    const entry = { at: this.#now + ms, run };
    this.#due.push(entry);
    return () => {
      const place = this.#due.indexOf(entry);
      if (place >= 0) this.#due.splice(place, 1);
    };
  }

  /** Lets time pass, running what falls due in its order. */
  pass(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const next = this.#due.filter((entry) => entry.at <= end).sort((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      this.#wall += next.at - this.#now;
      this.#now = next.at;
      this.#due.splice(this.#due.indexOf(next), 1);
      next.run();
    }
    this.#wall += end - this.#now;
    this.#now = end;
  }

  /** The wall clock jumps; the monotonic one does not. */
  jump(ms: number): void {
    this.#wall += ms;
  }

  /** Number of waits that are armed. */
  get waiting(): number {
    return this.#due.length;
  }
}

export const GM: Caller = { id: 'loopback', role: 'gm' };
export const player = (seat: Seat): Caller => ({ id: `token-${seat}`, role: 'player', seat });
export const SPECTATOR: Audience = { role: 'spectator' };
export const GM_SEES: Audience = { role: 'gm' };
export const sees = (seat: Seat): Audience => ({ role: 'seat', seat });

/** The tables of a daemon over a real journal, without devices and doors. */
export class House {
  readonly clock: StandingClock;
  readonly tables: Tables;
  readonly journal: Journal;
  readonly lost: string[] = [];
  /** Dice that were made to blink, in order. */
  readonly blinked: readonly string[];
  readonly #games: readonly AnyGame[];
  readonly #drawn: number[];
  #commands = 0;
  #heard = 0;

  private constructor(
    journal: Journal,
    tables: Tables,
    clock: StandingClock,
    games: readonly AnyGame[],
    drawn: number[],
    blinked: readonly string[],
  ) {
    this.journal = journal;
    this.tables = tables;
    this.clock = clock;
    this.#games = games;
    this.#drawn = drawn;
    this.blinked = blinked;
  }

  /** Opens the journal in `dir` (or the one given) and folds its tables. `drawn` are the numbers draws will give, in order. */
  static async open(
    dir: string,
    more: {
      games?: readonly AnyGame[];
      drawn?: number[];
      clock?: StandingClock;
      journal?: Journal;
      /** Dice that have no link, so that their light stays dark. */
      dark?: ReadonlySet<string>;
    } = {},
  ): Promise<House> {
    const { games = [], drawn = [], clock = new StandingClock() } = more;
    const journal = more.journal ?? (await opened(dir));
    const lost: string[] = [];
    const blinked: string[] = [];
    const tables = await Tables.open({
      journal,
      clock,
      shelf: (id) => games.find((game) => game.id === id) ?? gameById(id),
      percentile: 'zero',
      draw: (sides) => (((drawn.shift() ?? 1) - 1) % sides) + 1,
      blink: async (die) => {
        blinked.push(die);
        return more.dark?.has(die) !== true;
      },
      lost: (table, reason) => lost.push(`${table}: ${reason}`),
    });
    const house = new House(journal, tables, clock, games, drawn, blinked);
    house.lost.push(...lost);
    return house;
  }

  /** Stops and opens again from the same folder, as after a restart. */
  async again(dir: string): Promise<House> {
    await this.close();
    return House.open(dir, { games: this.#games, drawn: this.#drawn, clock: this.clock });
  }

  async close(): Promise<void> {
    this.tables.stop();
    await this.journal.close();
  }

  async table(order: NewTable): Promise<Table> {
    const made = await this.tables.create(order);
    if (!made.ok) throw new Error(`${made.error.code}: ${made.error.reason}`);
    return made.value;
  }

  /** A command as a transport would hand it in; a fresh id unless one is given. */
  command(table: Table, caller: Caller, verb: string, args: object = {}, id?: string): Promise<Answer> {
    this.#commands += 1;
    const parsed = parseCommand({ id: id ?? `c${this.journal.epoch}-${this.#commands}`, do: verb, args });
    if (!parsed.ok) throw new Error(`${verb}: ${parsed.error}`);
    return table.command(caller, parsed.value as Command);
  }

  /** A command that must be taken. */
  async ack(table: Table, caller: Caller, verb: string, args: object = {}, id?: string): Promise<Ack> {
    const answer = await this.command(table, caller, verb, args, id);
    if (answer.kind !== 'ack') throw new Error(`${verb} refused: ${answer.code} ${answer.reason}`);
    return answer;
  }

  /** The code of a command that must be refused. */
  async refusal(table: Table, caller: Caller, verb: string, args: object = {}): Promise<string> {
    const answer = await this.command(table, caller, verb, args);
    if (answer.kind !== 'refused') throw new Error(`${verb} was taken`);
    return answer.code;
  }

  /** Lets time pass; what came of it has been told. */
  async pass(ms: number): Promise<void> {
    this.clock.pass(ms);
    for (const table of this.tables.list()) await table.settled();
  }

  /** A signal of a die. */
  hear(die: Partial<DieHeard> & { id: string }, signal: Signal, more: Partial<Heard> = {}): Promise<Judged | null> {
    this.#heard += 1;
    const whole = { model: 'GoDice', settleMs: 0, dwellMs: 800, quality: 'ok', ...die } as const;
    const origin = `${die.id}/${this.journal.epoch}/1/${this.#heard}`;
    const heard = { device: die.id, die: whole, signal, origin, at: this.clock.now(), fake: false, ...more };
    return this.tables.hear(heard).outcome;
  }

  /** A die tumbles and comes to rest. */
  async throws(die: string, type: DieType, face: number, more: Partial<Heard> = {}): Promise<RollWire | undefined> {
    await this.hear({ id: die, type }, { kind: 'tumbling' });
    const judged = await this.hear({ id: die, type }, rest(type, face), more);
    return judged?.roll;
  }

  /** A tracker is turned by hand and lies still for its dwell. */
  async turns(die: string, type: DieType, face: number, how: How = 'placed', evidence: JsonObject = {}): Promise<void> {
    await this.hear({ id: die, type }, { kind: 'tumbling' });
    await this.hear({ id: die, type }, rest(type, face, how, evidence));
    await this.pass(800);
  }
}

export function rest(type: DieType, face: number, how: How = 'thrown', evidence: JsonObject = {}): Signal {
  const sides = type === 'd00' ? 10 : Number(type.slice(1));
  return { kind: 'rested', type, sides, face, how, evidence };
}

/** A die bound to a seat (or shared). */
export function bound(die: string, type: DieType, seat: Seat | null, counter?: string): Binding {
  const duty = counter === undefined ? 'rolls' : 'counts';
  return { die, device: die, model: 'GoDice', type, seat, duty, ...(counter === undefined ? {} : { counter }) };
}

export const seated = (...ids: readonly Seat[]): { id: Seat; name: string }[] => ids.map((id) => ({ id, name: id }));

/** What a client of one audience got, in order. */
export class Client {
  readonly got: Envelope[] = [];
  readonly texts: string[] = [];
  readonly lives: Live[] = [];
  readonly start: number;
  readonly leave: () => void;

  constructor(table: Table, audience: Audience) {
    this.start = table.seq(audience);
    this.leave = table.subscribe({
      told: (told) => {
        const envelope = told.envelope(audience);
        const text = told.text(audience);
        if (envelope !== null) this.got.push(envelope);
        if (text !== null) this.texts.push(text);
      },
      live: (live) => this.lives.push(live),
    });
  }

  /** Kinds of the envelopes, newest last. */
  get kinds(): string[] {
    return this.got.map((envelope) => envelope.kind);
  }

  get rolls(): RollWire[] {
    return this.got.flatMap((envelope) => (envelope.roll === undefined ? [] : [envelope.roll]));
  }
}

export const viewOf = (table: Table, audience: Audience = GM_SEES): JsonObject =>
  table.snapshot(audience).view as JsonObject;

/** The game's state as an audience sees it. */
export function gameOf(table: Table, audience: Audience = GM_SEES): JsonObject {
  const { game } = viewOf(table, audience) as { game: { state: JsonObject } };
  return game.state;
}
