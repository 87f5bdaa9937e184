import type { JsonObject } from '../dice/json.js';
import type { Deed, Expectation, GameEvent, Verdict } from '../games/game.js';
import type { RecordKind } from '../wire/envelope.js';
import { eventsOf, expectations, type RunId } from './course.js';
import type { RecordBody, RollEntry } from './record.js';
import type { DeedContext, Judged, Room } from './room.js';
import { answeredBy, secrecy, secretThrow, veiled } from './secrecy.js';
import { aim, completes, type NaturalDeed, partsOf, rollWire, type Throw } from './throw.js';

/**
 * Puts one deed before the rules, writes it down with its verdict and tells what came of it. Every deed ends in a record,
 * counted or not: nothing is dropped in silence. Undefined on a table that waits for the GM (incomplete).
 */
export function judgeDeed(room: Room, context: DeedContext): Judged | undefined {
  const course = room.course();
  if (course === undefined || room.state().incomplete) return undefined;
  const { run, deed } = context;
  const { game, state } = course.runs[run];
  const judged = game.judge(state, deed);
  const verdict = deed.kind === 'natural' ? veiled(course, run, deed, judged) : judged;
  const id = room.state().seq + 1;
  const expects = context.expects ?? answeredBy(course, run, deed);
  const table = [...(context.beside ?? []), ...(eventsOf(verdict).length === 0 ? [] : (context.also ?? []))];
  const hidden = secrecy(room.state(), course, run, deed, expects, verdict);
  const told = tellDeed(room, { ...context, ...(expects === undefined ? {} : { expects }) }, verdict, id);
  const body: RecordBody = {
    v: 1,
    ...(context.caller === undefined ? {} : { caller: context.caller }),
    steps: [{ id, run, gv: game.version, deed, verdict }],
    ...(table.length === 0 ? {} : { table }),
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

const PAUSED = 'The evening is paused: noted, does not count.';
const CLOSED = 'The evening is closed: noted, does not count.';
const UNREADABLE = 'The chronicle holds something this version does not know: the GM decides.';

/**
 * Finds what a throw answers and judges it. Outside an open evening, and on a table that could not be read, it is only
 * noted; a shared die that several may have thrown counts for nobody yet (Z9).
 */
export function judgeThrow(room: Room, thrown: Throw, context: ThrowContext): Judged {
  const course = room.course();
  const { evening, incomplete } = room.state();
  if (evening !== 'open')
    return tellUncounted(room, thrown, context, { code: evening, reason: evening === 'paused' ? PAUSED : CLOSED });
  if (course === undefined || incomplete)
    return tellUncounted(room, thrown, context, { code: 'incomplete', reason: UNREADABLE });
  const target = aim(course, thrown);
  if (target.kind === 'whose')
    return tellUncounted(room, thrown, context, {
      code: 'whose',
      rule: 'Z9',
      reason: `Several players are awaited: who rolled this ${thrown.type}? (${target.seats.join(', ')})`,
    });
  const judged = judgeDeed(room, {
    ...context,
    run: target.run,
    deed: target.deed,
    ...(target.expects === undefined ? {} : { expects: target.expects }),
  });
  return judged ?? tellUncounted(room, thrown, context, { code: 'incomplete', reason: UNREADABLE });
}

/** Writes down a throw that the rules are not asked about: loose, shown, assignable. */
function tellUncounted(
  room: Room,
  thrown: Throw,
  context: ThrowContext,
  why: { readonly code: string; readonly rule?: string; readonly reason: string },
): Judged {
  const { type, quality, face, source, die, seat } = thrown;
  const ref = { die, type, quality, ...(thrown.fake === undefined ? {} : { fake: thrown.fake }) };
  const deed: NaturalDeed = { kind: 'natural', call: null, seat, die: ref, face, source };
  const verdict: Verdict<GameEvent> = { verdict: 'loose', ...why };
  const roll = rollEntry(room, { run: 'game', deed, ...context }, verdict, room.state().seq + 1);
  const to = secretThrow(room.course(), seat);
  const body = roll === undefined ? {} : { roll: { ...roll, ...(to === undefined ? {} : { to }) } };
  const caller = context.caller === undefined ? {} : { caller: context.caller };
  const seq = room.commit('roll', { v: 1, ...caller, ...body, ...(to === undefined ? {} : { to }) }, context.origin);
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
      const roll = rollEntry(room, context, verdict, id);
      if (roll !== undefined) return { kind: 'roll', body: { roll } };
      return { kind: 'gathering', body: { gathering: gathered(deed, context.expects) } };
    }
    case 'set':
      return {
        kind: 'counter',
        body: { counter: { seat: deed.seat, counter: deed.counter, face: deed.face, ...worded(verdict) } },
      };
    case 'choice': {
      const roll = rollEntry(room, context, verdict, id);
      if (roll !== undefined) return { kind: 'roll', body: { roll, choice: chosen(deed, verdict) } };
      const asks = room.course()?.runs[context.run].game.id === 'external';
      return asks
        ? { kind: 'call', body: { call: chosen(deed, verdict) } }
        : { kind: 'choice', body: { choice: chosen(deed, verdict) } };
    }
    case 'elapsed':
      return { kind: 'timer', body: {} };
    case 'ruling': {
      const { ruling, args } = deed.ruling;
      return ruling === 'counter'
        ? { kind: 'counter', body: { counter: { ...args, via: 'gm', ...worded(verdict) } } }
        : { kind: 'game', body: {} };
    }
    case 'drawn':
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
  const state = completes(deed, expects, true);
  return {
    call: deed.call,
    seat: deed.seat,
    die: deed.die.die,
    type: deed.die.type,
    face: deed.face,
    source: deed.source,
    missing: state !== undefined && 'missing' in state ? [...state.missing] : [],
  };
}

/** The roll that this deed completes; undefined while more is awaited. A refused or loose die is told by itself. */
function rollEntry(room: Room, context: DeedContext, verdict: Verdict<GameEvent>, id: number): RollEntry | undefined {
  const { run, deed, expects } = context;
  const completed = completes(deed, expects, verdict.verdict === 'accepted' || verdict.verdict === 'open');
  if (completed === undefined || 'missing' in completed) return undefined;
  const frame = {
    id: `${room.id}-${id}`,
    game: room.course()?.runs[run].game.id ?? '',
    origin: context.origin ?? context.caller ?? 'table',
    ...(context.ageMs === undefined ? {} : { ageMs: context.ageMs }),
  };
  const parts = partsOf(room.course()?.steps ?? [], { id, run, deed }, completed);
  return { seq: id, wire: rollWire(frame, completed, verdict), parts, run, call: completed.call };
}

/** The expectation with this id, in whichever run. */
export function findExpectation(
  room: Room,
  id: string,
): { readonly run: RunId; readonly expects: Expectation } | undefined {
  const course = room.course();
  return course === undefined ? undefined : expectations(course).find((entry) => entry.expects.id === id);
}
