import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { vi } from 'vitest';

// A start of the daemon takes a second; on a machine that is busy with other tests, many.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 });

/** The built program, as a user starts it. */
export const PROGRAM = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

/** Longest wait for a daemon to come up or go; the machine may be busy with other tests. */
const PATIENCE_MS = 30_000;

export interface DaemonOptions {
  /** The command that runs it, with what it takes first; `start` where none is given. */
  readonly verb?: readonly string[];
  /** Data folder; a fresh one is made and taken away where none is given. */
  readonly data?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Further arguments of `start`. */
  readonly args?: readonly string[];
  readonly port?: number;
  /** `configured`: as the configuration says. */
  readonly mqtt?: number | 'off' | 'configured';
  /** Text of a configuration file. */
  readonly config?: string;
  /** Program and arguments to run the daemon with, in place of this Node. */
  readonly command?: readonly string[];
}

type Body = Record<string, unknown>;

/** An answer over HTTP. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape.
  readonly json: any;
}

/** Waits until `look` gives something, or throws with `what` after `ms`. */
export async function until<T>(
  what: string,
  look: () => T | undefined | false | null | Promise<T | undefined | false | null>,
  ms = 10_000,
): Promise<T> {
  const start = performance.now();
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false && found !== null) return found;
    if (performance.now() - start > ms) throw new Error(`${what}: not within ${ms} ms`);
    await sleep(10);
  }
}

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The middle value of at least one number. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

const folders: string[] = [];
const running = new Set<Daemon>();

/** A folder that `cleanUp` takes away. */
export function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tiro-daemon-'));
  folders.push(folder);
  return folder;
}

/** Ends every daemon that still runs and takes the folders away; for `afterEach` or `afterAll`. */
export async function cleanUp(): Promise<void> {
  await Promise.all([...running].map((daemon) => daemon.kill('SIGKILL')));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** The environment without anything that configures the daemon. */
function plainEnvironment(more: DaemonOptions['env'] = {}): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^TIRO_|^VITEST|^NODE_OPTIONS$/.test(name));
  const env: NodeJS.ProcessEnv = { ...Object.fromEntries(own), ...more };
  for (const [name, value] of Object.entries(env)) if (value === undefined) delete env[name];
  return env;
}

/** A running `tiro start`. */
export class Daemon {
  readonly data: string;
  readonly process: ChildProcess;
  out = '';
  err = '';
  /** Address of HTTP, once it listens. */
  url = '';
  /** Milliseconds from spawning to ready. */
  startMs = 0;
  readonly exited: Promise<number | null>;
  #gone = false;

  private constructor(options: DaemonOptions) {
    this.data = options.data ?? freshFolder();
    const args = [...(options.verb ?? ['start']), '--port', String(options.port ?? 0)];
    if (options.mqtt !== 'configured') args.push('--mqtt-port', String(options.mqtt ?? 'off'));
    args.push('--data', this.data, ...(options.args ?? []));
    if (options.config !== undefined) {
      const file = join(freshFolder(), 'tiro.yaml');
      writeFileSync(file, options.config);
      args.push('--config', file);
    }
    const [program, ...first] = options.command ?? [process.execPath];
    this.process = spawn(program ?? '', [...first, PROGRAM, ...args], {
      env: plainEnvironment(options.env),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    running.add(this);
    this.process.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.out += text;
    });
    this.process.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.err += text;
    });
    this.exited = new Promise((resolve) => {
      this.process.once('error', (error) => {
        this.err += String(error);
      });
      this.process.once('close', (code) => {
        this.#gone = true;
        running.delete(this);
        resolve(code);
      });
    });
  }

  /** Starts a daemon and waits until `/readyz` answers 200. */
  static async start(options: DaemonOptions = {}): Promise<Daemon> {
    const began = performance.now();
    const daemon = new Daemon(options);
    await daemon.#ready();
    daemon.startMs = performance.now() - began;
    return daemon;
  }

  /** Starts a daemon that is expected to end by itself. @returns it with its exit code */
  static async attempt(options: DaemonOptions = {}): Promise<{ daemon: Daemon; code: number | null }> {
    const daemon = new Daemon(options);
    const late = setTimeout(() => daemon.process.kill('SIGKILL'), PATIENCE_MS);
    const code = await daemon.exited;
    clearTimeout(late);
    return { daemon, code };
  }

  /** Daemons that have not ended. */
  static running(): readonly Daemon[] {
    return [...running];
  }

  get pid(): number {
    return this.process.pid ?? 0;
  }

  async #ready(): Promise<void> {
    const late = performance.now() + PATIENCE_MS;
    while (!this.#gone && performance.now() < late) {
      this.url ||= /http:\/\/127\.0\.0\.1:\d+/.exec(this.out)?.[0] ?? '';
      if (this.url !== '') {
        const answer = await fetch(`${this.url}/readyz`).catch(() => null);
        await answer?.text();
        if (answer?.status === 200) return;
      }
      await sleep(5);
    }
    throw new Error(`the daemon did not become ready:\n${this.out}${this.err}`);
  }

  /** Sends a signal and waits for the end. */
  async kill(signal: NodeJS.Signals): Promise<number | null> {
    if (!this.#gone) this.process.kill(signal);
    const late = setTimeout(() => this.process.kill('SIGKILL'), PATIENCE_MS);
    const code = await this.exited;
    clearTimeout(late);
    return code;
  }

  stop(): Promise<number | null> {
    return this.kill('SIGTERM');
  }

  /** True after the process ended. */
  get gone(): boolean {
    return this.#gone;
  }

  async request(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Reply> {
    const send = (): Promise<Response> =>
      fetch(this.url + path, {
        method,
        headers: { ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
    // An idle connection may close just as it is used again; what may be asked twice is asked again, as browsers do.
    const again = method === 'GET' || path.endsWith('/commands');
    const answer = await send().catch((error: unknown) => {
      if (!again || this.#gone) throw error;
      return send();
    });
    const text = await answer.text();
    let json: unknown;
    try {
      json = JSON.parse(text);
    } catch {
      json = undefined;
    }
    return { status: answer.status, headers: answer.headers, text, json };
  }

  get(path: string, token?: string): Promise<Reply> {
    return this.request('GET', path, undefined, bearer(token));
  }

  post(path: string, body: unknown, token?: string): Promise<Reply> {
    return this.request('POST', path, body, bearer(token));
  }

  /** Drives a fake device (contracts E). */
  fake(device: string, verb: string, body: Body): Promise<Reply> {
    return this.post(`/api/v1/fake/${device}/${verb}`, body);
  }

  notify(device: string, hex: string): Promise<Reply> {
    return this.fake(device, 'notify', { hex });
  }

  /** Gives a command over HTTP; ids are made here. */
  command(table: string, name: string, args: Body = {}, id = `h-${counter++}`): Promise<Reply> {
    return this.post(`/api/v1/tables/${table}/commands`, { id, do: name, args });
  }

  /** All envelopes of a table from `since` on, as the caller may see them. */
  async events(table: string, since = 0, token?: string): Promise<readonly Body[]> {
    const all: Body[] = [];
    for (let at: number | null = since; at !== null; ) {
      const page = await this.get(`/api/v1/tables/${table}/events?since=${at}&limit=1000`, token);
      if (page.status !== 200) throw new Error(`events: ${page.status} ${page.text}`);
      all.push(...(page.json.events as Body[]));
      at = page.json.next as number | null;
    }
    return all;
  }

  /** Value of a number in `/metrics`, without labels. */
  async metric(name: string): Promise<number> {
    const { text } = await this.get('/metrics');
    return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  }
}

let counter = 0;

const bearer = (token: string | undefined): Record<string, string> =>
  token === undefined ? {} : { Authorization: `Bearer ${token}` };

/** Runs a command of the built program to its end. */
export function tiro(
  args: readonly string[],
  options: { readonly input?: string; readonly env?: DaemonOptions['env'] } = {},
): Promise<{ code: number | null; out: string; err: string; ms: number }> {
  const began = performance.now();
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    env: plainEnvironment(options.env),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(options.input ?? '');
  const late = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
  return new Promise((resolve) => {
    child.once('close', (code) => {
      clearTimeout(late);
      resolve({ code, out, err, ms: performance.now() - began });
    });
  });
}
