import type { DieType } from '../dice/die.js';
import type { Json } from '../dice/json.js';
import { err, ok, type Result } from '../dice/result.js';
import { accepts, type Resolution, type RollFault, take, waitsFor } from '../rolls/resolution.js';
import type { Audience, CallId, Deed, Expectation, Seat, Verdict } from './game.js';

export type NaturalDeed = Extract<Deed, { kind: 'natural' }>;
export type ChoiceDeed = Extract<Deed, { kind: 'choice' }>;
export type RollExpectation = Extract<Expectation, { kind: 'roll' }>;
export type ChoiceExpectation = Extract<Expectation, { kind: 'choice' }>;

/** One line of `awaited[]` (contracts B): plain JSON, assignable to the wire schema's `Awaited`. */
export type WireAwaited = {
  id: string;
  seat: string | null;
  what: string;
  rule: string;
  sides?: number;
  dice?: { type: string }[];
  options?: Json[];
  actions?: ({ action: string } & { [field: string]: Json })[];
  for?: string;
  face?: number;
  counter?: string;
  ms?: number;
  optional?: true;
};

/** Where a throw belongs: one call, one of several seats (the table asks whose it was, Z9), or nowhere. */
export type Match =
  | { readonly kind: 'call'; readonly id: CallId }
  | { readonly kind: 'several'; readonly seats: readonly Seat[] }
  | { readonly kind: 'none' };

/** The kinds of dice a roll expectation still wants, one entry a place. */
export function missingDice(resolution: Resolution): readonly DieType[] {
  const wait = waitsFor(resolution);
  return wait.kind === 'dice' ? wait.missing : [];
}

/** Tells an expectation as contracts B does: a lone numbered die by `sides`, everything else by `dice`. */
export function wireAwaited(expectation: Expectation): WireAwaited {
  return {
    id: expectation.id,
    seat: expectation.seat,
    what: expectation.purpose,
    rule: expectation.rule,
    ...wireWant(expectation),
    ...(expectation.for === undefined ? {} : { for: expectation.for }),
    ...(expectation.optional ? { optional: true as const } : {}),
  };
}

function wireWant(expectation: Expectation): Partial<WireAwaited> {
  switch (expectation.kind) {
    case 'roll': {
      const missing = missingDice(expectation.resolution);
      const sides = missing.length === 1 ? /^d([1-9]\d*)$/.exec(missing[0] ?? '')?.[1] : undefined;
      return sides === undefined ? { dice: missing.map((type) => ({ type })) } : { sides: Number(sides) };
    }
    case 'choice':
      return {
        ...(expectation.options === undefined ? {} : { options: [...expectation.options] }),
        ...(expectation.actions === undefined ? {} : { actions: expectation.actions.map((spec) => ({ ...spec })) }),
      };
    case 'set':
      return { counter: expectation.counter, face: expectation.face };
    case 'timer':
      return { ms: expectation.ms };
    case 'draw':
      return {};
  }
}

/** True if this audience may know of something addressed by `to`: without `to` it is public, the GM knows all. */
export function maySee(item: { readonly to?: readonly Seat[] }, audience: Audience): boolean {
  if (item.to === undefined || audience.role === 'gm') return true;
  return audience.role === 'seat' && item.to.includes(audience.seat);
}

const isRoll = (expectation: Expectation): expectation is RollExpectation => expectation.kind === 'roll';

/** Mandatory calls come before optional ones; within both, the order of `expects` stands. */
const byDuty = (calls: readonly RollExpectation[]): readonly RollExpectation[] => [
  ...calls.filter((call) => !call.optional),
  ...calls.filter((call) => call.optional),
];

/**
 * Finds the call a throw belongs to (Z2, Z3, Z9): the seat's own or anybody's, mandatory before optional, from the top.
 * @param thrown `seat: null` is a shared die: it counts for the one seat that is awaited, and asks where several are
 */
export function matchThrow(
  expects: readonly Expectation[],
  thrown: { readonly seat: Seat | null; readonly type: DieType },
): Match {
  const fits = byDuty(expects.filter(isRoll).filter((call) => accepts(call.resolution, thrown.type)));
  if (thrown.seat !== null) {
    const own = fits.find((call) => call.seat === thrown.seat || call.seat === null);
    return own === undefined ? { kind: 'none' } : { kind: 'call', id: own.id };
  }
  const [first] = fits;
  if (first === undefined) return { kind: 'none' };
  const rivals = fits.filter((call) => call.optional === first.optional).map((call) => call.seat);
  const owners = [...new Set(rivals)];
  if (owners.length === 1) return { kind: 'call', id: first.id };
  return { kind: 'several', seats: owners.filter((seat) => seat !== null) };
}

/** Puts a die at rest into a roll, or says why it has no place there. */
export function acceptNatural(resolution: Resolution, deed: NaturalDeed): Result<Resolution, RollFault> {
  const { die, type, quality, fake } = deed.die;
  const { face, source } = deed;
  return take(resolution, { die, type, face, source, quality, ...(fake === undefined ? {} : { fake }) });
}

/** The refusal for a die that does not belong into the call it was put to. */
export function faulted(call: RollExpectation, fault: RollFault, deed: NaturalDeed): Verdict<never> {
  const reasons = {
    wrong_die: `a ${deed.die.type} is not asked for`,
    already_rolled: 'this die has already been rolled for this call',
    no_such_face: `a ${deed.die.type} has no face ${String(deed.face).slice(0, 20)}`,
    throw_again: `a ${String(deed.face).slice(0, 20)} counts for nothing on the ${deed.die.type} that stands in: throw it again`,
  };
  return {
    verdict: 'refused',
    code: fault.code,
    rule: fault.code === 'throw_again' ? '706.1b' : call.rule,
    expected: phrase([call]),
    reason: reasons[fault.code],
  };
}

/** At most this many seats are named in `expected`. */
const NAMED_SEATS = 6;

function diceText(types: readonly DieType[]): string {
  const kinds = [...new Set(types)];
  return kinds
    .map((kind) => {
      const count = types.filter((type) => type === kind).length;
      return count === 1 ? kind : `${count} ${kind}`;
    })
    .join(' + ');
}

/** What is expected in a few English words, as `d20 by bea`. */
export function phrase(calls: readonly RollExpectation[]): string {
  const bySeats = new Map<string, (Seat | null)[]>();
  for (const call of calls) {
    const dice = diceText(missingDice(call.resolution));
    bySeats.set(dice, [...(bySeats.get(dice) ?? []), call.seat]);
  }
  const parts = [...bySeats].map(([dice, seats]) => {
    const named = seats.slice(0, NAMED_SEATS).map((seat) => seat ?? 'anybody');
    const more = seats.length > NAMED_SEATS ? ` and ${seats.length - NAMED_SEATS} more` : '';
    return `${dice} by ${named.join(', ')}${more}`;
  });
  return parts.join('; ');
}

/** True if the roll asked for this kind, though its places for it may be filled. */
function asked(call: RollExpectation, type: DieType): boolean {
  const half = type === 'd00' || type === 'd10';
  return call.resolution.asks.dice.some((kind) => kind === type || (kind === 'd100' && half));
}

/**
 * Judges a throw that no open call takes (Z2): loose where no roll is awaited from anybody, refused where one is but
 * not this. Codes: `not_awaited`, `whose` (Z9: a shared die and several seats), `wrong_seat`, `wrong_die`,
 * `already_rolled` (one die too many), `no_call`.
 */
export function unawaited(expects: readonly Expectation[], deed: NaturalDeed): Verdict<never> {
  const rolls = byDuty(expects.filter(isRoll));
  const [top] = rolls;
  if (top === undefined) return { verdict: 'loose', code: 'not_awaited', rule: 'Z2', reason: 'no roll is awaited' };
  const { type } = deed.die;
  if (matchThrow(expects, { seat: deed.seat, type }).kind === 'several') {
    return { verdict: 'loose', code: 'whose', rule: 'Z9', reason: 'several seats are awaited: whose die was it?' };
  }
  const own = deed.seat === null ? rolls : rolls.filter((call) => call.seat === deed.seat || call.seat === null);
  const [mine] = own;
  if (mine === undefined) {
    const expected = phrase(rolls);
    return {
      verdict: 'refused',
      code: 'wrong_seat',
      rule: top.rule,
      expected,
      reason: `no roll is awaited from ${deed.seat}`,
    };
  }
  const expected = phrase(own);
  const full = own.find((call) => asked(call, type));
  if (own.some((call) => accepts(call.resolution, type))) {
    return { verdict: 'refused', code: 'no_call', rule: mine.rule, expected, reason: 'the throw was put to no call' };
  }
  if (full !== undefined) {
    const reason = `all ${type} of this roll lie already`;
    return { verdict: 'refused', code: 'already_rolled', rule: full.rule, expected, reason };
  }
  return { verdict: 'refused', code: 'wrong_die', rule: mine.rule, expected, reason: `a ${type} is not asked for` };
}

/**
 * Puts a throw into the call it names: the call and its roll with this die in it, or the verdict for a throw that names
 * no call (`unawaited`), a closed one (`call_closed`), another seat's (`wrong_seat`), or does not fit (`faulted`).
 */
export function landed(
  expects: readonly Expectation[],
  deed: NaturalDeed,
): Result<{ readonly call: RollExpectation; readonly resolution: Resolution }, Verdict<never>> {
  if (deed.call === null) return err(unawaited(expects, deed));
  const rolls = expects.filter(isRoll);
  const call = rolls.find((one) => one.id === deed.call);
  const expected = phrase(call === undefined ? rolls : [call]);
  if (call === undefined) {
    const reason = 'this call is closed';
    return err({ verdict: 'refused', code: 'call_closed', rule: rolls[0]?.rule ?? 'Z2', expected, reason });
  }
  if (deed.seat !== null && call.seat !== null && deed.seat !== call.seat) {
    const reason = `no such roll is awaited from ${deed.seat}`;
    return err({ verdict: 'refused', code: 'wrong_seat', rule: call.rule, expected, reason });
  }
  const taken = acceptNatural(call.resolution, deed);
  return taken.ok ? ok({ call, resolution: taken.value }) : err(faulted(call, taken.error, deed));
}

/** The value of a key that came from outside, read as an own property only (F154). */
export function field<T>(record: { readonly [key: string]: T } | undefined, key: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
}

/** An object of seats and the like without one key. */
export function without<T>(record: { readonly [key: string]: T }, key: string): { readonly [key: string]: T } {
  return Object.fromEntries(Object.entries(record).filter(([name]) => name !== key));
}
