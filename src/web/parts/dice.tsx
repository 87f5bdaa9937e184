import { type Signal, useSignal } from '@preact/signals';
import type { DieView } from '../../wire/view.js';
import { keyOf, say } from '../language.js';
import type { Room } from '../room.js';
import { counterWord, dieWord, nameOf } from '../wording.js';
import { type Deed, Field, Select, useDeed } from './deed.js';
import { DieFace } from './die.js';
import { DieReading, FaceName } from './die-reading.js';
import { dieName, followingText, signalText } from './die-words.js';

/** A signal weaker than any, dBm. */
const FARTHEST = -128;
const COUNTERS = ['pv', 'pa', 'level'] as const;

/** The dice of the table; the GM also says whose each is and what it is for. */
export function Dice({ room, dice, gm }: { room: Room; dice: readonly DieView[]; gm: boolean }) {
  const known = dice.filter((die) => die.state !== 'unknown' && die.state !== 'elsewhere');
  // The nearest first: the one in the hand is rarely the farthest.
  const others = dice
    .filter((die) => die.state === 'unknown' || die.state === 'elsewhere')
    .sort((a, b) => (b.rssi ?? FARTHEST) - (a.rssi ?? FARTHEST));
  if (dice.length === 0) return <p class="quiet">{say('die.none')}</p>;
  return (
    <>
      <ul class="dice">
        {known.map((die) => (
          <DieCard key={die.id} room={room} die={die} gm={gm} />
        ))}
      </ul>
      {others.length === 0 || !gm ? null : (
        <details class="more">
          <summary>{say('die.unknownCount', { n: others.length })}</summary>
          <ul class="dice">
            {others.map((die) => (
              <DieCard key={die.id} room={room} die={die} gm={gm} />
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function DieCard({ room, die, gm }: { room: Room; die: DieView; gm: boolean }) {
  const view = room.view.value;
  const moving = room.moving.value.get(die.id);
  const movingKey = moving === undefined ? undefined : keyOf(`die.signal.${moving}`);
  return (
    <li class={`die-card die-card-${die.state}`} data-die={die.id}>
      <DieFace type={die.type ?? 'd20'} text={die.face === null ? '–' : String(die.face)} size={48} tone="quiet" />
      <div class="die-words">
        <p>
          <strong>{dieName(die)}</strong>{' '}
          {die.type === null ? null : <span class="quiet">{dieWord(view?.game.id ?? '', die.type)}</span>}{' '}
          {die.fake ? <span class="badge badge-fake">{say('source.fake')}</span> : null}
        </p>
        <p class="quiet">
          {[ownerText(room, die), linkText(die), followingText(die), signalOf(die), batteryText(die)]
            .filter((text) => text !== '')
            .join(' · ')}
        </p>
        {die.doubt === 'shell' ? <p class="warning">{`⚠ ${say('die.doubt.shell')}`}</p> : null}
        {movingKey === undefined ? null : <p class="chip chip-now">{say(movingKey)}</p>}
      </div>
      {gm ? <DieControls room={room} die={die} /> : null}
    </li>
  );
}

function ownerText(room: Room, die: DieView): string {
  if (die.state === 'elsewhere') return say('die.state.elsewhere', { table: die.table ?? '' });
  if (die.state !== 'bound' || die.seat === null)
    return say(`die.state.${die.state === 'bound' ? 'shared' : die.state}`);
  const owner = say('die.state.bound', { name: nameOf(room.view.value, die.seat) });
  if (die.duty === null) return owner;
  const duty =
    die.duty === 'counts' && die.counter !== null
      ? say('die.duty.countsWhat', { counter: counterWord(die.counter) })
      : say(`die.duty.${die.duty}`);
  return `${owner}, ${duty}`;
}

/** The signal matters of dice that are to be found; of one's own it is noise. */
const signalOf = (die: DieView): string => (die.state === 'unknown' ? signalText(die) : '');

function linkText(die: DieView): string {
  if (die.state === 'unknown' || (die.following !== undefined && die.following.by !== 'link')) return '';
  const key = keyOf(`die.link.${die.link}`);
  return key === undefined ? say('die.link.other', { state: die.link }) : say(key);
}

function batteryText(die: DieView): string {
  if (die.battery === null) return '';
  return die.low === true ? `⚠ ${say('die.batteryLow', { n: die.battery })}` : say('die.battery', { n: die.battery });
}

function DieControls({ room, die }: { room: Room; die: DieView }) {
  const deed = useDeed(room);
  if (die.state === 'blocked') {
    return (
      <div class="row">
        <button type="button" class="button" onClick={() => deed.run('block', { die: die.id, blocked: false })}>
          {say('die.unblock')}
        </button>
        {deed.note}
      </div>
    );
  }
  if (die.state === 'unknown' || die.state === 'elsewhere') {
    return (
      <div class="row">
        <button type="button" class="button button-main" onClick={() => deed.run('enrol', { die: die.id })}>
          {say('die.enrol')}
        </button>
        <button type="button" class="button" onClick={() => deed.run('block', { die: die.id })}>
          {say('die.block')}
        </button>
        <button type="button" class="button" onClick={() => deed.run('blink', { die: die.id })}>
          {say('die.blink')}
        </button>
        {deed.note}
      </div>
    );
  }
  return (
    <details class="more die-settings">
      <summary>{say('die.settings')}</summary>
      <Binding room={room} die={die} deed={deed} />
      <DieName die={die} deed={deed} />
      <DieReading die={die} deed={deed} />
      <FaceName die={die} deed={deed} />
      <div class="row">
        <button type="button" class="button" onClick={() => deed.run('blink', { die: die.id })}>
          {say('die.blink')}
        </button>
        <button type="button" class="button" onClick={() => deed.run('enrol', { die: die.id, enrolled: false })}>
          {say('die.unenrol')}
        </button>
        <button type="button" class="button" onClick={() => deed.run('block', { die: die.id })}>
          {say('die.block')}
        </button>
      </div>
      {deed.note}
    </details>
  );
}

type Duty = 'rolls' | 'counts' | 'pawn';
const DUTIES: readonly Duty[] = ['rolls', 'counts', 'pawn'];

function CounterChoice({ counter }: { counter: Signal<string> }) {
  const named = COUNTERS.some((one) => one === counter.value);
  return (
    <>
      <Field label={say('die.counter')}>
        <Select
          value={named ? counter.value : ''}
          choices={[...COUNTERS.map((one) => [one, counterWord(one)] as const), ['', say('die.otherCounter')] as const]}
          onChoose={(one) => {
            counter.value = one;
          }}
        />
      </Field>
      {named ? null : (
        <Field label={say('die.counterName')}>
          <input
            required
            maxLength={32}
            pattern="[a-z0-9][a-z0-9_\-]*"
            value={counter.value}
            onInput={(event) => {
              counter.value = event.currentTarget.value;
            }}
          />
        </Field>
      )}
    </>
  );
}

function Binding({ room, die, deed }: { room: Room; die: DieView; deed: Deed }) {
  const seats = room.view.value?.seats ?? [];
  const seat = useSignal(die.seat ?? '');
  const duty = useSignal<Duty>(die.duty ?? 'rolls');
  const counter = useSignal(die.counter ?? 'pv');
  const bind = (event: Event): void => {
    event.preventDefault();
    const whose = seat.value === '' ? { seat: null } : { seat: seat.value, duty: duty.value };
    const what = seat.value !== '' && duty.value === 'counts' ? { counter: counter.value } : {};
    void deed.run('bind', { die: die.id, ...whose, ...what });
  };
  return (
    <form class="binding" onSubmit={bind}>
      <Field label={say('die.owner')}>
        <Select
          value={seat.value}
          choices={[
            ['', say('die.everyone')] as const,
            ...seats.map((one) => [one.id, one.name] as const),
            ['gm', say('who.gm')] as const,
          ]}
          onChoose={(id) => {
            seat.value = id;
          }}
        />
      </Field>
      {seat.value === '' ? null : (
        <Field label={say('die.duty')}>
          <Select
            value={duty.value}
            choices={DUTIES.map((one) => [one, say(`die.duty.${one}`)] as const)}
            onChoose={(one) => {
              duty.value = DUTIES.find((known) => known === one) ?? 'rolls';
            }}
          />
        </Field>
      )}
      {seat.value === '' || duty.value !== 'counts' ? null : <CounterChoice counter={counter} />}
      <button type="submit" class="button button-main" disabled={deed.busy}>
        {say('app.save')}
      </button>
    </form>
  );
}

function DieName({ die, deed }: { die: DieView; deed: Deed }) {
  const name = useSignal(die.name ?? '');
  const rename = (event: Event): void => {
    event.preventDefault();
    void deed.run('enrol', { die: die.id, name: name.value });
  };
  return (
    <form class="row" onSubmit={rename}>
      <Field label={say('die.name')}>
        <input
          maxLength={60}
          required
          value={name.value}
          onInput={(event) => {
            name.value = event.currentTarget.value;
          }}
        />
      </Field>
      <button type="submit" class="button" disabled={deed.busy}>
        {say('die.rename')}
      </button>
    </form>
  );
}
