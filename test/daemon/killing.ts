import { join } from 'node:path';
import { finalState } from '../../src/cli/replay.js';
import { gameById } from '../../src/games/registry.js';
import { openJournalReader } from '../../src/journal/reader.js';
import { foldRecord } from '../../src/table/chronicle.js';
import { emptyTable } from '../../src/table/state.js';
import { Daemon, freshFolder, median, sleep, tiro, until } from './daemon.js';
import { Ear, type Message, MqttEar } from './ears.js';

const TABLE = 'prova';
const D20 = 'fake-godice-d20';

/** The worker makes a checkpoint when nothing was written for so long. */
const CHECKPOINT_IDLE_MS = 1000;

/** What somebody was told before the kill, to be found again after it. */
class Told {
  /** Commands and their answers. */
  readonly answers = new Map<string, { command: Message; answer: Message }>();
  /** Commands that were sent and never answered. */
  readonly open = new Map<string, Message>();
  readonly fakes: Message[] = [];
  readonly envelopes = { gm: [] as Message[], spectator: [] as Message[], mqtt: [] as Message[] };

  /** Everything acknowledged. */
  get count(): number {
    const { gm, spectator, mqtt } = this.envelopes;
    return this.answers.size + this.fakes.length + gm.length + spectator.length + mqtt.length;
  }
}

export interface KillReport {
  readonly kills: number;
  readonly acknowledged: number;
  readonly records: number;
  readonly unanswered: number;
  readonly startMs: number;
}

const plain = ({ view: _view, ...rest }: Message): Message => rest;

/** Plays whatever is awaited, as fast as answers come, on every way in. */
class Players {
  readonly #daemon: Daemon;
  readonly #told: Told;
  readonly #ears: { gm: Ear; spectator: Ear };
  readonly #mqtt: MqttEar;
  readonly #run: string;
  #count = 0;
  #over = false;
  #paused = false;

  private constructor(daemon: Daemon, told: Told, run: string, gm: Ear, spectator: Ear, mqtt: MqttEar) {
    this.#daemon = daemon;
    this.#told = told;
    this.#run = run;
    this.#ears = { gm, spectator };
    this.#mqtt = mqtt;
  }

  static async sit(daemon: Daemon, told: Told, run: string): Promise<Players> {
    const [gm, spectator, mqtt] = await Promise.all([
      Ear.at(daemon, `table=${TABLE}`),
      Ear.at(daemon, `table=${TABLE}&role=spectator`),
      MqttEar.at(daemon, `tiro/${TABLE}/#`),
    ]);
    return new Players(daemon, told, run, gm, spectator, mqtt);
  }

  /** Plays until this many messages came, rests for a while, then is killed. */
  async playUntilKilled(messages: number, restMs: number): Promise<void> {
    const lanes = [this.#lane(() => this.#play()), this.#lane(() => this.#throwTray()), this.#lane(() => this.#rule())];
    const { heard } = this.#ears.gm;
    await until('a game in flow', () => heard.length >= messages, 20_000);
    this.#paused = restMs > 5;
    await sleep(restMs);
    await this.#daemon.kill('SIGKILL');
    this.#over = true;
    await Promise.all(lanes);
    this.#collect();
  }

  async #lane(step: () => Promise<unknown>): Promise<void> {
    while (!this.#over && !this.#daemon.gone) {
      if (this.#paused) await sleep(20);
      else await step().catch(() => sleep(5));
    }
  }

  #collect(): void {
    for (const role of ['gm', 'spectator'] as const) {
      const told = this.#ears[role].heard.filter((message) => typeof message.prev === 'number');
      this.#told.envelopes[role].push(...told.map(plain));
      this.#ears[role].end();
    }
    const events = this.#mqtt.heard.filter(({ topic }) => /\/(roll|event)$/.test(topic) && !topic.includes('/die/'));
    this.#told.envelopes.mqtt.push(...events.map(({ text }) => JSON.parse(text)));
    this.#mqtt.end();
  }

  /** A command by WebSocket or by HTTP, in turn. */
  async #give(name: string, args: object): Promise<void> {
    const id = `${this.#run}-${++this.#count}`;
    const command = { id, do: name, args };
    this.#told.open.set(id, command);
    const answer =
      this.#count % 2 === 0
        ? await this.#ears.gm.command(name, args, id)
        : (await this.#daemon.command(TABLE, name, args as Record<string, unknown>, id)).json;
    this.#told.open.delete(id);
    this.#told.answers.set(id, { command, answer });
  }

  async #play(): Promise<void> {
    const { gm } = this.#ears;
    const newest = gm.heard.findLast((message) => message.awaited !== undefined);
    const wanted = newest?.awaited[0];
    if (wanted === undefined) return this.#give('game', { game: 'dadoteck', options: { initiative: 'd20' } });
    const fake = wanted.seat === 'ada' && wanted.sides === 20 && this.#count % 3 === 0;
    if (fake) return this.#fake(D20, { natural: 1 + Math.floor(Math.random() * 20) });
    const option = wanted.options?.[Math.floor(Math.random() * wanted.options.length)];
    if (option !== undefined) return this.#give('choose', { seat: wanted.seat, option });
    if (Math.random() < 0.5) return this.#give('digital', { seat: wanted.seat, call: wanted.id });
    const natural = 1 + Math.floor(Math.random() * wanted.sides);
    return this.#give('type', { seat: wanted.seat, sides: wanted.sides, natural });
  }

  async #fake(device: string, body: Record<string, unknown>): Promise<void> {
    const answer = await this.#daemon.fake(device, 'roll', body);
    if (answer.status !== 200) throw new Error(answer.text);
    this.#told.fakes.push(answer.json);
  }

  #throwTray(): Promise<void> {
    return this.#fake('fake-tray', { natural: 1 + Math.floor(Math.random() * 6) });
  }

  async #rule(): Promise<void> {
    await sleep(20 + Math.random() * 60);
    if (this.#paused) return;
    const chance = Math.random();
    if (chance < 0.3) await this.#give('undo', {});
    else if (chance < 0.4) await this.#give('redo', {});
    else if (chance < 0.5) await this.#give('pause', {});
    else if (chance < 0.7) await this.#give('resume', {});
    else if (chance < 0.8) await this.#give('seat', { id: 'bea', name: `Bea ${this.#count}` });
    else await this.#give('call', { seat: 'bea', notation: '1d12', purpose: 'prova', ttl: 50 });
    if (chance >= 0.4 && chance < 0.5) await this.#give('resume', {});
  }
}

function replayed(data: string): Message {
  const reader = openJournalReader(data);
  if (!reader.ok) throw new Error(reader.error.message);
  try {
    let state = emptyTable(TABLE);
    for (const record of reader.value.records(TABLE)) state = foldRecord(state, record, gameById).after;
    return JSON.parse(JSON.stringify(finalState(state)));
  } finally {
    reader.value.close();
  }
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

function demand(holds: boolean, what: string, ...about: unknown[]): void {
  if (!holds) throw new Error([what, ...about.map((one) => JSON.stringify(one))].join('\n'));
}

/** What is told in a view or `awaited` may look otherwise today; what happened may not. */
const happened = ({ awaited: _awaited, ...rest }: Message): Message => plain(rest);

/** Looks whether all that was told before the kill is there, and gives the commands again. @returns records */
async function check(daemon: Daemon, told: Told): Promise<number> {
  const events = (await daemon.events(TABLE)) as readonly Message[];
  const bySeq = new Map(events.map((event) => [event.seq, event]));
  events.forEach((event, index) => {
    const next = event.seq === index + 1 && event.prev === index;
    demand(next, 'the chronicle has a hole', events.slice(Math.max(0, index - 1), index + 1).map(plain), daemon.err);
  });
  const rolls = new Map(events.filter((event) => event.roll !== undefined).map((event) => [event.roll.id, event]));
  for (const [role, heard] of Object.entries(told.envelopes)) {
    for (const envelope of heard) {
      if (envelope.durable === false) continue;
      const kept = bySeq.get(envelope.seq);
      demand(kept !== undefined, `told to ${role}, not there`, envelope);
      const fits = role === 'gm' ? same(happened(kept), happened(envelope)) : kept.kind === envelope.kind;
      demand(fits, `told otherwise to ${role}`, envelope, plain(kept));
      demand(same(kept.roll, envelope.roll), `another roll for ${role}`, envelope.roll, kept.roll);
    }
  }
  for (const answer of told.fakes) {
    demand(answer.seq === null || bySeq.has(answer.seq), 'answered by the fake API, not there', answer);
    demand(answer.roll === null || rolls.has(answer.roll), 'a roll answered by the fake API is not there', answer);
  }
  for (const { command, answer } of told.answers.values()) {
    if (answer.kind !== 'ack') continue;
    demand(answer.durable === true, 'not durable', command, answer);
    demand(answer.seq === null || bySeq.has(answer.seq), 'acknowledged, not there', command, answer);
    demand(answer.roll === undefined || rolls.has(answer.roll), 'its roll is not there', command, answer);
  }
  return events.length;
}

/** The state is that of the replay, in here and by the command; a command given again is not done again. */
async function compare(daemon: Daemon, told: Told, byCommand: boolean): Promise<void> {
  const replay = replayed(daemon.data);
  const now = (await daemon.get(`/api/v1/tables/${TABLE}`)).json;
  demand(replay.seq === now.seq, 'another number than the replay', replay.seq, now.seq);
  demand(same(replay.state, now.view.game.state), 'another state than the replay', replay.state, now.view.game.state);
  demand(same(replay.awaited, now.awaited), 'other expectations than the replay', replay.awaited, now.awaited);
  demand(same(replay.rolls, now.rolls), 'other rolls than the replay');
  if (byCommand) {
    const { out, code } = await tiro(['replay', join(daemon.data, 'journal.db')]);
    const line = out.split('\n').find((text) => text.includes(`"table":"${TABLE}"`)) ?? '{}';
    demand(code === 0 && same(JSON.parse(line), replay), 'tiro replay says otherwise', code, line, replay);
  }
  for (const { command, answer } of [...told.answers.values()].slice(-3)) {
    const again = (await daemon.post(`/api/v1/tables/${TABLE}/commands`, command)).json;
    demand(same(again, answer), 'another answer to the same command', command, answer, again);
  }
  const { seq } = (await daemon.get(`/api/v1/tables/${TABLE}`)).json;
  demand(seq === now.seq, 'commands given again were done again', now.seq, seq);
  for (const command of told.open.values()) {
    const first = (await daemon.post(`/api/v1/tables/${TABLE}/commands`, command)).json;
    const second = (await daemon.post(`/api/v1/tables/${TABLE}/commands`, command)).json;
    demand(same(first, second), 'two answers to one command', command, first, second);
  }
  // A timer that a repeated `resume` let run may end meanwhile.
  await until('the state of the replay, after commands given again', async () => {
    const after = (await daemon.get(`/api/v1/tables/${TABLE}`)).json;
    const folded = replayed(daemon.data);
    return folded.seq === after.seq && same(folded.state, after.view.game.state);
  });
}

/**
 * Plays, kills, starts again and looks, `kills` times on one data folder: three times of four in full flow, else while
 * the journal makes its checkpoint.
 */
export async function killDaemons(kills: number): Promise<KillReport> {
  const data = freshFolder();
  const starts: number[] = [];
  let told = new Told();
  let acknowledged = 0;
  let records = 0;
  let unanswered = 0;
  for (let kill = 0; kill <= kills; kill++) {
    const daemon = await Daemon.start({ data, mqtt: 0 });
    starts.push(daemon.startMs);
    if (kill > 0) {
      records = await check(daemon, told);
      await compare(daemon, told, kill % 10 === 1);
    }
    acknowledged += told.count;
    unanswered += told.open.size;
    told = new Told();
    if (kill === kills) {
      demand((await daemon.stop()) === 0, 'the last daemon did not end well', daemon.err);
      break;
    }
    const players = await Players.sit(daemon, told, `k${kill}`);
    const inCheckpoint = kill % 4 === 3;
    const restMs = inCheckpoint ? CHECKPOINT_IDLE_MS - 30 + Math.random() * 60 : Math.random() * 5;
    await players.playUntilKilled(10 + Math.random() * 120, restMs);
  }
  return { kills, acknowledged, records, unanswered, startMs: median(starts) };
}
