import { type Face, faceOf } from '../dice/die.js';
import type { JsonObject } from '../dice/json.js';
import { wireAwaited } from '../games/awaited.js';
import type { AnyGame, Audience, Deed, GameEvent, Seat } from '../games/game.js';
import type { Awaited } from '../wire/envelope.js';
import {
  type Amendment,
  type Amendments,
  before,
  type Course,
  eventsOf,
  expectations,
  put,
  type RunId,
  type Step,
  startCourse,
} from './course.js';
import {
  branchWhole,
  type Entry,
  type NamedDie,
  noSuchFace,
  type Ruled,
  refaced,
  refuse,
  renamed,
  surplus,
  unasked,
} from './entry.js';
import { StillTime } from './still-time.js';
import { aim, type Throw } from './throw.js';

/** A wait may be this long, and may fire this many timers. */
export const MAX_WAIT_MS = 7 * 24 * 3600 * 1000;
const MAX_FIRED = 10_000;
const MAX_DRAWS = 100;

/**
 * A table without devices, journal or clock: deeds in, verdicts out (contracts B). It judges as the table does, by the
 * same course, matching and branches; time passes only when it is told to wait.
 */
export class Referee {
  readonly #game: AnyGame;
  readonly #draw: (sides: number) => number;
  readonly #entries = new Map<number, Entry>();
  /** Numbers of throws of shared dice that nobody has claimed. */
  readonly #shared = new Set<number>();
  readonly #time = new StillTime();
  #course: Course;
  #nextStep = 1;

  constructor(
    game: AnyGame,
    opening: readonly GameEvent[],
    outside: AnyGame,
    outsideOpening: readonly GameEvent[],
    draw: (sides: number) => number,
  ) {
    this.#game = game;
    this.#draw = draw;
    this.#course = startCourse(game, opening, outside, outsideOpening);
    this.#drawAll();
  }

  /** All that is awaited, as the GM sees it, with the shared dice whose roller is asked for. */
  awaited(): Awaited[] {
    const whose = this.#unclaimed().map(([n, options]) => {
      return { id: `whose.${n}`, seat: 'table', what: 'whose', rule: 'Z9', options: [...options] };
    });
    return [...expectations(this.#course).map(({ expects }) => wireAwaited(expects)), ...whose];
  }

  /** Throws of shared dice whose roller is not known, with the seats it may have been. */
  #unclaimed(): (readonly [number, readonly Seat[]])[] {
    return [...this.#shared].flatMap((n) => {
      const entry = this.#entries.get(n);
      if (entry?.whose !== undefined && entry.gone === undefined) return [[n, entry.whose] as const];
      this.#shared.delete(n);
      return [];
    });
  }

  state(audience: Audience): JsonObject {
    return this.#game.view(this.#course.runs.game.state, audience).state;
  }

  view(audience: Audience): { state: JsonObject; awaited: Awaited[] } {
    const view = this.#game.view(this.#course.runs.game.state, audience);
    return { state: view.state, awaited: view.awaited.map(wireAwaited) };
  }

  /** One throw of one or more dice: all of them count, or none. */
  roll(n: number, seat: Seat | null, dice: readonly NamedDie[]): Ruled {
    const start = this.#course;
    const ids: number[] = [];
    const events: GameEvent[] = [];
    let last: Ruled = { verdict: 'loose', code: 'no_dice', reason: 'No die was thrown.' };
    for (const [index, die] of dice.entries()) {
      const face = faceOf(die.type, die.natural);
      if (!face.ok) return this.#keep(n, start, noSuchFace(start, seat, die.type, face.error), seat, dice);
      const thrown: Throw = {
        seat,
        die: `${seat ?? 'shared'}-${n}-${index + 1}`,
        type: die.type,
        face: face.value,
        source: 'manual',
        quality: 'ok',
        others: 0,
      };
      const target = aim(this.#course, thrown);
      if (target.kind === 'whose') {
        this.#course = start;
        this.#shared.add(n);
        this.#entries.set(n, { kind: 'roll', ids: [], verdict: 'open', seat, dice, whose: target.seats });
        return { verdict: 'open', events: [] };
      }
      const judged = this.#put(target.run, target.deed);
      ids.push(judged.id);
      last = judged.verdict;
      if (index > 0 && unasked(last)) last = surplus(start, seat);
      if (last.verdict === 'refused' || last.verdict === 'loose') return this.#keep(n, start, last, seat, dice);
      events.push(...last.events);
    }
    this.#entries.set(n, { kind: 'roll', ids, verdict: last.verdict, seat, dice });
    events.push(...this.#drawAll());
    return last.verdict === 'accepted' || last.verdict === 'open' ? { verdict: last.verdict, events } : last;
  }

  #keep(n: number, course: Course, verdict: Ruled, seat: Seat | null, dice: readonly NamedDie[]): Ruled {
    this.#course = course;
    this.#entries.set(n, { kind: 'roll', ids: [], verdict: verdict.verdict, seat, dice });
    return verdict;
  }

  /** A choice, an action, a tracker turned by hand, or a call from outside. */
  deed(n: number, kind: 'choice' | 'set' | 'call', deed: Deed): Ruled {
    const whose = deed.kind === 'choice' ? this.#whose(deed) : undefined;
    if (whose !== undefined) return this.assign(n, whose.n, whose.seat);
    const run = this.#runOf(deed);
    const { id, verdict } = this.#put(run, deed);
    const counts = verdict.verdict === 'accepted' || verdict.verdict === 'open';
    this.#entries.set(n, { kind, ids: counts ? [id] : [], verdict: verdict.verdict, seat: null, dice: [] });
    if (!counts) return verdict;
    return { verdict: verdict.verdict, events: [...verdict.events, ...this.#drawAll()] };
  }

  /** The answer to "who threw this shared die?", if this choice is one. */
  #whose(deed: Extract<Deed, { kind: 'choice' }>): { n: number; seat: Seat } | undefined {
    const { option } = deed;
    if (typeof option !== 'string') return undefined;
    const asked = this.#unclaimed().find(([n, whose]) => {
      const named = deed.call === undefined ? ['table', 'gm', option].includes(deed.by) : deed.call === `whose.${n}`;
      return named && whose.includes(option);
    });
    return asked === undefined ? undefined : { n: asked[0], seat: option };
  }

  #runOf(deed: Deed): RunId {
    if (deed.kind !== 'choice' || deed.call === undefined) return 'game';
    return expectations(this.#course).find(({ expects }) => expects.id === deed.call)?.run ?? 'game';
  }

  #put(run: RunId, deed: Deed): { id: number; verdict: Ruled } {
    const id = this.#nextStep;
    this.#nextStep += 1;
    const { course, verdict } = put(this.#course, id, run, deed);
    this.#course = course;
    return { id, verdict };
  }

  /** Digital numbers that the game asks for are drawn at once. */
  #drawAll(): GameEvent[] {
    const events: GameEvent[] = [];
    for (let drawn = 0; drawn < MAX_DRAWS; drawn += 1) {
      const next = expectations(this.#course).find(({ expects }) => expects.kind === 'draw');
      if (next?.expects.kind !== 'draw') break;
      const values = next.expects.sides.map((sides) => this.#draw(sides));
      events.push(...eventsOf(this.#put(next.run, { kind: 'drawn', draw: next.expects.id, values }).verdict));
    }
    return events;
  }

  /** Lets time pass: timers run out in their order. */
  wait(n: number, ms: number): Ruled {
    const ids: number[] = [];
    const events: GameEvent[] = [];
    let left = ms;
    for (let fired = 0; fired < MAX_FIRED; fired += 1) {
      const timers = this.#time.running(this.#course);
      const next = timers[0];
      const passed = Math.min(left, next?.left ?? left);
      this.#time.pass(timers, passed);
      left -= passed;
      if (next === undefined || passed < next.left) break;
      this.#time.forget(next.id);
      const { id, verdict } = this.#put(next.run, { kind: 'elapsed', timer: next.id });
      ids.push(id);
      events.push(...eventsOf(verdict), ...this.#drawAll());
    }
    this.#entries.set(n, { kind: 'wait', ids, verdict: ids.length > 0 ? 'accepted' : 'loose', seat: null, dice: [] });
    return { verdict: 'accepted', events };
  }

  /** Takes back the last `count` deeds that counted. */
  undo(count: number): Ruled {
    const counted = [...this.#entries].filter(([, entry]) => entry.gone === undefined && entry.ids.length > 0);
    const taken = counted.slice(-count);
    const first = taken[0]?.[1].ids[0];
    const known = this.#course.steps.some((step) => step.id === first);
    const start = first === undefined || taken.length < count || !known ? undefined : before(this.#course, first);
    if (start === undefined || first === undefined)
      return refuse(
        'nothing_to_undo',
        'There are not that many deeds to take back.',
        'ruling',
        `at most ${counted.length}`,
      );
    this.#course = start;
    for (const [n, entry] of taken) this.#entries.set(n, { ...entry, ids: [], gone: 'undone' });
    return { verdict: 'accepted', events: [{ kind: 'rewound', ev: 1, from: taken[0]?.[0], loose: [] } as GameEvent] };
  }

  /** Another natural result for a roll. */
  correct(n: number, naturals: readonly Face[]): Ruled {
    const entry = this.#entries.get(n);
    if (entry?.kind !== 'roll' || entry.gone !== undefined)
      return refuse('no_such_roll', `Deed ${n} is no roll that stands.`, 'ruling');
    const dice = renamed(entry, naturals);
    if ('verdict' in dice) return dice;
    if (entry.ids.length === 0) {
      this.#entries.set(n, { ...entry, dice });
      return { verdict: 'accepted', events: [] };
    }
    return this.#rule(n, entry, { ...entry, dice }, (step, index) => refaced(step, dice[index]));
  }

  /** A deed does not count. */
  void(n: number): Ruled {
    const entry = this.#entries.get(n);
    if (entry === undefined || entry.gone !== undefined)
      return refuse('no_such_deed', `Deed ${n} does not stand.`, 'ruling');
    if (entry.ids.length === 0) {
      this.#entries.set(n, { ...entry, gone: 'void' });
      return { verdict: 'accepted', events: [] };
    }
    return this.#rule(n, entry, { ...entry, ids: [], gone: 'void' }, () => null);
  }

  /** A throw counts for this seat: one that did not count is put before the rules now, one that did is ruled anew. */
  assign(self: number, n: number, seat: Seat): Ruled {
    const entry = this.#entries.get(n);
    if (entry?.kind !== 'roll' || entry.gone !== undefined)
      return refuse('no_such_roll', `Deed ${n} is no roll that can be given to a seat.`, 'ruling');
    if (entry.ids.length === 0) {
      const verdict = this.roll(self, seat, entry.dice);
      if (verdict.verdict === 'accepted' || verdict.verdict === 'open')
        this.#entries.set(n, { ...entry, gone: 'assigned' });
      return verdict;
    }
    return this.#rule(n, entry, { ...entry, seat }, (step, index) => this.#reaimed(step, seat, entry.dice[index]));
  }

  #reaimed(step: Step, seat: Seat, die: NamedDie | undefined): Amendment {
    const start = before(this.#course, step.id);
    if (step.deed.kind !== 'natural' || die === undefined || start === undefined) return step;
    const { face, source } = step.deed;
    const target = aim(start, { ...step.deed.die, seat, face, source, others: 0 });
    return target.kind === 'deed' ? target : { run: step.run, deed: { ...step.deed, seat, call: null } };
  }

  #rule(n: number, entry: Entry, after: Entry, amend: (step: Step, index: number) => Amendment | null): Ruled {
    const amendments = new Map<number, Amendment | null>();
    for (const [index, id] of entry.ids.entries()) {
      const step = this.#course.steps.find((candidate) => candidate.id === id);
      if (step !== undefined) amendments.set(id, amend(step, index));
    }
    return this.#apply(n, after, amendments);
  }

  #apply(n: number, after: Entry, amendments: Amendments): Ruled {
    const ruled = branchWhole(this.#course, [...this.#entries.values()], amendments);
    if (ruled === undefined)
      return refuse('too_far_back', `Deed ${n} lies further back than a ruling can reach.`, 'ruling');
    const { result, lost } = ruled;
    const stuck = result.amended.find((step) => step.verdict.verdict === 'refused' || step.verdict.verdict === 'loose');
    if (stuck !== undefined) return stuck.verdict;
    this.#course = result.course;
    this.#entries.set(n, after);
    const loose: number[] = [];
    for (const [number, entry] of this.#entries) {
      const ids = entry.ids.filter((id) => !lost.has(id));
      if (ids.length === entry.ids.length) continue;
      if (ids.length === 0) loose.push(number);
      this.#entries.set(number, { ...entry, ids, verdict: ids.length === 0 ? 'loose' : entry.verdict });
    }
    const drawn = this.#drawAll();
    return { verdict: 'accepted', events: [{ kind: 'rewound', ev: 1, from: n, loose } as GameEvent, ...drawn] };
  }
}
