import { useLayoutEffect, useRef } from 'preact/hooks';
import type { SeatView, TableView } from '../../wire/view.js';
import { keyOf, say } from '../language.js';
import { Sign, seatClass, seatIndex } from '../parts/sign.js';
import { counterWord } from '../wording.js';

const CHANGED: Keyframe[] = [
  { transform: 'scale(1.45)', filter: 'brightness(1.6)' },
  { transform: 'none', filter: 'none' },
];
const CHANGED_MS = 500;

function shortWord(counter: string): string {
  const key = keyOf(`counter.short.${counter}`);
  return key === undefined ? counterWord(counter) : say(key);
}

function Counter({ counter, value }: { counter: string; value: number }) {
  const place = useRef<HTMLElement>(null);
  const was = useRef(value);
  useLayoutEffect(() => {
    if (was.current === value) return;
    was.current = value;
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches || document.visibilityState === 'hidden';
    if (!still) place.current?.animate(CHANGED, { duration: CHANGED_MS, easing: 'ease-out' });
  }, [value]);
  return (
    <div class="overlay-counter" data-counter={counter}>
      <dt>{shortWord(counter)}</dt>
      <dd>
        <strong ref={place} class="overlay-value">
          {value}
        </strong>
      </dd>
    </div>
  );
}

/** What everybody has, as the rules count it. A seat without counters is not shown. */
export function Counters({ view, seats }: { view: TableView; seats: ReadonlySet<string> }) {
  const shown = view.seats.filter(
    (seat) => (seats.size === 0 || seats.has(seat.id)) && Object.keys(seat.counters).length > 0,
  );
  if (shown.length === 0) return null;
  return (
    <ul class="overlay-counters">
      {shown.map((seat) => (
        <SeatCounters key={seat.id} view={view} seat={seat} />
      ))}
    </ul>
  );
}

function SeatCounters({ view, seat }: { view: TableView; seat: SeatView }) {
  const index = seatIndex(view, seat.id);
  return (
    <li class={`overlay-seat ${seatClass(index)}`} data-seat={seat.id}>
      <Sign index={index} name={seat.name} size={32} />
      <span class="overlay-seat-name">{seat.name}</span>
      <dl>
        {Object.entries(seat.counters).map(([counter, value]) => (
          <Counter key={counter} counter={counter} value={value} />
        ))}
      </dl>
    </li>
  );
}
