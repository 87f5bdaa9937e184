import type { DieType } from '../dice/die.js';
import type { Decided, Decision, Instruction, Landed, Option } from './instruction.js';
import type { Outcome } from './outcome.js';
import { missingIn, type Place, placed } from './places.js';

/** What a roll asks for on its way: a throw of these kinds at once, or a decision. */
export type Want =
  | { readonly kind: 'dice'; readonly types: readonly DieType[] }
  | { readonly kind: 'decision'; readonly decision: Decision };

/** What answers it. */
export type Answer = { readonly places: readonly Place[] } | { readonly option: Option };

/** A roll as it goes: every want answered in turn, then its outcome. The same answers always lead to the same outcome. */
export type Course<T = Outcome> = Generator<Want, T, Answer>;

/** Asks for a throw of these kinds of dice. */
export function* thrown(types: readonly DieType[]): Course<readonly Place[]> {
  if (types.length === 0) return [];
  const answer = yield { kind: 'dice', types };
  return 'places' in answer ? answer.places : [];
}

/** Asks for a decision. */
export function* decided(decision: Decision): Course<Option> {
  const answer = yield { kind: 'decision', decision };
  return 'option' in answer ? answer.option : 'pass';
}

/** A roll in progress: plain data, so it survives being written down at any point. Same inputs, same outcome. */
export interface Resolution {
  readonly asks: Instruction;
  readonly landed: readonly Landed[];
  readonly decided?: readonly Decided[];
}

/** Where a roll in progress stands: its outcome, the throw that is not whole yet, or the decision that is open. */
export type Standing =
  | { readonly kind: 'done'; readonly outcome: Outcome }
  | { readonly kind: 'decision'; readonly decision: Decision }
  | { readonly kind: 'dice'; readonly types: readonly DieType[]; readonly landed: readonly Landed[] };

/** How many dice of the log fill this throw, and their places; undefined while dice are missing. */
function wave(
  types: readonly DieType[],
  landed: readonly Landed[],
): { places: readonly Place[]; used: number } | undefined {
  for (let used = types.length; used <= Math.min(landed.length, 2 * types.length); used += 1) {
    const places = placed(types, landed.slice(0, used));
    if (places !== undefined && missingIn(places).length === 0) return { places, used };
  }
  return undefined;
}

/** Follows a roll as far as its dice and decisions reach. */
export function standing(roll: Resolution, start: (asks: Instruction) => Course): Standing {
  const course = start(roll.asks);
  let dice = 0;
  let decisions = 0;
  let step = course.next();
  while (step.done !== true) {
    const want = step.value;
    if (want.kind === 'dice') {
      const rest = roll.landed.slice(dice);
      const whole = wave(want.types, rest);
      if (whole === undefined) return { kind: 'dice', types: want.types, landed: rest };
      dice += whole.used;
      step = course.next({ places: whole.places });
    } else {
      const taken = roll.decided?.[decisions];
      if (taken === undefined) return { kind: 'decision', decision: want.decision };
      decisions += 1;
      step = course.next({ option: taken.option });
    }
  }
  return { kind: 'done', outcome: step.value };
}
