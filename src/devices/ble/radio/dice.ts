import type { Clock } from '../../clock.js';
import type { Device, Heard } from '../../device.js';
import { BluetoothDie } from './die.js';
import { Heardness, LookedTime } from './listening.js';
import type { AdvertReport, Report } from './messages.js';
import { planLinks } from './plan.js';
import type {
  BluetoothPort,
  DieReading,
  Followed,
  LinkPlanReport,
  RadioState,
  RawFrame,
  UnknownDie,
  WantedDie,
} from './ports.js';
import { partsOf } from './reading.js';
import { stateOf } from './state.js';
import { Strangers } from './strangers.js';
import { type RadioSettings, Supervisor } from './supervisor.js';

/** How often the plan looks at how well dice are heard. */
export const PLAN_MS = 2_000;
/** Dice that may be wanted at once; more than any table has. */
export const MAX_WANTED = 256;

export interface BluetoothDiceOptions extends RadioSettings {
  /** Links that the adapter carries. */
  readonly links: number;
  /** Number of this run of the daemon (journal epoch). */
  readonly run: number;
  readonly clock: Clock;
  /** The radio's program; a test may give another. */
  readonly program?: string;
}

interface Kept {
  readonly die: BluetoothDie;
  readonly reading: string;
  readonly heardness: Heardness;
  /** Its advertisements came badly: it keeps a link until the wishes change. */
  poorly: boolean;
}

/** All Bluetooth dice of the daemon: one radio process, whom it links, and a device for every die that is wanted. */
export class BluetoothDice implements BluetoothPort {
  readonly #options: BluetoothDiceOptions;
  readonly #radio: Supervisor;
  readonly #kept = new Map<string, Kept>();
  readonly #strangers = new Strangers();
  readonly #looked = new LookedTime();
  readonly #taps = new Set<(frame: RawFrame) => void>();
  #links = 0;
  #followed: readonly Followed[] = [];
  #pace: 'full' | 'eased' | null = null;
  #hear: ((heard: Heard) => void) | null = null;
  #cancel: (() => void) | undefined;

  constructor(options: BluetoothDiceOptions) {
    this.#options = options;
    this.#radio = new Supervisor({
      ...options,
      report: (report) => this.#report(report),
      lost: () => this.#lost(),
      changed: () => this.#looked.note(this.#radio.state.scanning, this.#now()),
    });
  }

  start(hear: (heard: Heard) => void): void {
    this.#hear = hear;
    for (const { die } of this.#kept.values()) die.start(hear);
    this.#radio.start();
    this.#replan();
  }

  /** Ends all links, then the radio process; never rejects. */
  async stop(): Promise<void> {
    this.#cancel?.();
    this.#cancel = undefined;
    await Promise.all([...this.#kept.values()].map(({ die }) => die.stop()));
    this.#hear = null;
    await this.#radio.stop();
  }

  devices(): readonly Device[] {
    return [...this.#kept.values()].map(({ die }) => die);
  }

  want(dice: readonly WantedDie[]): void {
    const wanted = new Map(dice.slice(0, MAX_WANTED).map((one) => [one.die, one]));
    let changed = false;
    for (const [id, { die, reading }] of this.#kept) {
      const wish = wanted.get(id);
      if (wish !== undefined && readingText(wish.reading) === reading) continue;
      this.#kept.delete(id);
      void die.stop();
      changed = true;
    }
    for (const wish of wanted.values()) changed = this.#wish(wish) || changed;
    if (changed) this.#plan();
  }

  /** True where something changed for the die. */
  #wish({ die: id, duty, reading = {} }: WantedDie): boolean {
    const known = this.#kept.get(id);
    if (known !== undefined) {
      const changed = known.die.duty !== duty;
      known.die.duty = duty;
      return changed;
    }
    if (partsOf(id) === null) return false;
    const die = new BluetoothDie({
      die: id,
      duty,
      reading,
      clock: this.#options.clock,
      epoch: () => this.#radio.state.epoch,
      nextLink: () => {
        this.#links += 1;
        return this.#links;
      },
      order: (order) => this.#radio.order(order),
      frame: (frame) => this.#tapped(frame),
    });
    this.#kept.set(id, { die, reading: readingText(reading), heardness: new Heardness(), poorly: false });
    if (this.#hear !== null) die.start(this.#hear);
    return true;
  }

  unknown(): readonly UnknownDie[] {
    return this.#strangers.list((die) => this.#kept.has(die), this.#now());
  }

  find(die: string): UnknownDie | undefined {
    return this.#strangers.find(die, this.#now());
  }

  plan(): LinkPlanReport {
    return { links: this.#options.links, dice: this.#followed };
  }

  state(): RadioState {
    const dice = [...this.#kept.values()].map(({ die }) => die.status());
    return stateOf(this.#radio.state, dice);
  }

  tap(frame: (frame: RawFrame) => void): () => void {
    this.#taps.add(frame);
    return () => this.#taps.delete(frame);
  }

  #now(): number {
    return this.#options.clock.now();
  }

  #tapped(frame: RawFrame): void {
    for (const tap of this.#taps) tap(frame);
  }

  #report(report: Report): void {
    switch (report.tell) {
      case 'advert':
        this.#advert(report);
        return;
      case 'up':
        this.#up(report.die, report.link, report.mtu);
        return;
      case 'failed':
      case 'down':
        this.#kept.get(report.die)?.die.ended(report.link, report.tell, report.why);
        this.#easeOff();
        return;
      case 'notification':
        this.#kept.get(report.die)?.die.notification(report.link, report.n, report.bytes);
        return;
      case 'wrote':
        this.#kept.get(report.die)?.die.wrote(report.id, report.ok);
        return;
      case 'adapter':
        if (report.state !== 'poweredOn') this.#lost();
        return;
      case 'ready':
      case 'address':
      case 'scan':
      case 'trouble':
      case 'beat':
        return;
    }
  }

  #up(die: string, link: number, mtu: number | null): void {
    const kept = this.#kept.get(die);
    // Nobody wants this die any more.
    if (kept === undefined) this.#radio.order({ do: 'release', die, link });
    else kept.die.up(link, mtu);
    this.#easeOff();
  }

  #advert(report: AdvertReport): void {
    const at = this.#now();
    this.#strangers.note(report, at);
    const kept = this.#kept.get(report.die);
    if (kept === undefined) return;
    kept.heardness.note(report.heard, at);
    kept.die.advert(report, this.#laneIsFree());
  }

  /** One link is made at a time: two attempts at once block each other (F059). */
  #laneIsFree(): boolean {
    return ![...this.#kept.values()].some(({ die }) => die.link === 'connecting');
  }

  /** Nothing is left of the radio process or its adapter: all links are lost at once. */
  #lost(): void {
    this.#looked.note(false, this.#now());
    this.#pace = null;
    for (const { die } of this.#kept.values()) die.radioLost();
  }

  #replan(): void {
    this.#plan();
    this.#cancel = this.#options.clock.after(PLAN_MS, () => this.#replan());
  }

  #plan(): void {
    const at = this.#now();
    const dice = [...this.#kept.values()].map((kept) => {
      const { die, heardness } = kept;
      const listening = die.link === 'up' ? undefined : heardness.quality(this.#looked, at);
      if (listening !== undefined && listening.expected >= ENOUGH_ADVERTS && !listening.reliable) kept.poorly = true;
      return {
        die: die.id,
        make: die.reader.make,
        duty: die.duty,
        poorly: kept.poorly,
        ...(listening === undefined ? {} : { listening }),
      };
    });
    this.#followed = planLinks(dice, this.#options.links);
    for (const { die, by } of this.#followed) this.#kept.get(die)?.die.follow(by);
    this.#easeOff();
  }

  /** With every die linked that shall be, and none followed by what it advertises, the radio looks less often. */
  #easeOff(): void {
    if (this.#radio.state.phase !== 'on') return;
    const missing = this.#followed.some(
      ({ die, by }) => by !== 'none' && (by === 'adverts' || this.#kept.get(die)?.die.link !== 'up'),
    );
    const pace = missing || this.#followed.length === 0 ? 'full' : 'eased';
    if (pace === this.#pace) return;
    this.#pace = pace;
    this.#radio.order({ do: 'pace', pace });
  }
}

/** So many advertisements must have been expected before a die counts as badly heard: five seconds of listening. */
const ENOUGH_ADVERTS = 25;

const readingText = (reading: DieReading | undefined): string => JSON.stringify(reading ?? {});
