import type { Heard, Origin } from '../devices/device.js';
import type { DieType, PercentileReading } from '../dice/die.js';
import type { JsonObject } from '../dice/json.js';
import type { Audience, Seat } from '../games/game.js';
import type { Answer, Command } from '../wire/command.js';
import type { Envelope, RecordKind, RollWire, Snapshot } from '../wire/envelope.js';
import { type Answers, JOURNAL_FULL, recall } from './answers.js';
import { foldJournal, storedBody } from './chronicle.js';
import { perform } from './commands.js';
import { Previews } from './correcting.js';
import { judgeDeed } from './deeds.js';
import { disarm, evolveTable } from './evolve.js';
import { Hearing, type Heeded, NOTHING } from './hearing.js';
import { History, MAX_HISTORY } from './history.js';
import type { House } from './house.js';
import { Loans } from './loans.js';
import { Overlays } from './overlays.js';
import { blinking } from './pawns.js';
import type { Caller, TableListener, TablePort } from './port.js';
import type { Binding, RecordBody } from './record.js';
import { Release } from './release.js';
import type { Judged, Room } from './room.js';
import { settleAll } from './settling.js';
import { emptyTable, type GameShelf, lastTold, mayKnow, type TableState } from './state.js';
import { Timers } from './timers.js';
import { type Surroundings, snapshot, type Told } from './view.js';

/** A clock this far behind the newest record is not trusted, in milliseconds (F048). */
const CLOCK_SLACK_MS = 2_000;

/** The one stateful room: one deed at a time, in memory first, told once it is on disk. */
export class Table implements TablePort, Room {
  readonly id: string;
  readonly #house: House;
  readonly #previews = new Previews();
  readonly #release: Release;
  readonly #timers: Timers;
  readonly #hearing: Hearing;
  readonly #loans: Loans;
  readonly #overlays = new Overlays((signal) => this.#live('', signal));
  readonly #answers: Answers;
  #state: TableState;
  readonly #history: History;
  #newest = 0;
  #settling = false;

  private constructor(id: string, house: House, state: TableState, history: Told[], answers: Answers) {
    this.id = id;
    this.#house = house;
    this.#state = { ...state, trackers: disarm(state.trackers) };
    this.#history = new History(() => this.#around());
    for (const told of history) this.#history.add(told);
    this.#newest = state.at;
    this.#answers = answers;
    this.#release = new Release(this.#state, () => this.#around());
    this.#loans = new Loans(house.clock);
    this.#timers = new Timers(this, house.clock, (run, timer) => this.#elapsed(run, timer), state.seq > 0);
    this.#hearing = new Hearing(this, house.clock, (die, signal) => this.#live(die, signal));
    house.journal.onState(() => {
      if (this.degraded()) this.#release.flush(true);
    });
  }

  /** Folds a table from its journal; an id without records is a new, empty table. */
  static async open(id: string, house: House, answers: Answers): Promise<Table> {
    let state = emptyTable(id);
    let history: Told[] = [];
    for await (const told of foldJournal(house.journal, id, house.shelf)) {
      state = told.after;
      recall(answers, told, house.clock.wall());
      history.push(told);
      if (history.length > 2 * MAX_HISTORY) history = history.slice(-MAX_HISTORY);
    }
    const table = new Table(id, house, state, history.slice(-MAX_HISTORY), answers);
    house.bound(id, state.bindings);
    table.#settle();
    return table;
  }

  get shelf(): GameShelf {
    return this.#house.shelf;
  }

  get percentile(): PercentileReading {
    return this.#house.percentile;
  }

  get name(): string {
    return this.#state.name;
  }

  state(): TableState {
    return this.#state;
  }

  course(): TableState['course'] {
    return this.#state.course;
  }

  draw(sides: number): number {
    return this.#house.draw(sides);
  }

  degraded(): boolean {
    return this.#house.journal.state().state === 'degraded';
  }

  commit(kind: RecordKind, body: RecordBody, origin?: Origin): number {
    const seq = this.#state.seq + 1;
    const at = Math.floor(this.#house.clock.wall());
    const clock = at + CLOCK_SLACK_MS < this.#newest ? 'untrusted' : 'trusted';
    this.#newest = Math.max(this.#newest, at);
    const before = this.#state;
    this.#state = evolveTable(before, seq, at, body, this.#house.shelf);
    const told: Told = { seq, at, clock, kind, body, before, after: this.#state };
    this.#history.add(told);
    this.#loans.heed(body);
    const record = {
      table: this.id,
      seq,
      at,
      clock,
      kind,
      body: storedBody(body),
      ...(origin === undefined ? {} : { origin }),
    } as const;
    const written = this.#house.journal.append({ records: [record] });
    written.catch((error: unknown) =>
      this.#house.lost(this.id, error instanceof Error ? error.message : String(error)),
    );
    void this.#release.add(told, written, () => this.degraded());
    for (const die of blinking(before, body)) void this.#house.blink(die);
    if (before.bindings !== this.#state.bindings) this.#house.bound(this.id, this.#state.bindings);
    if (kind === 'evening' && this.#state.evening !== 'open') this.#timers.pause();
    if (body.table?.some((event) => event.kind === 'game_begun')) this.#timers.restart(this.#state.evening === 'open');
    this.#settle();
    return seq;
  }

  /** Time and chance that the games ask for: timers are armed, what needs nobody follows by itself. */
  #settle(): void {
    if (this.#settling) return;
    this.#settling = true;
    try {
      settleAll(this);
    } finally {
      this.#settling = false;
    }
    this.#timers.reconcile();
  }

  #elapsed(run: 'game' | 'outside', timer: string): void {
    judgeDeed(this, { run, deed: { kind: 'elapsed', timer } });
  }

  #around(): Surroundings {
    return {
      dice: this.#house.dice(this.id),
      previews: this.#previews.list(),
      degraded: this.degraded(),
      timersPaused: this.#timers.paused,
      newest: this.#state,
      radio: this.#house.radio(),
      collecting: (audience) => this.#house.enrolments.view(this.id, audience),
      ...this.#overlays.view(),
    };
  }

  #live(die: string, signal: JsonObject): void {
    this.#release.live({ kind: 'live', v: 1, table: this.id, die, signal });
  }

  /** Tells what is not journalled about a die of this table: battery, link. */
  tellLive(die: string, signal: JsonObject): void {
    this.#live(die, signal);
  }

  /** A signal of a die that is enrolled here. The outcome waits until it is on disk. */
  hear(heard: Heard, binding: Binding): Heeded {
    const tells = heard.signal.kind === 'rested' || heard.signal.kind === 'unresolved';
    if (tells && this.#house.journal.waiting() >= this.#answers.maxWaiting) return NOTHING;
    if (tells && heard.origin !== undefined && this.#house.heardBefore(heard.origin)) return NOTHING;
    const { outcome, dwelt } = this.#hearing.hear(heard, binding, this.#others(binding, heard.die?.type));
    const durable = (judged: Judged | null) => this.#durable(judged);
    return { outcome: outcome.then(durable), ...(dwelt === undefined ? {} : { dwelt: dwelt.then(durable) }) };
  }

  /** Other dice of the kind that the seat could throw: its own and the shared ones (README Z6). */
  #others(binding: Binding, heard: DieType | undefined): number {
    const type = heard ?? binding.type;
    return [...this.#state.bindings.values()].filter((other) => {
      const usable = other.seat === null || other.seat === binding.seat;
      return other.die !== binding.die && other.type === type && other.duty === 'rolls' && usable;
    }).length;
  }

  async #durable(judged: Judged | null): Promise<Judged | null> {
    if (judged !== null) await this.#release.settled();
    return judged;
  }

  async command(caller: Caller, command: Command): Promise<Answer> {
    this.#house.commanded?.(this.id, caller, command);
    return this.#answers.once(caller, command.id, async () => {
      if (this.#house.journal.waiting() >= this.#answers.maxWaiting) return degradedRefusal(command.id);
      const outcome = perform(this, caller, command, {
        previews: this.#previews,
        timers: this.#timers,
        overlays: this.#overlays,
        loans: this.#loans,
        house: this.#house,
        collect: (order) => this.#house.enrolments.collect(this, order),
      });
      await this.#release.settled();
      if (!outcome.ok) {
        const { ok: _ok, ...why } = outcome;
        return { kind: 'refused', id: command.id, ...why };
      }
      const { seq, preview, roll } = outcome;
      return {
        kind: 'ack',
        id: command.id,
        seq,
        durable: !this.degraded(),
        ...(preview === undefined ? {} : { preview }),
        ...(roll === undefined ? {} : { roll }),
      };
    });
  }

  seq(audience: Audience): number {
    return lastTold(this.#release.shown, audience);
  }

  snapshot(audience: Audience): Snapshot {
    return snapshot(this.#release.shown, audience, this.#around());
  }

  since(audience: Audience, seq: number): readonly string[] | null {
    return this.#history.since(audience, seq, this.#release.shown);
  }

  async events(
    audience: Audience,
    since: number,
    limit: number,
  ): Promise<{ events: readonly Envelope[]; next: number | null }> {
    const { shown } = this.#release;
    const { journal, shelf } = this.#house;
    const records = this.#history.reaches(since) ? this.#history.records() : foldJournal(journal, this.id, shelf);
    const events = await this.#history.page(records, audience, since, shown.seq, limit);
    const last = events.at(-1);
    return { events, next: last !== undefined && last.seq < lastTold(shown, audience) ? last.seq : null };
  }

  subscribe(listener: TableListener): () => void {
    return this.#release.subscribe(listener);
  }

  seats(): readonly Seat[] {
    return this.#state.seats.map((seat) => seat.id);
  }

  roll(id: string, audience: Audience): RollWire | null {
    const entry = this.#release.shown.rolls.find((roll) => roll.wire.id === id);
    return entry !== undefined && mayKnow(audience, entry.to) ? entry.wire : null;
  }

  box(audience: Audience): JsonObject | null {
    const run = this.#release.shown.course?.runs.game;
    return run?.game.box?.contents(run.state, audience) ?? null;
  }

  readBox(text: string, file: string): ReturnType<TablePort['readBox']> {
    return this.#state.course?.runs.game.game.box?.read?.(text, file) ?? null;
  }

  /** Resolves when all that is queued now has been told. */
  settled(): Promise<void> {
    return this.#release.settled();
  }

  /** Ends timers and what has not settled. */
  stop(): void {
    this.#hearing.stop();
    this.#timers.stop();
  }
}

function degradedRefusal(id: string): Answer {
  return {
    kind: 'refused',
    id,
    code: JOURNAL_FULL,
    reason: 'The chronicle cannot be written and too much waits in memory: free space on the disk, then try again.',
  };
}
