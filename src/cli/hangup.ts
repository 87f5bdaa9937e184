/** SIGHUP of this process: never its end, from the first moment on. One that comes before anybody hears is kept. */
export class Hangups {
  readonly #heard = (): void => this.#ring();
  #answer: (() => void) | null = null;
  #waiting = false;

  constructor() {
    process.on('SIGHUP', this.#heard);
  }

  /** From now on each hang-up calls `answer`; one that came before does so at once. */
  onHangup(answer: () => void): void {
    this.#answer = answer;
    if (this.#waiting) answer();
    this.#waiting = false;
  }

  #ring(): void {
    if (this.#answer === null) this.#waiting = true;
    else this.#answer();
  }

  /** Hears no more; the signal stays without effect until the process ends. */
  close(): void {
    this.#answer = () => undefined;
  }
}
