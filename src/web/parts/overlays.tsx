import { useSignal } from '@preact/signals';
import type { OverlayOrder } from '../../wire/command.js';
import { send } from '../daemon.js';
import { LANGUAGES, type Language, language, say } from '../language.js';
import type { Room } from '../room.js';
import { token } from '../session.js';
import { Field, Select, useDeed } from './deed.js';

const FILE = '/overlay/tiro-overlay.html';
const LANGUAGE_NAMES = { it: 'Italiano', en: 'English' } as const;

/** What goes over the picture: what the GM can tell all overlays of the table, and how one comes into OBS. */
export function Overlays({ room }: { room: Room }) {
  const deed = useDeed(room);
  const { hidden, paused } = room.orders.value;
  const order = (what: OverlayOrder) => () => deed.run('show', { what });
  const state = hidden === true ? 'overlay.isHidden' : paused === undefined ? 'overlay.isShown' : 'overlay.isPaused';
  const buttons: ReadonlyArray<readonly [OverlayOrder, string]> = [
    hidden === true ? ['show', say('overlay.show')] : ['hide', say('overlay.hide')],
    paused === undefined ? ['pause', say('overlay.pause')] : ['resume', say('overlay.resume')],
    ['again', say('overlay.again')],
    ['test', say('overlay.doTest')],
  ];
  return (
    <div class="overlays">
      <p class={state === 'overlay.isShown' ? 'overlays-state' : 'overlays-state overlays-off'} role="status">
        <span aria-hidden="true">{hidden === true ? '■' : paused === undefined ? '●' : '❚❚'}</span> {say(state)}
      </p>
      <p class="row">
        {buttons.map(([what, text]) => (
          <button key={what} type="button" class="button button-small" disabled={deed.busy} onClick={order(what)}>
            {text}
          </button>
        ))}
      </p>
      {deed.note}
      <Address table={room.door.table} />
    </div>
  );
}

function Address({ table }: { table: string }) {
  const spoken = useSignal<Language>(language.value);
  const invitation = useSignal<string | null>(null);
  const fault = useSignal('');
  const needed = token() !== null && invitation.value === null;
  const invite = async (): Promise<void> => {
    const made = await send<{ token: string }>(`/api/v1/tables/${table}/overlay`, {});
    fault.value = made.ok ? '' : say('answer.failed', { reason: made.message });
    if (made.ok) invitation.value = made.value.token;
  };
  const parameters = new URLSearchParams({ lang: spoken.value });
  if (invitation.value !== null) parameters.set('token', invitation.value);
  const page = `${location.origin}/overlay/${table}?${parameters}`;
  return (
    <>
      <Field label={say('app.language')}>
        <Select
          value={spoken.value}
          choices={LANGUAGES.map((one) => [one, LANGUAGE_NAMES[one]] as const)}
          onChoose={(chosen) => {
            spoken.value = LANGUAGES.find((one) => one === chosen) ?? spoken.value;
          }}
        />
      </Field>
      {needed ? (
        <>
          <p class="quiet">{say('overlay.inviteHint')}</p>
          <button type="button" class="button" onClick={invite}>
            {say('overlay.invite')}
          </button>
        </>
      ) : (
        <Links page={page} file={`${FILE}?table=${table}&${parameters}`} />
      )}
      {fault.value === '' ? null : (
        <p class="refusal" role="alert">
          {fault.value}
        </p>
      )}
    </>
  );
}

function Links({ page, file }: { page: string; file: string }) {
  const copied = useSignal('');
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(page);
      copied.value = page;
    } catch {
      copied.value = '';
    }
  };
  return (
    <>
      <Field label={say('overlay.address')}>
        <input class="overlays-address" readOnly value={page} onFocus={(event) => event.currentTarget.select()} />
      </Field>
      <p class="row">
        <button type="button" class="button button-small" onClick={copy}>
          {say(copied.value === page ? 'phones.copied' : 'phones.copy')}
        </button>
        <a class="button button-small" href={page} target="_blank" rel="noreferrer">
          {say('overlay.look')}
        </a>
      </p>
      <p class="quiet">{say('overlay.hint')}</p>
      <p>
        <a href={file} download="tiro-overlay.html">
          {say('overlay.file')}
        </a>
      </p>
      <p class="quiet">{say('overlay.fileHint')}</p>
    </>
  );
}
