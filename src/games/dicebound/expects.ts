import { sidesOf } from '../../dice/die.js';
import { missingDice } from '../awaited.js';
import type { Expectation } from '../game.js';
import { type Ask, asksOf, drawsDice } from './asks.js';
import { choicesOf } from './choices.js';
import { heldTimers } from './early.js';
import type { DiceboundState } from './state.js';
import { trackerExpects } from './trackers.js';

/** True if the table draws the dice of this roll (G14). */
const isDrawn = (state: DiceboundState, { expects, place }: Ask): boolean => {
  if (expects.seat !== 'gm') return false;
  const who = place.at === 'initiative' ? place.who : expects.for;
  return who !== undefined && (who === 'gm' ? (state.room?.drawn.includes('all') ?? false) : drawsDice(state, who));
};

/** Rolls that people make. */
export const handRolls = (state: DiceboundState): readonly Ask[] => asksOf(state).filter((ask) => !isDrawn(state, ask));

/** Rolls of monsters whose dice the table draws. */
export const drawnRolls = (state: DiceboundState): readonly Ask[] => asksOf(state).filter((ask) => isDrawn(state, ask));

function draws(state: DiceboundState): readonly Expectation[] {
  const monsters = drawnRolls(state).map(({ expects }): Expectation => {
    const { id, seat, rule, purpose, optional, resolution } = expects;
    const sides = missingDice(resolution).map(sidesOf);
    const common = { id, seat, rule, purpose, optional, ...(expects.for === undefined ? {} : { for: expects.for }) };
    return { ...common, kind: 'draw', sides, secret: false };
  });
  const ambush: readonly Expectation[] =
    state.resting === 'roll' && state.rules.ambushRoll === 'app'
      ? [
          {
            kind: 'draw',
            id: `rest${state.rests}.ambush`,
            seat: 'gm',
            rule: 'dicebound:E4',
            purpose: 'ambush',
            optional: false,
            to: [],
            sides: [100],
            secret: true,
          },
        ]
      : [];
  const { drawing, data } = state;
  const bag: readonly Expectation[] =
    drawing === null
      ? []
      : [
          {
            kind: 'draw',
            id: `bag.${state.draws}`,
            seat: drawing,
            rule: 'dicebound:T6',
            purpose: 'bag',
            optional: false,
            sides: [Math.max(1, Object.keys(data.tiles).length)],
            secret: false,
          },
        ];
  return [...monsters, ...ambush, ...bag];
}

/** Computed once a state: the table, its views and its rules ask for it several times a deed. */
const COMPUTED = new WeakMap<DiceboundState, readonly Expectation[]>();

/** All that is awaited now: rolls, draws, choices, trackers to turn, timers. */
export function expectsOf(state: DiceboundState): readonly Expectation[] {
  const known = COMPUTED.get(state);
  if (known !== undefined) return known;
  const expects = computed(state);
  COMPUTED.set(state, expects);
  return expects;
}

function computed(state: DiceboundState): readonly Expectation[] {
  if (state.over) return [];
  return [
    ...handRolls(state).map(({ expects }) => expects),
    ...draws(state),
    ...choicesOf(state),
    ...trackerExpects(state),
    ...heldTimers(state),
  ];
}
