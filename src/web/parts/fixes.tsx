import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Json } from '../../dice/json.js';
import type { Preview } from '../../wire/command.js';
import type { RollWire } from '../../wire/envelope.js';
import type { TableView } from '../../wire/view.js';
import { keyOf, say } from '../language.js';
import type { Room } from '../room.js';
import { counterWord, dieWord, nameOf } from '../wording.js';
import { type Deed, useDeed } from './deed.js';
import { RolledDice } from './roll.js';
import { NumberField } from './typed.js';

/** Corrects one roll: another number, or none; what would change is shown before it does. */
export function FixRoll({ room, roll }: { room: Room; roll: RollWire }) {
  const open = useSignal(false);
  return (
    <>
      <button
        type="button"
        class="button button-small"
        onClick={() => {
          open.value = true;
        }}
      >
        {say('fix.open')}
      </button>
      {open.value ? (
        <FixDialog
          room={room}
          roll={roll}
          onClose={() => {
            open.value = false;
          }}
        />
      ) : null}
    </>
  );
}

interface FixProps {
  readonly room: Room;
  readonly roll: RollWire;
  readonly onClose: () => void;
}

function FixDialog({ room, roll, onClose }: FixProps) {
  const deed = useDeed(room);
  const preview = useSignal<Preview | null>(null);
  const frame = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (frame.current?.open === false) frame.current.showModal();
  }, []);
  const ask = async (verb: 'correct' | 'void', args: Record<string, unknown>): Promise<void> => {
    const answer = await deed.run(verb, { roll: roll.id, ...args });
    if (answer.kind !== 'ack') return;
    if (answer.preview === undefined) onClose();
    else preview.value = answer.preview;
  };
  return (
    <dialog ref={frame} class="dialog" aria-label={say('fix.heading')} onClose={onClose}>
      <h2>{say('fix.heading')}</h2>
      <RolledDice view={room.view.value} roll={roll} size={56} />
      {preview.value === null ? (
        <FixForm roll={roll} busy={deed.busy} ask={ask} />
      ) : (
        <PreviewOf room={room} preview={preview.value} deed={deed} onDone={onClose} />
      )}
      {deed.note}
      <button type="button" class="button" onClick={onClose}>
        {say('app.close')}
      </button>
    </dialog>
  );
}

interface FixFormProps {
  readonly roll: RollWire;
  readonly busy: boolean;
  readonly ask: (verb: 'correct' | 'void', args: Record<string, unknown>) => Promise<void>;
}

function FixForm({ roll, busy, ask }: FixFormProps) {
  const numbers = useSignal<readonly string[]>(roll.dice.map((die) => String(die.natural)));
  const correct = (event: Event): void => {
    event.preventDefault();
    const naturals = numbers.value.map(Number);
    void ask('correct', naturals.length === 1 ? { natural: naturals[0] } : { dice: naturals });
  };
  return (
    <form class="fix-form" onSubmit={correct}>
      {roll.dice.map((die, i) => (
        <NumberField
          key={`${die.die}-${i}`}
          label={
            roll.dice.length === 1
              ? say('fix.newNumber')
              : say('fix.newNumbers', { n: `${i + 1} (${dieWord(roll.game, die.type)})` })
          }
          type={die.type}
          value={numbers.value[i] ?? ''}
          onInput={(value) => {
            numbers.value = numbers.value.map((old, j) => (j === i ? value : old));
          }}
        />
      ))}
      <div class="row">
        <button type="submit" class="button button-main" disabled={busy}>
          {say('fix.correct')}
        </button>
        <button type="button" class="button button-danger" disabled={busy} onClick={() => ask('void', {})}>
          {say('fix.void')}
        </button>
      </div>
    </form>
  );
}

/** What a ruling would change, and the button that makes it so. */
function PreviewOf({ room, preview, deed, onDone }: { room: Room; preview: Preview; deed: Deed; onDone: () => void }) {
  const view = room.view.value;
  const confirm = async (): Promise<void> => {
    const answer = await deed.run('confirm', { preview: preview.id });
    if (answer.kind === 'ack') onDone();
  };
  const empty = preview.changes.length + preview.loose.length + preview.trackers.length === 0;
  return (
    <div class="preview" data-preview={preview.id}>
      <h3>{say('fix.preview')}</h3>
      {empty ? <p>{say('fix.noChange')}</p> : null}
      <ul class="plain-list">
        {preview.changes.map((change) => (
          <li key={change.what}>
            {say('fix.change', {
              what: whatWord(view, change.what),
              before: valueWord(view, change.before),
              after: valueWord(view, change.after),
            })}
          </li>
        ))}
      </ul>
      {preview.loose.length === 0 ? null : <p>{say('fix.loose', { n: preview.loose.length })}</p>}
      {preview.trackers.length === 0 ? null : (
        <>
          <p>{say('fix.trackers', { n: preview.trackers.length })}</p>
          <ul class="plain-list">
            {preview.trackers.map(({ seat, counter, face }) => (
              <li key={`${seat}-${counter}`}>
                {say('fix.tracker', { name: nameOf(view, seat), counter: counterWord(counter), face })}
              </li>
            ))}
          </ul>
        </>
      )}
      <button type="button" class="button button-main" disabled={deed.busy} onClick={confirm}>
        {say('app.confirm')}
      </button>
    </div>
  );
}

function stateWord(part: string): string {
  const key = keyOf(`state.${part}`);
  return key === undefined ? counterWord(part) : say(key);
}

/** A place in the state as people read it: seat ids become names, counters their words. */
const whatWord = (view: TableView | null, what: string): string =>
  what
    .split('.')
    .map((part) => view?.seats.find((seat) => seat.id === part)?.name ?? stateWord(part))
    .join(' › ');

function valueWord(view: TableView | null, value: Json): string {
  if (value === null) return '–';
  if (typeof value === 'boolean') return say(value ? 'choice.yes' : 'choice.no');
  if (typeof value === 'string') {
    const phase = keyOf(`phase.${value}`);
    return view?.seats.find((seat) => seat.id === value)?.name ?? (phase === undefined ? value : say(phase));
  }
  if (Array.isArray(value)) return value.length === 0 ? '–' : value.map((one: Json) => valueWord(view, one)).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Undo and redo, and rulings that wait for their confirmation. */
export function Fixes({ room }: { room: Room }) {
  const deed = useDeed(room);
  const asked = useSignal<Preview | null>(null);
  const waiting = [...(room.view.value?.previews ?? []), ...(asked.value === null ? [] : [asked.value])];
  const unique = waiting.filter((one, i) => waiting.findIndex((other) => other.id === one.id) === i);
  const ask = async (verb: 'undo' | 'redo', args: Record<string, unknown>): Promise<void> => {
    const answer = await deed.run(verb, args);
    asked.value = answer.kind === 'ack' ? (answer.preview ?? null) : null;
  };
  return (
    <>
      <p class="quiet">{say('fix.undoHint')}</p>
      <div class="row">
        <button type="button" class="button" disabled={deed.busy} onClick={() => ask('undo', { n: 1 })}>
          ↶ {say('fix.undo')}
        </button>
        <button type="button" class="button" disabled={deed.busy} onClick={() => ask('redo', {})}>
          ↷ {say('fix.redo')}
        </button>
      </div>
      {unique.map((preview) => (
        <PreviewOf
          key={preview.id}
          room={room}
          preview={preview}
          deed={deed}
          onDone={() => {
            asked.value = null;
          }}
        />
      ))}
      {deed.note}
    </>
  );
}
