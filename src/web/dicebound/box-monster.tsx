import { type Signal, useSignal } from '@preact/signals';
import { say } from '../language.js';
import { useDeed } from '../parts/deed.js';
import type { Room } from '../room.js';
import { KeptList } from './box-list.js';
import { boughtId, useBox } from './box-source.js';
import { Keys, NameField, SaveButton, Step } from './fields.js';
import { type Box, type MonsterKind, own } from './game.js';
import { dieName, kindText, named, weaponWord } from './words.js';

const DICE = [4, 6, 8, 10, 12, 20] as const;
const WEAPONS = ['physical', 'magic'] as const;
const START = { cost: 4, pv: 12, pa: 4, sides: 8, dice: 1, flat: 0, attackCost: 2, defence: 6, agility: 6 };
type Numbers = typeof START;

/** What is being entered of a monster; `id` and `was` where one that is kept is changed. */
interface Draft {
  readonly id: string | null;
  readonly was: Partial<MonsterKind>;
  readonly weapon: 'physical' | 'magic';
  readonly horde: boolean;
  readonly numbers: Numbers;
}

const EMPTY: Draft = { id: null, was: {}, weapon: 'physical', horde: false, numbers: START };

/** The monster as the file of a box has it; a horde's dice attack one after another (G4). What is not asked here stays. */
function monsterOf({ was, weapon, horde, numbers }: Draft, name: string): object {
  const { sides, dice, flat, attackCost, ...body } = numbers;
  const { horde: _, ...kept } = was;
  const attack = { sides, dice: horde ? 1 : dice, flat, cost: attackCost };
  const names = named(was.name, '') === name ? was.name : name;
  const attacks = { ...was.attacks, [weapon]: attack };
  return { ...kept, ...body, name: names, attacks, ...(horde ? { horde: dice } : {}) };
}

/** The numbers of one attack of a monster that is changed; of a weapon it has not, those that stand there. */
function attackNumbers({ was, numbers }: Draft, weapon: Draft['weapon']): Numbers {
  const attack = was.attacks?.[weapon];
  if (attack === undefined) return numbers;
  const { sides, dice, flat, cost } = attack;
  return { ...numbers, sides, dice: was.horde ?? dice, flat, attackCost: cost };
}

function draftOf(id: string, was: MonsterKind): Draft {
  const { cost, pv, pa, defence, agility } = was;
  const weapon = was.attacks.physical === undefined ? 'magic' : 'physical';
  const numbers = { ...START, cost, pv, pa, defence, agility };
  const draft = { id, was, weapon, horde: was.horde !== undefined, numbers } as const;
  return { ...draft, numbers: attackNumbers(draft, weapon) };
}

/** The monsters of the box, each to be changed or taken out, and a new one. */
export function MonsterEntry({ room }: { room: Room }) {
  const box = useBox(room);
  const name = useSignal('');
  const draft = useSignal<Draft>(EMPTY);
  const monsters = Object.entries(box.value?.monsters ?? {});
  return (
    <>
      <KeptList
        room={room}
        kind="monsters"
        kept={monsters.map(([id, kind]) => ({ id, title: named(kind.name, id), text: kindText(kind) }))}
        change={(id) => {
          const kind = own(box.value?.monsters, id);
          if (kind === undefined) return;
          draft.value = draftOf(id, kind);
          name.value = named(kind.name, id);
        }}
      />
      <MonsterForm room={room} box={box.value} name={name} draft={draft} />
    </>
  );
}

/** A monster on the fly, to be bought at once. */
export function NewMonster({ room }: { room: Room }) {
  const box = useBox(room);
  return <MonsterForm room={room} box={box.value} name={useSignal('')} draft={useSignal<Draft>(EMPTY)} />;
}

interface FormProps {
  readonly room: Room;
  readonly box: Box | null;
  readonly name: Signal<string>;
  readonly draft: Signal<Draft>;
}

/** PV, PA, attack and defence dice, cost; kept, it can be bought at once, and again by its name (G3, G4). */
function MonsterForm({ room, box, name, draft }: FormProps) {
  const deed = useDeed(room);
  const { id } = draft.value;
  const save = (event: Event): void => {
    event.preventDefault();
    const title = name.value.trim();
    const entered = { [id ?? boughtId(box, title)]: monsterOf(draft.value, title) };
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
        <NumberStep label={say('db.cost')} field="cost" draft={draft} low={0} high={100} />
        <NumberStep label={say('counter.pv')} field="pv" draft={draft} low={1} high={999} />
        <NumberStep label={say('counter.short.pa')} field="pa" draft={draft} low={0} high={20} />
      </div>
      <AttackFields draft={draft} />
      <DieChoice label={say('db.stat.defence')} field="defence" draft={draft} />
      <DieChoice label={say('db.stat.agility')} field="agility" draft={draft} />
      <SaveButton text={say(id === null ? 'db.monster.keep' : 'app.save')} busy={deed.busy} name={name} />
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
          draft.value =
            one === 'horde'
              ? { ...draft.value, horde: !horde }
              : { ...draft.value, weapon: one, numbers: attackNumbers(draft.value, one) };
        }}
        square={false}
      />
      <DieChoice label={say('db.monster.attackDie')} field="sides" draft={draft} />
      <div class="db-steps">
        <NumberStep
          label={say(horde ? 'db.monster.hordeDice' : 'db.monster.dice')}
          field="dice"
          draft={draft}
          low={1}
          high={50}
        />
        <NumberStep label={say('db.monster.flat')} field="flat" draft={draft} low={0} high={50} />
        <NumberStep label={say('db.monster.attackCost')} field="attackCost" draft={draft} low={0} high={20} />
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

function NumberStep({ label, field, draft, low, high }: NumberProps & { readonly low: number; readonly high: number }) {
  const value = draft.value.numbers[field];
  return <Step label={label} value={value} low={low} high={high} set={(wanted) => put(draft, field, wanted)} />;
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
