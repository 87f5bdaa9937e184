import type { Chance } from './chance.js';
import type { Controller } from './controller.js';
import { foreigner } from './foreign.js';
import type { Time, Wait } from './time.js';

/** Adverts handed over in one turn: the dice in the room go on between them. */
const AT_ONCE = 50;
/** So long until the next try while nobody looks, or the line is full. */
const PAUSE_MS = 5;

/**
 * Foreign advertisements, each from an address that was never heard before, as fast as the line to the host takes them and
 * whatever would be lost of them in the air: more than a room can send, and nothing of it is dropped (F107).
 */
export class Flood {
  /** Adverts that are still to come. */
  left = 0;
  readonly #controller: Controller;
  readonly #chance: Chance;
  readonly #time: Time;
  readonly #isFull: () => boolean;
  #next: Wait | null = null;

  constructor(controller: Controller, chance: Chance, time: Time, isFull: () => boolean) {
    this.#controller = controller;
    this.#chance = chance;
    this.#time = time;
    this.#isFull = isFull;
  }

  /** So many more. */
  pour(count: number): void {
    this.left += count;
    if (this.#next === null) this.#turn();
  }

  stop(): void {
    this.left = 0;
    this.#next?.cancel();
    this.#next = null;
  }

  #turn(): void {
    this.#next = null;
    const mayBeHeard = (): boolean => this.left > 0 && this.#controller.scan.on && !this.#isFull();
    for (let handed = 0; handed < AT_ONCE && mayBeHeard(); handed += 1) {
      const stranger = foreigner(this.#chance, 0);
      const sent = stranger.advertisement();
      if (sent !== null) this.#controller.hear(stranger, sent, false);
      this.left -= 1;
    }
    if (this.left > 0) this.#next = this.#time.after(mayBeHeard() ? 0 : PAUSE_MS, () => this.#turn());
  }
}
