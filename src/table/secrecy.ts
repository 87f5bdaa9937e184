import { unawaited } from '../games/awaited.js';
import type { Audience, Deed, Expectation, GameEvent, Seat, Verdict } from '../games/game.js';
import { type Awaits, type Course, eventsOf, expectations, foldEvents, type RunId } from './course.js';
import { mayKnow, type TableState } from './state.js';
import type { NaturalDeed } from './throw.js';

/**
 * Who may know of a deed. `secret`: the only seats that see its details; `to`: the only seats that hear of it at all,
 * absent where what others see of the game changes too (an ambush shows, its draw does not).
 */
export interface Hidden {
  readonly secret?: readonly Seat[];
  readonly to?: readonly Seat[];
}

/** Who may know of a deed that was judged. One that changed nothing is its own seat's affair, but for a throw in the open. */
export function secrecy(
  state: TableState,
  course: Course,
  run: RunId,
  deed: Deed,
  expects: Expectation | undefined,
  verdict: Verdict<GameEvent>,
): Hidden {
  const counted = verdict.verdict === 'accepted' || verdict.verdict === 'open';
  if (!counted && deed.kind !== 'natural') return own(deed);
  if (!counted && deed.kind === 'natural') {
    const to = secretThrow(course, deed.seat);
    return to === undefined ? {} : { secret: to, to };
  }
  const events = eventsOf(verdict);
  const privately = events.length > 0 && events.every((event) => event.to !== undefined);
  const secretDraw = expects?.kind === 'draw' && expects.secret;
  if (expects?.to === undefined && !privately && !secretDraw) return {};
  const secret = [...new Set([...(expects?.to ?? []), ...events.flatMap((event) => event.to ?? [])])];
  return showsToOthers(state, course, run, events, secret) ? { secret } : { secret, to: secret };
}

function own(deed: Deed): Hidden {
  const seat = deed.kind === 'choice' ? deed.by : deed.kind === 'set' ? deed.seat : undefined;
  return { to: seat === undefined || seat === 'gm' || seat === 'table' ? [] : [seat] };
}

function showsToOthers(
  { seats }: TableState,
  course: Course,
  run: RunId,
  events: readonly GameEvent[],
  secret: readonly Seat[],
): boolean {
  const { game, state } = course.runs[run];
  const after = foldEvents(course.runs[run], events);
  const others: Audience[] = [
    { role: 'spectator' },
    ...seats.filter(({ id }) => !secret.includes(id)).map(({ id }): Audience => ({ role: 'seat', seat: id })),
  ];
  return others.some(
    (audience) => JSON.stringify(game.view(state, audience)) !== JSON.stringify(game.view(after.state, audience)),
  );
}

/** Secret rolls that a throw of this seat may be meant for; a shared die may be meant for any. */
function secretRolls(course: Course, seat: Seat | null): readonly (readonly Seat[])[] {
  return expectations(course).flatMap(({ expects }) => {
    const meant = seat === null || expects.seat === null || expects.seat === seat;
    return expects.kind === 'roll' && expects.to !== undefined && meant ? [expects.to] : [];
  });
}

/** The only seats that may see a throw of this seat that did not count, while a secret roll is awaited; else undefined. */
export function secretThrow(course: Course | undefined, seat: Seat | null): readonly Seat[] | undefined {
  const [first, ...more] = course === undefined ? [] : secretRolls(course, seat);
  return first?.filter((known) => more.every((to) => to.includes(known)));
}

/** A secret roll of others must not show in why a throw did not count: then the rules answer as if nobody awaited it. */
export function veiled(course: Course, run: RunId, deed: NaturalDeed, verdict: Verdict<GameEvent>): Verdict<GameEvent> {
  if (verdict.verdict === 'accepted' || verdict.verdict === 'open') return verdict;
  const audience: Audience = deed.seat === null ? { role: 'spectator' } : { role: 'seat', seat: deed.seat };
  const mine = expectations(course).filter((entry) => entry.run === run);
  const known = mine.filter(({ expects }) => deed.seat === 'gm' || mayKnow(audience, expects.to));
  const hidesRoll = (entry: Awaits): boolean => entry.expects.kind === 'roll' && !known.includes(entry);
  if (!mine.some(hidesRoll)) return verdict;
  return unawaited(
    known.map((entry) => entry.expects),
    { ...deed, call: null },
  );
}

/** The expectation that a deed other than a throw answers; of several that fit, a secret one. */
export function answeredBy(course: Course, run: RunId, deed: Deed): Expectation | undefined {
  return answerOf(
    expectations(course).flatMap((entry) => (entry.run === run ? [entry.expects] : [])),
    deed,
  );
}

/** The same among what a game expects; a throw answers the call it names. */
export function answerOf(expects: readonly Expectation[], deed: Deed): Expectation | undefined {
  const fits = expects.filter((one) => answers(one, deed));
  return fits.find(({ to }) => to !== undefined) ?? fits[0];
}

function answers(one: Expectation, deed: Deed): boolean {
  switch (deed.kind) {
    case 'natural':
      return one.id === deed.call;
    case 'choice':
      return one.kind === 'choice' && (deed.call === undefined ? one.seat === deed.by : one.id === deed.call);
    case 'set':
      return one.kind === 'set' && one.seat === deed.seat;
    case 'elapsed':
      return one.kind === 'timer' && one.id === deed.timer;
    case 'drawn':
      return one.id === deed.draw;
    case 'ruling':
      return false;
  }
}

/** Dice whose face an audience may not see now: they may fall for a secret roll, or fell in secret last. */
export function hidesFace(state: TableState, audience: Audience): (die: string, seat: Seat | null) => boolean {
  const secretly = (state.course === undefined ? [] : expectations(state.course)).filter(
    ({ expects }) => expects.kind === 'roll' && !mayKnow(audience, expects.to),
  );
  const fell = [...state.veiled].filter(([, to]) => !mayKnow(audience, to)).map(([die]) => die);
  return (die, seat) =>
    fell.some((own) => own === die || own.startsWith(`${die}.`)) ||
    secretly.some(({ expects }) => seat === null || expects.seat === null || seat === expects.seat);
}
