import type { Heard } from '../devices/device.js';
import { parseDieType } from '../dice/die.js';
import type { JsonObject } from '../dice/json.js';
import type { Audience } from '../games/game.js';
import type { Command } from '../wire/command.js';
import type { ClaimView } from '../wire/view.js';
import { MAX_DICE_AT_TABLE } from './binding.js';
import {
  type Asked,
  type Claimed,
  type ClaimWindow,
  drawChallenge,
  dutiesOf,
  heedClaim,
  openWindow,
  stillMoving,
} from './claim-window.js';
import { isSeat, unknownSeat } from './playing.js';
import type { DieListing } from './port.js';
import { type Done, done, type Room, refused } from './room.js';
import { mayKnow } from './state.js';

/** A claimed die that was still rolling when the window closed is silent for the game until it lies, at most this long. */
export const STRAY_MS = 10_000;

/** A die that was claimed blinks when it is linked, at most this long after. */
export const DARK_MS = 60_000;

/** A table whose seats may claim dice. */
export interface ClaimTable extends Room {
  /** Tells what is not journalled. */
  tellLive(die: string, signal: JsonObject): void;
}

/** What the claims need of the house. */
export interface ClaimHouse {
  readonly clock: { now(): number; after(ms: number, run: () => void): () => void };
  draw(sides: number): number;
  blink(die: string): Promise<boolean>;
  listing(die: string): DieListing | undefined;
  /** Whom to listen to has changed: unknown dice are heard while a window is open. */
  wanted(): void;
}

interface Open {
  readonly table: ClaimTable;
  window: ClaimWindow;
  /** Null once it is closed and only its questions are left. */
  disarm: (() => void) | null;
  claimed: readonly Claimed[];
  asked: readonly Asked[];
}

/**
 * Dice find their owners by being thrown: one window at a time in the whole daemon, for a throw cannot tell two windows
 * apart. Nothing of it is journalled but what comes of it, the enrolments; no throw in it is a roll.
 */
export class Enrolments {
  readonly #house: ClaimHouse;
  /** When a stray of a closed window is given up, by die. */
  readonly #strays = new Map<string, number>();
  /** Claimed dice that could not blink when they were claimed: they do once they are linked, or never after a while. */
  readonly #dark = new Map<string, number>();
  #open: Open | undefined;

  constructor(house: ClaimHouse) {
    this.#house = house;
  }

  /** True while unknown dice are to be listened to. */
  get listening(): boolean {
    return this.#open?.disarm != null;
  }

  /** Claimed dice that a person has not answered for: they are listened to yet, so that they can blink. */
  get asked(): readonly string[] {
    const asked = this.#open?.asked ?? [];
    return asked.map(({ die }) => die).filter((die) => this.#house.listing(die)?.table === null);
  }

  /** `collect`: opens a window for a seat's dice, or closes it before its time. */
  collect(table: ClaimTable, { args }: Extract<Command, { do: 'collect' }>): Done {
    const { seat, how = 'set', crowd = false, stop = false } = args;
    if (!isSeat(table, seat)) return unknownSeat(seat);
    const open = this.#open;
    const own = open?.table === table && open.window.seat === seat;
    if (stop) return own ? this.#stop(open) : done(null);
    if (open?.disarm != null && !own)
      return refused('claim_running', `Dice are being claimed for ${open.window.seat} at ${open.table.id}.`, {
        expected: 'one seat after the other',
      });
    open?.disarm?.();
    const challenge = crowd ? drawChallenge((sides) => this.#house.draw(sides)) : undefined;
    const window = openWindow(seat, how, this.#house.clock.now(), challenge);
    this.#open = { table, window, disarm: null, claimed: [], asked: [] };
    this.#arm(this.#open);
    this.#tell(this.#open);
    this.#house.wanted();
    return done(null);
  }

  /** Takes a signal of a die that nobody owns. */
  hear({ die, signal, at }: Heard): void {
    const open = this.#open;
    if (die === undefined || open?.disarm == null || open.table.state().blocked.has(die.id)) return;
    const { window } = open;
    open.window = heedClaim(window, die.id, signal, at);
    if (open.window.claimed !== window.claimed) {
      this.#blink(die.id, at + DARK_MS);
      this.#tell(open);
    }
    if (open.window.endsAt !== window.endsAt) this.#arm(open);
  }

  /** A die was linked: if it was claimed just now it can say so. */
  linked(die: string): void {
    const until = this.#dark.get(die);
    if (until !== undefined) this.#blink(die, until);
  }

  /** A die says by its light that it was taken; one without a link says it later. */
  #blink(die: string, until: number): void {
    this.#dark.delete(die);
    if (this.#house.clock.now() > until) return;
    void this.#house.blink(die).then((shone) => {
      if (!shone) this.#dark.set(die, until);
    });
  }

  /** True for what a die says that was still rolling when it was claimed: until it lies, nothing of it counts. */
  isStray({ die, signal, at }: Heard): boolean {
    const until = die === undefined ? undefined : this.#strays.get(die.id);
    if (die === undefined || until === undefined) return false;
    if (signal.kind === 'rested' || signal.kind === 'unresolved' || at > until) this.#strays.delete(die.id);
    return at <= until;
  }

  /** What an audience may know of the window of its table; undefined where there is none. */
  view(table: string, audience: Audience): ClaimView | undefined {
    const open = this.#open;
    if (open?.table.id !== table || !mayKnow(audience, [open.window.seat])) return undefined;
    return this.#viewOf(open);
  }

  /** Ends the window without any outcome. */
  stop(): void {
    this.#open?.disarm?.();
    this.#open = undefined;
  }

  #stop(open: Open): Done {
    if (open.disarm === null) this.#open = undefined;
    else this.#close(open);
    if (this.#open === undefined) {
      open.table.tellLive('', { kind: 'collecting', collecting: null });
      this.#house.wanted();
    }
    return done(null);
  }

  #arm(open: Open): void {
    open.disarm?.();
    const left = open.window.endsAt - this.#house.clock.now();
    if (left <= 0) this.#close(open);
    else open.disarm = this.#house.clock.after(left, () => this.#close(open));
  }

  #close(open: Open): void {
    open.disarm?.();
    open.disarm = null;
    const { table, window } = open;
    const { bindings, course } = table.state();
    const room = MAX_DICE_AT_TABLE - bindings.size;
    open.claimed = window.claimed.flatMap((die) => this.#claimed(die)).slice(0, Math.max(0, room));
    const outcome = dutiesOf(window, open.claimed, bindings.values(), course?.runs.game.game.duties);
    open.asked = outcome.asked;
    for (const die of stillMoving(window)) this.#strays.set(die, this.#house.clock.now() + STRAY_MS);
    if (outcome.bindings.length > 0) {
      const events = outcome.bindings.map((binding) => ({ kind: 'die_enrolled', ev: 1, binding }) as const);
      table.commit('binding', { v: 1, table: events });
    }
    this.#tell(open);
    this.#house.wanted();
  }

  /** A claimed die as it is known now; none where a table has taken it meanwhile. */
  #claimed(die: string): readonly Claimed[] {
    const listing = this.#house.listing(die);
    if (listing === undefined || listing.table !== null) return [];
    const { device, model, fake } = listing;
    const type = parseDieType(listing.type ?? '');
    return [{ die, device, model, type: type.ok ? type.value : null, fake }];
  }

  #tell(open: Open): void {
    open.table.tellLive('', { kind: 'collecting', collecting: { ...this.#viewOf(open) } as JsonObject });
  }

  #viewOf({ table, window, disarm, asked }: Open): ClaimView {
    const { seat, how, endsAt, challenge, claimed } = window;
    const shown = (die: string) => {
      const binding = table.state().bindings.get(die);
      const { model = '', type = null } = this.#house.listing(die) ?? {};
      const { duty, counter } = binding ?? {};
      return {
        die,
        model,
        type,
        ...(duty === undefined ? {} : { duty }),
        ...(counter === undefined ? {} : { counter }),
      };
    };
    return {
      seat,
      how,
      ...(disarm === null ? {} : { leftMs: Math.max(0, Math.round(endsAt - this.#house.clock.now())) }),
      ...(challenge === undefined ? {} : { small: [...challenge.small], large: [...challenge.large] }),
      dice: claimed.map(shown),
      asked: asked.filter(({ die }) => this.#house.listing(die)?.table === null).map((one) => ({ ...one })),
    };
  }
}
