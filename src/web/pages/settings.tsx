import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { SettingFault, SettingLeaf, SettingsChange, SettingsState } from '../../wire/settings.js';
import { type Reply, read, send } from '../daemon.js';
import { language, say } from '../language.js';
import { Card, Frame } from '../parts/frame.js';
import { SettingFaults } from '../parts/setting-faults.js';

const ADDRESS = '/api/v1/config';

/** What became of the last try or save. */
type Outcome =
  | { readonly kind: 'right' | 'saved'; readonly change: SettingsChange }
  | { readonly kind: 'faults'; readonly faults: readonly SettingFault[] }
  | { readonly kind: 'failed'; readonly text: string };

/** The configuration: its text, tried and applied from here, and every setting with its value and default. */
export function SettingsPage() {
  const state = useSignal<Reply<SettingsState> | null>(null);
  const text = useSignal('');
  const outcome = useSignal<Outcome | null>(null);
  const busy = useSignal(false);
  const look = async (): Promise<void> => {
    const answer = await read<SettingsState>(ADDRESS);
    state.value = answer;
    if (answer.ok) text.value = answer.value.text;
  };
  useEffect(() => void look(), []);
  const give = async (dry: boolean): Promise<void> => {
    busy.value = true;
    outcome.value = await ask(text.value, dry);
    if (outcome.value.kind === 'saved') await look();
    busy.value = false;
  };
  const answer = state.value;
  if (answer?.ok !== true) {
    const known = answer === null ? null : answer.status;
    const why = known === 401 || known === 403 ? say('settings.gmOnly') : say('home.unreachable');
    return (
      <Frame title={say('page.settings')}>{known === null ? null : <p class="banner banner-amber">{why}</p>}</Frame>
    );
  }
  const { value } = answer;
  return (
    <Frame title={say('page.settings')} subtitle={say('settings.lead')} links={[{ href: '/', text: say('page.home') }]}>
      <Editor
        state={value}
        text={text.value}
        busy={busy.value}
        outcome={outcome.value}
        write={(written) => {
          text.value = written;
        }}
        give={(dry) => void give(dry)}
        reread={() => {
          outcome.value = null;
          void look();
        }}
      />
      <Card title={say('settings.all')}>
        <Leaves leaves={value.leaves} />
      </Card>
    </Frame>
  );
}

async function ask(text: string, dry: boolean): Promise<Outcome> {
  const answer = await send<SettingsChange>(ADDRESS, dry ? { text, dry } : { text });
  if (answer.ok) return { kind: dry ? 'right' : 'saved', change: answer.value };
  if (answer.code === 'config_invalid') return { kind: 'faults', faults: faultsIn(answer.body) };
  const reason = answer.status === 0 ? say('home.unreachable') : answer.message;
  return { kind: 'failed', text: say('settings.notSaved', { reason }) };
}

function faultsIn(body: unknown): readonly SettingFault[] {
  const faults = typeof body === 'object' && body !== null && 'faults' in body ? body.faults : null;
  return Array.isArray(faults) ? faults : [];
}

interface EditorProps {
  readonly state: SettingsState;
  readonly text: string;
  readonly busy: boolean;
  readonly outcome: Outcome | null;
  readonly write: (text: string) => void;
  /** `dry` only tries. */
  readonly give: (dry: boolean) => void;
  readonly reread: () => void;
}

function Editor({ state, text, busy, outcome, write, give, reread }: EditorProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const show = (line: number, column: number): void => {
    const field = area.current;
    if (field === null) return;
    const lines = text.split('\n').slice(0, line - 1);
    const at = lines.reduce((sum, one) => sum + one.length + 1, 0) + column - 1;
    field.focus();
    field.setSelectionRange(at, Math.min(text.length, at + 1));
    field.scrollTop = (field.scrollHeight / text.split('\n').length) * Math.max(0, line - 4);
  };
  return (
    <div class="settings-grid">
      <Card title={say('settings.text')}>
        <p class="quiet">{state.exists ? say('settings.path', { path: state.path }) : say('settings.new')}</p>
        <textarea
          ref={area}
          class="settings-text"
          aria-label={say('settings.text')}
          aria-invalid={outcome?.kind === 'faults'}
          spellcheck={false}
          autocomplete="off"
          value={text}
          onInput={(event) => write(event.currentTarget.value)}
        />
        <p class="quiet">{say('settings.hint')}</p>
        <div class="row settings-doors">
          <button type="button" class="button" disabled={busy} onClick={() => give(true)}>
            {say('settings.check')}
          </button>
          <button type="button" class="button button-main" disabled={busy} onClick={() => give(false)}>
            {say('settings.save')}
          </button>
          <button type="button" class="button" disabled={busy} onClick={reread}>
            {say('settings.reread')}
          </button>
        </div>
      </Card>
      <div class="settings-side">
        <div class="settings-side" aria-live="polite">
          <Told state={state} outcome={outcome} show={show} />
        </div>
        <Differing leaves={state.leaves} />
      </div>
    </div>
  );
}

function Told({ state, outcome, show }: Pick<EditorProps, 'state' | 'outcome'> & { show: SettingFaultsShow }) {
  if (outcome === null) {
    return (
      <>
        {state.faults.length === 0 ? null : (
          <>
            <p class="banner banner-amber">{say('settings.fileFaulty')}</p>
            <SettingFaults faults={state.faults} show={show} />
          </>
        )}
        <Pending paths={state.pending} />
      </>
    );
  }
  if (outcome.kind === 'failed') return <p class="banner banner-red">{outcome.text}</p>;
  if (outcome.kind === 'faults') {
    return (
      <>
        <p class="banner banner-amber">{say('settings.faults', { n: outcome.faults.length })}</p>
        <SettingFaults faults={outcome.faults} show={show} />
      </>
    );
  }
  const { changed, pending } = outcome.change;
  return (
    <>
      <p class="banner">
        <span aria-hidden="true">✓</span> {say(outcome.kind === 'saved' ? 'settings.saved' : 'settings.right')}
      </p>
      <p>{changed.length === 0 ? say('settings.noChange') : say('settings.changes', { what: changed.join(', ') })}</p>
      <Pending paths={pending} />
    </>
  );
}

type SettingFaultsShow = (line: number, column: number) => void;

function Pending({ paths }: { paths: readonly string[] }) {
  return paths.length === 0 ? null : (
    <p class="banner banner-amber">{say('settings.pending', { what: paths.join(', ') })}</p>
  );
}

const titleOf = (leaf: SettingLeaf): string => (language.value === 'it' ? leaf.titolo : leaf.title);

const shown = (value: unknown): string => (value === '' ? say('settings.empty') : JSON.stringify(value));

function Differing({ leaves }: { leaves: readonly SettingLeaf[] }) {
  const differing = leaves.filter((leaf) => leaf.differs);
  return (
    <Card title={say('settings.differing')}>
      {differing.length === 0 ? <p class="quiet">{say('settings.allDefault')}</p> : null}
      <ul class="settings-side">
        {differing.map((leaf) => (
          <li key={leaf.path}>
            <code>
              {leaf.path}: {shown(leaf.value)}
            </code>
            <p class="quiet">
              {titleOf(leaf)} · {say(`settings.from.${leaf.from}`, { variable: leaf.variable })}
            </p>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Leaves({ leaves }: { leaves: readonly SettingLeaf[] }) {
  return (
    <div class="settings-scroll">
      <table class="settings-table">
        <thead>
          <tr>
            <th scope="col">{say('settings.entry')}</th>
            <th scope="col">{say('settings.value')}</th>
            <th scope="col">{say('settings.default')}</th>
            <th scope="col">{say('settings.from')}</th>
          </tr>
        </thead>
        <tbody>
          {leaves.map((leaf) => (
            <tr key={leaf.path} data-differs={leaf.differs}>
              <th scope="row">
                <code>{leaf.path}</code> {leaf.restart ? <span class="chip">{say('settings.restart')}</span> : null}
                <p class="quiet">
                  {titleOf(leaf)}
                  {leaf.unit === undefined || leaf.unit === 'port' ? '' : ` [${leaf.unit}]`}
                </p>
              </th>
              <td data-label={say('settings.value')}>
                <code>{shown(leaf.value)}</code>
              </td>
              <td data-label={say('settings.default')}>
                <code>{shown(leaf.default)}</code>
              </td>
              <td data-label={say('settings.from')}>
                {say(`settings.from.${leaf.from}`, { variable: leaf.variable })}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
