import { readdirSync, readFileSync } from 'node:fs';
import { type RadioEvent, RadioProcess, type RadioProcessOptions } from '../radio/radio-process.js';
import type { DieSpec } from '../radio/virtual-radio.js';
import { Daemon, type DaemonOptions, sleep, until } from './daemon.js';
import { Ear } from './ears.js';

/** The machine may be busy: links to eight dice come one after the other. */
const PATIENCE_MS = 60_000;
/** A rest within two seconds after the link came up is the die's memory (contracts A): a hand waits for longer. */
const SETTLED_LINK_MS = 2_300;

export interface SeatedDie {
  readonly die: DieSpec;
  readonly seat: string;
  /** Faces to throw; any of them may come. */
  readonly faces: readonly number[];
  readonly counter?: string;
}

type Landed = Extract<RadioEvent, { event: 'landed' }>;

/** Name of a simulated die at the table. */
export const nameOf = ({ make, id }: DieSpec): string => `${make}-${id.toLowerCase()}`;

/** A daemon, as it is built, with a virtual radio behind its serial port and dice of both makes at a table. */
export class RadioEvening {
  readonly radio: RadioProcess;
  readonly daemon: Daemon;
  readonly ear: Ear;
  readonly dice: readonly SeatedDie[];
  readonly #unheard = new Set<string>();

  private constructor(radio: RadioProcess, daemon: Daemon, ear: Ear, dice: readonly SeatedDie[]) {
    this.radio = radio;
    this.daemon = daemon;
    this.ear = ear;
    this.dice = dice;
  }

  /** Everything is there, every die is enrolled, and those that are to be linked are. */
  static async open(
    dice: readonly SeatedDie[],
    options: RadioProcessOptions & Pick<DaemonOptions, 'config' | 'env'> = {},
  ): Promise<RadioEvening> {
    const { config = '', env = {}, ...air } = options;
    const radio = await RadioProcess.start(air);
    for (const { die } of dice) await radio.add(die);
    const ways = radio.paths.map((path) => `'uart:${path}'`);
    const hci = ways.length === 1 ? ways[0] : `[${ways.join(', ')}]`;
    const text = `devices: {fake: 'off'}\nble: {hci: ${hci}, links: ${air.links ?? 8}}\n${config}`;
    const daemon = await Daemon.start({ config: text, env });
    const ear = await Ear.at(daemon, 'table=prova&role=gm');
    const evening = new RadioEvening(radio, daemon, ear, dice);
    for (const die of dice) await evening.#seat(die);
    return evening;
  }

  async #seat({ die, seat, counter }: SeatedDie): Promise<void> {
    const name = nameOf(die);
    await until(`${name} is on the air`, () => this.#listed(name), PATIENCE_MS);
    const duty = counter === undefined ? { duty: 'rolls' } : { duty: 'counts', counter };
    const shell = die.make === 'godice' ? { shell: die.shell } : {};
    const bound = await this.daemon.command('prova', 'bind', { die: name, seat, ...duty, ...shell });
    if (bound.status !== 200) throw new Error(`bind ${name}: ${bound.text}`);
  }

  async #listed(name: string): Promise<boolean> {
    const { json } = await this.daemon.get('/api/v1/dice');
    return (json.dice as { id: string }[]).some(({ id }) => id === name);
  }

  async linkOf(name: string): Promise<string> {
    const { json } = await this.daemon.get('/api/v1/dice');
    return (json.dice as { id: string; link: string }[]).find(({ id }) => id === name)?.link ?? 'unknown';
  }

  /** Waits until these dice are linked, and long enough that what they say is no memory. */
  async linked(dice: readonly SeatedDie[] = this.dice): Promise<void> {
    const names = dice.map(({ die }) => nameOf(die));
    await until(
      `links to ${names.join(', ')}`,
      async () => (await Promise.all(names.map((name) => this.linkOf(name)))).every((link) => link === 'up'),
      PATIENCE_MS,
    );
    await sleep(SETTLED_LINK_MS);
  }

  /** Throws every die and kills the radio process, as a crash would, before any of them lies. Resolves when all do. */
  async crashUnderThrows(faceOf: (die: SeatedDie) => number): Promise<void> {
    const pid = radioProcessOf(this.daemon.pid);
    const moves = this.dice.map(async (seated) => {
      const { id } = seated.die;
      const move = await this.radio.move(id, 'throw', faceOf(seated));
      this.#unheard.add(`${id} ${move}`);
      return { id, move };
    });
    const underway = await Promise.all(moves);
    process.kill(pid, 'SIGKILL');
    await Promise.all(underway.map(({ id, move }) => this.radio.landed(id, move)));
  }

  /** True for a landing that nobody in the daemon can have heard, whatever the controller handed over. */
  isUnheard({ die, move }: Landed): boolean {
    return this.#unheard.has(`${die} ${move}`);
  }

  /** True for a throw that was under way when a new link came up: what it tells at once may be memory (contracts A). */
  isRelinked({ die, move }: Landed): boolean {
    const own = this.radio.events.filter((event) => event.die === die);
    const began = own.findIndex((event) => event.event === 'moved' && event.move === move);
    const ended = own.findIndex((event) => event.event === 'landed' && event.move === move);
    return own.slice(began, ended).some(({ event }) => event === 'linked');
  }

  /** Landings of a die so far, in order. */
  landings({ die }: SeatedDie): readonly Landed[] {
    return this.radio.events.filter((event): event is Landed => event.event === 'landed' && event.die === die.id);
  }

  /** Naturals of the rolls that were told of a die, in order, with the seat they count for. */
  rolls({ die }: SeatedDie): readonly { readonly seat: string; readonly face: number }[] {
    return this.ear
      .rolls()
      .filter((roll) => roll.dice[0].die === nameOf(die))
      .map((roll) => ({ seat: roll.seat, face: roll.dice[0].face }));
  }

  /** Notices about a die that was not heard to the end, in order. */
  notices({ die }: SeatedDie): readonly string[] {
    return this.ear.heard
      .filter((message) => message.kind === 'notice' && message.notice?.die === nameOf(die))
      .map((message) => message.notice.code);
  }

  /** How often the daemon told that a die's link is down. */
  losses({ die }: SeatedDie): number {
    return this.ear.heard.filter(
      ({ kind, die: told, signal }) =>
        kind === 'live' && told === nameOf(die) && signal.kind === 'link' && signal.link === 'down',
    ).length;
  }

  async close(): Promise<void> {
    this.ear.socket.close();
    await this.daemon.stop();
    await this.radio.close();
  }
}

/** The process among a daemon's children that holds the radio. */
export function radioProcessOf(daemon: number): number {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => parentOf(pid) === daemon && commandOf(pid).includes('worker.js'));
  const [pid, second] = children;
  if (pid === undefined || second !== undefined) throw new Error(`${children.length} radio processes`);
  return pid;
}

function parentOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return 0;
  }
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
