import type { JsonObject } from '../../dice/json.js';
import { waitsFor } from '../../rolls/resolution.js';
import type { CallId, Expectation } from '../game.js';
import { isBusy } from './rolling.js';
import type { MagicState, OpenRoll } from './state.js';

/** Actions players may take while no roll is open. */
export const ACTIONS = ['card', 'roll', 'form', 'play', 'remove', 'planar', 'reroll', 'turn'] as const;

/** Id of a roll's call: the same through all of its throws. */
export const callOf = (n: number): CallId => `roll.${n}`;

/** Id of the decision a roll waits for. */
export const decisionOf = ({ n, resolution }: OpenRoll): CallId => `roll.${n}.${(resolution.decided ?? []).length + 1}`;

function expectsRoll(roll: OpenRoll): readonly Expectation[] {
  const { order, resolution, n } = roll;
  const wait = waitsFor(resolution);
  if (wait.kind === 'done') return [];
  const base = { for: order.name };
  const purpose = order.planar !== undefined ? 'planar' : order.store?.entries != null ? 'reroll' : 'roll';
  const rollRule = order.planar === undefined ? '706.2' : '901.9';
  const call = callOf(n);
  if (wait.kind === 'dice') {
    const asked = { seat: order.seat, rule: rollRule, purpose, optional: false, resolution };
    return [{ ...base, kind: 'roll', id: call, ...asked, substitutes: true }];
  }
  const { about, who, rule, options } = wait.decision;
  const optional = options.includes('pass');
  const deciding = { call, seat: order.seat, purpose, rule: rollRule, resolution };
  return [
    { ...base, kind: 'choice', id: decisionOf(roll), seat: who, rule, purpose: about, optional, options, deciding },
  ];
}

/** All that is awaited: dice and decisions of open rolls, a "roll again", or what anybody may begin. */
export function expectsOf(state: MagicState): readonly Expectation[] {
  const rolls = state.open.flatMap(expectsRoll);
  if (state.again !== null) {
    const { seat, name } = state.again;
    return [
      ...rolls,
      {
        kind: 'choice',
        id: `again.${state.next}`,
        seat,
        rule: '706.3c',
        purpose: 'again',
        optional: false,
        for: name,
        options: ['again', 'stop'],
      },
    ];
  }
  if (isBusy(state)) return rolls;
  const actions = ACTIONS.map((action) => ({
    action,
    ...(FIELDS[action] === undefined ? {} : { args: FIELDS[action] }),
  }));
  return [
    {
      kind: 'choice',
      id: `act.${state.next}`,
      seat: null,
      rule: '706.1',
      purpose: 'instruct',
      optional: true,
      actions,
    },
  ];
}

const FIELDS: { readonly [action in (typeof ACTIONS)[number]]?: { readonly [field: string]: 'text' | 'number' } } = {
  card: { card: 'text' },
  roll: { notation: 'text' },
  form: { count: 'number', sides: 'number', modifier: 'number' },
  play: { card: 'text' },
  remove: { id: 'number' },
  reroll: { on: 'text' },
};

/** The open roll of a call, or undefined. */
export const rollOf = (state: MagicState, call: CallId | null): OpenRoll | undefined =>
  state.open.find(({ n }) => callOf(n) === call);

/** What of an open roll is shown. */
export const tellOpen = ({ n, order, resolution }: OpenRoll): JsonObject => ({
  n,
  seat: order.seat,
  name: order.name,
  landed: resolution.landed.map(({ die, type, face, source }) => ({ die, type, face, source })),
});
