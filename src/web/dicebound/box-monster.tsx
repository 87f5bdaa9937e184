import { type Signal, useSignal } from '@preact/signals';
import { say } from '../language.js';
import { useDeed } from '../parts/deed.js';
import { seatIdFor } from '../parts/posts.js';
import { WholeField } from '../parts/whole-field.js';
import type { Room } from '../room.js';
import { useBox } from './box-source.js';
import { Keys, NameField } from './fields.js';
import { dieName, weaponWord } from './words.js';

const DICE = [4, 6, 8, 10, 12, 20] as const;
const WEAPONS = ['physical', 'magic'] as const;
/** Ids of monsters get a number behind them. */
const MAX_KIND = 26;

const START = { cost: 4, pv: 12, pa: 4, sides: 8, dice: 1, flat: 0, attackCost: 2, defence: 6, agility: 6 };
type Numbers = typeof START;

/** What is being entered of a monster. */
interface Draft {
  readonly weapon: 'physical' | 'magic';
  readonly horde: boolean;
  readonly numbers: Numbers;
}

const EMPTY: Draft = { weapon: 'physical', horde: false, numbers: START };

/** The monster as the file of a box has it; a horde's dice attack one after another (G4). */
function monsterOf({ weapon, horde, numbers }: Draft, name: string): object {
  const { sides, dice, flat, attackCost, ...body } = numbers;
  const attack = { sides, dice: horde ? 1 : dice, flat, cost: attackCost };
  return { ...body, name, attacks: { [weapon]: attack }, ...(horde ? { horde: dice } : {}) };
}

/** A monster on the fly: PV, PA, attack and defence dice, cost; it can be bought at once, and again by its name (G3, G4). */
export function MonsterEntry({ room }: { room: Room }) {
  const deed = useDeed(room);
  const box = useBox(room);
  const name = useSignal('');
  const draft = useSignal<Draft>(EMPTY);
  const save = (event: Event): void => {
    event.preventDefault();
    const title = name.value.trim();
    const { monsters, traps, environments } = box.value ?? {};
    const taken = [monsters, traps, environments].flatMap((table) => Object.keys(table ?? {}));
    const id = seatIdFor(title, new Set(taken)).slice(0, MAX_KIND);
    const entered = { [id]: monsterOf(draft.value, title) };
    void deed.run('choose', { seat: 'gm', action: 'box', monsters: entered }).then((answer) => {
      if (answer.kind !== 'ack') return;
      name.value = '';
      draft.value = EMPTY;
    });
  };
  return (
    <form class="db-entry" onSubmit={save}>
      <NameField label={say('db.monster.name')} text={name} required />
      <div class="db-steps">
        <Step label={say('db.cost')} field="cost" draft={draft} low={0} high={100} />
        <Step label={say('counter.pv')} field="pv" draft={draft} low={1} high={999} />
        <Step label={say('counter.short.pa')} field="pa" draft={draft} low={0} high={20} />
      </div>
      <AttackFields draft={draft} />
      <DieChoice label={say('db.stat.defence')} field="defence" draft={draft} />
      <DieChoice label={say('db.stat.agility')} field="agility" draft={draft} />
      <button type="submit" class="button button-main" disabled={deed.busy || name.value.trim() === ''}>
        {say('db.monster.keep')}
      </button>
      {deed.note}
    </form>
  );
}

function AttackFields({ draft }: { draft: Signal<Draft> }) {
  const { weapon, horde } = draft.value;
  return (
    <>
      <Keys
        title={say('db.monster.attack')}
        values={[...WEAPONS, 'horde' as const]}
        text={(one) => (one === 'horde' ? say('db.horde') : weaponWord(one))}
        chosen={(one) => (one === 'horde' ? horde : weapon === one)}
        choose={(one) => {
          draft.value = one === 'horde' ? { ...draft.value, horde: !horde } : { ...draft.value, weapon: one };
        }}
        square={false}
      />
      <DieChoice label={say('db.monster.attackDie')} field="sides" draft={draft} />
      <div class="db-steps">
        <Step
          label={say(horde ? 'db.monster.hordeDice' : 'db.monster.dice')}
          field="dice"
          draft={draft}
          low={1}
          high={50}
        />
        <Step label={say('db.monster.flat')} field="flat" draft={draft} low={0} high={50} />
        <Step label={say('db.monster.attackCost')} field="attackCost" draft={draft} low={0} high={20} />
      </div>
    </>
  );
}

interface NumberProps {
  readonly label: string;
  readonly field: keyof Numbers;
  readonly draft: Signal<Draft>;
}

const put = (draft: Signal<Draft>, field: keyof Numbers, value: number): void => {
  draft.value = { ...draft.value, numbers: { ...draft.value.numbers, [field]: value } };
};

/** A number by thumbs: one less, one more, or typed. */
function Step({ label, field, draft, low, high }: NumberProps & { readonly low: number; readonly high: number }) {
  const value = draft.value.numbers[field];
  const set = (wanted: number): void => put(draft, field, Math.max(low, Math.min(high, Math.round(wanted) || 0)));
  return (
    <div class="db-step">
      <WholeField label={label} value={value} min={low} max={high} onInput={(text) => set(Number(text))} />
      <button type="button" class="button" aria-label={`${label} −1`} onClick={() => set(value - 1)}>
        −
      </button>
      <button type="button" class="button" aria-label={`${label} +1`} onClick={() => set(value + 1)}>
        +
      </button>
    </div>
  );
}

function DieChoice({ label, field, draft }: NumberProps) {
  return (
    <Keys
      title={label}
      values={DICE}
      text={dieName}
      chosen={(sides) => draft.value.numbers[field] === sides}
      choose={(sides) => put(draft, field, sides)}
    />
  );
}
