import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { LanState } from '../../wire/lan.js';
import { read, readImage, send } from '../daemon.js';
import { say } from '../language.js';
import { Field, Select } from './deed.js';

const LOOK_EVERY_MS = 3_000;

/** "Open to the phones": the switch, the code to scan, and whether somebody has really arrived. */
export function Phones({ table }: { table: string }) {
  const state = useSignal<LanState | null>(null);
  const fault = useSignal('');
  const busy = useSignal(false);
  const look = async (): Promise<void> => {
    const answer = await read<LanState>('/api/v1/lan');
    if (answer.ok) state.value = answer.value;
    else if (answer.status !== 0) fault.value = say('phones.unavailable');
  };
  useEffect(() => {
    void look();
    const timer = setInterval(look, LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  const order = async (body: Record<string, unknown>): Promise<void> => {
    busy.value = true;
    const answer = await send<LanState>('/api/v1/lan', body);
    busy.value = false;
    fault.value = answer.ok ? '' : say('answer.failed', { reason: answer.message });
    if (answer.ok) state.value = answer.value;
  };
  const lan = state.value;
  const here = lan?.open === true && lan.table === table;
  return (
    <div class="phones">
      <button
        type="button"
        role="switch"
        class="switch"
        aria-checked={here}
        disabled={busy.value || lan === null}
        onClick={() => order(here ? { open: false } : { open: true, table })}
      >
        <span class="switch-track" aria-hidden="true" />
        <span>{say('phones.switch')}</span>
      </button>
      {lan === null ? null : (
        <Networks lan={lan} open={here} onChoose={(address) => order({ open: true, table, address })} />
      )}
      {lan === null || here ? null : <p class="quiet">{say('phones.off')}</p>}
      {lan?.causes.includes('noInterface') === true ? <p>{say('phones.cause.noInterface')}</p> : null}
      {here && lan !== null ? <Invitation lan={lan} /> : null}
      {fault.value === '' ? null : (
        <p class="refusal" role="alert">
          {fault.value}
        </p>
      )}
    </div>
  );
}

/** Which of the computer's networks the phones come by. */
function Networks({ lan, open, onChoose }: { lan: LanState; open: boolean; onChoose: (address: string) => void }) {
  if (!open || lan.interfaces.length < 2) return null;
  return (
    <Field label={say('phones.interface')}>
      <Select
        value={lan.interfaces.find((one) => one.chosen)?.address ?? ''}
        choices={lan.interfaces.map((one) => [one.address, `${one.name} · ${one.address}`] as const)}
        onChoose={onChoose}
      />
    </Field>
  );
}

function Invitation({ lan }: { lan: LanState }) {
  const copied = useSignal(false);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(lan.url ?? '');
      copied.value = true;
    } catch {
      copied.value = false;
    }
  };
  const arrived = lan.arrived > 0;
  return (
    <div class={arrived ? 'invitation invitation-arrived' : 'invitation'}>
      <p class="invitation-state" role="status">
        <span aria-hidden="true">{arrived ? '✔' : '…'}</span>{' '}
        {arrived ? say('phones.arrived', { n: lan.arrived }) : say('phones.waiting')}
      </p>
      <Code url={lan.url ?? ''} />
      <p class="quiet">{say('phones.scan')}</p>
      <p class="row">
        <code class="address">{(lan.url ?? '').replace(/token=.*/, 'token=…')}</code>
        <button type="button" class="button button-small" onClick={copy}>
          {say(copied.value ? 'phones.copied' : 'phones.copy')}
        </button>
      </p>
      {arrived ? null : (
        <details class="more">
          <summary>{say('phones.why')}</summary>
          <ul class="plain-list">
            {lan.causes.map((cause) => (
              <li key={cause}>{say(`phones.cause.${cause}`, { port: String(lan.port) })}</li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

/** The code comes with this device's token in a header, so it is fetched and shown as an object of the page. */
function Code({ url }: { url: string }) {
  const image = useSignal<string | null>(null);
  useEffect(() => {
    let shown: string | null = null;
    let left = false;
    if (url !== '') {
      void readImage('/api/v1/lan/qr').then((made) => {
        if (made !== null && left) URL.revokeObjectURL(made);
        else {
          shown = made;
          image.value = made;
        }
      });
    }
    return () => {
      left = true;
      if (shown !== null) URL.revokeObjectURL(shown);
    };
  }, [url]);
  return image.value === null ? null : (
    <img class="qr" src={image.value} alt={say('phones.qr')} width="220" height="220" />
  );
}
