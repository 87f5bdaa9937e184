import { useSignal } from '@preact/signals';
import type { Refused } from '../../wire/command.js';
import type { BoxCounts, BoxFault } from '../../wire/dicebound-box.js';
import { type Reply, read, send } from '../daemon.js';
import { keyOf, language, say } from '../language.js';
import { useDeed } from '../parts/deed.js';
import { Why } from '../parts/roll.js';
import type { Room } from '../room.js';
import { reasonOf } from '../wording.js';
import { boxAddress } from './box-source.js';

/** What became of a file. */
type Outcome =
  | { readonly kind: 'taken'; readonly entries: BoxCounts }
  | { readonly kind: 'faults'; readonly faults: readonly BoxFault[] }
  | { readonly kind: 'refused'; readonly refused: Refused; readonly file: string; readonly text: string }
  | { readonly kind: 'failed'; readonly reason: string };

/** The box as a file: saved on this device, and read from one; a fault is told with its line, and nothing is changed. */
export function BoxFile({ room }: { room: Room }) {
  const outcome = useSignal<Outcome | null>(null);
  const busy = useSignal(false);
  const deed = useDeed(room);
  const take = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    busy.value = true;
    const order = { file: file.name, text: await file.text() };
    outcome.value = outcomeOf(await send(boxAddress(room.door), order), order);
    busy.value = false;
  };
  return (
    <div class="db-entry">
      <p class="quiet">{say('db.file.hint')}</p>
      <div class="row">
        <button type="button" class="button" onClick={() => void save(room)}>
          {say('db.file.save')}
        </button>
        <label class="button">
          {say('db.file.take')}
          <input
            class="db-file"
            type="file"
            accept="application/json,.json"
            disabled={busy.value}
            onChange={(event) => {
              void take(event.currentTarget.files?.[0]);
              event.currentTarget.value = '';
            }}
          />
        </label>
        <button
          type="button"
          class="button"
          disabled={deed.busy}
          onClick={() => deed.run('choose', { seat: 'gm', action: 'box', remove: 'samples' })}
        >
          {say('db.file.noSamples')}
        </button>
      </div>
      {deed.note}
      <div class="db-told-file" aria-live="polite">
        {outcome.value === null ? null : <Told outcome={outcome.value} />}
      </div>
    </div>
  );
}

async function save(room: Room): Promise<void> {
  const box = await read<unknown>(boxAddress(room.door));
  if (!box.ok) return;
  const url = URL.createObjectURL(new Blob([`${JSON.stringify(box.value, null, 2)}\n`], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `dicebound-${room.door.table}.json`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url));
}

function outcomeOf(answer: Reply<{ entries: BoxCounts }>, order: { file: string; text: string }): Outcome {
  if (answer.ok) return { kind: 'taken', entries: answer.value.entries };
  const body = typeof answer.body === 'object' && answer.body !== null ? answer.body : {};
  if ('faults' in body && Array.isArray(body.faults)) return { kind: 'faults', faults: body.faults };
  if ('kind' in body && body.kind === 'refused') return { kind: 'refused', refused: body as Refused, ...order };
  return { kind: 'failed', reason: answer.status === 0 ? say('home.unreachable') : answer.message };
}

/** The entry of which the table spoke in its refusal, and the line of the file on which it stands. */
function placeIn(text: string, reason: string): { readonly field: string; readonly line: number } {
  const [field = '', id = ''] =
    /^(?:classes|tiles|perks|monsters|traps|environments)\.([a-z0-9_-]+)/.exec(reason) ?? [];
  const before = field === '' ? '' : text.slice(0, Math.max(0, text.indexOf(`"${id}"`)));
  return { field, line: before.split('\n').length };
}

/** A file that is right, of which the table would not take an entry now. */
function NotTaken({ refused, file, text }: { refused: Refused; file: string; text: string }) {
  const { field, line } = placeIn(text, refused.reason);
  return (
    <div class="refusal">
      <p>
        <strong>{say('db.file.place', { file, line: String(line) })}</strong> <code>{field}</code>
      </p>
      <p>
        {say('answer.refused', { reason: reasonOf(refused) })} <Why rule={refused.rule} />
      </p>
      {refused.code === 'in_use' ? <p>{say('db.file.later')}</p> : null}
    </div>
  );
}

function Told({ outcome }: { outcome: Outcome }) {
  if (outcome.kind === 'failed') return <p class="refusal">{say('answer.failed', { reason: outcome.reason })}</p>;
  if (outcome.kind === 'refused') return <NotTaken {...outcome} />;
  if (outcome.kind === 'faults') {
    return (
      <>
        <p class="banner banner-amber">{say('settings.faults', { n: outcome.faults.length })}</p>
        <ul class="plain-list">
          {outcome.faults.map((fault) => (
            <li key={`${fault.line} ${fault.field}`} class="db-fault">
              <strong>{say('db.file.place', { file: fault.file, line: String(fault.line) })}</strong>
              {fault.field === '' ? null : <code>{fault.field}</code>}
              <span>{wordsOf(fault).reason}</span>
              <span class="quiet">{say('db.file.remedy', { remedy: wordsOf(fault).remedy })}</span>
            </li>
          ))}
        </ul>
      </>
    );
  }
  const counts = Object.entries(outcome.entries).map(([kind, n]) => {
    const key = keyOf(`db.file.kind.${kind}`);
    return key === undefined ? `${n} ${kind}` : say(key, { n });
  });
  return (
    <p class="banner">
      ✓ {counts.length === 0 ? say('db.file.empty') : say('db.file.taken', { what: counts.join(', ') })}
    </p>
  );
}

/** The words of a fault in the reader's language. */
const wordsOf = (fault: BoxFault): Pick<BoxFault, 'reason' | 'remedy'> =>
  language.value === 'it' ? fault.inItalian : fault;
