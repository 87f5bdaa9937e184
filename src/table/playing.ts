import { type DieType, type Face, faceOf, parseDieType, type Source, sidesOf } from '../dice/die.js';
import type { JsonObject } from '../dice/json.js';
import { missingDice } from '../games/awaited.js';
import type { Deed, Expectation, Seat } from '../games/game.js';
import type { Command } from '../wire/command.js';
import type { RunId } from './course.js';
import { expectations } from './course.js';
import { findExpectation, judgeDeed, judgeThrow, tellUncounted } from './deeds.js';
import { seatFor } from './permit.js';
import type { Caller } from './port.js';
import { type Done, done, type Judged, type Room, refused } from './room.js';
import { trackerKey } from './state.js';
import type { Throw } from './throw.js';

type Of<K extends Command['do']> = Extract<Command, { do: K }>;

/** The mark of a command in the journal: unique by caller and command id. */
export const commandOrigin = (caller: Caller, id: string): string => `command ${caller.id} ${id}`;

function answered(judged: Judged | undefined): Done {
  if (judged === undefined)
    return refused('incomplete', 'The chronicle holds something this version does not know: open a new game.');
  const { verdict, seq, roll } = judged;
  if (verdict.verdict === 'refused' || verdict.verdict === 'loose') {
    return refused(verdict.code, verdict.reason, {
      ...(verdict.rule === undefined ? {} : { rule: verdict.rule }),
      ...(verdict.verdict === 'refused' && verdict.expected !== undefined ? { expected: verdict.expected } : {}),
    });
  }
  return done(seq, roll === undefined ? {} : { roll: roll.id });
}

/** `type`: a roll somebody typed. It is told as typed, whatever comes of it. */
export function typeRoll(room: Room, caller: Caller, command: Of<'type'>): Done {
  const { args } = command;
  const seat = seatFor(caller, args.seat) ?? null;
  if (seat !== null && !isSeat(room, seat)) return unknownSeat(seat);
  const named = args.dice ?? single(args);
  if (named === undefined)
    return refused('nothing_typed', 'Name the natural result.', { expected: 'natural, with sides or type; or dice' });
  const call = args.call === undefined ? undefined : findExpectation(room, args.call);
  const dice: { type: DieType; face: Face }[] = [];
  for (const { type, natural } of named) {
    const wanted = type ?? onlyDie(call?.expects) ?? awaitedDie(room, seat);
    const parsed = wanted === undefined ? undefined : parseDieType(wanted);
    if (parsed?.ok !== true) return refused('which_die', 'Which die shows this number?', { expected: 'sides or type' });
    const face = faceOf(parsed.value, natural);
    if (!face.ok) return refused('no_such_face', face.error, { expected: `a face of a ${parsed.value}` });
    dice.push({ type: parsed.value, face: face.value });
  }
  return throwAll(room, caller, command.id, seat, dice, 'manual', args.call);
}

interface Named {
  readonly type?: string;
  readonly natural: Face;
}

function single(args: Of<'type'>['args']): readonly Named[] | undefined {
  if (args.natural === undefined) return undefined;
  const type = args.type ?? (args.sides === undefined ? undefined : `d${args.sides}`);
  return [{ ...(type === undefined ? {} : { type }), natural: args.natural }];
}

function onlyDie(expects: Expectation | undefined): DieType | undefined {
  return expects?.kind === 'roll' ? missingDice(expects.resolution)[0] : undefined;
}

function awaitedDie(room: Room, seat: Seat | null): DieType | undefined {
  const course = room.course();
  const own =
    course === undefined
      ? []
      : expectations(course).filter(
          ({ expects }) => expects.kind === 'roll' && (expects.seat === seat || seat === null),
        );
  return onlyDie(own[0]?.expects);
}

/** `digital`: the daemon draws the dice that a call still misses, or the named ones. */
export function drawDigital(room: Room, caller: Caller, command: Of<'digital'>): Done {
  const { args } = command;
  const named = args.call === undefined ? undefined : findExpectation(room, args.call);
  if (args.call !== undefined && named?.expects.kind !== 'roll')
    return refused('no_such_call', `No roll ${args.call} is awaited.`);
  const seat = seatFor(caller, args.seat) ?? named?.expects.seat ?? null;
  if (seat !== null && !isSeat(room, seat)) return unknownSeat(seat);
  const wanted = args.dice ?? missingOf(named?.expects) ?? missingFor(room, seat);
  if (wanted === undefined)
    return refused('which_dice', 'No roll is awaited from this seat.', { expected: 'dice, as ["d20"]' });
  const dice: { type: DieType; face: Face }[] = [];
  for (const text of wanted) {
    const type = parseDieType(text);
    if (!type.ok) return refused('no_such_die', type.error);
    dice.push({ type: type.value, face: drawFace(room, type.value) });
  }
  return throwAll(room, caller, command.id, seat, dice, 'digital', args.call);
}

function missingOf(expects: Expectation | undefined): readonly DieType[] | undefined {
  return expects?.kind === 'roll' ? missingDice(expects.resolution) : undefined;
}

function missingFor(room: Room, seat: Seat | null): readonly DieType[] | undefined {
  const course = room.course();
  const own =
    course === undefined
      ? []
      : expectations(course).filter(
          ({ expects }) => expects.kind === 'roll' && (expects.seat === seat || seat === null),
        );
  return missingOf((own.find(({ expects }) => !expects.optional) ?? own[0])?.expects);
}

function drawFace(room: Room, type: DieType): Face {
  const drawn = room.draw(sidesOf(type));
  if (type === 'planar') return drawn === 1 ? 'planeswalker' : drawn === 2 ? 'chaos' : 'blank';
  if (type === 'fudge') return ((drawn - 1) % 3) - 1;
  if (type === 'd00') return (drawn - 1) * 10;
  return type === 'd10' ? drawn % 10 : drawn;
}

function throwAll(
  room: Room,
  caller: Caller,
  command: string,
  seat: Seat | null,
  dice: readonly { type: DieType; face: Face }[],
  source: Source,
  call: string | undefined,
): Done {
  let last: Judged | undefined;
  for (const [index, { type, face }] of dice.entries()) {
    const thrown: Throw = {
      seat,
      die: `${source}-${command}-${index + 1}`.slice(0, 64),
      type,
      face,
      source,
      quality: 'ok',
      others: 0,
      ...(call === undefined ? {} : { call }),
    };
    const context = { origin: `${commandOrigin(caller, command)} ${index + 1}`, caller: caller.id };
    const { evening } = room.state();
    last =
      evening === 'open'
        ? judgeThrow(room, thrown, context)
        : tellUncounted(room, thrown, context, {
            code: evening,
            reason: 'The evening is not open: noted, does not count.',
          });
  }
  return answered(last);
}

/** `choose`: an option of what is awaited, or an action with its own fields. */
export function choose(room: Room, caller: Caller, command: Of<'choose'>): Done {
  const { seat: named, call, option, action, ...fields } = command.args;
  const by = seatFor(caller, named) ?? 'gm';
  if (option === undefined && action === undefined)
    return refused('nothing_chosen', 'Name an option or an action.', { expected: 'option or action' });
  const deed: Deed = {
    kind: 'choice',
    by,
    ...(caller.role === 'gm' && by !== 'gm' && by !== 'table' ? { via: 'gm' as const } : {}),
    ...(call === undefined ? {} : { call }),
    ...(option === undefined ? {} : { option }),
    ...(action === undefined ? {} : { action, args: fields as JsonObject }),
  };
  return decide(room, caller, command.id, call !== undefined && isOutside(room, call) ? 'outside' : 'game', deed);
}

function isOutside(room: Room, call: string): boolean {
  return findExpectation(room, call)?.run === 'outside';
}

function decide(room: Room, caller: Caller, command: string, run: RunId, deed: Deed): Done {
  const context = { run, deed, origin: commandOrigin(caller, command), caller: caller.id };
  return answered(judgeDeed(room, context));
}

/** The run that holds the calls from outside: the game itself where it is `external`. */
export function outsideRun(room: Room): RunId {
  return room.course()?.runs.game.game.id === 'external' ? 'game' : 'outside';
}

/** `call`, `cancel`, `expect`: another program asks for dice or says what a tracker should show. */
export function fromOutside(room: Room, caller: Caller, command: Of<'call' | 'cancel' | 'expect'>): Done {
  if (command.do === 'call' && findExpectation(room, command.args.id ?? command.id) !== undefined) {
    return refused('call_exists', 'Something with this id is awaited already.', { expected: 'another id' });
  }
  const args =
    command.do === 'call'
      ? { seat: null, purpose: '', ...command.args, id: command.args.id ?? command.id }
      : { ...command.args };
  const deed: Deed = { kind: 'choice', by: 'gm', action: command.do, args: args as JsonObject };
  return decide(room, caller, command.id, outsideRun(room), deed);
}

/** `set`: a counter set by a tap, or a tracker turned by hand and said so. */
export function setCounter(room: Room, caller: Caller, command: Of<'set'>): Done {
  const { counter, face } = command.args;
  const seat = seatFor(caller, command.args.seat);
  if (seat === undefined || !isSeat(room, seat)) return unknownSeat(seat ?? '');
  if (room.state().evening !== 'open')
    return refused(room.state().evening, 'The evening is not open: counters stay as they are.');
  return decide(room, caller, command.id, 'game', { kind: 'set', seat, counter, face });
}

/** `accept`: a tracker's face as it lies is believed, by its board or the GM. */
export function acceptTracker(room: Room, caller: Caller, command: Of<'accept'>): Done {
  const seat = seatFor(caller, command.args.seat);
  const tracker = seat === undefined ? undefined : room.state().trackers.get(trackerKey(seat, command.args.counter));
  const face = tracker?.asked?.face ?? tracker?.face;
  if (tracker === undefined || face === null || face === undefined) {
    return refused('nothing_to_accept', 'No die of this counter lies on the table.');
  }
  const believed = { seat: tracker.seat, counter: tracker.counter, die: tracker.die, face, armed: true };
  room.commit('binding', { v: 1, table: [{ kind: 'tracker', ev: 1, tracker: believed }] });
  return decide(room, caller, command.id, 'game', { kind: 'set', seat: tracker.seat, counter: tracker.counter, face });
}

export const isSeat = (room: Room, seat: Seat): boolean =>
  seat === 'gm' || seat === 'table' || room.state().seats.some((known) => known.id === seat);

export const unknownSeat = (seat: Seat): Done =>
  refused('no_such_seat', `There is no seat "${seat.slice(0, 32)}" at this table.`);
