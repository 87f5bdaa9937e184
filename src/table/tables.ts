import type { DieHeard, Heard, Signal } from '../devices/device.js';
import type { PercentileReading } from '../dice/die.js';
import type { Json, JsonObject } from '../dice/json.js';
import { err, ok, type Result } from '../dice/result.js';
import type { SeatSetup } from '../games/game.js';
import type { Journal } from '../journal/journal.js';
import type { Command } from '../wire/command.js';
import type { DieView, RadioView } from '../wire/view.js';
import { Answers } from './answers.js';
import { Enrolments } from './enrolments.js';
import { garbledWord, type Heeded, NOTHING } from './hearing.js';
import type { House } from './house.js';
import { type Following, KnownDice, type KnownDie, type Sighting } from './known-dice.js';
import { listingOf, type Owner, viewsOf } from './listing.js';
import { MAX_ORIGINS, Origins } from './origins.js';
import type { Caller, DieListing } from './port.js';
import type { Binding, TableEvent } from './record.js';
import type { Done } from './room.js';
import { gameBegun } from './seating.js';
import { hidesFace } from './secrecy.js';
import type { GameShelf } from './state.js';
import { Table } from './table.js';
import type { Clock } from './timers.js';

/** Tables in one daemon. */
export const MAX_TABLES = 32;

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
  /** Whom to listen to may have changed: who is enrolled, how a die is read, whether dice are being claimed. */
  wanted?(): void;
  /** A command was given at a table; it may be refused. */
  commanded?(table: string, caller: Caller, command: Command): void;
  /** A record that the journal refused: a fault of the program, told aloud. */
  lost(table: string, reason: string): void;
}

/** All tables of the daemon and the dice between them: a device belongs to the daemon, an enrolment to one table. */
export class Tables {
  readonly #setup: TablesSetup;
  readonly #tables = new Map<string, Table>();
  readonly #dice = new KnownDice((die) => this.#owners.has(die));
  readonly #owners = new Map<string, Owner>();
  readonly #origins: Origins;
  readonly #opening = new Set<string>();
  readonly #listeners = new Set<(table: Table) => void>();
  readonly #answers: Answers;
  readonly #enrolments: Enrolments;
  #radio: RadioView | undefined;

  private constructor(setup: TablesSetup, answers: Answers, origins: Origins) {
    this.#setup = setup;
    this.#origins = origins;
    this.#answers = answers;
    this.#enrolments = new Enrolments({
      clock: setup.clock,
      draw: (sides) => setup.draw(sides),
      blink: (die) => setup.blink(die),
      listing: (die) => this.#find(die),
      wanted: () => setup.wanted?.(),
    });
  }

  /** Folds every table of the journal. */
  static async open(setup: TablesSetup): Promise<Tables> {
    const answers = await Answers.load(setup.journal, () => setup.clock.wall());
    const tables = new Tables(setup, answers, new Origins(await setup.journal.recentOrigins(MAX_ORIGINS)));
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
      listing: (die) => this.#find(die),
      enrolments: this.#enrolments,
      radio: () => this.#radio,
      dice: (table) => this.#views(table),
      bound: (table, bindings) => this.#bound(table, bindings),
      heardBefore: (origin) => this.#origins.heardBefore(origin),
    };
  }

  #bound(table: string, bindings: ReadonlyMap<string, Binding>): void {
    for (const [die, owner] of this.#owners) if (owner.table === table && !bindings.has(die)) this.#owners.delete(die);
    for (const [die, binding] of bindings) this.#owners.set(die, { table, binding });
    this.#setup.wanted?.();
  }

  /** The owner of a die: its own enrolment, or that of the tray it lies in. */
  #ownerOf(die: DieHeard, device: string): Owner | undefined {
    const own = this.#owners.get(die.id);
    if (own !== undefined) return own;
    const tray = this.#owners.get(device);
    return tray === undefined ? undefined : { table: tray.table, binding: { ...tray.binding, die: die.id } };
  }

  /** Every enrolment, of whatever table. */
  bindings(): readonly Binding[] {
    return [...this.#owners.values()].map(({ binding }) => binding);
  }

  /** True while dice that nobody owns are to be listened to. */
  get claiming(): boolean {
    return this.#enrolments.listening;
  }

  /** Dice that nobody owns yet and that a person is asked about. */
  get asked(): readonly string[] {
    return this.#enrolments.asked;
  }

  /** True if a table has excluded a die. */
  isBlocked(die: string): boolean {
    return this.list().some((table) => table.state().blocked.has(die));
  }

  /** Notes what the Bluetooth radio does, for the GM. */
  radio(state: RadioView): void {
    this.#radio = state;
  }

  /** Tells the pages that other dice are on the air, or are followed otherwise: they look anew. */
  tellDice(): void {
    for (const table of this.#tables.values()) table.tellLive('', { kind: 'dice' });
  }

  /** True if a die or a tray is enrolled somewhere. */
  owned(id: string): boolean {
    return this.#owners.has(id);
  }

  /** Takes a signal from a device: remembers what it says of the die, then hands it to the die's table. */
  hear(heard: Heard): Heeded {
    if (heard.die === undefined) {
      this.#unreadable(heard);
      return NOTHING;
    }
    const die = this.#dice.hear(heard, heard.die);
    const owner = this.#ownerOf(heard.die, heard.device);
    const table = owner === undefined ? undefined : this.#tables.get(owner.table);
    if (owner === undefined) this.#enrolments.hear(heard);
    const deaf = owner === undefined || table === undefined || table.state().blocked.has(die.id);
    if (deaf || this.#enrolments.isStray(heard)) {
      showFace(die, heard.signal);
      return NOTHING;
    }
    if (heard.signal.kind !== 'rested' || heard.signal.how !== 'thrown') showFace(die, heard.signal);
    const { outcome, ...dwelling } = table.hear(heard, owner.binding);
    const shown = outcome.then((judged) => {
      showFace(die, heard.signal);
      return judged;
    });
    return { outcome: shown, ...dwelling };
  }

  /** An unreadable line is of no die: it is told at the tray's table, or at the only one while nobody has enrolled it. */
  #unreadable({ device, signal }: Heard): void {
    if (signal.kind !== 'garbled') return;
    const [only, second] = this.#tables.values();
    const owner = this.#owners.get(device)?.table;
    const table = owner === undefined ? (second === undefined ? only : undefined) : this.#tables.get(owner);
    table?.tellLive(device, garbledWord(signal));
  }

  /** Announces a die before it has spoken, or what its advertisements say of it now. */
  announce(die: Sighting): boolean {
    return this.#dice.sight(die);
  }

  /** A die that nobody owns has left. @returns true if it was known */
  gone(die: string): boolean {
    return this.#dice.forget(die);
  }

  /** Notes how a Bluetooth die is listened to; shown beside it. */
  followed(id: string, following: Following): void {
    const die = this.#dice.get(id);
    if (die !== undefined) die.following = following;
  }

  /** Notes the link of a device; where it changed, the tables of its dice are told. */
  linked(device: string, link: string): void {
    for (const die of this.#dice.all()) {
      if (die.device !== device || die.link === link) continue;
      die.link = link;
      if (link === 'up') this.#enrolments.linked(die.id);
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
    const ids = new Set([...this.#owners.keys(), ...this.#dice.ids()]);
    return [...ids].map((id) => this.#listing(id));
  }

  #find(id: string): DieListing | undefined {
    return this.#owners.has(id) || this.#dice.get(id) !== undefined ? this.#listing(id) : undefined;
  }

  #listing(id: string): DieListing {
    const die = this.#dice.get(id);
    return listingOf(id, die, this.#owners.get(id) ?? (die === undefined ? undefined : this.#owners.get(die.device)));
  }

  #views(table: string): readonly DieView[] {
    const blocked = this.#tables.get(table)?.state().blocked ?? new Set<string>();
    return viewsOf(this.#all(), table, blocked);
  }

  /** Ends all tables' timers. */
  stop(): void {
    this.#enrolments.stop();
    for (const table of this.#tables.values()) table.stop();
  }
}

function showFace(die: KnownDie, signal: Signal): void {
  if (signal.kind === 'rested') die.face = signal.face;
}

/** Plain data of a signal, for answers and live messages. */
export const plainSignal = (signal: Signal): JsonObject =>
  JSON.parse(JSON.stringify(signal)) as { readonly [key: string]: Json };
