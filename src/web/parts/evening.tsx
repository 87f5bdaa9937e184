import { type Signal, useSignal } from '@preact/signals';
import type { CommandName } from '../../wire/command.js';
import { DiceboundOptionFields, type DiceboundOptions, diceboundOptions, USUAL_OPTIONS } from '../dicebound/options.js';
import { say } from '../language.js';
import { MagicOptionFields, magicOptions, USUAL_MAGIC } from '../magic/options.js';
import type { MessageKey } from '../messages/it.js';
import type { Room } from '../room.js';
import { Field, Select, useDeed } from './deed.js';

const STEPS: Record<'open' | 'paused' | 'closed', ReadonlyArray<readonly [CommandName, MessageKey]>> = {
  open: [
    ['pause', 'evening.doPause'],
    ['close', 'evening.doClose'],
  ],
  paused: [
    ['resume', 'evening.doResume'],
    ['close', 'evening.doClose'],
  ],
  closed: [['open', 'evening.doOpen']],
};

/** Opens, pauses, resumes and closes the evening. */
export function Evening({ room }: { room: Room }) {
  const deed = useDeed(room);
  const evening = room.view.value?.evening ?? 'closed';
  return (
    <>
      <p>
        <span class={`chip chip-${evening}`}>{say(`evening.${evening}`)}</span>
      </p>
      <div class="row">
        {STEPS[evening].map(([verb, key], i) => (
          <button
            key={verb}
            type="button"
            class={i === 0 ? 'button button-main' : 'button'}
            disabled={deed.busy}
            onClick={() => deed.run(verb, {})}
          >
            {say(key)}
          </button>
        ))}
      </div>
      {deed.note}
    </>
  );
}

const MOVEMENT_DICE = ['16', '12', '10', '8', '6'] as const;
const GAMES = ['free', 'external', 'dadoteck', 'dicebound', 'magic'] as const;
type GameId = (typeof GAMES)[number];

/** Starts a game: which one, and for Dadoteck the speed options of its book (V1, V2). */
export function NewGame({ room }: { room: Room }) {
  const deed = useDeed(room);
  const game = useSignal<GameId>('dadoteck');
  const initiative = useSignal('d20');
  const movement = useSignal('');
  const below = useSignal('6');
  const dicebound = useSignal<DiceboundOptions>(USUAL_OPTIONS);
  const magic = useSignal(USUAL_MAGIC);
  const sure = useSignal(false);
  const start = async (): Promise<void> => {
    const faster =
      movement.value === '' ? {} : { movement: [{ below: Number(below.value), sides: Number(movement.value) }] };
    const dadoteck = { initiative: initiative.value, ...faster };
    const seats = room.view.value?.seats.map(({ id }) => id) ?? [];
    const chosen = {
      free: {},
      external: {},
      dadoteck,
      dicebound: diceboundOptions(dicebound.value, seats),
      magic: magicOptions(magic.value),
    };
    await deed.run('game', { game: game.value, options: chosen[game.value] });
    sure.value = false;
  };
  return (
    <form
      class="new-game"
      onSubmit={(event) => {
        event.preventDefault();
        sure.value = true;
      }}
    >
      <Field label={say('game.which')}>
        <Select
          value={game.value}
          choices={GAMES.map((id) => [id, say(`game.${id}`)] as const)}
          onChoose={(id) => {
            game.value = GAMES.find((known) => known === id) ?? 'free';
            sure.value = false;
          }}
        />
      </Field>
      {game.value === 'dadoteck' ? <DadoteckOptions initiative={initiative} movement={movement} below={below} /> : null}
      {game.value === 'magic' ? <MagicOptionFields options={magic} /> : null}
      {game.value === 'dicebound' ? <DiceboundOptionFields room={room} options={dicebound} /> : null}
      <StartButton game={game.value} sure={sure} busy={deed.busy} start={() => void start()} />
      {deed.note}
    </form>
  );
}

interface StartProps {
  readonly game: GameId;
  readonly sure: Signal<boolean>;
  readonly busy: boolean;
  readonly start: () => void;
}

/** A new game ends the one that is played: that is asked before. */
function StartButton({ game, sure, busy, start }: StartProps) {
  if (!sure.value) {
    return (
      <button type="submit" class="button">
        {say('game.new')}
      </button>
    );
  }
  return (
    <div class="row sure">
      <p>{say('game.sure', { game: say(`game.${game}`) })}</p>
      <button type="button" class="button button-main" disabled={busy} onClick={start}>
        {say('game.start')}
      </button>
      <button
        type="button"
        class="button"
        onClick={() => {
          sure.value = false;
        }}
      >
        {say('app.close')}
      </button>
    </div>
  );
}

interface Chosen {
  value: string;
}

function DadoteckOptions({ initiative, movement, below }: { initiative: Chosen; movement: Chosen; below: Chosen }) {
  return (
    <>
      <Field label={say('game.initiative')}>
        <Select
          value={initiative.value}
          choices={[
            ['d20', say('game.initiative.d20')] as const,
            ['smallest', say('game.initiative.smallest')] as const,
          ]}
          onChoose={(chosen) => {
            initiative.value = chosen;
          }}
        />
      </Field>
      <Field label={say('game.movement')}>
        <Select
          value={movement.value}
          choices={[
            ['', say('game.movement.off')] as const,
            ...MOVEMENT_DICE.map((sides) => [sides, `${say('game.movement.die')} 1D${sides}`] as const),
          ]}
          onChoose={(chosen) => {
            movement.value = chosen;
          }}
        />
      </Field>
      {movement.value === '' ? null : (
        <Field label={say('game.movement.below')}>
          <input
            class="number"
            type="number"
            inputMode="numeric"
            min={2}
            max={20}
            required
            value={below.value}
            onInput={(event) => {
              below.value = event.currentTarget.value;
            }}
          />
        </Field>
      )}
      <p class="quiet">{say('game.movementHint')}</p>
    </>
  );
}
