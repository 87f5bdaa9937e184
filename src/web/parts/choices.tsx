import type { Json } from '../../dice/json.js';
import type { Awaited } from '../../wire/envelope.js';
import type { TableView } from '../../wire/view.js';
import { keyOf, say } from '../language.js';
import { PlanarFaces } from '../magic/planar-faces.js';
import { Substitutes } from '../magic/substitutes.js';
import { optionWord } from '../magic/words.js';
import type { Room } from '../room.js';
import {
  awaitedSentences,
  choicePhrase,
  dicePhrase,
  dieWord,
  isChoice,
  isRoll,
  nameOf,
  rollPurpose,
  typesOf,
} from '../wording.js';
import { useDeed } from './deed.js';
import { Why } from './roll.js';
import { TypedNumbers } from './typed.js';

/** Everything one seat (or, on the GM's screen, anybody) is awaited for, as big buttons. */
export function ToDo({ room, calls, asGm = false }: { room: Room; calls: readonly Awaited[]; asGm?: boolean }) {
  return (
    <ul class="todo">
      {calls.map((call) => (
        <li key={call.id} class="todo-call">
          {asGm && calls.length > 1 ? <p class="todo-what">{awaitedSentences(room.view.value, [call])[0]}</p> : null}
          {!asGm && isChoice(call) ? <p class="todo-what">{choicePhrase(call, true)}</p> : null}
          {call.optional === true ? <p class="quiet">{say('awaited.optional')}</p> : null}
          {isRoll(call) ? <AwaitedRoll room={room} call={call} asGm={asGm} /> : null}
          {isChoice(call) ? <Options room={room} call={call} /> : null}
          {call.face !== undefined && call.counter !== undefined ? <SetDie room={room} call={call} /> : null}
          {asGm ? null : <Why rule={call.rule} />}
        </li>
      ))}
    </ul>
  );
}

const seatArg = (call: Awaited): { seat?: string } => (call.seat === null ? {} : { seat: call.seat });

/** A roll that is wanted: with a real die, by the computer, or typed. */
export function AwaitedRoll({ room, call, asGm }: { room: Room; call: Awaited; asGm: boolean }) {
  const deed = useDeed(room);
  const types = typesOf(call);
  const dice = dicePhrase(room.view.value?.game.id ?? '', types);
  return (
    <div class="todo-roll">
      {asGm ? null : (
        <p class="todo-what">{say('board.rollReal', { dice, purpose: rollPurpose(room.view.value, call) })}</p>
      )}
      <div class="row">
        <button
          type="button"
          class={asGm ? 'button' : 'button button-big'}
          disabled={deed.busy}
          onClick={() => deed.run('digital', { ...seatArg(call), call: call.id })}
        >
          {say('virtual.roll', { dice })}
        </button>
        {types.length === 1 && types[0] === 'planar' ? (
          <PlanarFaces room={room} call={call} />
        ) : (
          <TypedNumbers room={room} call={call} types={types} />
        )}
        {asGm && call.rule.startsWith('external') ? (
          <button
            type="button"
            class="button"
            disabled={deed.busy}
            onClick={() => deed.run('cancel', { id: call.id.replace(/^call\./, '') })}
          >
            {say('call.cancel')}
          </button>
        ) : null}
      </div>
      <Substitutes room={room} call={call} asGm={asGm} />
      {deed.note}
    </div>
  );
}

/** The options of a choice, one button each. */
function Options({ room, call }: { room: Room; call: Awaited }) {
  const deed = useDeed(room);
  const view = room.view.value;
  const choose = (args: Record<string, unknown>) => deed.run('choose', { ...seatArg(call), call: call.id, ...args });
  return (
    <>
      <div class="options">
        {(call.options ?? []).map((option) => (
          <button
            key={JSON.stringify(option)}
            type="button"
            class="button button-big"
            disabled={deed.busy}
            onClick={() => choose({ option })}
          >
            {optionText(view, call, option)}
          </button>
        ))}
        {(call.actions ?? []).map((action) => (
          <button
            key={action.action}
            type="button"
            class="button button-big"
            disabled={deed.busy}
            onClick={() => choose({ action: action.action })}
          >
            {action.action}
          </button>
        ))}
      </div>
      {deed.note}
    </>
  );
}

/** What a button says: the square, whom to eliminate, the dice of the round, or the option's own word. */
function optionText(view: TableView | null, call: Awaited, option: Json): string {
  const known = view?.game.id === 'magic' ? optionWord(view, call, option) : undefined;
  if (known !== undefined) return known;
  if (option === true) return say('choice.yes');
  if (option === false) return say('choice.no');
  if (option === 'pass') return say('choice.pass');
  if (option === 'renounce') return say('choice.doRenounce');
  if (typeof option === 'number') return call.what === 'bastard' ? say('choice.square', { n: option }) : String(option);
  if (typeof option === 'string') {
    if (call.what === 'assassin') return say('choice.eliminate', { name: nameOf(view, option) });
    const key = keyOf(`purpose.${option}`);
    return key === undefined ? nameOf(view, option) : say(key);
  }
  return roundDice(option) ?? JSON.stringify(option);
}

function roundDice(option: Json): string | null {
  if (typeof option !== 'object' || option === null) return null;
  const { initiativeDie, movementDie } = option as { initiativeDie?: Json; movementDie?: Json };
  if (typeof initiativeDie !== 'number' || typeof movementDie !== 'number') return null;
  return say('choice.roundDice', {
    initiative: dieWord('dadoteck', `d${initiativeDie}`),
    movement: dieWord('dadoteck', `d${movementDie}`),
  });
}

/** A die that counts and should be turned; who has none at hand says so with a tap. */
function SetDie({ room, call }: { room: Room; call: Awaited }) {
  const deed = useDeed(room);
  return (
    <>
      <button
        type="button"
        class="button"
        disabled={deed.busy}
        onClick={() => deed.run('set', { ...seatArg(call), counter: call.counter, face: call.face })}
      >
        {say('tracker.set', { face: call.face ?? 0 })}
      </button>
      {deed.note}
    </>
  );
}
