import type { AnyGame, Deed, Expectation, GameEvent, Verdict } from '../games/game.js';

/**
 * The course of a game at a table: its state and the deeds that led there, so that a ruling about the past can be tried
 * on a branch. Beside the game on the table runs `outside`, the roll calls of other programs, which the game never sees.
 * Pure and immutable: no clock, no journal.
 */
export interface Course {
  readonly runs: { readonly [R in RunId]: Run };
  readonly steps: readonly Step[];
}

export type RunId = 'game' | 'outside';

export interface Run {
  readonly game: AnyGame;
  readonly state: unknown;
}

/** One deed with its verdict. `id` rises along the course; `before` is what a branch starts from. */
export interface Step {
  readonly id: number;
  readonly run: RunId;
  readonly deed: Deed;
  readonly verdict: Verdict<GameEvent>;
  readonly before: { readonly [R in RunId]: unknown };
}

/** A ruling reaches back over at most this many deeds; older ones are history. */
export const MAX_STEPS = 1_000;

/** Events of a verdict; none where it changed nothing. */
export const eventsOf = (verdict: Verdict<GameEvent>): readonly GameEvent[] =>
  verdict.verdict === 'accepted' || verdict.verdict === 'open' ? verdict.events : [];

/** True if the deed changed the state or holds a place in an open roll. */
export const counted = (step: Step): boolean => step.verdict.verdict === 'accepted' || step.verdict.verdict === 'open';

/** A course at its start, with the events of both setups already accepted. */
export function startCourse(
  game: AnyGame,
  opening: readonly GameEvent[],
  outside: AnyGame,
  outsideOpening: readonly GameEvent[],
): Course {
  return {
    runs: {
      game: foldEvents({ game, state: undefined }, opening),
      outside: foldEvents({ game: outside, state: undefined }, outsideOpening),
    },
    steps: [],
  };
}

/** Folds events into a run's state. */
export function foldEvents(run: Run, events: readonly GameEvent[]): Run {
  return { game: run.game, state: events.reduce<unknown>((state, event) => run.game.evolve(state, event), run.state) };
}

/** Something awaited, and the run it belongs to. */
export interface Awaits {
  readonly run: RunId;
  readonly expects: Expectation;
}

const asked = new WeakMap<Course, readonly Awaits[]>();

/** All that is awaited, the game's before the calls from outside. A course never changes, so it is asked once. */
export function expectations(course: Course): readonly Awaits[] {
  const known = asked.get(course);
  if (known !== undefined) return known;
  const all = ask(course);
  asked.set(course, all);
  return all;
}

function ask(course: Course): readonly Awaits[] {
  const { game, outside } = course.runs;
  return [
    ...game.game.expects(game.state).map((expects) => ({ run: 'game' as const, expects })),
    ...(outside.game.id === game.game.id
      ? []
      : outside.game.expects(outside.state).map((expects) => ({ run: 'outside' as const, expects }))),
  ];
}

/** Puts a deed before the rules; the course goes on with its verdict, whatever it is. */
export function put(
  course: Course,
  id: number,
  run: RunId,
  deed: Deed,
): { course: Course; verdict: Verdict<GameEvent> } {
  const { game, state } = course.runs[run];
  const verdict = game.judge(state, deed);
  return { course: append(course, { id, run, deed, verdict }), verdict };
}

/** Adds a step whose verdict is known already (from the journal or a branch): `judge` never runs on old deeds. */
export function append(course: Course, step: Omit<Step, 'before'>): Course {
  const run = foldEvents(course.runs[step.run], eventsOf(step.verdict));
  const kept = course.steps.length >= MAX_STEPS ? course.steps.slice(1) : course.steps;
  return { runs: { ...course.runs, [step.run]: run }, steps: [...kept, { ...step, before: statesOf(course) }] };
}

function statesOf(course: Course): Step['before'] {
  return { game: course.runs.game.state, outside: course.runs.outside.state };
}

/** The course as it was just before the step with this id (or, where that was cut out, the next); undefined after the last. */
export function before(course: Course, id: number): Course | undefined {
  const index = course.steps.findIndex((step) => step.id >= id);
  const step = course.steps[index];
  if (step === undefined) return undefined;
  const { game, outside } = course.runs;
  return {
    runs: {
      game: { game: game.game, state: step.before.game },
      outside: { game: outside.game, state: step.before.outside },
    },
    steps: course.steps.slice(0, index),
  };
}

/** What a ruling does to past deeds: another deed in the place of one, or none (void, undo). */
export type Amendments = ReadonlyMap<number, Amendment | null>;
export type Amendment = Pick<Step, 'run' | 'deed'>;

export interface Branch {
  readonly from: number;
  readonly course: Course;
  /** Later deeds that counted and do not fit any more, with the rules' answer. */
  readonly loose: readonly { readonly step: Step; readonly verdict: Verdict<GameEvent> }[];
  /** The amended deeds, as they stand on the branch. */
  readonly amended: readonly Step[];
  /** True if a person's choice lies among the deeds judged again: then the GM must confirm. */
  readonly choices: boolean;
}

/**
 * Tries a ruling about the past: folds to just before the first amended deed, judges it anew, then the later deeds in
 * their order. A later deed that counted and does not fit becomes loose; one that was refused or loose stays so, since
 * the table has seen it not count.
 * @returns undefined if a deed lies too far back or is unknown
 */
export function branch(course: Course, amendments: Amendments): Branch | undefined {
  const from = Math.min(...amendments.keys());
  const known = [...amendments.keys()].every((id) => course.steps.some((step) => step.id === id));
  let trial = known ? before(course, from) : undefined;
  if (trial === undefined) return undefined;
  const loose: { step: Step; verdict: Verdict<GameEvent> }[] = [];
  const amended: Step[] = [];
  let choices = false;
  for (const step of course.steps.filter((candidate) => candidate.id >= from)) {
    const amendment = amendments.get(step.id);
    if (amendment === null) continue;
    const revive = amendment !== undefined;
    if (!revive && !counted(step)) {
      trial = append(trial, step);
      continue;
    }
    choices ||= !revive && step.deed.kind === 'choice' && !ofProgram(course, step);
    const { run, deed } = amendment ?? step;
    const result = put(trial, step.id, run, deed);
    const fits = result.verdict.verdict === 'accepted' || result.verdict.verdict === 'open';
    // A tracker that confirmed another face is no deed to be found a place for: it is asked for anew (dicebound D4).
    if (!fits && !revive && deed.kind !== 'set') loose.push({ step, verdict: result.verdict });
    trial = result.course;
    const last = trial.steps.at(-1);
    if (revive && last !== undefined) amended.push(last);
  }
  return { from, course: trial, loose, amended, choices };
}

/** True for what another program did, or its call's own time: no person's deed. */
const ofProgram = (course: Course, { run, deed }: Step): boolean =>
  course.runs[run].game.id === 'external' && (deed.kind === 'choice' || deed.kind === 'elapsed');

const PERSONAL: ReadonlySet<string> = new Set<Deed['kind']>(['natural', 'choice', 'set']);

/** A tracker that lay right already is nobody's deed. */
const isPersonal = (deed: Deed): boolean => PERSONAL.has(deed.kind) && !(deed.kind === 'set' && deed.lying === true);

/**
 * What taking back the last `count` deeds of persons leaves out: they and the time and chance that came after. Seats that
 * came or went meanwhile and calls from outside stay. Undefined if there are not so many.
 */
export function undoing(course: Course, count: number): Amendments | undefined {
  const deeds = course.steps.filter((step) => counted(step) && isPersonal(step.deed) && !ofProgram(course, step));
  const from = deeds.at(-count)?.id;
  if (from === undefined) return undefined;
  const cut = course.steps.filter((step) => step.id >= from && step.deed.kind !== 'ruling' && !ofProgram(course, step));
  return new Map(cut.map(({ id }) => [id, null]));
}
