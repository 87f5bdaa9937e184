import type { Heard, Signal } from '../devices/device.js';
import type { DieType } from '../dice/die.js';
import type { JsonObject } from '../dice/json.js';
import { judgeDeed, judgeThrow } from './deeds.js';
import { counted, isPawnThrown, isTrackerThrown, trackerThrown } from './duties.js';
import { Lies } from './lying.js';
import type { Binding, Offer } from './record.js';
import type { Judged, Room } from './room.js';
import { hidesFace, secretThrow } from './secrecy.js';
import type { Throw } from './throw.js';
import { followers, type Lying, readTracker } from './tracker.js';

/** Waits in monotonic time; the daemon hands in real timers, a test its own. */
export interface Waiting {
  after(ms: number, run: () => void): () => void;
}

/** What became of a signal. Both resolve with the roll or record that it led to, or null if it led to none. */
export interface Heeded {
  /** At once, or when a throw has settled. */
  readonly outcome: Promise<Judged | null>;
  /** Of a tracker that was turned: when it has lain still long enough. A new turn ends it with null. */
  readonly dwelt?: Promise<Judged | null>;
}

export const NOTHING: Heeded = { outcome: Promise.resolve(null) };

type Rested = Extract<Signal, { kind: 'rested' }>;

/** What is known of a rest beside the signal. */
interface Resting {
  readonly binding: Binding;
  /** Other dice of its kind that its seat could throw. */
  readonly others: number;
  readonly key: string;
  /** How long the die had not been heard before, in milliseconds. */
  readonly silentMs: number | undefined;
}

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
  /** Dice that tumble and have not been heard to rest, with the link they were heard on (godice.md §5). */
  readonly #tumbling = new Map<string, string | undefined>();
  readonly #trackers = new Lies();

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
    const silentMs = this.#trackers.silence(key, heard.at);
    switch (signal.kind) {
      case 'handling':
      case 'tumbling':
        this.#cancel(key);
        if (signal.kind === 'tumbling') this.#tumbling.set(key, linkOf(heard));
        this.#live(die.id, { kind: signal.kind });
        return NOTHING;
      case 'rested':
        return this.#rested(heard, signal, { binding, others, key, silentMs });
      case 'unresolved':
        return this.#unresolved(binding, die.id, heard.origin);
      case 'garbled':
        this.#live(die.id, garbledWord(signal));
        return NOTHING;
      case 'ignored':
        // A die that is followed by its advertisements says four times a second that nothing is new.
        if (signal.why !== 'repeat') this.#live(die.id, { kind: signal.kind, why: signal.why });
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

  #rested(heard: Heard, signal: Rested, resting: Resting): Heeded {
    const { binding, key } = resting;
    const type = signal.type ?? binding.type ?? heard.die?.type;
    const open = this.#tumbling.has(key);
    const torn = open && this.#tumbling.get(key) !== linkOf(heard);
    this.#tumbling.delete(key);
    if (type === undefined || heard.die === undefined) return NOTHING;
    const lies = { kind: 'rested', how: signal.how, ...this.#shownFace(signal, heard.die.id, binding) };
    const heeded = this.#heed(heard, signal, resting, type, open, torn);
    // A roll is on its way to the disk while this is told.
    this.#live(heard.die.id, lies);
    return heeded;
  }

  /** What a rest is for: a tracker's dwell, a roll, an offer, or nothing. `torn`: its tumbling came over another link. */
  #heed(heard: Heard, signal: Rested, resting: Resting, type: DieType, open: boolean, torn: boolean): Heeded {
    const { binding, others, key } = resting;
    const state = this.#room.state();
    if (binding.duty === 'pawn' && !isPawnThrown(state, binding, type)) return NOTHING;
    const tracker = binding.duty === 'counts' && !isTrackerThrown(state, binding, signal, type, others);
    if (tracker) return this.#dwell(heard, signal, resting);
    if (signal.how === 'thrown' && !torn) return this.#settle(heard, signal, binding, others, key, type);
    if (signal.how === 'placed' || state.evening !== 'open') return NOTHING;
    if (signal.how === 'resync' && !open && !this.#isUnresolved(binding.die)) return NOTHING;
    return this.#offer(heard, torn ? { ...signal, how: 'resync' } : signal, binding, type);
  }

  /** A throw's face is told with its roll; a face that may be or was a secret one does not travel by itself. */
  #shownFace(signal: Rested, die: string, binding: Binding): JsonObject {
    const hidden = hidesFace(this.#room.state(), { role: 'spectator' });
    return signal.how === 'thrown' || hidden(die, binding.seat) ? {} : { face: signal.face };
  }

  /** True if the last thing told of this die is that its throw never ended. */
  #isUnresolved(die: string): boolean {
    const { notices, rolls } = this.#room.state();
    const last = notices.findLast(({ notice }) => notice.die === die);
    const rolled = rolls.findLast(({ wire }) => wire.dice.some((one) => one.die === die));
    return last?.notice.code === 'unresolved' && last.seq > (rolled?.seq ?? 0);
  }

  #settle(heard: Heard, signal: Rested, binding: Binding, others: number, key: string, type: DieType): Heeded {
    const ms = heard.die?.settleMs ?? 0;
    this.#cancel(key);
    if (ms === 0) return { outcome: Promise.resolve(this.#throw(heard, signal, binding, others, type)) };
    return this.#later(key, ms, () => this.#throw(heard, signal, binding, others, type));
  }

  #throw(heard: Heard, signal: Rested, binding: Binding, others: number, type: DieType): Judged | null {
    if (!this.#isEnrolled(heard, binding)) return null;
    const context = { ...originOf(heard), ...(heard.ageMs === undefined ? {} : { ageMs: heard.ageMs }) };
    const thrown = thrownBy(heard, signal, binding, others, type);
    const tracker = trackerThrown(this.#room.state(), { ...thrown, die: binding.die }, binding.seat);
    if (tracker === undefined) return judgeThrow(this.#room, thrown, context);
    const { counter } = tracker;
    return judgeThrow(this.#room, { ...thrown, counter }, { ...context, also: [{ kind: 'tracker', ev: 1, tracker }] });
  }

  /** A die may have left the table, or been blocked, while it lay. */
  #isEnrolled(heard: Heard, binding: Binding): boolean {
    const { bindings, blocked } = this.#room.state();
    return (bindings.has(binding.die) || bindings.has(heard.device)) && !blocked.has(binding.die);
  }

  #dwell(heard: Heard, signal: Rested, { binding, key, silentMs }: Resting): Heeded {
    const { seat, counter } = binding;
    this.#cancel(key);
    if (seat === null || counter === undefined || typeof signal.face !== 'number' || heard.die === undefined)
      return NOTHING;
    const lying: Lying = {
      seat,
      counter,
      die: binding.die,
      face: counted(this.#room.state(), signal.type ?? binding.type, signal.face),
      sides: signal.sides,
      ...this.#trackers.read(key, signal, silentMs),
    };
    const believe = () => this.#trackers.believe(key, signal);
    const { outcome: dwelt } = this.#later(key, heard.die.dwellMs, () => this.#lies(lying, heard, binding, believe));
    return { ...NOTHING, dwelt };
  }

  #lies(lying: Lying, heard: Heard, binding: Binding, believe: () => void): Judged | null {
    const state = this.#room.state();
    if (state.evening !== 'open' || state.incomplete || !this.#isEnrolled(heard, binding)) return null;
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
    believe();
    const runs = reading.set && state.course !== undefined ? followers(state.course, seat, counter) : [];
    const [first, ...more] = runs.map((run) => ({ run, deed: { kind: 'set', seat, counter, face } as const }));
    if (first === undefined) {
      this.#room.commit('binding', { v: 1, table: [event], to: [seat] }, heard.origin);
      return null;
    }
    const judged = judgeDeed(this.#room, { ...first, ...originOf(heard), beside: [event] }) ?? null;
    for (const next of more) judgeDeed(this.#room, next);
    return judged;
  }

  /** In bilico, "L'hai tirato?", re-read after a link loss: told and offered, counted only if the roller says so. */
  #offer(heard: Heard, signal: Rested, binding: Binding, type: DieType): Heeded {
    const roll = `${this.#room.id}-${this.#room.state().seq + 1}`;
    const why = signal.how === 'leaning' || signal.how === 'resync' ? signal.how : 'unsure';
    const fell = why === 'leaning' ? undefined : this.#room.state().veiled.get(binding.die);
    const to = secretThrow(this.#room.course(), binding.seat) ?? fell;
    const secret = to === undefined ? {} : { to };
    const { seat, die } = binding;
    const { face } = signal;
    const fake = heard.fake ? { fake: true as const } : {};
    const offer: Offer = { roll, seat, die, type, face, why, ...fake, ...secret };
    const code = why === 'leaning' ? 'cocked' : why;
    const notice = { code, die, type, face, roll, ...(seat === null ? {} : { seat }) };
    const body = { v: 1, table: [{ kind: 'offered', ev: 1, offer }], notice, ...secret } as const;
    return noted(this.#room.commit('notice', body, heard.origin), code);
  }

  /** A throw that never ended: it is told, so that a number can be typed. Trackers and pawns are merely handled. */
  #unresolved({ seat, duty }: Binding, die: string, origin: string | undefined): Heeded {
    if (duty !== 'rolls' || this.#room.state().evening !== 'open') return NOTHING;
    const notice = { code: 'unresolved', die, ...(seat === null ? {} : { seat }) };
    const own = origin === undefined ? undefined : `${origin} unresolved`;
    return noted(this.#room.commit('notice', { v: 1, notice }, own), notice.code);
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

/** Something that was told and does not count. */
const noted = (seq: number, code: string): Heeded => ({
  outcome: Promise.resolve({ seq, verdict: { verdict: 'loose', code, reason: 'Told, not counted.' } }),
});

/** What everybody may know of something unreadable: why, and both checks. What it seemed to say may be a secret throw. */
export function garbledWord({ why, got, expected }: Extract<Signal, { kind: 'garbled' }>): JsonObject {
  const checks = why === 'check' && got !== undefined && expected !== undefined ? { got, expected } : {};
  return { kind: 'garbled', why, ...checks };
}

/**
 * The link a signal came over, from its origin `<die>/<epoch>/<link>/<n>`: a throw is one only if its tumbling and its rest
 * were heard on one. Undefined for what has no links.
 */
function linkOf({ origin }: Heard): string | undefined {
  const parts = origin?.split('/') ?? [];
  return parts.length === 4 ? parts.slice(0, 3).join('/') : undefined;
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
