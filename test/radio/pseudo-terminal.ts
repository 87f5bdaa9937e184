import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, constants, existsSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';

const PATIENCE_MS = 10_000;
const LOOK_MS = 10;

/** A serial line to a host: a pseudo-terminal that socat joins to a unix socket of ours. */
export class PseudoTerminal {
  readonly path: string;
  readonly #folder = mkdtempSync(join(tmpdir(), 'tiro-radio-'));
  readonly #plugged: (line: Duplex) => void;
  #server: Server | null = null;
  #socat: ChildProcess | null = null;
  #held: number | null = null;

  /** `plugged` gets the other end of the line, anew after every plugging. */
  constructor(plugged: (line: Duplex) => void, path?: string) {
    this.path = path ?? join(this.#folder, 'hci');
    this.#plugged = plugged;
  }

  /** Plugs the line in: the path is there when this resolves. */
  async plug(): Promise<void> {
    const socket = join(this.#folder, 'line');
    const server = createServer((line) => {
      server.close();
      this.#plugged(line);
    });
    this.#server = server;
    await new Promise<void>((resolve) => server.listen(socket, resolve));
    const ends = [`PTY,link=${this.path},raw,echo=0`, `UNIX-CONNECT:${socket}`];
    this.#socat = spawn('socat', ends, { stdio: 'ignore' });
    await this.#appeared();
    // Held open here, so that socat stays when a host closes the line and another opens it.
    this.#held = openSync(this.path, constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK);
  }

  /** Pulls the plug: the path vanishes, the host's end hangs up. */
  async unplug(): Promise<void> {
    const socat = this.#socat;
    this.#socat = null;
    if (this.#held !== null) closeSync(this.#held);
    this.#held = null;
    this.#server?.close();
    if (socat === null || socat.exitCode !== null) return;
    const gone = new Promise((resolve) => socat.once('exit', resolve));
    socat.kill();
    await gone;
  }

  async close(): Promise<void> {
    await this.unplug();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #appeared(): Promise<void> {
    for (let waited = 0; !existsSync(this.path); waited += LOOK_MS) {
      if (waited > PATIENCE_MS) throw new Error(`socat made no ${this.path}`);
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }
}
