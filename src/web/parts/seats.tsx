import type { SeatView, TableView, TrackerView } from '../../wire/view.js';
import { say } from '../language.js';
import type { Room } from '../room.js';
import { counterWord, dieWord } from '../wording.js';
import { Sign } from './sign.js';

/** A seat's counters, and whether the dice that count them show what they should. */
export function Counters({ seat, view, notes = true }: { seat: SeatView; view: TableView | null; notes?: boolean }) {
  const counters = Object.entries(seat.counters ?? {});
  const trackers = seat.trackers ?? [];
  const unset = trackers.filter((tracker) => !counters.some(([name]) => name === tracker.counter));
  return (
    <dl class="counters">
      {counters.map(([name, value]) => (
        <div key={name} class="counter">
          <dt>{counterWord(name)}</dt>
          <dd>{value}</dd>
          {notes ? <TrackerNote tracker={trackers.find((one) => one.counter === name)} view={view} /> : null}
        </div>
      ))}
      {unset.map((tracker) => (
        <div key={tracker.counter} class="counter">
          <dt>{counterWord(tracker.counter)}</dt>
          {tracker.face === null ? (
            <dd class="counter-unset">{say('counter.unset')}</dd>
          ) : (
            <dd>{String(tracker.face)}</dd>
          )}
        </div>
      ))}
    </dl>
  );
}

function TrackerNote({ tracker, view }: { tracker: TrackerView | undefined; view: TableView | null }) {
  if (tracker === undefined) return null;
  const text = trackerSentence(view, tracker);
  return text === '' ? null : <dd class="counter-note">{text}</dd>;
}

/** What is wrong with a die that counts, in one sentence; empty where it shows what it should. */
export function trackerSentence(view: TableView | null, tracker: TrackerView): string {
  const counter = counterWord(tracker.counter);
  if (tracker.mismatch === true && tracker.expected !== undefined) {
    const type = view?.dice?.find((die) => die.id === tracker.die)?.type ?? null;
    const game = view?.game.id ?? '';
    if (type === null || tracker.face === null) return say('tracker.expected', { counter, expected: tracker.expected });
    return say('tracker.mismatch', { die: dieWord(game, type), face: tracker.face, expected: tracker.expected });
  }
  if (typeof tracker.asked === 'string') return say('tracker.asked', { counter, face: String(tracker.face) });
  return tracker.armed ? '' : say('tracker.unarmed', { counter });
}

/** All players with their counters; the one who is awaited is marked by more than colour. */
export function Seats({ room }: { room: Room }) {
  const view = room.view.value;
  if (view === null || view.seats.length === 0) return <p class="quiet">{say('seats.none')}</p>;
  const turn = new Set(room.awaited.value.map((call) => call.seat));
  const out = eliminated(view.game.state);
  return (
    <ul class="seats">
      {view.seats.map((seat, i) => (
        <li key={seat.id} class={`seat ${turn.has(seat.id) ? 'seat-now' : ''} ${out.has(seat.id) ? 'seat-out' : ''}`}>
          <a
            class="seat-name"
            href={`/board/${room.door.table}/${seat.id}`}
            title={say('seat.board', { name: seat.name })}
          >
            <Sign index={i} name={seat.name} size={36} />
            <span>{seat.name}</span>
            {turn.has(seat.id) ? <span class="chip chip-now">{say('dt.now')}</span> : null}
            {out.has(seat.id) ? <span class="chip">{say('dt.out')}</span> : null}
          </a>
          <Counters seat={seat} view={view} />
        </li>
      ))}
    </ul>
  );
}

function eliminated(state: { readonly [key: string]: unknown }): ReadonlySet<string> {
  const list = Object.hasOwn(state, 'eliminated') ? state.eliminated : [];
  return new Set(Array.isArray(list) ? list.filter((id) => typeof id === 'string') : []);
}
