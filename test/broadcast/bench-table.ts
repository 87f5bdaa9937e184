import { audienceKey } from '../../src/broadcast/room.js';
import type { Audience, Seat } from '../../src/games/game.js';
import type { Caller, TableListener, TablePort, Told } from '../../src/table/port.js';
import type { Answer, Command } from '../../src/wire/command.js';
import type { Envelope, Live, RollWire, Snapshot } from '../../src/wire/envelope.js';

/** One record of the bench table; `to` names the only seats (beside the GM) that may know of it. */
interface Line {
  readonly seq: number;
  readonly kind: Envelope['kind'];
  readonly body: Record<string, unknown>;
  readonly to?: readonly Seat[];
}

/** Envelopes that `since` gives at most, as contracts D says. */
const MAX_MISSING = 1000;

/** A small honest table in memory: audiences, `prev`, views and repeated commands are real; there are no rules. */
export class BenchTable implements TablePort {
  readonly id: string;
  readonly name: string;
  /** Everything each `command` was asked, in order. */
  readonly asked: { caller: Caller; command: Command }[] = [];
  /** Added to every view, so that envelopes can be made as large as a test wants. */
  padding = '';
  pv = new Map<Seat, number>();
  private readonly lines: Line[] = [];
  private readonly listeners = new Set<TableListener>();
  private readonly answers = new Map<string, Answer>();
  private readonly seatIds: readonly Seat[];

  constructor(id: string, seats: readonly Seat[] = ['ada', 'bea'], name = id) {
    this.id = id;
    this.name = name;
    this.seatIds = seats;
  }

  seats(): readonly Seat[] {
    return this.seatIds;
  }

  box(): null {
    return null;
  }

  readBox(): null {
    return null;
  }

  degraded(): boolean {
    return false;
  }

  roll(): RollWire | null {
    return null;
  }

  seq(audience: Audience): number {
    return this.lines.findLast((line) => sees(audience, line))?.seq ?? 0;
  }

  snapshot(audience: Audience): Snapshot {
    const rolls = this.lines.filter((line) => line.kind === 'roll' && sees(audience, line)).slice(-20);
    return {
      kind: 'snapshot',
      v: 1,
      table: this.id,
      seq: this.seq(audience),
      view: this.view(audience) as Snapshot['view'],
      awaited: [],
      rolls: rolls.map((line) => line.body.roll as RollWire),
    };
  }

  since(audience: Audience, seq: number): readonly string[] | null {
    const missing = this.lines.filter((line) => line.seq > seq && sees(audience, line));
    return missing.length > MAX_MISSING ? null : missing.map((line) => JSON.stringify(this.envelope(audience, line)));
  }

  async events(audience: Audience, since: number, limit: number) {
    const visible = this.lines.filter((line) => line.seq > since && sees(audience, line));
    const page = visible.slice(0, limit);
    const next = visible.length > limit ? (page.at(-1)?.seq ?? null) : null;
    return { events: page.map((line) => this.envelope(audience, line)), next };
  }

  async command(caller: Caller, command: Command): Promise<Answer> {
    const key = `${caller.id} ${command.id}`;
    const before = this.answers.get(key);
    if (before !== undefined) return before;
    this.asked.push({ caller, command });
    const answer = this.obey(command);
    this.answers.set(key, answer);
    return answer;
  }

  subscribe(listener: TableListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Number of transports that listen. */
  get listening(): number {
    return this.listeners.size;
  }

  /** Adds a roll and tells it. */
  addRoll(natural: number, seat: Seat = 'ada', to?: readonly Seat[]): number {
    const seq = this.lines.length + 1;
    const die = { die: `${seat}-d20`, type: 'd20', sides: 20, natural, face: natural, result: natural };
    const roll = {
      id: `${this.id}-${seq}`,
      game: 'free',
      seat,
      purpose: 'free',
      rule: 'free',
      dice: [{ ...die, status: 'kept', source: 'physical', quality: 'ok', fake: true }],
      modifiers: [],
      natural,
      result: natural,
      total: natural,
      verdict: 'accepted',
      standing: 'valid',
      origin: `bench:${seq}`,
    };
    return this.tell({ seq, kind: 'roll', body: { roll }, ...(to === undefined ? {} : { to }) });
  }

  /** Sets a counter and tells it. */
  setCounter(seat: Seat, pv: number): number {
    this.pv.set(seat, pv);
    const body = { counter: { seat, counter: 'pv', face: pv } };
    return this.tell({ seq: this.lines.length + 1, kind: 'counter', body });
  }

  addNotice(code: string, to?: readonly Seat[]): number {
    const seq = this.lines.length + 1;
    return this.tell({ seq, kind: 'notice', body: { notice: { code } }, ...(to === undefined ? {} : { to }) });
  }

  addLive(die: string, signal: Live['signal']): void {
    for (const listener of this.listeners) listener.live({ kind: 'live', v: 1, table: this.id, die, signal });
  }

  private tell(line: Line): number {
    this.lines.push(line);
    const texts = new Map<string, string | null>();
    const envelope = (audience: Audience): Envelope | null =>
      sees(audience, line) ? this.envelope(audience, line) : null;
    const told: Told = {
      table: this.id,
      seq: line.seq,
      envelope,
      text: (audience) => {
        const key = audienceKey(audience);
        const known = texts.get(key);
        if (known !== undefined) return known;
        const made = envelope(audience);
        const text = made === null ? null : JSON.stringify(made);
        texts.set(key, text);
        return text;
      },
    };
    for (const listener of this.listeners) listener.told(told);
    return line.seq;
  }

  private envelope(audience: Audience, line: Line): Envelope {
    const before = this.lines.findLast((other) => other.seq < line.seq && sees(audience, other));
    return {
      v: 1,
      table: this.id,
      seq: line.seq,
      prev: before?.seq ?? 0,
      at: new Date(1_700_000_000_000 + line.seq).toISOString(),
      clock: 'trusted',
      kind: line.kind,
      ...line.body,
      awaited: [],
      view: this.view(audience) as Envelope['view'],
    };
  }

  private view(audience: Audience): Record<string, unknown> {
    return {
      name: this.name,
      seats: this.seatIds.map((id) => ({
        id,
        name: id,
        counters: this.pv.has(id) ? { pv: this.pv.get(id) } : {},
      })),
      game: { id: 'free', state: {} },
      evening: 'open',
      dice: [{ id: 'ada-d20', type: 'd20', face: 17, battery: 80, link: 'up', fake: true }],
      ...(audience.role === 'gm' ? { secret: 'for the GM' } : {}),
      ...(audience.role === 'seat' ? { hand: `hand of ${audience.seat}` } : {}),
      ...(this.padding === '' ? {} : { padding: this.padding }),
    };
  }

  private obey(command: Command): Answer {
    const { id } = command;
    if (command.do === 'type' && command.args.natural !== undefined && typeof command.args.natural === 'number')
      return { kind: 'ack', id, seq: this.addRoll(command.args.natural, command.args.seat ?? 'ada'), durable: true };
    if (command.do === 'undo') return { kind: 'refused', id, code: 'nothing_to_undo', reason: 'nothing to undo' };
    return { kind: 'ack', id, seq: this.addNotice(command.do), durable: true };
  }
}

function sees(audience: Audience, line: Line): boolean {
  if (line.to === undefined || audience.role === 'gm') return true;
  return audience.role === 'seat' && line.to.includes(audience.seat);
}
