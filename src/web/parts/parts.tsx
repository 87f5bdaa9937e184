import { keyOf, say } from '../language.js';
import { Card } from './frame.js';

const PARTS = ['ble', 'serial', 'mqtt', 'fake'] as const;
const SIGNS = { ok: '✔', off: '–', checking: '…', fault: '✖' } as const;

/** What a part of the daemon does. `address` is where it is served; `technical` are the daemon's own words. */
export interface PartState {
  readonly state: keyof typeof SIGNS;
  readonly address: string;
  readonly technical: string;
}

/** Which parts of the daemon work, which do not, and why. */
export function Parts({ status }: { status: { readonly version: string; readonly [part: string]: unknown } }) {
  return (
    <Card title={say('home.parts')} kind="card-parts">
      <ul class="parts">
        {PARTS.filter((part) => part !== 'fake' || partOf(status.fake).state === 'ok').map((part) => (
          <Part key={part} part={part} state={partOf(status[part])} />
        ))}
      </ul>
      <p class="quiet">{say('home.version', { version: status.version })}</p>
    </Card>
  );
}

function Part({ part, state: { state, address, technical } }: { part: (typeof PARTS)[number]; state: PartState }) {
  const key = keyOf(`part.${part}.${state}`);
  return (
    <li class={`part part-${state}`}>
      <span class="part-sign" aria-hidden="true">
        {SIGNS[state]}
      </span>
      <div>
        <p>
          <strong>{say(`part.${part}`)}</strong> <span>{say(`part.${state}`)}</span>
        </p>
        {address === '' ? null : <p class="quiet">{address}</p>}
        {key === undefined ? null : <p class="quiet">{say(key)}</p>}
        {technical === '' || state === 'ok' ? null : (
          <details class="why">
            <summary>{say('app.why')}</summary>
            <span lang="en">{technical}</span>
          </details>
        )}
      </div>
    </li>
  );
}

/** Reads a part's state in whatever words the daemon has: a reason means that it does not work. */
export function partOf(part: unknown): PartState {
  const nothing = { address: '', technical: '' };
  if (typeof part !== 'object' || part === null) return { state: 'off', ...nothing };
  const { state, url, reason, remedy } = part as Record<string, unknown>;
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  const address = text(url);
  const technical = [text(reason), text(remedy)].filter((one) => one !== '').join(' · ');
  const word = text(state);
  if (word === 'checking') return { state: 'checking', ...nothing };
  if (word === 'off' || /\bis off$/.test(text(reason))) return { state: 'off', address, technical };
  if (address !== '' || /^(ok|on|up|ready|available|open|writing)$/.test(word))
    return { state: 'ok', address, technical };
  return { state: 'fault', address, technical };
}
