import { useSignal } from '@preact/signals';
import type { Awaited } from '../../wire/envelope.js';
import type { TableView } from '../../wire/view.js';
import { say } from '../language.js';
import { Field, Select, useDeed } from '../parts/deed.js';
import type { Room } from '../room.js';
import { nameOf } from '../wording.js';
import { type DiceboundState, heroOf, own, STATS, type Stat } from './game.js';
import { valuesOf } from './todo.js';
import { dieName, named, statWord } from './words.js';

/** Calls a check: who, which statistic, how hard; passed, it may disarm a trap (E1, G11). */
export function Check({
  room,
  view,
  state,
  call,
}: {
  room: Room;
  view: TableView;
  state: DiceboundState;
  call: Awaited;
}) {
  const deed = useDeed(room);
  const spec = call.actions?.find((one) => one.action === 'check') ?? {};
  const people = valuesOf(spec, 'who');
  const who = useSignal('');
  const stat = useSignal<Stat>('agility');
  const difficulty = useSignal('6');
  const trap = useSignal('');
  const chosen = people.includes(who.value) ? who.value : (people[0] ?? '');
  const traps = Object.entries(state.room?.traps ?? {}).filter(([, one]) => !one.done);
  const ask = (event: Event): void => {
    event.preventDefault();
    const disarm = traps.some(([id]) => id === trap.value) ? { trap: trap.value } : {};
    void deed.run('choose', {
      seat: 'gm',
      call: call.id,
      action: 'check',
      who: chosen,
      stat: stat.value,
      difficulty: Number(difficulty.value),
      ...disarm,
    });
  };
  return (
    <details class="more">
      <summary>{say('db.check')}</summary>
      <form class="db-entry" onSubmit={ask}>
        <Field label={say('db.check.who')}>
          <Select
            value={chosen}
            choices={people.map((seat) => [seat, nameOf(view, seat)] as const)}
            onChoose={(seat) => {
              who.value = seat;
            }}
          />
        </Field>
        <div class="db-keys db-keys-stats">
          {STATS.map((one) => {
            const sides = heroOf(state, chosen)?.dice[one];
            return (
              <button
                key={one}
                type="button"
                class="button"
                aria-pressed={stat.value === one}
                onClick={() => {
                  stat.value = one;
                }}
              >
                <span>
                  {statWord(one)} {sides === undefined ? '' : dieName(sides)}
                  <span class="quiet db-hint">{say(`db.check.${one}`)}</span>
                </span>
              </button>
            );
          })}
        </div>
        <Field label={say('db.check.difficulty')}>
          <input
            class="number"
            type="number"
            inputMode="numeric"
            min={1}
            max={99}
            required
            value={difficulty.value}
            onInput={(event) => {
              difficulty.value = event.currentTarget.value;
            }}
          />
        </Field>
        {traps.length === 0 ? null : (
          <Field label={say('db.check.disarms')}>
            <Select
              value={trap.value}
              choices={[
                ['', say('db.check.nothing')] as const,
                ...traps.map(([id, { kind }]) => [id, named(own(state.box.traps, kind)?.name, kind)] as const),
              ]}
              onChoose={(id) => {
                trap.value = id;
              }}
            />
          </Field>
        )}
        <button type="submit" class="button button-main" disabled={deed.busy || chosen === ''}>
          {say('db.check.ask')}
        </button>
        {deed.note}
      </form>
    </details>
  );
}
