import { type Signal, useSignal } from '@preact/signals';
import type { Awaited } from '../../wire/envelope.js';
import type { TableView } from '../../wire/view.js';
import { say } from '../language.js';
import { Field, Select, useDeed } from '../parts/deed.js';
import { WholeField } from '../parts/whole-field.js';
import type { Room } from '../room.js';
import { nameOf } from '../wording.js';
import { type DiceboundState, heroOf, own, STATS, type Stat, valuesOf } from './game.js';
import { dieName, named, statWord } from './words.js';

interface CheckProps {
  readonly room: Room;
  readonly view: TableView;
  readonly state: DiceboundState;
  readonly call: Awaited;
}

const HARDEST = 99;

/** Calls a check: who, which statistic, how hard; passed, it may disarm a trap (E1, G11). */
export function Check({ room, view, state, call }: CheckProps) {
  const deed = useDeed(room);
  const people = valuesOf(call.actions?.find((one) => one.action === 'check') ?? {}, 'who');
  const who = useSignal('');
  const stat = useSignal<Stat>('agility');
  const difficulty = useSignal('6');
  const trap = useSignal('');
  const chosen = people.includes(who.value) ? who.value : (people[0] ?? '');
  const ask = (event: Event): void => {
    event.preventDefault();
    const disarms = own(state.room?.traps, trap.value)?.done === false ? trap.value : null;
    const asked = { who: chosen, stat: stat.value, difficulty: Number(difficulty.value), trap: disarms };
    void deed.run('choose', { seat: 'gm', call: call.id, action: 'check', ...asked });
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
        <StatKeys state={state} who={chosen} stat={stat} />
        <WholeField
          label={say('db.check.difficulty')}
          value={difficulty.value}
          min={1}
          max={HARDEST}
          required
          onInput={(text) => {
            difficulty.value = text;
          }}
        />
        <Disarms state={state} trap={trap} />
        <button type="submit" class="button button-main" disabled={deed.busy || chosen === ''}>
          {say('db.check.ask')}
        </button>
        {deed.note}
      </form>
    </details>
  );
}

/** The four kinds of checks of the book, each with the die of who rolls. */
function StatKeys({ state, who, stat }: { state: DiceboundState; who: string; stat: Signal<Stat> }) {
  return (
    <div class="db-keys db-keys-stats">
      {STATS.map((one) => {
        const sides = heroOf(state, who)?.dice[one];
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
  );
}

function Disarms({ state, trap }: { state: DiceboundState; trap: Signal<string> }) {
  const traps = Object.entries(state.room?.traps ?? {}).filter(([, one]) => !one.done);
  if (traps.length === 0) return null;
  const names = traps.map(([id, { kind }]) => [id, named(own(state.box.traps, kind)?.name, kind)] as const);
  return (
    <Field label={say('db.check.disarms')}>
      <Select
        value={trap.value}
        choices={[['', say('db.check.nothing')] as const, ...names]}
        onChoose={(id) => {
          trap.value = id;
        }}
      />
    </Field>
  );
}
