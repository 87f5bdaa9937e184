import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ClaimView, DieView } from '../../wire/view.js';
import { keyOf, say } from '../language.js';
import type { Room } from '../room.js';
import { counterWord, dieWord, nameOf } from '../wording.js';
import { type Deed, Field, Select, useDeed } from './deed.js';
import { dieName } from './die-words.js';
import { Card } from './frame.js';

const SECOND_MS = 1_000;
const SHELLS = ['d6', 'd4', 'd8', 'd10', 'd10x', 'd12', 'd20'] as const;

/**
 * Gives a seat its dice: they are thrown, and are its own; what is doubtful is asked. The GM's, where dice may come out of
 * the air or are nobody's yet.
 */
export function Claiming({ room }: { room: Room }) {
  const deed = useDeed(room);
  const { collecting: claim, radio, dice = [] } = room.view.value ?? {};
  if (claim === undefined && radio === undefined && !dice.some(({ state }) => state === 'unknown')) return null;
  return (
    <Card title={say('claim.title')}>
      {claim === undefined ? <Begin room={room} deed={deed} /> : <Running room={room} claim={claim} deed={deed} />}
    </Card>
  );
}

function Begin({ room, deed }: { room: Room; deed: Deed }) {
  const seats = room.view.value?.seats ?? [];
  const seat = useSignal('');
  const crowd = useSignal(false);
  const [first] = seats;
  if (first === undefined) return <p class="quiet">{say('claim.noSeats')}</p>;
  const whose = seat.value === 'gm' || seats.some(({ id }) => id === seat.value) ? seat.value : first.id;
  const begin = (how: 'one' | 'set'): void => {
    void deed.run('collect', { seat: whose, how, ...(crowd.value ? { crowd: true } : {}) });
  };
  return (
    <div class="claim">
      <p class="quiet">{say('claim.hint')}</p>
      <Field label={say('claim.whose')}>
        <Select
          value={whose}
          choices={[...seats.map(({ id, name }) => [id, name] as const), ['gm', say('who.gm')] as const]}
          onChoose={(id) => {
            seat.value = id;
          }}
        />
      </Field>
      <label class="check">
        <input
          type="checkbox"
          checked={crowd.value}
          onChange={(event) => {
            crowd.value = event.currentTarget.checked;
          }}
        />{' '}
        {say('claim.crowd')}
      </label>
      <div class="row">
        <button type="button" class="button button-main" disabled={deed.busy} onClick={() => begin('set')}>
          {say('claim.set')}
        </button>
        <button type="button" class="button" disabled={deed.busy} onClick={() => begin('one')}>
          {say('claim.one')}
        </button>
      </div>
      {deed.note}
    </div>
  );
}

/** A window that is open, or the questions it left. */
function Running({ room, claim, deed }: { room: Room; claim: ClaimView; deed: Deed }) {
  const open = claim.leftMs !== undefined;
  const stop = (): void => void deed.run('collect', { seat: claim.seat, stop: true });
  return (
    <div class="claim">
      <ClaimNow room={room} claim={claim} />
      <Taken room={room} claim={claim} />
      {claim.asked.map(({ die, why }) => (
        <Question key={die} room={room} claim={claim} die={die} why={why} />
      ))}
      <div class="row">
        <button type="button" class="button" disabled={deed.busy} onClick={stop}>
          {say(open ? 'claim.enough' : 'app.close')}
        </button>
      </div>
      {deed.note}
    </div>
  );
}

/** What a seat is to do in its window: throw, or in a crowd show two numbers; for how long yet. */
export function ClaimNow({ room, claim }: { room: Room; claim: ClaimView }) {
  const left = useCountdown(claim.leftMs);
  const name = nameOf(room.view.value, claim.seat);
  if (left === undefined) {
    return <p role="status">{say('claim.done', { name, n: claim.dice.length - claim.asked.length })}</p>;
  }
  const { large, small } = claim;
  return (
    <div role="status">
      <p>
        <strong>{say(claim.how === 'one' ? 'claim.throwOne' : 'claim.throwSet', { name })}</strong>{' '}
        <span class="quiet">{say('claim.left', { n: left })}</span>
      </p>
      {large === undefined || small === undefined ? null : (
        <p>{say('claim.show', { a: large[0] ?? 0, b: large[1] ?? 0, small: small[1] ?? 0 })}</p>
      )}
    </div>
  );
}

/** Whole seconds that are left; undefined once the window is closed. */
function useCountdown(leftMs: number | undefined): number | undefined {
  const end = useSignal(0);
  const left = useSignal<number | undefined>(undefined);
  useEffect(() => {
    if (leftMs === undefined) {
      left.value = undefined;
      return;
    }
    end.value = performance.now() + leftMs;
    const tick = (): void => {
      left.value = Math.max(0, Math.ceil((end.value - performance.now()) / SECOND_MS));
    };
    tick();
    const timer = setInterval(tick, SECOND_MS / 4);
    return () => clearInterval(timer);
  }, [leftMs]);
  return left.value;
}

function Taken({ room, claim }: { room: Room; claim: ClaimView }) {
  const game = room.view.value?.game.id ?? '';
  const asked = new Set(claim.asked.map(({ die }) => die));
  const taken = claim.dice.filter(({ die }) => !asked.has(die));
  if (taken.length === 0) return claim.leftMs === undefined ? null : <p class="quiet">{say('claim.none')}</p>;
  return (
    <ul class="chips">
      {taken.map(({ die, model, type, duty, counter }) => (
        <li key={die} class="chip chip-now">
          {type === null ? model : dieWord(game, type)}
          {duty === 'counts' && counter !== undefined ? ` · ${counterWord(counter)}` : ''}
        </li>
      ))}
    </ul>
  );
}

/** A claimed die that a person must say something about: whose it is, what it wears, what it is for. */
function Question({ room, claim, die, why }: { room: Room; claim: ClaimView; die: string; why: string }) {
  const deed = useDeed(room);
  const view = room.view.value;
  const name = nameOf(view, claim.seat);
  const known: DieView | undefined = view?.dice?.find(({ id }) => id === die);
  const shelled = known?.model === 'GoDice';
  const shell = useSignal<string>('d6');
  const key = keyOf(`claim.asked.${why}`);
  const bind = (duty: 'rolls' | 'counts'): void => {
    void deed.run('bind', { die, seat: claim.seat, duty, ...(shelled ? { shell: shell.value } : {}) });
  };
  return (
    <div class="claim-question">
      <p>
        <strong>{known === undefined ? die : dieName(known)}</strong>: {key === undefined ? why : say(key, { name })}
      </p>
      {shelled ? (
        <Field label={say('die.shell')}>
          <Select
            value={shell.value}
            choices={SHELLS.map((one) => [one, shellWord(one)] as const)}
            onChoose={(one) => {
              shell.value = one;
            }}
          />
        </Field>
      ) : null}
      <div class="row">
        <button type="button" class="button button-main" disabled={deed.busy} onClick={() => bind('rolls')}>
          {say('claim.rolls')}
        </button>
        <button type="button" class="button" disabled={deed.busy} onClick={() => bind('counts')}>
          {say('claim.counts')}
        </button>
        <button type="button" class="button" onClick={() => deed.run('blink', { die })}>
          {say('die.blink')}
        </button>
      </div>
      {deed.note}
    </div>
  );
}

/** A shell as people name it: bare it is a D6, one of them bears tens. */
export const shellWord = (shell: string): string =>
  shell === 'd10x' ? 'D%' : shell === 'd6' ? say('die.bare') : shell.toUpperCase();
