import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { type Reply, read, send } from '../daemon.js';
import { say } from '../language.js';
import { Frame } from '../parts/frame.js';
import { NameForm } from '../parts/name-form.js';
import { Parts } from '../parts/parts.js';
import { seatIdFor } from '../parts/posts.js';

const LOOK_EVERY_MS = 5_000;

interface Entry {
  readonly id: string;
  readonly name: string;
  readonly seats?: readonly unknown[];
  readonly degraded?: true;
}

interface Status {
  readonly version: string;
  readonly tables?: readonly Entry[];
  readonly [part: string]: unknown;
}

/** All tables, and which parts of the daemon work. */
export function HomePage() {
  const answer = useSignal<Reply<Status> | null>(null);
  const look = async (): Promise<void> => {
    answer.value = await read<Status>('/api/v1/status');
  };
  useEffect(() => {
    void look();
    const timer = setInterval(look, LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  const status = answer.value?.ok === true ? answer.value.value : null;
  return (
    <Frame
      title={say('page.home')}
      subtitle={say('home.lead')}
      links={[{ href: '/settings', text: say('page.settings') }]}
    >
      {answer.value?.ok === false ? (
        <p class="banner banner-amber" role="alert">
          {say(answer.value.status === 401 || answer.value.status === 403 ? 'home.tokenNeeded' : 'home.unreachable')}
        </p>
      ) : null}
      {status === null ? null : (
        <div class="home-grid">
          <div class="home-tables">
            {(status.tables ?? []).map((table) => (
              <TableCard key={table.id} table={table} />
            ))}
            {(status.tables ?? []).length === 0 ? <p class="card">{say('home.noTables')}</p> : null}
            <NewTable taken={(status.tables ?? []).map((table) => table.id)} onMade={look} />
          </div>
          <Parts status={status} />
        </div>
      )}
    </Frame>
  );
}

function TableCard({ table }: { table: Entry }) {
  return (
    <section class="card table-card" aria-label={table.name}>
      <h2>{table.name}</h2>
      {table.seats === undefined ? null : <p class="quiet">{say('home.seats', { n: table.seats.length })}</p>}
      {table.degraded === true ? <p class="banner banner-red">{say('banner.degraded')}</p> : null}
      <ul class="doors">
        <li>
          <a class="button button-big button-main" href={`/table/${table.id}`}>
            {say('home.openTable')}
          </a>
        </li>
        <li>
          <a class="button button-big" href={`/gm/${table.id}`}>
            {say('page.gm')}
          </a>
        </li>
        <li>
          <a class="button button-big" href={`/board/${table.id}`}>
            {say('home.boards')}
          </a>
        </li>
        <li>
          <a class="button button-big" href={`/overlay/${table.id}`} title={say('home.overlayHint')}>
            {say('page.overlay')}
          </a>
        </li>
      </ul>
      <p class="phones-door">
        <a href={`/gm/${table.id}#phones`}>{say('home.phones')}</a> <span class="quiet">{say('home.phonesHint')}</span>
      </p>
    </section>
  );
}

function NewTable({ taken, onMade }: { taken: readonly string[]; onMade: () => Promise<void> }) {
  const fault = useSignal('');
  const create = async (name: string): Promise<boolean> => {
    const answer = await send('/api/v1/tables', { id: seatIdFor(name, new Set(taken)), name });
    fault.value = answer.ok ? '' : say('answer.failed', { reason: answer.message });
    await onMade();
    return answer.ok;
  };
  return (
    <details class="card more new-table">
      <summary>{say('home.new')}</summary>
      <NameForm label={say('home.newName')} action={say('home.create')} onName={create} />
      {fault.value === '' ? null : <p class="refusal">{fault.value}</p>}
    </details>
  );
}
