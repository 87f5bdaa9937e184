import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { say } from '../language.js';
import { Field, Select, useDeed } from '../parts/deed.js';
import { DieFace } from '../parts/die.js';
import { seatIdFor } from '../parts/posts.js';
import type { Room } from '../room.js';
import { KeptList } from './box-list.js';
import { useBox } from './box-source.js';
import { NameField } from './fields.js';
import { type HeroClass, heroOf, own, readDicebound, STATS } from './game.js';
import { dieName, named, statWord } from './words.js';

const DICE = [4, 8, 10, 12] as const;

/** Which class this board is of: one of the box, or a new one laid out here (D1). */
export function ClassChoice({ room, seat }: { room: Room; seat: string }) {
  const deed = useDeed(room);
  const box = useBox(room);
  const view = room.view.value;
  const hero = view === null ? undefined : heroOf(readDicebound(view), seat);
  const asGm = room.door.role === 'gm';
  const choose = (id: string) =>
    deed.run('choose', { seat: asGm ? 'gm' : seat, action: 'class', class: id, ...(asGm ? { who: seat } : {}) });
  if (box.value === null || hero === undefined) return null;
  const classes = Object.entries(box.value.classes);
  const known = own(box.value.classes, hero.class) !== undefined;
  return (
    <div class="db-class">
      <Field label={say('db.class')}>
        <Select
          value={hero.class}
          choices={[
            ...(known ? [] : [[hero.class, hero.class] as const]),
            ...classes.map(([id, one]) => [id, named(one.name, id)] as const),
          ]}
          onChoose={(id) => void choose(id)}
        />
      </Field>
      {deed.note}
      {asGm ? null : (
        <details class="more">
          <summary>{say('db.classNew')}</summary>
          <ClassEntry room={room} by={seat} onEntered={choose} />
        </details>
      )}
    </div>
  );
}

/** The classes of the box, each to be changed or taken out, and a new one. */
export function BoxClasses({ room }: { room: Room }) {
  const box = useBox(room);
  const changed = useSignal('');
  const classes = Object.entries(box.value?.classes ?? {});
  const diceOf = ({ dice }: HeroClass): string =>
    STATS.map((stat) => `${statWord(stat)} ${dieName(dice[stat])}`).join(' · ');
  return (
    <>
      <KeptList
        room={room}
        kind="classes"
        kept={classes.map(([id, one]) => ({ id, title: named(one.name, id), text: diceOf(one) }))}
        change={(id) => {
          changed.value = id;
        }}
      />
      <ClassEntry
        key={changed.value}
        room={room}
        by="gm"
        kept={changed.value}
        onEntered={() => {
          changed.value = '';
        }}
      />
    </>
  );
}

interface ClassEntryProps {
  readonly room: Room;
  readonly by: string;
  /** The class of the box that is changed; none for a new one. */
  readonly kept?: string;
  readonly onEntered?: (id: string) => unknown;
}

/** A class by laying d4, d8, d10 and d12 on the four statistics: a tap each, the last die lies by itself. */
export function ClassEntry({ room, by, kept, onEntered }: ClassEntryProps) {
  const deed = useDeed(room);
  const box = useBox(room);
  const was = own(box.value?.classes, kept);
  const name = useSignal('');
  const laid = useSignal<readonly number[]>([]);
  useEffect(() => {
    if (was === undefined || name.value !== '') return;
    name.value = named(was.name, kept ?? '');
    laid.value = STATS.map((stat) => was.dice[stat]);
  }, [was, kept, name, laid]);
  const save = (): void => {
    const dice = Object.fromEntries(STATS.map((stat, at) => [stat, laid.value[at]]));
    const title = name.value.trim();
    const id = was === undefined ? seatIdFor(title, new Set(Object.keys(box.value?.classes ?? {}))) : (kept ?? '');
    const names = named(was?.name, '') === title ? was?.name : title;
    void deed.run('choose', { seat: by, action: 'box', classes: { [id]: { name: names, dice } } }).then((answer) => {
      if (answer.kind !== 'ack') return;
      name.value = '';
      laid.value = [];
      onEntered?.(id);
    });
  };
  return (
    <div class="db-entry">
      <NameField label={say('db.className')} text={name} />
      <LaidDice laid={laid} />
      <div class="row">
        <button
          type="button"
          class="button button-main"
          disabled={deed.busy || laid.value.length < STATS.length || name.value.trim() === ''}
          onClick={save}
        >
          {say('app.save')}
        </button>
        <button
          type="button"
          class="button"
          disabled={laid.value.length === 0}
          onClick={() => {
            laid.value = [];
          }}
        >
          {say('db.layAgain')}
        </button>
      </div>
      {deed.note}
    </div>
  );
}

/** The four statistics with the dice that lie on them, and the dice that are left. */
function LaidDice({ laid }: { laid: Signal<readonly number[]> }) {
  const rest = DICE.filter((die) => !laid.value.includes(die));
  const lay = (die: number): void => {
    const next = [...laid.value, die];
    const last = DICE.find((one) => !next.includes(one));
    laid.value = next.length === STATS.length - 1 && last !== undefined ? [...next, last] : next;
  };
  return (
    <>
      <ul class="db-lay">
        {STATS.map((stat, at) => (
          <li key={stat} class={at === laid.value.length ? 'db-lay-now' : ''}>
            <span>{statWord(stat)}</span>
            {laid.value[at] === undefined ? (
              <span class="quiet">–</span>
            ) : (
              <DieFace type={`d${laid.value[at]}`} text={String(laid.value[at])} size={40} />
            )}
          </li>
        ))}
      </ul>
      {rest.length === 0 ? null : (
        <div class="db-keys">
          {rest.map((die) => (
            <button key={die} type="button" class="button db-key" onClick={() => lay(die)}>
              {dieName(die)}
            </button>
          ))}
        </div>
      )}
    </>
  );
}
