import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import type { Awaited, Envelope, Live, RollWire } from '../../wire/envelope.js';
import type { TableView } from '../../wire/view.js';
import { type Room, seqOf } from '../room.js';
import { rollsNow } from './delay.js';
import type { Parameters } from './parameters.js';

/** A record older than this when it arrives is shown, but its roll is not played: it is no news any more. */
const NEWS_MS = 5_000;
/** Records by which the daemon's clock is compared with ours. */
const COMPARED = 20;
/** Rolls whose arrival is remembered; a page shows ten at most. */
const REMEMBERED = 200;
/** A test roll leaves by itself, as does a last roll shown again where rolls do not stay. */
const TEST_MS = 8_000;
/** A die that never comes to rest is forgotten after this. */
const ROLLING_MS = 12_000;
/** The wait between a die at rest and its roll: settling, and the disk. */
const SETTLING_MS = 1_200;
/** A roll that comes back to the screen after this does not move in again. */
const ARRIVING_MS = 2_000;

/** A roll on the screen. `arrives`: it is news, and moves in. `again` counts how often the GM asked to see it again. */
export interface Card {
  readonly roll: RollWire;
  readonly arrives: boolean;
  readonly again: number;
  readonly test: boolean;
}

/** Who is awaited and what everybody has; while the overlay is paused, as it was then. */
export interface Scene {
  readonly view: TableView;
  readonly awaited: readonly Awaited[];
}

interface Arrival {
  /** When it came, by our clock since the page began; long ago where nobody knows. */
  readonly since: number;
  readonly news: boolean;
  readonly again: number;
}

const LONG_AGO: Arrival = { since: Number.NEGATIVE_INFINITY, news: false, again: 0 };

/** What an overlay shows of its room: which rolls, since when, and which of them are news. Each is news once, by its id. */
export class Stage {
  readonly cards: ReadonlySignal<readonly Card[]>;
  /** Null before the first word, and where a pause hides what nobody knows. */
  readonly scene = signal<Scene | null>(null);
  /** Dice that roll right now. */
  readonly rolling: ReadonlySignal<readonly string[]>;
  readonly #room: Room;
  readonly #parameters: Parameters;
  readonly #arrivals = new Map<string, Arrival>();
  readonly #dice = new Map<string, number>();
  readonly #change = signal(0);
  readonly #lags: number[] = [];
  readonly #onNews: (roll: RollWire) => void;
  #test: { readonly roll: RollWire; readonly until: number } | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param onNews told of each roll that is news and is shown */
  constructor(room: Room, parameters: Parameters, onNews: (roll: RollWire) => void) {
    this.#room = room;
    this.#parameters = parameters;
    this.#onNews = onNews;
    this.cards = computed(() => this.#cards(this.#change.value));
    this.rolling = computed(() => this.#rolling(this.#change.value));
  }

  /** Listens until the returned function is called. */
  follow(): () => void {
    const stop = this.#room.listen({
      envelope: (message, replayed) => this.#heard(message, replayed),
      live: (message) => this.#live(message),
    });
    const woken = (): void => this.#touch();
    document.addEventListener('visibilitychange', woken);
    const arming = effect(() => {
      this.#change.value;
      this.#room.rolls.value;
      this.#arm();
    });
    const seeing = effect(() => {
      const { view, awaited, orders } = this.#room;
      if (orders.value.paused !== undefined || view.value === null) return;
      this.scene.value = { view: view.value, awaited: awaited.value };
    });
    return () => {
      stop();
      arming();
      seeing();
      clearTimeout(this.#timer);
      document.removeEventListener('visibilitychange', woken);
    };
  }

  #heard(message: Envelope, replayed: boolean): void {
    const { roll } = message;
    const age = this.#age(message.at, replayed);
    const now = rollsNow(message);
    for (const one of now ?? []) this.#remember(one.id, LONG_AGO);
    // A ruling may take back what the held picture still shows.
    if (now !== null && this.#room.orders.value.paused !== undefined) this.scene.value = null;
    if (roll === undefined) return;
    for (const { die } of roll.dice) this.#dice.delete(die);
    if (!this.#arrivals.has(roll.id) && !this.#room.rolls.value.some((shown) => shown.id === roll.id)) {
      const { hidden, paused } = this.#room.orders.value;
      const seen = hidden !== true && paused === undefined && document.visibilityState === 'visible';
      const news = seen && this.#wanted(roll) && age < NEWS_MS && !(replayed && this.#parameters.delayMs > 0);
      this.#remember(roll.id, { since: performance.now() - age, news, again: 0 });
      if (news) this.#onNews(roll);
    }
    this.#touch();
  }

  #live({ die, signal: heard }: Live): void {
    if (heard.kind === 'overlay') this.#ordered(heard);
    else if (heard.kind === 'tumbling') this.#dice.set(die, performance.now() + ROLLING_MS);
    else if (heard.kind === 'rested' && this.#dice.has(die)) this.#dice.set(die, performance.now() + SETTLING_MS);
    else if (heard.kind === 'unresolved' || heard.kind === 'link') this.#dice.delete(die);
    else return;
    this.#touch();
  }

  #ordered(order: Live['signal']): void {
    const [last] = this.#standing();
    if (order.what === 'again' && last !== undefined) {
      const known = this.#arrivals.get(last.id) ?? LONG_AGO;
      this.#remember(last.id, { since: performance.now(), news: false, again: known.again + 1 });
    }
    if (order.what === 'hide' || order.what === 'pause') {
      for (const [id, arrival] of this.#arrivals) this.#arrivals.set(id, { ...arrival, news: false });
      this.#test = null;
    }
    if (order.what === 'test') this.#test = { roll: testRoll(order), until: performance.now() + TEST_MS };
  }

  /** How old a record is, by the smallest lag of those told at once: the clocks of two computers seldom agree. */
  #age(at: string, replayed: boolean): number {
    const lag = Date.now() - Date.parse(at);
    if (!replayed) this.#lags.push(lag);
    if (this.#lags.length > COMPARED) this.#lags.shift();
    return lag - (this.#lags.length === 0 ? 0 : Math.min(...this.#lags));
  }

  #remember(id: string, arrival: Arrival): void {
    if (arrival === LONG_AGO && this.#arrivals.has(id)) return;
    this.#arrivals.delete(id);
    this.#arrivals.set(id, arrival);
    const oldest = this.#arrivals.size > REMEMBERED ? this.#arrivals.keys().next().value : undefined;
    if (oldest !== undefined) this.#arrivals.delete(oldest);
  }

  #wanted({ seat }: RollWire): boolean {
    return this.#parameters.seats.size === 0 || (seat !== null && this.#parameters.seats.has(seat));
  }

  /** Rolls that may be shown, newest first. While the overlay is paused those after the pause wait. */
  #standing(): readonly RollWire[] {
    const { paused } = this.#room.orders.value;
    return this.#room.rolls.value.filter(
      (roll) => this.#wanted(roll) && (paused === undefined || seqOf(roll) <= paused),
    );
  }

  /** When a roll goes, by our clock. */
  #until({ since, again }: Arrival): number {
    const { hideAfterMs } = this.#parameters;
    return hideAfterMs === 0 ? Number.POSITIVE_INFINITY : since + Math.max(hideAfterMs, again > 0 ? TEST_MS : 0);
  }

  #cards(_change: number): readonly Card[] {
    const now = performance.now();
    const cards = this.#standing()
      .map((roll) => ({ roll, arrival: this.#arrivals.get(roll.id) ?? LONG_AGO }))
      .filter(({ arrival }) => this.#until(arrival) > now)
      .slice(0, this.#parameters.last)
      .map(({ roll, arrival: { news, since, again } }) => {
        return { roll, arrives: news && now < since + ARRIVING_MS, again, test: false };
      });
    const test = this.#test;
    if (test === null || test.until <= now) return cards;
    return [{ roll: test.roll, arrives: true, again: 0, test: true }, ...cards];
  }

  #rolling(_change: number): readonly string[] {
    const now = performance.now();
    return this.#room.link.value === 'live'
      ? [...this.#dice].flatMap(([die, until]) => (until > now ? [die] : []))
      : [];
  }

  /** Sets the clock for whatever goes next. */
  #arm(): void {
    clearTimeout(this.#timer);
    const now = performance.now();
    const due = [
      ...[...this.#arrivals.values()].map((arrival) => this.#until(arrival)),
      ...this.#dice.values(),
      this.#test?.until ?? 0,
    ].filter((time) => time > now && time < Number.POSITIVE_INFINITY);
    if (due.length > 0) this.#timer = setTimeout(() => this.#touch(), Math.min(...due) - now + 1);
  }

  #touch(): void {
    this.#change.value += 1;
  }
}

/** The roll that stands nowhere. */
function testRoll({ type, sides, natural }: Live['signal']): RollWire {
  const face = Number(natural);
  return {
    id: 'test',
    game: '',
    seat: null,
    purpose: '',
    rule: '',
    dice: [
      {
        die: 'test',
        type: String(type),
        sides: Number(sides),
        natural: face,
        face,
        result: face,
        status: 'kept',
        source: 'digital',
        quality: 'ok',
      },
    ],
    modifiers: [],
    natural: face,
    result: face,
    verdict: 'accepted',
    standing: 'valid',
    origin: 'test',
  };
}
