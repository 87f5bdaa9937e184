import type { Answer, CommandName } from '../wire/command.js';

/** At most this many commands wait for their answer; more are refused at once with code `busy`. */
export const MAX_WAITING_COMMANDS = 64;

/** A command without an answer for this long is given up with code `no_answer`; it may still have happened. */
export const ANSWER_TIMEOUT_MS = 60_000;

interface Errand {
  readonly text: string;
  readonly settle: (answer: Answer) => void;
  readonly deadline: ReturnType<typeof setTimeout>;
}

const refused = (id: string, code: string, reason: string): Answer => ({ kind: 'refused', id, code, reason });

/** Random ids: a page on the LAN has no `crypto.randomUUID`, only a secure context has. */
function randomWord(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(9));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Commands on their way. Each keeps its id until it is answered, so that after a reconnect the same id is sent again
 * and the daemon answers it without doing it twice (contracts D).
 */
export class Errands {
  readonly #waiting = new Map<string, Errand>();
  readonly #prefix = randomWord();
  readonly #timeoutMs: number;
  #count = 0;

  constructor(timeoutMs: number = ANSWER_TIMEOUT_MS) {
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Notes a command and gives its text to be sent now, or later by `texts()`.
   * @param id the caller's own id, or one is made; an id that is still waiting is refused with `duplicate`
   */
  add(
    name: CommandName,
    args: object,
    id = `${this.#prefix}-${++this.#count}`,
  ): { text: string | null; answer: Promise<Answer> } {
    if (this.#waiting.size >= MAX_WAITING_COMMANDS)
      return { text: null, answer: Promise.resolve(refused(id, 'busy', 'too many commands wait for an answer')) };
    if (this.#waiting.has(id))
      return { text: null, answer: Promise.resolve(refused(id, 'duplicate', 'a command with this id still waits')) };
    const text = JSON.stringify({ id, do: name, args });
    const answer = new Promise<Answer>((settle) => {
      const deadline = setTimeout(
        () => this.answer(refused(id, 'no_answer', 'no answer came; it may have happened')),
        this.#timeoutMs,
      );
      this.#waiting.set(id, { text, settle, deadline });
    });
    return { text, answer };
  }

  /** Texts of all commands without an answer, oldest first. */
  texts(): readonly string[] {
    return [...this.#waiting.values()].map((errand) => errand.text);
  }

  /** Settles the command this answer belongs to; an answer to nobody is ignored. */
  answer(answer: Answer): void {
    const errand = this.#waiting.get(answer.id);
    if (errand === undefined) return;
    this.#waiting.delete(answer.id);
    clearTimeout(errand.deadline);
    errand.settle(answer);
  }

  /** Refuses all that wait, when the link is closed for good. */
  abandon(code: string, reason: string): void {
    for (const id of [...this.#waiting.keys()]) this.answer(refused(id, code, reason));
  }
}
