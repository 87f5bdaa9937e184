import type { Heard, Signal } from '../devices/device.js';
import type { DieType } from '../dice/die.js';
import type { JsonObject } from '../dice/json.js';
import { expectations } from './course.js';
import { judgeDeed, judgeThrow, tellUncounted } from './deeds.js';
import type { Binding, Offer } from './record.js';
import type { Judged, Room } from './room.js';
import type { Throw } from './throw.js';
import { type Lying, readTracker } from './tracker.js';

/** Waits in monotonic time; the daemon hands in real timers, a test its own. */
export interface Waiting {
  after(ms: number, run: () => void): () => void;
}

/** What became of a signal: at once, or after it has lain long enough. */
export interface Heeded {
  /** Resolves with the roll or record that the signal led to, or null if it led to none. */
  readonly outcome: Promise<Judged | null>;
}

const NOTHING: Heeded = { outcome: Promise.resolve(null) };

type Rested = Extract<Signal, { kind: 'rested' }>;

/**
 * Turns what devices say into deeds: settling of throws, dwell of trackers, offers for rests that are no throw by
 * themselves. No half-gathered throw lives here: a call gathers its own dice.
 */
export class Hearing {
  readonly #room: Room;
  readonly #waiting: Waiting;
  readonly #live: (die: string, signal: JsonObject) => void;
  /** One pending rest per die and socket piece: settling or dwelling. */
  readonly #pending = new Map<string, { cancel: () => void }>();

  constructor(room: Room, waiting: Waiting, live: (die: string, signal: JsonObject) => void) {
    this.#room = room;
    this.#waiting = waiting;
    this.#live = live;
  }

  /** Takes one signal of a die bound to this table. `others`: how many other dice of its kind its seat could throw. */
  hear(heard: Heard, binding: Binding, others: number): Heeded {
    const { signal, die } = heard;
    if (die === undefined) return NOTHING;
    const key = `${die.id} ${die.piece ?? ''}`;
    switch (signal.kind) {
      case 'handling':
      case 'tumbling':
        this.#cancel(key);
        this.#live(die.id, { kind: signal.kind });
        return NOTHING;
      case 'rested':
        return this.#rested(heard, signal, binding, others, key);
      case 'unresolved':
        return this.#tell(binding, { code: 'unresolved', die: die.id }, heard.origin);
      case 'garbled':
        this.#live(die.id, garbledWord(signal));
        return NOTHING;
      case 'ignored':
        this.#live(die.id, { kind: signal.kind, why: signal.why });
        return NOTHING;
      case 'battery':
        this.#live(die.id, { ...signal });
        return NOTHING;
      case 'identity':
      case 'rssi':
      case 'hello':
      case 'beat':
      case 'gap':
      case 'amended':
      case 'fault':
      case 'reply':
        return NOTHING;
    }
  }

  /** Forgets what has not settled yet; the evening ends or the daemon stops. */
  stop(): void {
    for (const key of [...this.#pending.keys()]) this.#cancel(key);
  }

  #cancel(key: string): void {
    this.#pending.get(key)?.cancel();
    this.#pending.delete(key);
  }

  #rested(heard: Heard, signal: Rested, binding: Binding, others: number, key: string): Heeded {
    const type = signal.type ?? binding.type ?? heard.die?.type;
    this.#cancel(key);
    if (type === undefined || heard.die === undefined) return NOTHING;
    this.#live(heard.die.id, { kind: 'rested', how: signal.how, ...this.#shownFace(signal) });
    if (binding.duty === 'pawn' && !this.#awaitsPawn(binding, type)) return NOTHING;
    const tracker = binding.duty === 'counts' && !this.#throwsTracker(binding, signal, type);
    if (tracker) return this.#dwell(heard, signal, binding, key);
    if (signal.how === 'thrown') return this.#settle(heard, signal, binding, others, key, type);
    if (signal.how === 'placed') return NOTHING;
    return this.#offer(heard, signal, binding, type);
  }

  /** A throw's face is told with its roll; while a secret is awaited no face travels by itself. */
  #shownFace(signal: Rested): JsonObject {
    const course = this.#room.course();
    const secret = course !== undefined && expectations(course).some(({ expects }) => expects.to !== undefined);
    return signal.how === 'thrown' || secret ? {} : { face: signal.face };
  }

  /** A GM's pawn that is picked up to roll counts only when its kind is awaited from its seat (dicebound D6). */
  #awaitsPawn(binding: Binding, type: DieType): boolean {
    return this.#awaits(binding, type);
  }

  /** A tracker is rolled only where its kind is awaited from its seat (D5), or where every clean throw is noted (free). */
  #throwsTracker(binding: Binding, signal: Rested, type: DieType): boolean {
    if (signal.how !== 'thrown') return false;
    return this.#room.course()?.runs.game.game.id === 'free' || this.#awaits(binding, type);
  }

  #awaits(binding: Binding, type: DieType): boolean {
    const course = this.#room.course();
    if (course === undefined) return false;
    return expectations(course).some(({ expects }) => {
      if (expects.kind !== 'roll' || expects.seat !== binding.seat) return false;
      return expects.resolution.asks.dice.includes(type);
    });
  }

  #settle(heard: Heard, signal: Rested, binding: Binding, others: number, key: string, type: DieType): Heeded {
    const ms = heard.die?.settleMs ?? 0;
    if (ms === 0) return { outcome: Promise.resolve(this.#throw(heard, signal, binding, others, type)) };
    return this.#later(key, ms, () => this.#throw(heard, signal, binding, others, type));
  }

  #throw(heard: Heard, signal: Rested, binding: Binding, others: number, type: DieType): Judged | null {
    const thrown = thrownBy(heard, signal, binding, others, type);
    const context = { ...originOf(heard), ...(heard.ageMs === undefined ? {} : { ageMs: heard.ageMs }) };
    const { evening, incomplete } = this.#room.state();
    if (evening !== 'open') {
      const reason =
        evening === 'paused'
          ? 'The evening is paused: noted, does not count.'
          : 'The evening is closed: noted, does not count.';
      return tellUncounted(this.#room, thrown, context, { code: evening, reason });
    }
    if (incomplete) {
      const reason = 'The chronicle holds something this version does not know: the GM decides.';
      return tellUncounted(this.#room, thrown, context, { code: 'incomplete', reason });
    }
    return judgeThrow(this.#room, thrown, context) ?? null;
  }

  #dwell(heard: Heard, signal: Rested, binding: Binding, key: string): Heeded {
    const { seat, counter } = binding;
    if (seat === null || counter === undefined || typeof signal.face !== 'number' || heard.die === undefined)
      return NOTHING;
    const turned = signal.evidence.turned;
    const lying: Lying = {
      seat,
      counter,
      die: binding.die,
      face: counterValue(signal.type ?? binding.type, signal.face),
      sides: signal.sides,
      how: signal.how,
      ...(typeof turned === 'number' ? { turned } : {}),
    };
    this.#later(key, heard.die.dwellMs, () => this.#lies(lying, heard));
    return NOTHING;
  }

  #lies(lying: Lying, heard: Heard): Judged | null {
    const state = this.#room.state();
    if (state.evening !== 'open' || state.incomplete) return null;
    const reading = readTracker(state, lying);
    if (reading.kind === 'quiet') return null;
    const event = { kind: 'tracker' as const, ev: 1 as const, tracker: reading.tracker };
    const { seat, counter, face, die } = lying;
    if (reading.kind === 'asked') {
      const why = reading.tracker.asked?.why ?? 'mismatch';
      const notice = { code: `tracker_${why}`, seat, counter, die, face, from: reading.tracker.face };
      this.#room.commit('notice', { v: 1, table: [event], notice, to: [seat] }, heard.origin);
      return null;
    }
    if (!reading.set) {
      this.#room.commit('binding', { v: 1, table: [event] }, heard.origin);
      return null;
    }
    this.#room.commit('binding', { v: 1, table: [event] });
    return (
      judgeDeed(this.#room, { run: 'game', deed: { kind: 'set', seat, counter, face }, ...originOf(heard) }) ?? null
    );
  }

  /** In bilico, "L'hai tirato?", re-read after a link loss: told and offered, counted only if the roller says so. */
  #offer(heard: Heard, signal: Rested, binding: Binding, type: DieType): Heeded {
    if (
      signal.how === 'resync' &&
      !this.#room.state().notices.some((notice) => notice.code === 'unresolved' && notice.die === binding.die)
    )
      return NOTHING;
    const roll = `${this.#room.id}-${this.#room.state().seq + 1}`;
    const why = signal.how === 'leaning' || signal.how === 'resync' ? signal.how : 'unsure';
    const offer: Offer = {
      roll,
      seat: binding.seat,
      die: binding.die,
      type,
      face: signal.face,
      why,
      ...(heard.fake ? { fake: true as const } : {}),
    };
    const notice = {
      code: why === 'leaning' ? 'cocked' : why,
      die: binding.die,
      type,
      face: signal.face,
      roll,
      ...(binding.seat === null ? {} : { seat: binding.seat }),
    };
    this.#room.commit('notice', { v: 1, table: [{ kind: 'offered', ev: 1, offer }], notice }, heard.origin);
    return NOTHING;
  }

  #tell(binding: Binding, notice: { code: string; die: string }, origin: string | undefined): Heeded {
    const seat = binding.seat === null ? {} : { seat: binding.seat };
    this.#room.commit(
      'notice',
      { v: 1, notice: { ...notice, ...seat } },
      origin === undefined ? undefined : `${origin} ${notice.code}`,
    );
    return NOTHING;
  }

  #later(key: string, ms: number, act: () => Judged | null): Heeded {
    let settle: (judged: Judged | null) => void = () => {};
    const outcome = new Promise<Judged | null>((resolve) => {
      settle = resolve;
    });
    const stop = this.#waiting.after(ms, () => {
      this.#pending.delete(key);
      settle(act());
    });
    this.#pending.set(key, {
      cancel: () => {
        stop();
        settle(null);
      },
    });
    return { outcome };
  }
}

/** What everybody may know of something unreadable: why, and both checks. What it seemed to say may be a secret throw. */
export function garbledWord({ why, got, expected }: Extract<Signal, { kind: 'garbled' }>): JsonObject {
  const checks = why === 'check' && got !== undefined && expected !== undefined ? { got, expected } : {};
  return { kind: 'garbled', why, ...checks };
}

/** A tracker on the tens die counts tens: 00…90 as 0…9 (README Z1); other faces count as printed. */
function counterValue(type: DieType | undefined, face: number): number {
  return type === 'd00' ? face / 10 : face;
}

function originOf(heard: Heard): { origin?: string } {
  return heard.origin === undefined ? {} : { origin: heard.origin };
}

function thrownBy(heard: Heard, signal: Rested, binding: Binding, others: number, type: DieType): Throw {
  const piece = heard.die?.piece === undefined ? '' : `.${heard.die.piece}`;
  return {
    seat: binding.seat,
    die: `${binding.die}${piece}`,
    type,
    face: signal.face,
    // A tray that draws its own numbers says so (tray.md, `src=rng`): never a real die.
    source: signal.evidence.src === 'rng' ? 'digital' : 'physical',
    quality: heard.die?.quality ?? 'ok',
    ...(heard.fake ? { fake: true as const } : {}),
    others,
  };
}
