import type { DieType } from '../dice/die.js';
import type { Course } from './course.js';
import type { Instruction } from './instruction.js';
import { dieOption, type Mark, type Sheet, touches } from './sheet.js';

/** What replacement effects make of an instruction before the throw (706.6, README order 2). */
export interface Plan {
  readonly types: readonly DieType[];
  /** The asked die each thrown one stands for; extra dice stand for none of them and follow behind. */
  readonly slots: readonly number[];
  /** Groups of thrown dice of which one is kept each (doubling). */
  readonly groups: readonly (readonly number[])[];
  readonly lowest: number;
  /** Who chooses each further die to be ignored. */
  readonly choosers: readonly string[];
  /** Slots whose dice count as one, their total being its result (The Big Idea). */
  readonly joined: readonly number[];
}

/** Enlarges an instruction by every replacement once: k effects mean k extra dice, whatever the instruction's size. */
export function enlarge(sheet: Sheet): Plan {
  const { asks } = sheet;
  const planar = asks.dice.includes('planar');
  const first = asks.dice[0];
  const advantages = planar ? 0 : sheet.effects('advantage').length;
  const ofOne =
    first === undefined ? [] : sheet.effects('plusOneIgnoreOne').filter(({ effect }) => touches(effect, first));
  const joins = planar ? [] : sheet.effects('rollTwoUseTotal');
  const doublings = sheet.effects('doubleEachDie').length;
  const types: DieType[] = [...asks.dice];
  const slots = types.map((_, index) => index);
  const joined: number[] = [];
  for (const { effect } of joins) {
    const slot = types.findIndex((type, index) => touches(effect, type) && !joined.includes(index));
    const type = types[slot];
    if (type === undefined) continue;
    joined.push(slot);
    types.splice(slot + 1, 0, type);
    slots.splice(slot + 1, 0, slot);
  }
  for (let extra = 0; extra < advantages + ofOne.length && first !== undefined; extra += 1) {
    types.push(first);
    slots.push(asks.dice.length + extra);
  }
  const times = 2 ** Math.min(doublings, 6);
  const groups =
    times === 1 ? [] : types.map((_, at) => Array.from({ length: times }, (__, twin) => at * times + twin));
  const printed = lowestOf(asks, types.length - advantages - ofOne.length);
  return {
    types: types.flatMap((type) => Array.from({ length: times }, () => type)),
    slots: slots.flatMap((slot) => Array.from({ length: times }, () => slot)),
    groups,
    lowest: advantages + printed,
    choosers: ofOne.map(({ effect }) => effect.chooser),
    joined,
  };
}

function lowestOf(asks: Instruction, count: number): number {
  if (asks.lowest === 'allButHighest') return Math.max(0, count - 1);
  return Math.min(asks.lowest ?? 0, count);
}

/** Step 4: of doubled dice one each is kept, the lowest are ignored (a tie is the roller's choice), then chosen ones. */
export function* ignore(sheet: Sheet, plan: Plan): Course<void> {
  for (const group of plan.groups) {
    const marks = group.flatMap((index) => sheet.marks[index] ?? []);
    const option = yield* sheet.ask('keep', sheet.roller, '706.6', marks.map(dieOption));
    const kept = sheet.named(option) ?? marks[0];
    for (const mark of marks) if (mark !== kept) mark.status = 'ignored';
  }
  yield* ignoreLowest(sheet, plan.lowest);
  for (const chooser of plan.choosers) {
    const kept = sheet.kept();
    if (kept.length < 2) break;
    const option = yield* sheet.ask('ignore_one', chooser, '706.6', kept.map(dieOption));
    const gone = sheet.named(option);
    if (gone !== undefined) gone.status = 'ignored';
  }
}

/** The lowest is judged on faces (706.6); only where more are tied for it than must go is there anything to choose. */
function* ignoreLowest(sheet: Sheet, count: number): Course<void> {
  const numbered = [...sheet.numbered()].sort((one, other) => Number(one.natural) - Number(other.natural));
  const last = numbered[count - 1];
  if (last === undefined) {
    for (const mark of numbered.slice(0, Math.max(0, count))) mark.status = 'ignored';
    return;
  }
  const forced = numbered.filter((mark) => Number(mark.natural) < Number(last.natural));
  let tied: readonly Mark[] = numbered.filter((mark) => mark.natural === last.natural);
  const pick = count - forced.length;
  for (const mark of forced) mark.status = 'ignored';
  if (tied.length === pick) {
    for (const mark of tied) mark.status = 'ignored';
    return;
  }
  const indices = (marks: readonly Mark[]): number[] => marks.map((mark) => mark.index).sort((a, b) => a - b);
  sheet.tie = { forced: indices(forced), candidates: indices(tied), pick };
  for (let left = pick; left > 0; left -= 1) {
    const byIndex = [...tied].sort((one, other) => one.index - other.index);
    const gone = sheet.named(yield* sheet.ask('ignore', sheet.roller, '706.6', byIndex.map(dieOption))) ?? byIndex[0];
    if (gone !== undefined) gone.status = 'ignored';
    tied = tied.filter((mark) => mark !== gone);
  }
}
