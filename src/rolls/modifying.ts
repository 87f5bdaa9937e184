import type { Course } from './course.js';
import { type Effect, MAX_THROWS, type Option } from './instruction.js';
import { dieOption, type Mark, type Sheet, touches } from './sheet.js';

interface Offer {
  readonly effect: Effect;
  readonly index: number;
  readonly mark: Mark;
  readonly amount?: number;
}

/**
 * Among the effects of several players the roller says whose is considered first (706.2b); the owner then decides.
 * @returns the offers of one player
 */
function* considered<O extends Offer>(sheet: Sheet, offers: readonly O[]): Course<readonly O[]> {
  const owners = [...new Set(offers.map(({ effect }) => effect.by))];
  if (owners.length < 2) return offers;
  const option = yield* sheet.ask(
    'order',
    sheet.roller,
    '706.2b',
    owners.map((first) => ({ first })),
  );
  const first = typeof option === 'object' && 'first' in option ? option.first : owners[0];
  return offers.filter(({ effect }) => effect.by === first);
}

const optionOf = ({ effect, index, mark, amount }: Offer): Option => ({
  effect: index,
  source: effect.source,
  die: mark.index,
  natural: mark.natural,
  ...(effect.cost === undefined ? {} : { cost: effect.cost }),
  ...(amount === undefined ? {} : { by: amount }),
});

const offerOf = <O extends Offer>(offers: readonly O[], option: Option): O | undefined =>
  typeof option === 'object' && 'effect' in option
    ? offers.find(
        (offer) => offer.index === option.effect && offer.mark.index === option.die && offer.amount === option.by,
      )
    : undefined;

/** Step 5: re-rolls, as often as a face is offered one (706.2b); the condition reads the natural face. */
export function* reroll(sheet: Sheet): Course<void> {
  const settled = new Set<string>();
  const counted = new Set<string>();
  while (sheet.marks.length < MAX_THROWS) {
    const open = sheet.effects('reroll').flatMap(({ effect, index }) =>
      sheet
        .numbered()
        .filter((mark) => sheet.usable(index) && touches(effect, mark.place.type))
        .filter((mark) => effect.natural === undefined || mark.natural === effect.natural)
        .map((mark) => ({ effect, index, mark })),
    );
    for (const { effect, index, mark } of open) {
      counted.add(effect.natural === undefined ? `${index}` : `${index}.${mark.index}`);
    }
    sheet.offers.reroll = counted.size;
    const offers = open.filter(({ index, mark }) => !settled.has(`${index}.${mark.index}`));
    if (offers.length === 0) return;
    const mine = yield* considered(sheet, offers);
    const pass: Option[] = mine.every(({ effect }) => effect.mandatory === true) ? [] : ['pass'];
    const who = mine[0]?.effect.by ?? sheet.roller;
    const taken = offerOf(mine, yield* sheet.ask('reroll', who, '706.2b', [...mine.map(optionOf), ...pass]));
    if (taken === undefined) {
      for (const { index, mark } of mine) settled.add(`${index}.${mark.index}`);
      continue;
    }
    const marks = [taken.mark];
    if (taken.effect.many === true) marks.push(...(yield* further(sheet, taken.effect, taken.mark)));
    sheet.apply(taken.effect, taken.index, 'reroll');
    yield* sheet.rethrow(marks.sort((one, other) => one.slot - other.slot));
  }
}

/** One payment re-rolls any number of the dice: which more? */
function* further(sheet: Sheet, effect: Extract<Effect, { kind: 'reroll' }>, first: Mark): Course<readonly Mark[]> {
  const chosen: Mark[] = [];
  for (;;) {
    const left = sheet
      .numbered()
      .filter((mark) => mark !== first && !chosen.includes(mark) && touches(effect, mark.place.type));
    if (left.length === 0) return chosen;
    const mark = sheet.named(yield* sheet.ask('reroll_more', effect.by, '706.2a', [...left.map(dieOption), 'pass']));
    if (mark === undefined) return chosen;
    chosen.push(mark);
  }
}

/** Step 6: what must be added, then what may be, each paid by its owner (706.2a). Nothing is clamped. */
export function* adjust(sheet: Sheet): Course<void> {
  for (const { effect } of sheet.effects('adjustEach')) {
    for (const mark of sheet.numbered()) if (touches(effect, mark.place.type)) sheet.add(mark, effect, effect.amount);
  }
  const passed = new Set<string>();
  for (let done = 0; done < MAX_THROWS; done += 1) {
    const offers = sheet.effects('adjust').flatMap(({ effect, index }) =>
      sheet
        .numbered()
        .filter((mark) => sheet.usable(index) && touches(effect, mark.place.type))
        .flatMap((mark) => effect.amounts.map((amount) => ({ effect, index, mark, amount }))),
    );
    sheet.offers.adjust = Math.max(sheet.offers.adjust, offers.length);
    const open = offers.filter(({ effect }) => !passed.has(effect.by));
    if (open.length === 0) return;
    const mine = yield* considered(sheet, open);
    const who = mine[0]?.effect.by ?? sheet.roller;
    const taken = offerOf(mine, yield* sheet.ask('adjust', who, '706.2a', [...mine.map(optionOf), 'pass']));
    if (taken === undefined) {
      passed.add(who);
      continue;
    }
    sheet.add(taken.mark, taken.effect, taken.amount);
    sheet.apply(taken.effect, taken.index, 'adjust');
  }
}

/** Step 8: a result is exchanged with another value; a planar die has none to give (706.7). */
export function* exchange(sheet: Sheet, resultOf: (mark: Mark) => number): Course<void> {
  for (const { effect, index } of sheet.effects('exchange')) {
    const dice = sheet.numbered().filter((mark) => sheet.usable(index) && touches(effect, mark.place.type));
    sheet.offers.exchange += dice.length;
    if (dice.length === 0) continue;
    const options = dice.map(
      (mark): Option => ({
        effect: index,
        source: effect.source,
        die: mark.index,
        natural: mark.natural,
        with: effect.value,
      }),
    );
    const mark = sheet.named(yield* sheet.ask('exchange', effect.by, '706.7', [...options, 'pass']));
    if (mark === undefined) continue;
    sheet.exchange = { from: resultOf(mark), to: effect.value };
    mark.exchanged = effect.value;
    sheet.apply(effect, index, 'exchange');
  }
}
