import { type DieType, type Face, naturalOf, type Quality, type Source, sidesOf } from '../dice/die.js';
import { matchThrow } from '../games/awaited.js';
import type { Deed, Expectation, GameEvent, Seat, Verdict } from '../games/game.js';
import { accepts, begin, decide, type Landed, type Outcome, take, waitsFor } from '../rolls/resolution.js';
import type { RollWire } from '../wire/envelope.js';
import { type Course, counted, expectations, type RunId, type Step } from './course.js';

/** A die that lies and counts as thrown: what a device, a person or the daemon says fell. */
export interface Throw {
  readonly seat: Seat | null;
  readonly die: string;
  readonly type: DieType;
  readonly face: Face;
  readonly source: Source;
  readonly quality: Quality;
  readonly fake?: true;
  /** Other dice of this kind that the seat could throw; with none, one die may be thrown several times (README Z6). */
  readonly others: number;
  /** Set when a person named the call. */
  readonly call?: string;
  /** What it counts, where a tracker was thrown for want of another die of its kind. */
  readonly counter?: string;
}

export type NaturalDeed = Extract<Deed, { kind: 'natural' }>;

/** Where a throw belongs: the deed to judge and what it answers, or the seats that may have thrown a shared die (Z9). */
export type Aim =
  | {
      readonly kind: 'deed';
      readonly run: RunId;
      readonly deed: NaturalDeed;
      readonly expects: Expectation | undefined;
    }
  | { readonly kind: 'whose'; readonly seats: readonly Seat[] };

/** Separates the repeated throws of one die within a call. */
const AGAIN = '~';
const REPEATED = /~\d+$/;

/** Finds what a throw answers: the game's calls first, then the calls from outside; else the game says why it does not count. */
export function aim(course: Course, thrown: Throw): Aim {
  const all = expectations(course).filter((entry) => thrown.call === undefined || entry.expects.id === thrown.call);
  for (const run of ['game', 'outside'] as const) {
    const own = all.filter((entry) => entry.run === run).map((entry) => entry.expects);
    const match = matchThrow(own, { seat: thrown.seat, type: thrown.type });
    if (match.kind === 'several') return { kind: 'whose', seats: match.seats };
    if (match.kind === 'call') {
      const expects = own.find((candidate) => candidate.id === match.id);
      return { kind: 'deed', run, deed: naturalDeed(thrown, expects), expects };
    }
  }
  return { kind: 'deed', run: 'game', deed: naturalDeed(thrown, undefined), expects: undefined };
}

function naturalDeed(thrown: Throw, expects: Expectation | undefined): NaturalDeed {
  const { type, quality, face, source } = thrown;
  const die = {
    die: identity(thrown, expects),
    type,
    quality,
    ...(thrown.fake === undefined ? {} : { fake: thrown.fake }),
    ...(thrown.counter === undefined ? {} : { counter: thrown.counter }),
  };
  return { kind: 'natural', call: expects?.id ?? null, seat: thrown.seat ?? expects?.seat ?? null, die, face, source };
}

/**
 * The die's identity within the call: the same die again is another throw only where the seat has no other of its kind
 * left to throw (Z6).
 */
function identity(thrown: Throw, expects: Expectation | undefined): string {
  if (expects?.kind !== 'roll') return thrown.die;
  const alike = expects.resolution.landed.filter((landed) => (landed.thrown?.type ?? landed.type) === thrown.type);
  const before = alike.filter((landed) => dieOf(landed.die) === thrown.die).length;
  const dice = new Set(alike.map((landed) => dieOf(landed.die))).size;
  return before === 0 || dice <= thrown.others ? thrown.die : `${thrown.die}${AGAIN}${before + 1}`;
}

/** The device's id of a die, without the mark of a repeated throw. */
export const dieOf = (identity: string): string => identity.replace(REPEATED, '');

/** The die of a throw as a roll keeps it: what it counts otherwise is no part of the roll. */
function landedBy({ die: { counter: _counter, ...die }, face, source }: NaturalDeed): Landed {
  return { ...die, face, source };
}

/** The roll as it stands after this die: done, or the kinds of dice still missing. */
function landing(
  deed: NaturalDeed,
  expects: Expectation | undefined,
): Outcome | { readonly missing: readonly DieType[] } {
  const asked = expects?.kind === 'roll' ? expects.resolution : begin([deed.die.type]);
  const landed = landedBy(deed);
  const roll = accepts(asked, deed.die.type) ? take(asked, landed) : undefined;
  if (roll?.ok !== true) return lone(deed);
  const wait = waitsFor(roll.value);
  return wait.kind === 'done' ? wait.outcome : { missing: wait.kind === 'dice' ? wait.missing : [] };
}

/** A roll that a deed completes, and what it is called. */
export interface Completed {
  readonly outcome: Outcome;
  readonly call: string | null;
  readonly seat: Seat | null;
  readonly purpose?: string;
  readonly for?: string;
  readonly rule?: string;
}

/**
 * The roll that a deed completes: by the last die, or by the last decision (rule 706); by itself where it does not count.
 * @returns undefined for a deed that is no part of a roll
 */
export function completes(
  deed: Deed,
  expects: Expectation | undefined,
  counts: boolean,
): Completed | { readonly missing: readonly DieType[] } | undefined {
  if (deed.kind === 'natural') {
    const outcome = landing(deed, counts ? expects : undefined);
    if ('missing' in outcome) return outcome;
    const named = expects === undefined ? {} : { purpose: expects.purpose, rule: expects.rule, ...concerning(expects) };
    return { outcome, call: deed.call, seat: deed.seat, ...named };
  }
  if (deed.kind !== 'choice' || expects?.kind !== 'choice' || expects.deciding === undefined || !counts)
    return undefined;
  const { resolution, ...named } = expects.deciding;
  const decided = decide(resolution, deed.by, deed.option);
  const wait = decided.ok ? waitsFor(decided.value) : undefined;
  return wait?.kind === 'done' ? { outcome: wait.outcome, ...named, ...concerning(expects) } : undefined;
}

const concerning = ({ for: whom }: Expectation): { for?: string } => (whom === undefined ? {} : { for: whom });

/** The steps that brought a roll's dice, in the order in which it tells them; `last` completed it. */
export function partsOf(
  steps: readonly Step[],
  last: Omit<Step, 'before' | 'verdict'>,
  { outcome, call }: Completed,
): number[] {
  const ofCall = (step: Omit<Step, 'before' | 'verdict'>): boolean =>
    step.run === last.run && step.deed.kind === 'natural' && step.deed.call === call;
  const earlier = call === null ? [] : steps.filter((step) => step.id < last.id && ofCall(step) && counted(step));
  const dice = [...earlier, ...(ofCall(last) ? [last] : [])].slice(-outcome.dice.length);
  return outcome.dice.map(({ die }) => {
    const place = dice.findIndex(({ deed }) => deed.kind === 'natural' && deed.die.die === die);
    return dice.splice(Math.max(0, place), 1)[0]?.id ?? last.id;
  });
}

/** A die by itself, as it is told where it belongs to no call. */
function lone(deed: NaturalDeed): Outcome {
  const { type } = deed.die;
  const natural = naturalOf(type, deed.face);
  const die = {
    ...landedBy(deed),
    sides: sidesOf(type),
    natural,
    result: natural,
    status: 'kept' as const,
  };
  return typeof natural === 'number'
    ? { dice: [die], modifiers: [], natural, result: natural, total: natural }
    : { dice: [die], modifiers: [], planar: natural };
}

/** What a roll is called and where it came from, beside its dice. */
export interface RollFrame {
  readonly id: string;
  readonly game: string;
  readonly origin: string;
  readonly ageMs?: number;
}

/** The roll as every program is told it (contracts C). */
export function rollWire(frame: RollFrame, completed: Completed, verdict: Verdict<GameEvent>): RollWire {
  const counted = verdict.verdict === 'accepted' || verdict.verdict === 'open';
  const why = verdict.verdict === 'refused' || verdict.verdict === 'loose' ? verdict : undefined;
  const { seat, purpose, rule, outcome } = completed;
  const { dice, natural, result, total, planar } = outcome;
  return {
    id: frame.id,
    game: frame.game,
    seat,
    purpose: purpose ?? 'roll',
    ...(completed.for === undefined ? {} : { for: completed.for }),
    rule: why?.rule ?? rule ?? frame.game,
    dice: dice.map((die) => ({ ...die, die: dieOf(die.die), ...(die.fake === undefined ? {} : { fake: die.fake }) })),
    modifiers: [...outcome.modifiers],
    ...(natural === undefined ? {} : { natural }),
    ...(result === undefined ? {} : { result }),
    ...(total === undefined ? {} : { total }),
    ...(outcome.row === undefined ? {} : { row: outcome.row }),
    ...(outcome.doubles === undefined ? {} : { doubles: outcome.doubles }),
    ...(typeof planar === 'string' ? { planar } : {}),
    verdict: counted ? 'accepted' : verdict.verdict === 'refused' ? 'refused' : 'loose',
    ...(why === undefined ? {} : { code: why.code, reason: why.reason }),
    standing: 'valid',
    origin: frame.origin,
    ...(frame.ageMs === undefined ? {} : { late: { age_ms: frame.ageMs } }),
  };
}
