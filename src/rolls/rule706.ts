import { sidesOf } from '../dice/die.js';
import { type Course, thrown } from './course.js';
import { formulaCourse } from './formula-course.js';
import { enlarge, ignore } from './ignoring.js';
import type { Instruction } from './instruction.js';
import { adjust, exchange, reroll } from './modifying.js';
import { type Account, type Cast, type Outcome, plainOutcome, rolledDice } from './outcome.js';
import { areDoubles, read } from './reading.js';
import { dieOption, type Mark, Sheet } from './sheet.js';

/** The course of one instruction in the order of work of rule 706 (rule706, section 2). */
export function* course(asks: Instruction): Course {
  if (asks.formula !== undefined) return yield* formulaCourse(asks, asks.formula);
  if (isPlain(asks)) return plainOutcome(asks, yield* thrown(asks.dice));
  const sheet = new Sheet(asks);
  const plan = enlarge(sheet);
  const places = yield* thrown(plan.types);
  for (const [at, place] of places.entries()) sheet.lay(plan.slots[at] ?? at, place);
  yield* ignore(sheet, plan);
  yield* reroll(sheet);
  yield* adjust(sheet);
  const results = new Results(sheet, plan.joined);
  yield* exchange(sheet, (mark) => results.of(mark));
  const chosen = yield* choose(sheet);
  return tell(sheet, results, chosen);
}

/** What the kept dice came to. The printed modifier goes to a lone result, else to the total alone. */
class Results {
  readonly #sheet: Sheet;
  readonly #joined: readonly number[];
  readonly #printed: number;
  readonly #lone: boolean;

  /** Made once nothing is ignored or thrown again any more. */
  constructor(sheet: Sheet, joined: readonly number[]) {
    this.#sheet = sheet;
    this.#lone = sheet.kept().length === 1;
    this.#joined = joined;
    this.#printed = sheet.asks.modifiers.reduce((sum, modifier) => sum + modifier.amount, 0);
  }

  /** The result of one die; of dice that count as one, its part. */
  of(mark: Mark): number {
    if (mark.exchanged !== undefined) return mark.exchanged;
    const lone = this.#lone ? this.#printed : 0;
    return Number(mark.natural) + mark.added + lone;
  }

  /** Results of the kept dice in order; joined dice have one. */
  all(): readonly number[] {
    const kept = this.#sheet.numbered();
    const bySlot = new Map<number, number>();
    for (const mark of kept) bySlot.set(mark.slot, (bySlot.get(mark.slot) ?? 0) + this.of(mark));
    const results = kept.flatMap((mark, at) =>
      this.#joined.includes(mark.slot) && kept[at - 1]?.slot === mark.slot ? [] : [bySlot.get(mark.slot) ?? 0],
    );
    return results.length === 1 && kept.length > 1 ? [(results[0] ?? 0) + this.#printed] : results;
  }

  /** Their sum with the printed modifier; null where nothing was rolled (706.1). */
  total(): number | null {
    const results = this.all();
    if (results.length === 0) return null;
    const sum = results.reduce((total, result) => total + result, 0);
    return results.length === 1 ? sum : sum + this.#printed;
  }
}

/** Step 9, where the card says to choose one result and to use the other too (706.4). */
function* choose(sheet: Sheet): Course<number | undefined> {
  const kept = sheet.numbered();
  if (sheet.asks.use?.kind !== 'choose' || kept.length === 0) return undefined;
  if (kept.length === 1) return 0;
  const mark = sheet.named(yield* sheet.ask('choose', sheet.roller, '706.4', kept.map(dieOption)));
  return mark === undefined ? undefined : kept.indexOf(mark);
}

function tell(sheet: Sheet, results: Results, chosen: number | undefined): Outcome {
  const { asks, marks } = sheet;
  const casts = marks.map((mark): Cast => {
    const number = mark.status === 'kept' && typeof mark.natural === 'number';
    const result = number ? results.of(mark) : mark.natural;
    return { slot: mark.slot, sides: sidesOf(mark.place.type), natural: mark.natural, result, status: mark.status };
  });
  const dice = marks.flatMap(({ place }, index) => {
    const cast = casts[index];
    return cast === undefined ? [] : rolledDice(place, cast, asks.percentile);
  });
  const kept = sheet.kept();
  const values = results.all();
  const total = results.total();
  const lone = kept.length === 1 ? kept[0]?.natural : undefined;
  const account = accountOf(sheet, casts, values, total, chosen);
  const [row] = account.reading.rows ?? [];
  const twins = asks.use?.kind === 'doubles' || asks.use?.kind === 'list' ? areDoubles(values) : undefined;
  return {
    dice,
    modifiers: [...asks.modifiers, ...sheet.added],
    ...(typeof lone === 'number' ? { natural: lone } : {}),
    ...(values.length === 1 && total !== null && (kept.length > 1 || typeof lone === 'number')
      ? { result: total }
      : {}),
    ...(typeof lone === 'string' ? { planar: lone } : {}),
    ...(total === null || kept.length !== sheet.numbered().length ? {} : { total }),
    ...(row === undefined ? {} : { row }),
    ...(twins === undefined ? {} : { doubles: twins }),
    account,
  };
}

/** True if nothing changes this roll and nothing is made of its results. */
export const isPlain = ({ effects, lowest, use, formula }: Instruction): boolean =>
  (effects === undefined || effects.length === 0) && lowest === undefined && use === undefined && formula === undefined;

function accountOf(
  sheet: Sheet,
  casts: readonly Cast[],
  results: readonly number[],
  total: number | null,
  chosen: number | undefined,
): Account {
  const kept = sheet.kept();
  const indices = (status: Cast['status']): number[] =>
    casts.flatMap((cast, index) => (cast.status === status ? [index] : []));
  return {
    casts,
    kept: kept.map((mark) => mark.index),
    naturals: kept.map((mark) => mark.natural),
    results,
    ignored: indices('ignored'),
    replaced: indices('rerolled'),
    tie: sheet.tie,
    decisions: sheet.decisions,
    paid: sheet.paid,
    offers: sheet.offers,
    order: sheet.order,
    ...(sheet.exchange === undefined ? {} : { exchanged: sheet.exchange }),
    reading: read(sheet.asks.use ?? { kind: 'none' }, results, total, chosen),
  };
}
