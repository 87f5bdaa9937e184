import { type DieType, type Face, faceOf, facesText, parseDieType, type Source, sidesOf } from '../dice/die.js';
import type { JsonObject } from '../dice/json.js';
import { missingDice } from '../games/awaited.js';
import type { Deed, Expectation, Seat } from '../games/game.js';
import type { Command } from '../wire/command.js';
import type { RunId } from './course.js';
import { expectations } from './course.js';
import { findExpectation, judgeDeed, judgeThrow } from './deeds.js';
import { seatFor } from './permit.js';
import type { Caller } from './port.js';
import { type Done, done, type Judged, type Room, refused } from './room.js';
import type { Throw } from './throw.js';

type Of<K extends Command['do']> = Extract<Command, { do: K }>;

/** Begins the origin of every record that a command made. */
const COMMAND = 'command';

/**
 * The mark of a command's record in the journal: caller and command id, by which a repeat is known after a restart, and
 * the record's own place, since an id may be used again after its answer is forgotten.
 */
export const commandOrigin = (room: Room, caller: Caller, id: string): string =>
  `${COMMAND} ${caller.id} ${id} ${room.id}-${room.state().seq + 1}`;

/** Whose command made the record of this origin; undefined if none did. */
export function commandOf(origin: string | undefined): { readonly caller: string; readonly id: string } | undefined {
  const [word, caller, id, place] = origin?.split(' ') ?? [];
  return word === COMMAND && caller !== undefined && id !== undefined && place !== undefined
    ? { caller, id }
    : undefined;
}

/** True for a roll on a paused or closed evening: it is written down as loose, and nothing is refused (design, The words). */
export const isNoted = (verdict: { readonly verdict: string; readonly code?: string | undefined }): boolean =>
  verdict.verdict === 'loose' && (verdict.code === 'paused' || verdict.code === 'closed');

/** The answer to a command whose deed was judged; undefined: the table waits for the GM. */
export function answered(judged: Judged | undefined): Done {
  if (judged === undefined)
    return refused('incomplete', 'The chronicle holds something this version does not know: open a new game.');
  const { verdict, seq, roll } = judged;
  const noted = roll !== undefined && isNoted(verdict);
  if (!noted && (verdict.verdict === 'refused' || verdict.verdict === 'loose')) {
    return refused(verdict.code, verdict.reason, {
      ...(verdict.rule === undefined ? {} : { rule: verdict.rule }),
      ...(verdict.verdict === 'refused' && verdict.expected !== undefined ? { expected: verdict.expected } : {}),
      ...(roll === undefined ? {} : { roll: roll.id }),
    });
  }
  return done(seq, roll === undefined ? {} : { roll: roll.id });
}

/** `type`: a roll somebody typed. It is told as typed, whatever comes of it. */
export function typeRoll(room: Room, caller: Caller, command: Of<'type'>): Done {
  const { args } = command;
  const die = args.die === undefined ? undefined : room.state().bindings.get(args.die);
  if (args.die !== undefined && die === undefined)
    return refused('no_such_die', `No die "${args.die}" is enrolled at this table.`);
  const seat = seatFor(caller, args.seat) ?? die?.seat ?? null;
  if (seat !== null && !isSeat(room, seat)) return unknownSeat(seat);
  const named = args.dice ?? single(args);
  if (named === undefined)
    return refused('nothing_typed', 'Name the natural result.', { expected: 'natural, with sides or type; or dice' });
  const call = args.call === undefined ? undefined : findExpectation(room, args.call);
  const dice: { type: DieType; face: Face }[] = [];
  for (const { type, natural } of named) {
    const wanted = type ?? onlyDie(call?.expects) ?? die?.type ?? awaitedDie(room, seat);
    const parsed = wanted === undefined ? undefined : parseDieType(wanted);
    if (parsed?.ok !== true) return refused('which_die', 'Which die shows this number?', { expected: 'sides or type' });
    const face = faceOf(parsed.value, natural);
    if (!face.ok) return refused('no_such_face', face.error, { expected: facesText(parsed.value) });
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
  return onlyDie(rollsFor(room, seat)[0]);
}

/** The rolls awaited from a seat (or, without one, from anybody), mandatory ones first. */
function rollsFor(room: Room, seat: Seat | null): readonly Expectation[] {
  const course = room.course();
  const own = (course === undefined ? [] : expectations(course))
    .map(({ expects }) => expects)
    .filter((expects) => expects.kind === 'roll' && (seat === null || expects.seat === seat || expects.seat === null));
  return [...own.filter(({ optional }) => !optional), ...own.filter(({ optional }) => optional)];
}

/** `digital`: the daemon draws the dice that a call still misses, or the named ones. */
export function drawDigital(room: Room, caller: Caller, command: Of<'digital'>): Done {
  const { args } = command;
  const named = args.call === undefined ? undefined : findExpectation(room, args.call);
  if (args.call !== undefined && named?.expects.kind !== 'roll')
    return refused('no_such_call', `No roll ${args.call} is awaited.`);
  const seat = seatFor(caller, args.seat) ?? named?.expects.seat ?? null;
  if (seat !== null && !isSeat(room, seat)) return unknownSeat(seat);
  const wanted = args.dice ?? missingOf(named?.expects) ?? missingOf(rollsFor(room, seat)[0]);
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
    last = judgeThrow(room, thrown, { origin: commandOrigin(room, caller, command), caller: caller.id });
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
  const context = { run, deed, origin: commandOrigin(room, caller, command), caller: caller.id };
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

export const isSeat = (room: Room, seat: Seat): boolean =>
  seat === 'gm' || seat === 'table' || room.state().seats.some((known) => known.id === seat);

export const unknownSeat = (seat: Seat): ReturnType<typeof refused> =>
  refused('no_such_seat', `There is no seat "${seat.slice(0, 32)}" at this table.`);
