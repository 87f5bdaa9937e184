import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ANSWER_MS, EASED, Scanner } from '../../src/devices/ble/radio/scanner.js';

/** A library that asks its controller only for what changes, as one of the two does; its controller answers at once. */
class Library {
  readonly said: string[] = [];
  readonly scanner: Scanner;
  looks = false;
  answers = true;

  constructor() {
    this.scanner = new Scanner({
      begin: () => {
        if (!this.looks) this.#ask(true);
      },
      end: () => this.#ask(false),
      changed: () => undefined,
      trouble: (what) => this.said.push(what),
    });
  }

  #ask(looks: boolean): void {
    this.said.push(looks ? 'begin' : 'end');
    if (!this.answers) return;
    setTimeout(() => {
      this.looks = looks;
      this.scanner.answered(0);
    }, 5);
  }
}

describe('the scan of a library that asks for nothing twice', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('is not taken for a stuck radio when its pace changes while it looks, ceases or rests', async () => {
    const library = new Library();
    library.scanner.power(true);
    await vi.advanceTimersByTimeAsync(100);
    library.scanner.pace('eased');
    await vi.advanceTimersByTimeAsync(EASED.lookMs + 1);
    expect(library.said).toEqual(['begin', 'end']);
    library.scanner.pace('full');
    await vi.advanceTimersByTimeAsync(100);
    expect(library.said).toEqual(['begin', 'end', 'begin']);
    expect(library.looks).toBe(true);
    library.scanner.pace('eased');
    await vi.advanceTimersByTimeAsync(EASED.lookMs + EASED.restMs / 2);
    library.scanner.pace('full');
    await vi.advanceTimersByTimeAsync(10 * ANSWER_MS);
    expect(library.looks).toBe(true);
    expect(library.said).not.toContain('scan_silent');
  });

  test('is told as silent where the controller answers nothing', async () => {
    const library = new Library();
    library.answers = false;
    library.scanner.power(true);
    await vi.advanceTimersByTimeAsync(ANSWER_MS + 1);
    expect(library.said).toEqual(['begin', 'scan_silent']);
  });
});
