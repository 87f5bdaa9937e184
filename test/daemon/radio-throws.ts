import { expect } from 'vitest';
import type { DieSpec } from '../radio/virtual-radio.js';
import { sleep, until } from './daemon.js';
import { nameOf, type RadioEvening, type SeatedDie } from './radio-evening.js';

/** The same numbers for the same seed: which faces fall and how long hands wait. */
export function dealer(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const upTo = (sides: number): readonly number[] => Array.from({ length: sides }, (_, place) => place + 1);
const ten: readonly number[] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

const rolling = (seat: string, die: DieSpec, faces: readonly number[]): SeatedDie => ({ die, seat, faces });

/** Eight dice of both makes, of old and new firmware, at two seats. */
export const EIGHT_DICE: readonly SeatedDie[] = [
  rolling('ada', { make: 'pixels', id: '03ef405d', kind: 'd20', firmware: 'legacy' }, upTo(20)),
  rolling('bea', { make: 'pixels', id: '03ef405e', kind: 'd12', firmware: 'chunked' }, upTo(12)),
  rolling('ada', { make: 'pixels', id: '03ef405f', kind: 'd10', firmware: 'legacy' }, ten),
  rolling('bea', { make: 'pixels', id: '03ef4060', kind: 'd8', firmware: 'chunked' }, upTo(8)),
  rolling('ada', { make: 'godice', id: 'BC0940', shell: 'd20' }, upTo(20)),
  rolling('bea', { make: 'godice', id: 'BC0941', shell: 'd6' }, upTo(6)),
  rolling('ada', { make: 'godice', id: 'BC0942', shell: 'd10' }, ten),
  rolling('bea', { make: 'godice', id: 'BC0943', shell: 'd12' }, upTo(12)),
];

/** A hand takes a die up again only when its throw counts: a GoDice has lain for a quarter of a second then. */
const SETTLE_MS = 350;

export interface HandPlan {
  readonly throws: number;
  readonly turns: number;
  /** Throws under way in which the link is cut. */
  readonly cuts: number;
  readonly chance: (below: number) => number;
}

/** One hand with one die: throws, turns and losses of the link, each after a short pause. */
export async function play(evening: RadioEvening, seated: SeatedDie, plan: HandPlan): Promise<void> {
  const { die } = seated;
  const { radio } = evening;
  const { chance } = plan;
  const deeds = [
    ...Array.from({ length: plan.throws - plan.cuts }, () => 'throw' as const),
    ...Array.from({ length: plan.turns }, () => 'turn' as const),
    ...Array.from({ length: plan.cuts }, () => 'cut' as const),
  ];
  for (const deed of shuffled(deeds, chance)) {
    const face = otherFace(evening, seated, chance);
    await sleep(SETTLE_MS + chance(250));
    if (deed !== 'cut') {
      await radio.landing(die.id, deed, face);
      continue;
    }
    const losses = evening.losses(seated);
    const move = await radio.move(die.id, 'throw', face);
    await sleep(300 + chance(900));
    await radio.order({ do: 'cut', die: die.id });
    await radio.landed(die.id, move);
    await until(`${die.id} is told to have lost its link`, () => evening.losses(seated) > losses, 30_000);
    await radio.order({ do: 'restore', die: die.id });
    await evening.linked([seated]);
  }
}

/** Any face but the one that lies up: a throw that nobody heard then shows by where the die lies. */
export function otherFace(evening: RadioEvening, seated: SeatedDie, chance: HandPlan['chance']): number {
  const up = evening.landings(seated).at(-1)?.face;
  const others = seated.faces.filter((face) => face !== up);
  return others[chance(others.length)] ?? 1;
}

function shuffled<T>(things: readonly T[], chance: (below: number) => number): readonly T[] {
  const left = [...things];
  return things.map(() => left.splice(chance(left.length), 1)[0] as T);
}

/** What became of all throws of a die, against what its firmware said and what the radio handed over. */
export interface Ledger {
  readonly die: string;
  /** Throws that were handed over whole, and rolls that were told, in order. */
  readonly delivered: readonly number[];
  readonly rolled: readonly number[];
  /** Throws of which something was lost, and losses that were told. */
  readonly lost: number;
  readonly told: number;
}

/** Words of a firmware for a rest after a roll. The oldest Pixels have one word for every rest. */
const isThrown = ({ die }: SeatedDie, told: string): boolean =>
  ['rolled', 'S', 'TS'].includes(told) || (die.make === 'pixels' && die.firmware === 'old' && told === 'onFace');

export function ledgerOf(evening: RadioEvening, seated: SeatedDie): Ledger {
  const throws = evening.landings(seated).filter(({ motion }) => motion === 'throw');
  const isWhole = (landed: (typeof throws)[number]): boolean =>
    landed.whole && isThrown(seated, landed.told) && !evening.isUnheard(landed) && !evening.isRelinked(landed);
  return {
    die: nameOf(seated.die),
    delivered: throws.filter(isWhole).map(({ face }) => face),
    rolled: evening.rolls(seated).map(({ face }) => face),
    lost: throws.filter((landed) => !isWhole(landed)).length,
    told: evening.notices(seated).filter((code) => code === 'unresolved').length,
  };
}

/** Waits until everything that was handed over is told, and checks that each throw counts once and each loss is told. */
export async function settle(evening: RadioEvening): Promise<readonly Ledger[]> {
  const ledgers = (): readonly Ledger[] => evening.dice.map((seated) => ledgerOf(evening, seated));
  await until(
    'every throw told',
    () => ledgers().every(({ delivered, rolled, lost, told }) => rolled.length >= delivered.length && told >= lost),
    30_000,
  ).catch(() => undefined);
  for (const seated of evening.dice) {
    const { die, delivered, rolled, lost, told } = ledgerOf(evening, seated);
    expect({ die, rolled, told }).toEqual({ die, rolled: delivered, told: lost });
    for (const { seat } of evening.rolls(seated)) expect(seat).toBe(seated.seat);
  }
  return ledgers();
}
