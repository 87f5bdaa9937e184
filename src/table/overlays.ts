import type { JsonObject } from '../dice/json.js';
import type { OverlayOrder } from '../wire/command.js';
import type { OverlayView } from '../wire/view.js';
import { type Done, done } from './room.js';
import { lastTold, type TableState } from './state.js';

/** The die of a test roll. */
const TEST_SIDES = 20;

/** What an order needs of the table. */
export interface Showing {
  state(): TableState;
  /** An unbiased number 1…sides. */
  draw(sides: number): number;
}

/**
 * What the GM tells all overlays of a table. None of it is written down: it is about the picture, not about the game, and
 * a test roll must not enter the chronicle, a statistic or a topic.
 */
export class Overlays {
  readonly #tell: (signal: JsonObject) => void;
  #hidden = false;
  #paused: number | undefined;

  /** @param tell hands a live signal to everybody who listens to the table */
  constructor(tell: (signal: JsonObject) => void) {
    this.#tell = tell;
  }

  /** The part of a view that overlays go by; empty while they show everything. */
  view(): { readonly overlay?: OverlayView } {
    const overlay: OverlayView = {
      ...(this.#hidden ? { hidden: true as const } : {}),
      ...(this.#paused === undefined ? {} : { paused: this.#paused }),
    };
    return Object.keys(overlay).length === 0 ? {} : { overlay };
  }

  /** Carries out an order and tells it. */
  order(what: OverlayOrder, table: Showing): Done {
    if (what === 'hide' || what === 'show') this.#hidden = what === 'hide';
    if (what === 'pause') this.#paused ??= lastTold(table.state(), { role: 'spectator' });
    if (what === 'resume') this.#paused = undefined;
    const die = what === 'test' ? { type: `d${TEST_SIDES}`, sides: TEST_SIDES, natural: table.draw(TEST_SIDES) } : {};
    this.#tell({ kind: 'overlay', what, overlay: (this.view().overlay ?? {}) as JsonObject, ...die });
    return done(null);
  }
}
