import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { framed } from '../../src/devices/fake/tray-frames.js';

/** True if this machine can play a tray's end of a cable. */
export const hasPython = (): boolean => spawnSync('python3', ['-c', 'import os, tty; os.openpty()']).status === 0;

const script = fileURLToPath(new URL('./pty.py', import.meta.url));

/** Waits until `ready` holds; throws with `what` after `ms`. */
export async function until(what: string, ready: () => boolean, ms = 8000): Promise<number> {
  const start = performance.now();
  while (!ready()) {
    if (performance.now() - start > ms) throw new Error(`${what}: not within ${ms} ms`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return performance.now() - start;
}

/** A tray of bytes on a real pseudo-terminal, behind a link that stays when it is plugged out and in. */
export class PtyTray {
  readonly folder = mkdtempSync(join(tmpdir(), 'tray-pty-'));
  readonly path: string;
  /** Whole lines the host wrote. */
  readonly commands: string[] = [];
  /** What is said on HEL?; empty: the tray keeps silent. */
  hello = 'TTHEL,1-1,tray-a,boot=9,next=1,ms=1000,caps=roll';
  /** What is answered to a PIN and to a RES; a tray that is not asked says nothing. */
  pong = true;
  stored: string[] = [];
  readonly #child: ChildProcess;
  #told: string[] = [];
  #pending = '';
  #host = '';

  constructor(name = 'cable') {
    this.path = join(this.folder, name);
    this.#child = spawn('python3', ['-u', script, this.path], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#child.stdout?.setEncoding('latin1').on('data', (text: string) => this.#hear(text));
  }

  async plug(): Promise<void> {
    this.#told = [];
    this.#write('plug');
    await until('plugged', () => this.#told.includes('plugged'));
  }

  async unplug(): Promise<void> {
    this.#told = [];
    this.#write('unplug');
    await until('unplugged', () => this.#told.includes('unplugged'));
  }

  /** Sends text as latin1 bytes, as it is. */
  say(text: string): void {
    this.#write(`say ${Buffer.from(text, 'latin1').toString('hex')}`);
  }

  /** Sends a frame with a right check and an LF. */
  frame(body: string): void {
    this.say(`${framed(body)}\n`);
  }

  /** Sends bytes without a newline. */
  async flood(bytes: number, ms: number): Promise<void> {
    this.#told = [];
    this.#write(`flood ${bytes}`);
    await until('flooded', () => this.#told.includes('flooded'), ms);
  }

  async end(): Promise<void> {
    const gone = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.stdin?.end();
    const late = setTimeout(() => this.#child.kill('SIGKILL'), 2000);
    if (this.#child.exitCode === null) await gone;
    clearTimeout(late);
    rmSync(this.folder, { recursive: true, force: true });
  }

  #write(line: string): void {
    if (this.#child.stdin?.writable === true) this.#child.stdin.write(`${line}\n`);
  }

  #hear(text: string): void {
    const lines = (this.#pending + text).split('\n');
    this.#pending = lines.pop() ?? '';
    for (const line of lines) {
      if (line.startsWith('host ')) this.#obey(Buffer.from(line.slice(5), 'hex').toString('latin1'));
      else this.#told.push(line);
    }
  }

  #obey(bytes: string): void {
    const lines = (this.#host + bytes).split('\n');
    this.#host = lines.pop() ?? '';
    for (const line of lines) {
      this.commands.push(line);
      const nonce = /^\$TTPIN,(\d+)\*/.exec(line)?.[1];
      if (line.startsWith('$TTHEL?') && this.hello !== '') this.frame(this.hello);
      if (nonce !== undefined && this.pong) this.frame(`TTPON,${nonce},2000`);
      if (line.startsWith('$TTRES,')) for (const body of this.stored) this.frame(body);
    }
  }
}
