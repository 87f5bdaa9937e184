import type { Clock } from '../../clock.js';
import type { Device, Heard } from '../../device.js';
import { Adapter, type AdapterSettings } from './adapter.js';
import { AdapterNumbers } from './adapter-search.js';
import type { BluetoothDie } from './die.js';
import { epochsOf } from './epochs.js';
import { KeptDie } from './kept-die.js';
import type { AdvertReport, Report } from './messages.js';
import type { BluetoothPort, LinkPlanReport, RadioState, RawFrame, UnknownDie, WantedDie } from './ports.js';
import { partsOf } from './reading.js';
import { spreadLinks } from './spread.js';
import { adapterReport, stateOf } from './state.js';
import { Strangers } from './strangers.js';

/** How often the plan looks at how well dice are heard. */
export const PLAN_MS = 2_000;
/** A die that is met by one adapter is planned for a moment later, when the others have met it too. */
export const SOON_MS = 300;
/** Dice that may be wanted at once; more than any table has. */
export const MAX_WANTED = 256;

/** How the radio processes are begun. */
export interface RadioSettings {
  /** Libraries to try, the best one first. */
  readonly drivers: readonly string[];
  /** At least one, each under a name of its own. */
  readonly adapters: readonly AdapterSettings[];
}

export interface BluetoothDiceOptions extends RadioSettings {
  /** Number of this run of the daemon (journal epoch). */
  readonly run: number;
  readonly clock: Clock;
  /** The radio's program; a test may give another. */
  readonly program?: string;
}

/** All Bluetooth dice of the daemon: its adapters, whom each links, and a device for every die that is wanted. */
export class BluetoothDice implements BluetoothPort {
  readonly #clock: Clock;
  readonly #adapters: readonly Adapter[];
  readonly #kept = new Map<string, KeptDie>();
  readonly #strangers = new Strangers();
  readonly #taps = new Set<(frame: RawFrame) => void>();
  #links = 0;
  #plan: LinkPlanReport = { links: 0, dice: [] };
  #hear: ((heard: Heard) => void) | null = null;
  #cancel: (() => void) | undefined;
  #soon: (() => void) | undefined;

  constructor({ adapters, run, ...shared }: BluetoothDiceOptions) {
    this.#clock = shared.clock;
    const numbers = new AdapterNumbers();
    const nextEpoch = epochsOf(run);
    this.#adapters = adapters.map(
      (settings) =>
        new Adapter(settings, {
          ...shared,
          numbers,
          nextEpoch,
          report: (adapter, report) => this.#report(adapter, report),
          lost: (adapter) => this.#lost(adapter),
        }),
    );
    this.#replan();
  }

  start(hear: (heard: Heard) => void): void {
    this.#hear = hear;
    for (const { die } of this.#kept.values()) die.start(hear);
    for (const adapter of this.#adapters) adapter.start();
    this.#look();
  }

  /** Ends all links, then the radio processes; never rejects. */
  async stop(): Promise<void> {
    this.#cancel?.();
    this.#soon?.();
    this.#cancel = undefined;
    await Promise.all([...this.#kept.values()].map(({ die }) => die.stop()));
    this.#hear = null;
    await Promise.all(this.#adapters.map((adapter) => adapter.stop()));
  }

  devices(): readonly Device[] {
    return [...this.#kept.values()].map(({ die }) => die);
  }

  want(dice: readonly WantedDie[]): void {
    const wanted = new Map(dice.slice(0, MAX_WANTED).map((one) => [one.die, one]));
    let changed = false;
    for (const [id, kept] of this.#kept) {
      const wish = wanted.get(id);
      if (wish !== undefined && kept.isRead(wish.reading)) continue;
      this.#kept.delete(id);
      void kept.die.stop();
      changed = true;
    }
    for (const wish of wanted.values()) changed = this.#wish(wish) || changed;
    if (changed) this.#replan();
  }

  /** True where something changed for the die. */
  #wish(wish: WantedDie): boolean {
    const known = this.#kept.get(wish.die);
    if (known !== undefined) {
      const changed = known.die.duty !== wish.duty;
      known.die.duty = wish.duty;
      return changed;
    }
    if (partsOf(wish.die) === null) return false;
    const kept = new KeptDie(wish, {
      clock: this.#clock,
      epoch: () => Math.max(...this.#adapters.map(({ radio }) => radio.epoch)),
      nextLink: () => {
        this.#links += 1;
        return this.#links;
      },
      frame: (frame) => this.#tapped(frame),
    });
    this.#kept.set(wish.die, kept);
    if (this.#hear !== null) kept.die.start(this.#hear);
    return true;
  }

  unknown(): readonly UnknownDie[] {
    return this.#strangers.list((die) => this.#kept.has(die), this.#now());
  }

  find(die: string): UnknownDie | undefined {
    return this.#strangers.find(die, this.#now());
  }

  plan(): LinkPlanReport {
    return this.#plan;
  }

  state(): RadioState {
    const kept = [...this.#kept.values()];
    const linkedBy = (adapter: Adapter): number =>
      kept.filter(({ die, adapter: own }) => own === adapter && die.link === 'up').length;
    return stateOf(
      this.#adapters.map((adapter) => adapterReport(adapter, linkedBy(adapter))),
      kept.map(({ die }) => die.status()),
    );
  }

  tap(frame: (frame: RawFrame) => void): () => void {
    this.#taps.add(frame);
    return () => this.#taps.delete(frame);
  }

  #now(): number {
    return this.#clock.now();
  }

  #tapped(frame: RawFrame): void {
    for (const tap of this.#taps) tap(frame);
  }

  #report(adapter: Adapter, report: Report): void {
    switch (report.tell) {
      case 'advert':
        this.#advert(adapter, report);
        return;
      case 'up':
        this.#up(adapter, report.die, report.link, report.mtu);
        return;
      case 'failed':
      case 'down':
        this.#linkedBy(adapter, report.die)?.ended(report.link, report.tell, report.why);
        this.#easeOff();
        return;
      case 'notification':
        this.#linkedBy(adapter, report.die)?.notification(report.link, report.n, report.bytes);
        return;
      case 'wrote':
        this.#linkedBy(adapter, report.die)?.wrote(report.id, report.ok);
        return;
      case 'adapter':
      case 'ready':
      case 'address':
      case 'scan':
      case 'trouble':
      case 'beat':
        return;
    }
  }

  /** The die, where its link is this adapter's affair. */
  #linkedBy(adapter: Adapter, die: string): BluetoothDie | undefined {
    const kept = this.#kept.get(die);
    return kept?.adapter === adapter ? kept.die : undefined;
  }

  #up(adapter: Adapter, die: string, link: number, mtu: number | null): void {
    const linked = this.#linkedBy(adapter, die);
    // Nobody wants this die any more, or another adapter is to link it.
    if (linked === undefined) adapter.order({ do: 'release', die, link });
    else linked.up(link, mtu);
    this.#easeOff();
  }

  #advert(adapter: Adapter, report: AdvertReport): void {
    const at = this.#now();
    this.#strangers.note(report, at, adapter.name);
    const kept = this.#kept.get(report.die);
    if (kept === undefined) return;
    const free = kept.adapter === adapter && this.#isFree(adapter);
    if (kept.ears.note(adapter, report, at)) kept.die.advert(report, free);
    else if (free) kept.die.seen();
    if (kept.waits) this.#meet();
  }

  /** A die that waits for an adapter was heard. */
  #meet(): void {
    this.#soon ??= this.#clock.after(SOON_MS, () => {
      this.#soon = undefined;
      this.#replan();
    });
  }

  /** One link is made at a time, for two attempts at once block each other (F059), and no more than there may be. */
  #isFree(adapter: Adapter): boolean {
    const held = [...this.#kept.values()].filter((kept) => kept.adapter === adapter && kept.isHeld);
    return held.length < adapter.links && held.every(({ die }) => die.link !== 'connecting');
  }

  /** Nothing is left of a radio process or its adapter: all its links are lost at once, and others may make them. */
  #lost(adapter: Adapter): void {
    for (const kept of this.#kept.values()) kept.lost(adapter);
    this.#replan();
  }

  #look(): void {
    this.#replan();
    this.#cancel = this.#clock.after(PLAN_MS, () => this.#look());
  }

  #replan(): void {
    const at = this.#now();
    const serving = this.#adapters.filter((adapter) => adapter.serves(at));
    const places = serving.length === 0 ? this.#adapters : serving;
    const wishes = [...this.#kept.values()].map((kept) => kept.spread(at));
    const dice = spreadLinks(wishes, places);
    this.#plan = { links: places.reduce((sum, { links }) => sum + links, 0), dice };
    for (const { die: id, by, adapter } of dice) {
      const kept = this.#kept.get(id);
      if (kept === undefined) continue;
      if (by === 'link' && !kept.isHeld) kept.adapter = places.find(({ name }) => name === adapter) ?? null;
      kept.waits = by === 'link' && kept.adapter === null;
      kept.die.follow(by);
    }
    this.#easeOff();
  }

  /** With nothing on the air that is awaited or followed by what it advertises, the radio looks less often. */
  #easeOff(): void {
    const { dice } = this.#plan;
    const at = this.#now();
    const sought = dice.some(({ die, by }) => {
      const kept = this.#kept.get(die);
      return by !== 'none' && (by === 'adverts' || kept?.die.link !== 'up') && kept?.isAwaited(at) === true;
    });
    const pace = sought || dice.length === 0 ? 'full' : 'eased';
    for (const adapter of this.#adapters) adapter.pace(pace);
  }
}
