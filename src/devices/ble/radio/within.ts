/** Something that did not come in its time, or came to nothing because the link was lost. */
export class Unanswered extends Error {}

/** Ends waits early: a lost link settles everything that was asked of it. */
export class Gone {
  #why: string | null = null;
  readonly #waiting = new Set<(why: string) => void>();

  get why(): string | null {
    return this.#why;
  }

  /** Ends all waits, now and later, with this reason. */
  end(why: string): void {
    if (this.#why !== null) return;
    this.#why = why;
    for (const settle of [...this.#waiting]) settle(why);
    this.#waiting.clear();
  }

  /**
   * Waits until `begin` calls back, at most `ms` milliseconds and never beyond the end. The libraries' promises may never
   * settle, and their calls may throw. Rejects with `Unanswered` or with what was called back as an error.
   */
  within<T>(what: string, ms: number, begin: (done: (error: unknown, value?: T) => void) => void): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#why !== null) {
        reject(new Unanswered(`${what}: ${this.#why}`));
        return;
      }
      const settle = (act: () => void): void => {
        clearTimeout(late);
        this.#waiting.delete(ended);
        act();
      };
      const ended = (why: string): void => settle(() => reject(new Unanswered(`${what}: ${why}`)));
      const late = setTimeout(() => ended(`no answer within ${ms} ms`), ms);
      this.#waiting.add(ended);
      try {
        begin((error, value) => settle(() => (error == null ? resolve(value as T) : reject(errorOf(error)))));
      } catch (error) {
        settle(() => reject(errorOf(error)));
      }
    });
  }
}

/** Anything thrown or called back, as an error with a short text. */
export const errorOf = (error: unknown): Error =>
  error instanceof Error ? error : new Error(String(error).slice(0, 200));
