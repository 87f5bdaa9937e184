/** Why a notation is not understood: `at` is the position of the first character in question, from 1. */
export interface NotationFault {
  readonly code:
    | 'too_long'
    | 'empty'
    | 'syntax'
    | 'too_many_dice'
    | 'no_such_die'
    | 'too_large'
    | 'no_dice'
    | 'too_deep'
    | 'endless';
  readonly at: number;
  readonly reason: string;
}

const UNDERSTOOD =
  'understood: 2d6, d20, d%, d100, d00, dF, numbers, + and -, kh kl dh dl, ! !! !p, r ro, > < = f, {…,…}, [comment]';

/** A fault at a position from 1. */
export const fault = (code: NotationFault['code'], at: number, what: string): NotationFault => ({
  code,
  at,
  reason: `position ${at}: ${what}; ${UNDERSTOOD}`,
});

/** A reading head over a notation: only sticky patterns, so no text is read twice. */
export class Scan {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Place of the next character, from 0. */
  get at(): number {
    return this.#at;
  }

  /** True at the end of the text. */
  get over(): boolean {
    return this.#at >= this.#text.length;
  }

  /** Up to 20 characters from here, as a person is shown them. */
  get ahead(): string {
    return this.#text.slice(this.#at, this.#at + 20);
  }

  /** Takes what a sticky pattern matches here, or nothing. */
  match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found === null) return undefined;
    this.#at = pattern.lastIndex;
    return found;
  }

  /** Passes over blanks and comments: `[text]`, and `#` to the end. */
  skip(): void {
    this.match(/(?:\s|\[[^\]]*\]|#.*$)*/sy);
  }
}
