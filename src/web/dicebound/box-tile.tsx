import { type Signal, useSignal } from '@preact/signals';
import { say } from '../language.js';
import { useDeed } from '../parts/deed.js';
import type { Room } from '../room.js';
import { SavedTile } from './box-saved.js';
import { useBox } from './box-source.js';
import { Keys } from './fields.js';
import { type Box, own, SLOTS, type Slot, STATS, type Tile } from './game.js';
import { bonusOf, dieName, paWord, shortName, slotWord, statWord } from './words.js';

const DIGITS = 3;
const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '0'] as const;
const DOTS = [1, 2, 3, 4, 5, 6] as const;

type Bonus = Pick<Tile, 'flat' | 'die' | 'heal' | 'pa' | 'stat' | 'star'>;

const FLAT = [1, 2, 3, 4, 5, 6] as const;
const BONUS_DICE = [4, 6, 8, 10, 12] as const;
const HEALS = [3, 5, 8, 10, 12, 20] as const;
const PA_GAINS = [1, 2, 3] as const;

/** A group of bonuses, one touch each. */
interface Group {
  readonly title: string;
  readonly bonuses: readonly Bonus[];
}

function groupsFor(slot: Slot): readonly Group[] {
  const star: Group = { title: say('db.bonus.star'), bonuses: [{ star: true }] };
  if (slot !== 'accessory') {
    const all = [...FLAT.map((flat) => ({ flat })), ...BONUS_DICE.map((die) => ({ die }))];
    return [{ title: say('db.bonus'), bonuses: [...all, { star: true }] }];
  }
  const raising = STATS.map((stat) => ({
    title: statWord(stat),
    bonuses: [
      ...FLAT.slice(0, 3).map((flat) => ({ stat, flat })),
      ...BONUS_DICE.slice(0, 3).map((die) => ({ stat, die })),
    ],
  }));
  return [
    { title: say('db.bonus.potion'), bonuses: HEALS.map((heal) => ({ heal })) },
    { title: say('db.paLong'), bonuses: PA_GAINS.map((pa) => ({ pa })) },
    ...raising,
    star,
  ];
}

/** What has been touched so far of a tile. */
interface Draft {
  readonly number: string;
  readonly slot: Slot | null;
  readonly class: string | null;
  readonly cost: number | null;
  readonly bonus: Bonus | null;
}

const EMPTY: Draft = { number: '', slot: null, class: null, cost: null, bonus: null };

type Step = 'number' | 'known' | 'slot' | 'cost' | 'bonus' | 'done';

/** The next touch: weapons tell their dots before their bonus, accessories after it; armour has none (T2). */
function stepOf(draft: Draft, saved: Tile | undefined, again: boolean): Step {
  const { number, slot, cost, bonus } = draft;
  if (number.length < DIGITS) return 'number';
  if (saved !== undefined && !again) return bonus === null ? 'known' : 'done';
  if (slot === null) return 'slot';
  if (cost === null && slot !== 'accessory') return 'cost';
  if (bonus === null) return 'bonus';
  return cost === null ? 'cost' : 'done';
}

interface EntryProps {
  readonly room: Room;
  /** Who enters it: a seat, or `gm`. */
  readonly by: string;
  /** The number, where it is known already. */
  readonly number?: string;
  readonly onEntered?: (id: string) => void;
}

/** A tile from what is printed on it, at most six touches: three digits, slot and class in one, dots, bonus. The last saves. */
export function TileEntry({ room, by, number, onEntered }: EntryProps) {
  const deed = useDeed(room);
  const box = useBox(room);
  const draft = useSignal<Draft>({ ...EMPTY, number: number ?? '' });
  const again = useSignal(false);
  const { value } = draft;
  const saved = own(box.value?.tiles, value.number);
  const step = stepOf(value, saved, again.value);
  const change = (part: Partial<Draft>): void => {
    const next = { ...draft.value, ...part };
    draft.value = next;
    if (next.slot === null || next.cost === null || next.bonus === null) return;
    const { slot, class: owner, cost, bonus } = next;
    const tile = { slot, cost, ...bonus, ...(owner === null ? {} : { class: owner }) };
    void deed.run('choose', { seat: by, action: 'box', tiles: { [next.number]: tile } }).then((answer) => {
      if (answer.kind !== 'ack') return;
      again.value = false;
      onEntered?.(next.number);
    });
  };
  const restart = (): void => {
    draft.value = EMPTY;
    again.value = false;
  };
  return (
    <div class="db-entry" data-step={step}>
      <h3>{say('db.tile.enter')}</h3>
      <Told draft={value} box={box.value} />
      {step === 'number' ? <NumberKeys draft={draft} /> : null}
      {step === 'slot' ? <SlotKeys box={box.value} choose={(slot, owner) => change(slotPart(slot, owner))} /> : null}
      {step === 'cost' ? <CostKeys none={value.slot === 'accessory'} choose={(cost) => change({ cost })} /> : null}
      {step === 'bonus' && value.slot !== null ? (
        <BonusKeys slot={value.slot} choose={(bonus) => change(bonusPart(bonus))} />
      ) : null}
      {saved !== undefined && (step === 'known' || step === 'done') ? (
        <SavedTile id={value.number} tile={saved} deed={deed} by={by} />
      ) : null}
      {deed.note}
      {value.number === '' ? null : (
        <div class="row">
          <button type="button" class="button" onClick={restart}>
            {step === 'known' || step === 'done' ? say('db.tile.another') : say('db.tile.restart')}
          </button>
          {step === 'known' || step === 'done' ? (
            <button
              type="button"
              class="button"
              onClick={() => {
                draft.value = { ...EMPTY, number: value.number };
                again.value = true;
              }}
            >
              {say('db.tile.again')}
            </button>
          ) : null}
        </div>
      )}
    </div>
  );
}

/** Armour costs nothing (T2); what raises a roll costs nothing either. */
const slotPart = (slot: Slot, owner: string | null): Partial<Draft> => ({
  slot,
  class: owner,
  ...(slot === 'armour' ? { cost: 0 } : {}),
});
const bonusPart = (bonus: Bonus): Partial<Draft> => ({ bonus, ...(bonus.stat === undefined ? {} : { cost: 0 }) });

function Told({ draft, box }: { draft: Draft; box: Box | null }) {
  const { number, slot, class: owner, cost, bonus } = draft;
  const parts = [
    ...(slot === null ? [] : [slotWord(slot)]),
    ...(slot === null ? [] : [owner === null ? say('db.noClass') : shortName(own(box?.classes, owner)?.name, owner)]),
    ...(cost === null || slot === null ? [] : [paWord(cost)]),
    ...(bonus === null || slot === null ? [] : [bonusOf({ slot, ...bonus })]),
  ];
  return (
    <p class="db-told" aria-live="polite">
      <strong class="db-number">{number.padEnd(DIGITS, '·')}</strong> {parts.join(' · ')}
    </p>
  );
}

function NumberKeys({ draft }: { draft: Signal<Draft> }) {
  const type = (digit: string): void => {
    draft.value = { ...draft.value, number: `${draft.value.number}${digit}`.slice(0, DIGITS) };
  };
  return (
    <>
      <p class="quiet">{say('db.tile.which')}</p>
      <div class="db-keys db-keys-digits">
        {KEYS.map((digit) => (
          <button key={digit} type="button" class="button db-key" onClick={() => type(digit)}>
            {digit}
          </button>
        ))}
      </div>
    </>
  );
}

function SlotKeys({ box, choose }: { box: Box | null; choose: (slot: Slot, owner: string | null) => void }) {
  const owners = [null, ...Object.keys(box?.classes ?? {})];
  return (
    <>
      <p class="quiet">{say('db.tile.slotAndClass')}</p>
      {owners.map((owner) => (
        <fieldset key={owner ?? ''} class="db-owner">
          <legend>{owner === null ? say('db.noClass') : shortName(own(box?.classes, owner)?.name, owner)}</legend>
          <div class="db-keys db-keys-slots">
            {SLOTS.map((slot) => (
              <button
                key={slot}
                type="button"
                class="button db-key db-key-word"
                data-slot={`${owner ?? ''}.${slot}`}
                onClick={() => choose(slot, owner)}
              >
                {slotWord(slot)}
              </button>
            ))}
          </div>
        </fieldset>
      ))}
    </>
  );
}

function CostKeys({ none, choose }: { none: boolean; choose: (cost: number) => void }) {
  return (
    <>
      <p class="quiet">{say('db.tile.dots')}</p>
      <div class="db-keys">
        {none ? (
          <button type="button" class="button db-key" onClick={() => choose(0)}>
            {say('db.tile.noDots')}
          </button>
        ) : null}
        {DOTS.map((n) => (
          <button
            key={n}
            type="button"
            class="button db-key db-key-dots"
            aria-label={paWord(n)}
            onClick={() => choose(n)}
          >
            {'●'.repeat(n)}
          </button>
        ))}
      </div>
    </>
  );
}

function BonusKeys({ slot, choose }: { slot: Slot; choose: (bonus: Bonus) => void }) {
  return (
    <>
      {groupsFor(slot).map(({ title, bonuses }) => (
        <Keys key={title} title={title} values={bonuses} text={keyText} choose={choose} />
      ))}
    </>
  );
}

function keyText({ flat, die, heal, pa, star }: Bonus): string {
  if (star !== undefined) return '★';
  if (die !== undefined) return dieName(die);
  return `+${flat ?? heal ?? pa ?? 0}`;
}
