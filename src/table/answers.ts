import { ANSWER_TTL_MS, type Journal, MAX_WAITING_RECORDS } from '../journal/journal.js';
import type { Answer } from '../wire/command.js';
import { commandOf, isNoted } from './playing.js';
import type { Caller } from './port.js';
import type { Told } from './view.js';

/** Code of a refusal that is not remembered: the same command may come again when there is room. */
export const JOURNAL_FULL = 'journal_full';

/** Answers kept in memory; the oldest go first. */
export const MAX_ANSWERS = 50_000;

/**
 * The same command id from the same caller within 24 h gets its first answer again and does nothing (contracts D), also
 * after a restart.
 */
export class Answers {
  readonly maxWaiting = MAX_WAITING_RECORDS;
  readonly #journal: Journal;
  readonly #wall: () => number;
  readonly #known = new Map<string, { readonly at: number; readonly answer: Promise<Answer> }>();

  /** Commands whose answer was read from the disk at the start. */
  readonly #stored = new Set<string>();

  private constructor(journal: Journal, wall: () => number) {
    this.#journal = journal;
    this.#wall = wall;
  }

  /** Reads what was answered in the last 24 h. */
  static async load(journal: Journal, wall: () => number): Promise<Answers> {
    const answers = new Answers(journal, wall);
    for (const { caller, command, at, answer } of await journal.answers()) {
      answers.#known.set(keyOf(caller, command), { at, answer: Promise.resolve(answer as unknown as Answer) });
      answers.#stored.add(keyOf(caller, command));
    }
    return answers;
  }

  /** Runs `act` unless this caller has given this command before. The answer is written down with it. */
  once(caller: Caller, command: string, act: () => Promise<Answer>): Promise<Answer> {
    const key = keyOf(caller.id, command);
    const known = this.#known.get(key);
    const now = this.#wall();
    if (known !== undefined && now - known.at < ANSWER_TTL_MS) return known.answer;
    const answer = act().then((given) => {
      if (given.kind !== 'refused' || given.code !== JOURNAL_FULL) return this.#keep(caller.id, command, now, given);
      this.#known.delete(key);
      return given;
    });
    this.#remember(key, now, answer);
    return answer;
  }

  /** Notes an answer that was never written down: its record was, just before the daemon ended. */
  recall(caller: string, at: number, answer: Answer): void {
    const key = keyOf(caller, answer.id);
    if (!this.#stored.has(key)) this.#remember(key, at, Promise.resolve(answer));
  }

  #remember(key: string, at: number, answer: Promise<Answer>): void {
    this.#known.delete(key);
    this.#known.set(key, { at, answer });
    const oldest = this.#known.size > MAX_ANSWERS ? this.#known.keys().next().value : undefined;
    if (oldest !== undefined) this.#known.delete(oldest);
  }

  /** An answer that cannot be written now is still given: the record it stands for waits in the journal's queue. */
  async #keep(caller: string, command: string, at: number, answer: Answer): Promise<Answer> {
    const stored = { caller, command, at: Math.floor(at), answer: JSON.parse(JSON.stringify(answer)) };
    const written = this.#journal.append({ records: [], answers: [stored] }).catch(() => {});
    if (this.#journal.state().state === 'writing') await written;
    return answer;
  }
}

/**
 * Answers a command again whose record is on disk while its answer is not: the daemon ended between the two. Then the
 * record itself says what came of it.
 */
export function recall(answers: Answers, told: Told, now: number): void {
  const command = commandOf(told.origin);
  if (command === undefined || now - told.at >= ANSWER_TTL_MS) return;
  const { id } = command;
  const { steps, roll } = told.body;
  const verdict = steps?.at(-1)?.verdict ?? roll?.wire;
  const noted = roll !== undefined && verdict !== undefined && isNoted(verdict);
  const uncounted = !noted && (verdict?.verdict === 'refused' || verdict?.verdict === 'loose');
  const { code = 'loose', reason = '' } = uncounted ? verdict : {};
  const named = roll === undefined ? {} : { roll: roll.wire.id };
  answers.recall(
    command.caller,
    told.at,
    uncounted
      ? { kind: 'refused', id, code, reason, ...named }
      : { kind: 'ack', id, seq: told.seq, durable: true, ...named },
  );
}

const keyOf = (caller: string, command: string): string => `${caller} ${command}`;
