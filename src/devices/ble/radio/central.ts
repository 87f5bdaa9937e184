import { DieLink } from './die-link.js';
import type { Census, Order, Report } from './messages.js';
import { Scanner } from './scanner.js';
import { type Packet, Sightings } from './sightings.js';
import type { Stack } from './stack.js';
import { errorOf } from './within.js';

/** How often summed advertisements are handed on. */
const FLUSH_MS = 50;
/** The process that ends waits so long for its dice to be let go. */
const CLOSE_MS = 1_000;
/** Stumbles of the library within one process until it is started anew: what one bad packet left behind may be broken. */
export const MAX_MALFORMED = 100;

export interface CentralOptions {
  tell(report: Report): void;
  /** True while the daemon takes messages faster than they come; advertisements wait for it, notifications never do. */
  keepsUp(): boolean;
}

/** The radio process without its edges: orders in, reports out, one adapter and its links. */
export class Central {
  readonly #options: CentralOptions;
  readonly #sightings = new Sightings();
  readonly #scanner: Scanner;
  readonly #links = new Map<string, DieLink>();
  readonly #flushing: NodeJS.Timeout;
  #stack: Stack | undefined;
  /** The one lane in which links are made: two attempts at once block each other (F059). */
  #lane: Promise<void> = Promise.resolve();
  #dropped = 0;
  #malformed = 0;

  constructor(options: CentralOptions) {
    this.#options = options;
    this.#scanner = new Scanner({
      begin: () => this.#stack?.startScan(),
      end: () => this.#stack?.stopScan(),
      changed: (on) => options.tell({ tell: 'scan', on }),
      trouble: (what, text) => options.tell({ tell: 'trouble', what, text }),
    });
    this.#flushing = setInterval(() => this.#flush(), FLUSH_MS);
  }

  /** Begins with a library whose events come to the methods below. */
  begin(stack: Stack): void {
    this.#stack = stack;
    this.#options.tell({ tell: 'ready', driver: stack.driver });
    stack.start();
  }

  /** Lets all dice go, as far as that is done within a second. */
  async close(): Promise<void> {
    clearInterval(this.#flushing);
    this.#scanner.stop();
    const released = Promise.all([...this.#links.values()].map((link) => link.release()));
    await Promise.race([released, new Promise((resolve) => setTimeout(resolve, CLOSE_MS))]);
  }

  power(on: boolean): void {
    this.#scanner.power(on);
    // Of a link that an adapter took with it nobody says that it ended (G11).
    if (!on) for (const link of [...this.#links.values()]) link.abandon('the adapter is off');
  }

  packet(packet: Packet): void {
    this.#sightings.take(packet);
  }

  scanAnswered(status: number): void {
    this.#scanner.answered(status);
  }

  malformed(error: unknown): void {
    this.#malformed += 1;
    if (this.#malformed < MAX_MALFORMED) return;
    this.#options.tell({ tell: 'trouble', what: 'malformed', text: errorOf(error).message.slice(0, 200) });
  }

  order(order: Order): void {
    switch (order.do) {
      case 'ping':
        this.#options.tell({ tell: 'beat', id: order.id, census: this.#census() });
        return;
      case 'pace':
        this.#scanner.pace(order.pace);
        return;
      case 'connect':
        this.#lane = this.#lane.then(() => this.#connect(order.die, order.link));
        return;
      case 'release':
        this.#linkOf(order)?.release();
        return;
      case 'write': {
        const link = this.#linkOf(order);
        if (link !== undefined) link.write(order.id, order.bytes);
        else this.#options.tell({ tell: 'wrote', die: order.die, link: order.link, id: order.id, ok: false });
      }
    }
  }

  #linkOf({ die, link }: { readonly die: string; readonly link: number }): DieLink | undefined {
    const known = this.#links.get(die);
    return known?.link === link ? known : undefined;
  }

  async #connect(die: string, link: number): Promise<void> {
    const { tell } = this.#options;
    const place = this.#sightings.fresh(die, performance.now());
    if (this.#links.has(die)) return tell({ tell: 'failed', die, link, why: 'there is a link' });
    if (place === null) return tell({ tell: 'failed', die, link, why: 'not heard just now' });
    await this.#scanner.without(async () => {
      const peripheral = this.#stack?.peripheral(place.address, place.kind, place.advert);
      if (peripheral === undefined) return tell({ tell: 'failed', die, link, why: 'not met' });
      const ended = (): void => {
        this.#links.delete(die);
        this.#stack?.forget(place.address);
      };
      const opened = new DieLink({ die, make: place.make, link, peripheral, tell, ended });
      this.#links.set(die, opened);
      await opened.open();
    });
  }

  #flush(): void {
    const reports = this.#sightings.due(performance.now());
    if (this.#options.keepsUp()) for (const report of reports) this.#options.tell(report);
    else this.#dropped += reports.length;
    this.#sightings.forget(performance.now());
  }

  #census(): Census {
    const listeners = [...this.#links.values()].reduce((sum, link) => sum + link.listeners, 0);
    return {
      dropped: this.#dropped,
      malformed: this.#malformed,
      addresses: this.#sightings.size,
      peripherals: this.#stack?.met ?? 0,
      listeners,
      heapKb: Math.round(process.memoryUsage().heapUsed / 1024),
    };
  }
}
