import type { DieHeard, Heard, Origin, Signal } from '../devices/device.js';
import { afterReading, type Battery } from '../dice/battery.js';
import type { PercentileReading } from '../dice/die.js';
import type { Json, JsonObject } from '../dice/json.js';
import { err, ok, type Result } from '../dice/result.js';
import type { SeatSetup } from '../games/game.js';
import type { Journal } from '../journal/journal.js';
import type { DieView } from '../wire/view.js';
import { Answers } from './answers.js';
import { garbledWord } from './hearing.js';
import type { House } from './house.js';
import type { DieListing } from './port.js';
import type { Binding, TableEvent } from './record.js';
import type { Done, Judged } from './room.js';
import { gameBegun } from './seating.js';
import { hidesFace } from './secrecy.js';
import type { GameShelf } from './state.js';
import { Table } from './table.js';
import type { Clock } from './timers.js';

/** Tables in one daemon. */
export const MAX_TABLES = 32;
/** Dice remembered that no table has enrolled; the longest silent is forgotten first. */
export const MAX_UNKNOWN_DICE = 256;
/** Origins remembered against repetition. */
export const MAX_ORIGINS = 50_000;

/** What has been heard of a die, whoever owns it. */
interface KnownDie {
  readonly id: string;
  readonly device: string;
  readonly model: string;
  readonly fake: boolean;
  type: string | null;
  link: string;
  charge: Battery;
  face: number | string | null;
}

/** What is needed to open a table. */
export interface NewTable {
  readonly id: string;
  readonly name?: string;
  readonly game?: string;
  readonly options?: JsonObject;
  readonly seats?: readonly SeatSetup[];
  readonly bindings?: readonly Binding[];
}

/** What the daemon hands to its tables. */
export interface TablesSetup {
  readonly journal: Journal;
  readonly clock: Clock;
  readonly shelf: GameShelf;
  readonly percentile: PercentileReading;
  draw(sides: number): number;
  blink(die: string): Promise<boolean>;
  /** A record that the journal refused: a fault of the program, told aloud. */
  lost(table: string, reason: string): void;
}

/** All tables of the daemon and the dice between them: a device belongs to the daemon, an enrolment to one table. */
export class Tables {
  readonly #setup: TablesSetup;
  readonly #tables = new Map<string, Table>();
  readonly #dice = new Map<string, KnownDie>();
  readonly #owners = new Map<string, { table: string; binding: Binding }>();
  readonly #origins = new Set<Origin>();
  readonly #opening = new Set<string>();
  readonly #listeners = new Set<(table: Table) => void>();
  readonly #answers: Answers;

  private constructor(setup: TablesSetup, answers: Answers) {
    this.#setup = setup;
    this.#answers = answers;
  }

  /** Folds every table of the journal. */
  static async open(setup: TablesSetup): Promise<Tables> {
    const tables = new Tables(setup, await Answers.load(setup.journal, () => setup.clock.wall()));
    for (const origin of [...(await setup.journal.recentOrigins(MAX_ORIGINS))].reverse()) tables.#origins.add(origin);
    for (const id of await setup.journal.tables())
      tables.#tables.set(id, await Table.open(id, tables.#house(), tables.#answers));
    return tables;
  }

  list(): readonly Table[] {
    return [...this.#tables.values()];
  }

  get(id: string): Table | undefined {
    return this.#tables.get(id);
  }

  onTable(listener: (table: Table) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Opens a new table with its seats, dice and game; refused where the id is taken or the game will not start. */
  async create(order: NewTable): Promise<Result<Table, Extract<Done, { ok: false }>>> {
    const refuse = (code: string, reason: string): Result<Table, Extract<Done, { ok: false }>> =>
      err({ ok: false, code, reason });
    if (this.#tables.has(order.id)) return refuse('table_exists', `There is a table "${order.id}" already.`);
    if (this.#tables.size >= MAX_TABLES) return refuse('too_many_tables', `There are at most ${MAX_TABLES} tables.`);
    const seats = order.seats ?? [];
    const begun = gameBegun(this.#setup, order.game ?? 'free', order.options ?? {}, seats);
    if (!begun.ok) return begun;
    if (this.#opening.has(order.id)) return refuse('table_exists', `The table "${order.id}" is being opened.`);
    this.#opening.add(order.id);
    const table = await Table.open(order.id, this.#house(), this.#answers);
    this.#opening.delete(order.id);
    this.#tables.set(order.id, table);
    const events: TableEvent[] = [
      { kind: 'opened', ev: 1, name: order.name ?? order.id },
      ...seats.map((seat): TableEvent => ({ kind: 'seat_taken', ev: 1, id: seat.id, name: seat.name })),
      ...(order.bindings ?? []).map((binding): TableEvent => ({ kind: 'die_enrolled', ev: 1, binding })),
      begun.value,
    ];
    table.commit('game', { v: 1, table: events });
    await table.settled();
    for (const listener of this.#listeners) listener(table);
    return ok(table);
  }

  #house(): House {
    return {
      ...this.#setup,
      draw: (sides) => this.#setup.draw(sides),
      blink: (die) => this.#setup.blink(die),
      lost: (table, reason) => this.#setup.lost(table, reason),
      listing: (die) => this.#all().find((listing) => listing.id === die),
      dice: (table) => this.#views(table),
      bound: (table, bindings) => this.#bound(table, bindings),
      heardBefore: (origin) => this.#heardBefore(origin),
    };
  }

  #heardBefore(origin: Origin): boolean {
    if (this.#origins.has(origin)) return true;
    this.#origins.add(origin);
    const oldest = this.#origins.size > MAX_ORIGINS ? this.#origins.values().next().value : undefined;
    if (oldest !== undefined) this.#origins.delete(oldest);
    return false;
  }

  #bound(table: string, bindings: ReadonlyMap<string, Binding>): void {
    for (const [die, owner] of this.#owners) if (owner.table === table && !bindings.has(die)) this.#owners.delete(die);
    for (const [die, binding] of bindings) this.#owners.set(die, { table, binding });
  }

  /** The owner of a die: its own enrolment, or that of the tray it lies in. */
  #ownerOf(die: DieHeard, device: string): { table: string; binding: Binding } | undefined {
    const own = this.#owners.get(die.id);
    if (own !== undefined) return own;
    const tray = this.#owners.get(device);
    return tray === undefined ? undefined : { table: tray.table, binding: { ...tray.binding, die: die.id } };
  }

  /** True if a die or a tray is enrolled somewhere. */
  owned(id: string): boolean {
    return this.#owners.has(id);
  }

  /** Takes a signal from a device: remembers what it says of the die, then hands it to the die's table. */
  hear(heard: Heard): Promise<Judged | null> {
    if (heard.die === undefined) {
      this.#unreadable(heard);
      return Promise.resolve(null);
    }
    const die = this.#known(heard, heard.die);
    const { signal } = heard;
    if (signal.kind === 'battery' && signal.percent !== undefined)
      die.charge = afterReading(die.charge, signal.percent);
    const owner = this.#ownerOf(heard.die, heard.device);
    const table = owner === undefined ? undefined : this.#tables.get(owner.table);
    if (owner === undefined || table === undefined || table.state().blocked.has(die.id)) {
      showFace(die, heard.signal);
      return Promise.resolve(null);
    }
    if (heard.signal.kind !== 'rested' || heard.signal.how !== 'thrown') showFace(die, heard.signal);
    const { outcome } = table.hear(heard, owner.binding);
    return outcome.then((judged) => {
      showFace(die, heard.signal);
      return judged;
    });
  }

  /** An unreadable line is of no die: it is told at the tray's table, or at the only one while nobody has enrolled it. */
  #unreadable({ device, signal }: Heard): void {
    if (signal.kind !== 'garbled') return;
    const [only, second] = this.#tables.values();
    const owner = this.#owners.get(device)?.table;
    const table = owner === undefined ? (second === undefined ? only : undefined) : this.#tables.get(owner);
    table?.tellLive(device, garbledWord(signal));
  }

  #known(heard: Heard, die: DieHeard): KnownDie {
    const type = heard.signal.kind === 'rested' ? heard.signal.type : die.type;
    const known = this.#dice.get(die.id) ?? {
      id: die.id,
      device: heard.device,
      model: die.model,
      fake: heard.fake,
      type: type ?? null,
      link: 'up',
      charge: { battery: null },
      face: null,
    };
    if (type !== undefined) known.type = type;
    this.#dice.delete(die.id);
    this.#dice.set(die.id, known);
    this.#forgetSilent();
    return known;
  }

  #forgetSilent(): void {
    if (this.#dice.size <= MAX_UNKNOWN_DICE) return;
    const unknown = [...this.#dice.keys()].filter((die) => !this.#owners.has(die));
    for (const die of unknown.slice(0, Math.max(0, unknown.length - MAX_UNKNOWN_DICE))) this.#dice.delete(die);
  }

  /** Announces a die before it has spoken. */
  announce(die: { id: string; device: string; model: string; type: string | null; fake: boolean; link: string }): void {
    if (!this.#dice.has(die.id)) this.#dice.set(die.id, { ...die, charge: { battery: null }, face: null });
  }

  /** Notes the link of a device; where it changed, the tables of its dice are told. */
  linked(device: string, link: string): void {
    for (const die of this.#dice.values()) {
      if (die.device !== device || die.link === link) continue;
      die.link = link;
      const owner = this.#owners.get(die.id) ?? this.#owners.get(device);
      if (owner !== undefined) this.#tables.get(owner.table)?.tellLive(die.id, { kind: 'link', link });
    }
  }

  /** Every die that is enrolled or was heard; a face that its table keeps secret is left out. */
  listings(): readonly DieListing[] {
    const hidden = new Map(
      this.list().map((table) => [table.id, hidesFace(table.state(), { role: 'spectator' })] as const),
    );
    return this.#all().map((die) =>
      die.table !== null && hidden.get(die.table)?.(die.id, die.seat) === true ? { ...die, face: null } : die,
    );
  }

  #all(): readonly DieListing[] {
    const ids = new Set([...this.#owners.keys(), ...this.#dice.keys()]);
    return [...ids].map((id) => this.#listing(id));
  }

  #listing(id: string): DieListing {
    const die = this.#dice.get(id);
    const owner = this.#owners.get(id) ?? (die === undefined ? undefined : this.#owners.get(die.device));
    return {
      id,
      device: die?.device ?? owner?.binding.device ?? id,
      model: die?.model ?? owner?.binding.model ?? 'unknown',
      type: die?.type ?? owner?.binding.type ?? null,
      table: owner?.table ?? null,
      seat: owner?.binding.seat ?? null,
      duty: owner?.binding.duty ?? null,
      counter: owner?.binding.counter ?? null,
      link: die?.link ?? 'down',
      ...(die?.charge ?? { battery: null }),
      face: die?.face ?? null,
      fake: die?.fake ?? owner?.binding.fake ?? false,
      name: owner?.binding.name ?? null,
    };
  }

  #views(table: string): readonly DieView[] {
    const blocked = this.#tables.get(table)?.state().blocked ?? new Set<string>();
    return this.#all().map((die) => ({ ...die, state: stateOf(die, table, blocked) }));
  }

  /** Ends all tables' timers. */
  stop(): void {
    for (const table of this.#tables.values()) table.stop();
  }
}

function stateOf(die: DieListing, table: string, blocked: ReadonlySet<string>): DieView['state'] {
  if (blocked.has(die.id)) return 'blocked';
  if (die.table === null) return 'unknown';
  if (die.table !== table) return 'elsewhere';
  return die.seat === null ? 'shared' : 'bound';
}

function showFace(die: KnownDie, signal: Signal): void {
  if (signal.kind === 'rested') die.face = signal.face;
}

/** Plain data of a signal, for answers and live messages. */
export const plainSignal = (signal: Signal): JsonObject =>
  JSON.parse(JSON.stringify(signal)) as { readonly [key: string]: Json };
