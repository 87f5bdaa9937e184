import type { RunId } from './course.js';
import { expectations } from './course.js';
import type { Room } from './room.js';

/** Monotonic clock and waiting; a jump of the wall clock moves neither (F047). */
export interface Clock {
  /** Monotonic milliseconds. */
  now(): number;
  /** Wall clock, milliseconds since 1970. */
  wall(): number;
  after(ms: number, run: () => void): () => void;
}

interface Armed {
  readonly run: RunId;
  left: number;
  since: number | null;
  stop: () => void;
}

/**
 * The timers that the games await. A timer that leaves and returns under the same id goes on with what was left; after a
 * restart and during a ruling all are paused until the GM resumes.
 */
export class Timers {
  readonly #room: Room;
  readonly #clock: Clock;
  readonly #elapsed: (run: RunId, timer: string) => void;
  readonly #armed = new Map<string, Armed>();
  #paused: boolean;

  constructor(room: Room, clock: Clock, elapsed: (run: RunId, timer: string) => void, paused: boolean) {
    this.#room = room;
    this.#clock = clock;
    this.#elapsed = elapsed;
    this.#paused = paused;
  }

  get paused(): boolean {
    return this.#paused;
  }

  /** Arms what is awaited now and halts what is not. Called after every record. */
  reconcile(): void {
    const course = this.#room.state().incomplete ? undefined : this.#room.course();
    const awaited = new Map<string, { run: RunId; ms: number }>();
    for (const { run, expects } of course === undefined ? [] : expectations(course)) {
      if (expects.kind === 'timer') awaited.set(expects.id, { run, ms: expects.ms });
    }
    for (const [id, armed] of this.#armed) if (!awaited.has(id)) this.#halt(armed);
    for (const [id, timer] of awaited) {
      const known = this.#armed.get(id);
      const armed = known ?? { run: timer.run, left: timer.ms, since: null, stop: () => {} };
      if (known === undefined) this.#armed.set(id, armed);
      if (!this.#paused) this.#go(id, armed);
    }
    this.#forget(awaited);
  }

  pause(): void {
    this.#paused = true;
    for (const armed of this.#armed.values()) this.#halt(armed);
  }

  resume(): void {
    this.#paused = false;
    this.reconcile();
  }

  /** Another game has begun: what was left of the old one's timers is nothing to the new one. */
  restart(running: boolean): void {
    this.stop();
    this.#paused = !running;
  }

  stop(): void {
    this.pause();
    this.#armed.clear();
  }

  #go(id: string, armed: Armed): void {
    if (armed.since !== null) return;
    armed.since = this.#clock.now();
    armed.stop = this.#clock.after(armed.left, () => {
      this.#armed.delete(id);
      this.#elapsed(armed.run, id);
    });
  }

  #halt(armed: Armed): void {
    if (armed.since === null) return;
    armed.stop();
    armed.left = Math.max(0, armed.left - (this.#clock.now() - armed.since));
    armed.since = null;
  }

  /** Halted timers are kept for their return, but not for ever: call ids never come back after their round. */
  #forget(awaited: ReadonlyMap<string, unknown>): void {
    const idle = [...this.#armed.keys()].filter((id) => !awaited.has(id));
    for (const id of idle.slice(0, Math.max(0, idle.length - MAX_HALTED))) this.#armed.delete(id);
  }
}

/** Halted timers remembered for their return. */
export const MAX_HALTED = 100;
