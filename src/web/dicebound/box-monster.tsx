import { type Signal, useSignal } from '@preact/signals';
import { say } from '../language.js';
import { Field, useDeed } from '../parts/deed.js';
import { seatIdFor } from '../parts/posts.js';
import type { Room } from '../room.js';
import { useBox } from './box-source.js';
import { dieName, weaponWord } from './words.js';

const DICE = [4, 6, 8, 10, 12, 20] as const;
const MAX_NAME = 60;
/** Ids of monsters get a number behind them. */
const MAX_KIND = 26;

const START = { cost: 4, pv: 12, pa: 4, sides: 8, dice: 1, flat: 0, attackCost: 2, defence: 6, agility: 6 };
type Numbers = typeof START;

/** A monster on the fly: PV, PA, attack and defence dice, cost; it can be bought at once, and again by its name (G3, G4). */
export function MonsterEntry({ room, onEntered }: { room: Room; onEntered?: (kind: string) => void }) {
  const deed = useDeed(room);
  const box = useBox(room);
  const name = useSignal('');
  const weapon = useSignal<'physical' | 'magic'>('physical');
  const horde = useSignal(false);
  const numbers = useSignal<Numbers>(START);
  const save = (event: Event): void => {
    event.preventDefault();
    const { sides, dice, flat, attackCost, ...body } = numbers.value;
    const title = name.value.trim();
    const taken = [box.value?.monsters, box.value?.traps, box.value?.environments].flatMap((t) => Object.keys(t ?? {}));
    const id = seatIdFor(title, new Set(taken)).slice(0, MAX_KIND);
    const attack = { sides, dice: horde.value ? 1 : dice, flat, cost: attackCost };
    const monster = {
      ...body,
      name: title,
      attacks: { [weapon.value]: attack },
      ...(horde.value ? { horde: dice } : {}),
    };
    void deed.run('choose', { seat: 'gm', action: 'box', monsters: { [id]: monster } }).then((answer) => {
      if (answer.kind !== 'ack') return;
      name.value = '';
      numbers.value = START;
      onEntered?.(id);
    });
  };
  return (
    <form class="db-entry" onSubmit={save}>
      <Field label={say('db.monster.name')}>
        <input
          required
          maxLength={MAX_NAME}
          value={name.value}
          onInput={(event) => {
            name.value = event.currentTarget.value;
          }}
        />
      </Field>
      <div class="db-steps">
        <Step label={say('db.cost')} field="cost" numbers={numbers} low={0} high={100} />
        <Step label={say('counter.pv')} field="pv" numbers={numbers} low={1} high={999} />
        <Step label={say('counter.short.pa')} field="pa" numbers={numbers} low={0} high={20} />
      </div>
      <fieldset class="db-owner">
        <legend>{say('db.monster.attack')}</legend>
        <div class="db-keys">
          {(['physical', 'magic'] as const).map((one) => (
            <button
              key={one}
              type="button"
              class="button"
              aria-pressed={weapon.value === one}
              onClick={() => {
                weapon.value = one;
              }}
            >
              {weaponWord(one)}
            </button>
          ))}
          <button
            type="button"
            class="button"
            aria-pressed={horde.value}
            onClick={() => {
              horde.value = !horde.value;
            }}
          >
            {say('db.horde')}
          </button>
        </div>
      </fieldset>
      <DieChoice label={say('db.monster.attackDie')} field="sides" numbers={numbers} />
      <div class="db-steps">
        <Step
          label={say(horde.value ? 'db.monster.hordeDice' : 'db.monster.dice')}
          field="dice"
          numbers={numbers}
          low={1}
          high={50}
        />
        <Step label={say('db.monster.flat')} field="flat" numbers={numbers} low={0} high={50} />
        <Step label={say('db.monster.attackCost')} field="attackCost" numbers={numbers} low={0} high={20} />
      </div>
      <DieChoice label={say('db.stat.defence')} field="defence" numbers={numbers} />
      <DieChoice label={say('db.stat.agility')} field="agility" numbers={numbers} />
      <button type="submit" class="button button-main" disabled={deed.busy || name.value.trim() === ''}>
        {say('db.monster.keep')}
      </button>
      {deed.note}
    </form>
  );
}

interface StepProps {
  readonly label: string;
  readonly field: keyof Numbers;
  readonly numbers: Signal<Numbers>;
  readonly low: number;
  readonly high: number;
}

/** A number by thumbs: one less, one more, or typed. */
function Step({ label, field, numbers, low, high }: StepProps) {
  const put = (value: number): void => {
    numbers.value = { ...numbers.value, [field]: Math.max(low, Math.min(high, Math.round(value) || 0)) };
  };
  const value = numbers.value[field];
  return (
    <div class="db-step">
      <Field label={label}>
        <input
          class="number"
          type="number"
          inputMode="numeric"
          min={low}
          max={high}
          value={value}
          onChange={(event) => put(Number(event.currentTarget.value))}
        />
      </Field>
      <button type="button" class="button" aria-label={`${label} −1`} onClick={() => put(value - 1)}>
        −
      </button>
      <button type="button" class="button" aria-label={`${label} +1`} onClick={() => put(value + 1)}>
        +
      </button>
    </div>
  );
}

function DieChoice({ label, field, numbers }: Pick<StepProps, 'label' | 'field' | 'numbers'>) {
  return (
    <fieldset class="db-owner">
      <legend>{label}</legend>
      <div class="db-keys">
        {DICE.map((sides) => (
          <button
            key={sides}
            type="button"
            class="button db-key"
            aria-pressed={numbers.value[field] === sides}
            onClick={() => {
              numbers.value = { ...numbers.value, [field]: sides };
            }}
          >
            {dieName(sides)}
          </button>
        ))}
      </div>
    </fieldset>
  );
}
