import type { JsonObject } from '../dice/json.js';
import type { Audience, Deed, Expectation, GameEvent, Seat, Verdict } from '../games/game.js';
import type { RecordKind } from '../wire/envelope.js';
import { type Course, eventsOf, expectations, foldEvents, type RunId } from './course.js';
import type { RecordBody, RollEntry, StoredStep } from './record.js';
import type { DeedContext, Judged, Room } from './room.js';
import { aim, landing, type NaturalDeed, rollWire, type Throw } from './throw.js';

/**
 * Puts one deed before the rules, writes it down with its verdict and tells what came of it. Every deed ends in a record,
 * counted or not: nothing is dropped in silence.
 */
export function judgeDeed(room: Room, context: DeedContext): Judged | undefined {
  const course = room.course();
  if (course === undefined) return undefined;
  const { run, deed } = context;
  const { game, state } = course.runs[run];
  const verdict = game.judge(state, deed);
  const id = room.state().seq + 1;
  const step: StoredStep = { id, run, gv: game.version, deed, verdict };
  const hidden = secrecy(room, course, run, context.expects, verdict);
  const told = tellDeed(room, context, verdict, id);
  const body: RecordBody = {
    v: 1,
    ...(context.caller === undefined ? {} : { caller: context.caller }),
    steps: [step],
    ...(context.also === undefined || eventsOf(verdict).length === 0 ? {} : { table: context.also }),
    ...told.body,
    ...hidden,
    ...(told.body.roll === undefined || hidden.secret === undefined
      ? {}
      : { roll: { ...told.body.roll, to: hidden.secret } }),
  };
  const seq = room.commit(told.kind, body, context.origin);
  return { seq, verdict, ...(told.body.roll === undefined ? {} : { roll: told.body.roll.wire }) };
}

/** What is written beside a throw. */
export type ThrowContext = Omit<DeedContext, 'run' | 'deed' | 'expects'>;

/** Finds what a throw answers and judges it; a shared die that several may have thrown counts for nobody yet (Z9). */
export function judgeThrow(room: Room, thrown: Throw, context: ThrowContext): Judged | undefined {
  const course = room.course();
  if (course === undefined) return undefined;
  const target = aim(course, thrown);
  if (target.kind === 'whose')
    return tellUncounted(room, thrown, context, {
      code: 'whose',
      rule: 'Z9',
      reason: `Several players are awaited: who rolled this ${thrown.type}? (${target.seats.join(', ')})`,
    });
  return judgeDeed(room, {
    ...context,
    run: target.run,
    deed: target.deed,
    ...(target.expects === undefined ? {} : { expects: target.expects }),
  });
}

/** Writes down a throw that the rules are not asked about (evening paused, nobody knows whose): loose, shown, assignable. */
export function tellUncounted(
  room: Room,
  thrown: Throw,
  context: ThrowContext,
  why: { readonly code: string; readonly rule?: string; readonly reason: string },
): Judged {
  const { type, quality, face, source, die, seat } = thrown;
  const ref = { die, type, quality, ...(thrown.fake === undefined ? {} : { fake: thrown.fake }) };
  const deed: NaturalDeed = { kind: 'natural', call: null, seat, die: ref, face, source };
  const verdict: Verdict<GameEvent> = { verdict: 'loose', ...why };
  const id = room.state().seq + 1;
  const roll = rollEntry(room, { run: 'game', deed, ...context }, deed, verdict, id);
  const seq = room.commit('roll', { v: 1, ...(roll === undefined ? {} : { roll }) }, context.origin);
  return { seq, verdict, ...(roll === undefined ? {} : { roll: roll.wire }) };
}

function tellDeed(
  room: Room,
  context: DeedContext,
  verdict: Verdict<GameEvent>,
  id: number,
): { kind: RecordKind; body: Partial<RecordBody> } {
  const { deed } = context;
  switch (deed.kind) {
    case 'natural': {
      const roll = rollEntry(room, context, deed, verdict, id);
      if (roll !== undefined) return { kind: 'roll', body: { roll } };
      return { kind: 'gathering', body: { gathering: gathered(deed, context.expects) } };
    }
    case 'set':
      return {
        kind: 'counter',
        body: { counter: { seat: deed.seat, counter: deed.counter, face: deed.face, ...worded(verdict) } },
      };
    case 'choice':
      return { kind: context.run === 'outside' ? 'call' : 'choice', body: { choice: chosen(deed, verdict) } };
    case 'elapsed':
      return { kind: 'timer', body: {} };
    case 'drawn':
    case 'ruling':
      return { kind: 'game', body: {} };
  }
}

function worded(verdict: Verdict<GameEvent>): JsonObject {
  return verdict.verdict === 'refused' || verdict.verdict === 'loose'
    ? { verdict: verdict.verdict, code: verdict.code, reason: verdict.reason }
    : { verdict: verdict.verdict };
}

function chosen(deed: Extract<Deed, { kind: 'choice' }>, verdict: Verdict<GameEvent>): JsonObject {
  return {
    by: deed.by,
    ...(deed.via === undefined ? {} : { via: deed.via }),
    ...(deed.option === undefined ? {} : { option: deed.option }),
    ...(deed.action === undefined ? {} : { action: deed.action }),
    ...(deed.args === undefined ? {} : { args: deed.args }),
    ...worded(verdict),
  };
}

function gathered(deed: NaturalDeed, expects: Expectation | undefined): JsonObject {
  const state = landing(deed, expects);
  return {
    call: deed.call,
    seat: deed.seat,
    die: deed.die.die,
    type: deed.die.type,
    face: deed.face,
    source: deed.source,
    missing: 'missing' in state ? [...state.missing] : [],
  };
}

/** The roll that this die completes; undefined while more dice are awaited. A refused or loose die is told by itself. */
function rollEntry(
  room: Room,
  context: DeedContext,
  deed: NaturalDeed,
  verdict: Verdict<GameEvent>,
  id: number,
): RollEntry | undefined {
  const counted = verdict.verdict === 'accepted' || verdict.verdict === 'open';
  const state = landing(deed, counted ? context.expects : undefined);
  if ('missing' in state) return undefined;
  const game = room.course()?.runs[context.run].game.id ?? '';
  const frame = {
    id: `${room.id}-${id}`,
    game,
    origin: context.origin ?? context.caller ?? 'table',
    ...(context.ageMs === undefined ? {} : { ageMs: context.ageMs }),
  };
  const wire = rollWire(frame, deed, context.expects, state, verdict);
  return { seq: id, wire, parts: [...earlierParts(room, context), id], run: context.run, call: deed.call };
}

/** Steps of the same call that brought its other dice. */
function earlierParts(room: Room, context: DeedContext): readonly number[] {
  if (context.deed.kind !== 'natural' || context.deed.call === null) return [];
  const { call } = context.deed;
  return (room.course()?.steps ?? [])
    .filter((step) => step.deed.kind === 'natural' && step.deed.call === call && step.verdict.verdict === 'open')
    .map((step) => step.id);
}

/**
 * Who may know of a deed. `secret`: the only seats that see its details; `to`: the only seats that hear of it at all,
 * absent where what others see of the game changes too (an ambush shows, its draw does not).
 */
function secrecy(
  room: Room,
  course: Course,
  run: RunId,
  expects: Expectation | undefined,
  verdict: Verdict<GameEvent>,
): { secret?: readonly Seat[]; to?: readonly Seat[] } {
  const events = eventsOf(verdict);
  const privately = events.length > 0 && events.every((event) => event.to !== undefined);
  const secretDraw = expects?.kind === 'draw' && expects.secret;
  if (expects?.to === undefined && !privately && !secretDraw) return {};
  const secret = [...new Set([...(expects?.to ?? []), ...events.flatMap((event) => event.to ?? [])])];
  const after = foldEvents(course.runs[run], events);
  const others: Audience[] = [
    { role: 'spectator' },
    ...room
      .state()
      .seats.filter((seat) => !secret.includes(seat.id))
      .map((seat): Audience => ({ role: 'seat', seat: seat.id })),
  ];
  const changed = others.some((audience) => {
    const { game, state } = course.runs[run];
    return JSON.stringify(game.view(state, audience)) !== JSON.stringify(game.view(after.state, audience));
  });
  return changed ? { secret } : { secret, to: secret };
}

/** The expectation with this id, in whichever run. */
export function findExpectation(
  room: Room,
  id: string,
): { readonly run: RunId; readonly expects: Expectation } | undefined {
  const course = room.course();
  return course === undefined ? undefined : expectations(course).find((entry) => entry.expects.id === id);
}
