import type { GameEvent, Seat, Verdict } from '../games/game.js';
import { accepts } from '../rolls/resolution.js';
import type { Command } from '../wire/command.js';
import { expectations } from './course.js';
import { judgeThrow } from './deeds.js';
import { trackerThrown } from './duties.js';
import { LOAN_MS, type Loans } from './loans.js';
import { seatFor } from './permit.js';
import { commandOrigin, isSeat, unknownSeat } from './playing.js';
import type { Caller } from './port.js';
import type { Offer, RollEntry } from './record.js';
import { type Done, done, findRoll, noSuchRoll, type Room, refused } from './room.js';
import { mayKnow } from './state.js';
import { aim, type Throw } from './throw.js';

/** `claim`, `lend`: a throw that did not count, or a rest that was only offered, is put before the rules now. */
export function claim(
  room: Room,
  caller: Caller,
  command: Extract<Command, { do: 'claim' | 'lend' }>,
  loans: Loans,
): Done {
  const { roll: id } = command.args;
  const seat = command.do === 'lend' ? command.args.seat : seatFor(caller, command.args.seat);
  if (seat === undefined)
    return refused('which_seat', 'Name the seat that threw this die.', { expected: 'seat, as "ada"' });
  if (!isSeat(room, seat)) return unknownSeat(seat);
  const roll = findRoll(room, id);
  const offer = room.state().offers.find((candidate) => candidate.roll === id);
  const free = caller.role === 'gm' || (seat === caller.seat && borrows(room, roll, seat));
  const denied = free ? undefined : denies(caller, command.do, roll, offer);
  if (denied !== undefined) return denied === 'unknown' ? noSuchRoll(id) : denied;
  if (roll?.wire.code === 'wrong_seat' && !loans.open(id)) {
    const reason = `A throw with another's die is given on within ${LOAN_MS / 1_000} s.`;
    return refused('loan_over', reason, { expected: 'assign, by the GM' });
  }
  return takeUp(room, caller, command.id, id, seat, command.do === 'claim' ? command.args.call : undefined);
}

/** Why a player may not take this throw up; a secret one of others is as good as unknown. */
function denies(
  caller: Caller,
  verb: 'claim' | 'lend',
  roll: RollEntry | undefined,
  offer: Offer | undefined,
): Done | 'unknown' | undefined {
  const mine = caller.seat ?? '';
  if (!mayKnow({ role: 'seat', seat: mine }, (roll ?? offer)?.to)) return 'unknown';
  const owner = roll === undefined ? (offer?.seat ?? null) : roll.wire.seat;
  if (owner !== null && owner !== mine)
    return refused('not_your_roll', 'Somebody else threw this die: they or the GM may lend it.');
  if (verb === 'claim' && roll?.wire.verdict === 'refused')
    return refused('only_loose', 'The rules refused this throw: only the GM may assign it.');
  return undefined;
}

/**
 * True if this seat may say that another's die was thrown for it: its kind is awaited from the seat, the rules refused it as
 * the wrong seat's, and nobody has rolled since.
 */
function borrows(room: Room, roll: RollEntry | undefined, seat: Seat): boolean {
  const { course, rolls } = room.state();
  const [die, ...more] = roll?.wire.dice ?? [];
  if (course === undefined || roll?.wire.code !== 'wrong_seat' || rolls.at(-1) !== roll) return false;
  if (die === undefined || more.length > 0 || !mayKnow({ role: 'seat', seat }, roll.to)) return false;
  return expectations(course).some(
    ({ expects }) =>
      expects.kind === 'roll' && expects.seat === seat && accepts(expects.resolution, die.type as Throw['type']),
  );
}

/** Puts a throw that did not count before the rules for this seat. If it does not fit, nothing is written. */
export function takeUp(
  room: Room,
  caller: Caller,
  command: string,
  id: string,
  seat: Seat,
  call: string | undefined,
): Done {
  const loose = looseThrow(room, id);
  const { course, evening, incomplete } = room.state();
  if (loose === undefined) return noSuchRoll(id);
  if (evening !== 'open') return refused(evening, 'The evening is not open: nothing counts now.');
  if (course === undefined || incomplete)
    return refused('incomplete', 'The chronicle holds something this version does not know: open a new game.');
  const tracker = trackerThrown(room.state(), loose, seat);
  const thrown: Throw = {
    ...loose,
    seat,
    ...(call === undefined ? {} : { call }),
    ...(tracker === undefined ? {} : { counter: tracker.counter }),
  };
  const target = aim(course, thrown);
  if (target.kind === 'deed') {
    const { game, state } = course.runs[target.run];
    const why = refusalOf(game.judge(state, target.deed));
    if (why !== undefined) return why;
  }
  const { verdict, seq, roll } = judgeThrow(room, thrown, {
    origin: commandOrigin(room, caller, command),
    caller: caller.id,
    also: [
      { kind: 'taken', ev: 1, roll: id },
      ...(tracker === undefined ? [] : [{ kind: 'tracker' as const, ev: 1 as const, tracker }]),
    ],
  });
  return refusalOf(verdict) ?? done(seq, roll === undefined ? {} : { roll: roll.id });
}

function refusalOf(verdict: Verdict<GameEvent>): Done | undefined {
  if (verdict.verdict !== 'refused' && verdict.verdict !== 'loose') return undefined;
  const { code, reason, rule } = verdict;
  const expected = verdict.verdict === 'refused' ? verdict.expected : undefined;
  return refused(code, reason, {
    ...(rule === undefined ? {} : { rule }),
    ...(expected === undefined ? {} : { expected }),
  });
}

/** The die behind an uncounted roll or an offer; undefined if it counts, was given to a seat already, or is unknown. */
function looseThrow(room: Room, id: string): Omit<Throw, 'seat'> | undefined {
  const offer = room.state().offers.find((candidate) => candidate.roll === id);
  const wire = findRoll(room, id)?.wire;
  const [die] = wire?.dice ?? [];
  if (offer !== undefined && offer.taken?.stands !== true) {
    const { die: own, type, fake } = offer;
    const face = offer.face as Throw['face'];
    const lies = { die: own, type, face, source: 'physical', quality: 'unverified', others: 0 } as const;
    return { ...lies, ...(fake === undefined ? {} : { fake }) };
  }
  if (wire === undefined || die === undefined || wire.verdict === 'accepted') return undefined;
  if (wire.standing === 'void' || wire.code === 'assigned') return undefined;
  const { face, source, quality, fake } = die;
  const lies = { die: die.die, type: die.type as Throw['type'], face, source, quality, others: 0 };
  return { ...lies, ...(fake === undefined ? {} : { fake }) };
}
