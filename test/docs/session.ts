import {
  type ChildProcess,
  type SpawnOptionsWithStdioTuple,
  type StdioNull,
  type StdioPipe,
  spawn,
} from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const READY_WITHIN_MS = 30_000;
const STOPPED_WITHIN_MS = 10_000;
const SCRIPT_WITHIN_MS = 60_000;
const MQTT_PORT = '1883';
const HTTP_PORT = '8706';

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

function outcome(child: ChildProcess): Promise<number | null> {
  return new Promise((done) => child.on('close', (code) => done(code)));
}

/**
 * A newcomer's afternoon with one page: a folder that looks like the clone, a home of its own, ports of its own in place
 * of 8706 and 1883. What the page's examples write stays in that folder.
 */
export class Session {
  readonly #folder = mkdtempSync(join(tmpdir(), 'tiro-docs-'));
  readonly #http: string;
  readonly #mqtt: string;
  #daemon: { child: ChildProcess; told: string; ended: Promise<number | null> } | undefined;

  private constructor(http: number, mqtt: number) {
    this.#http = String(http);
    this.#mqtt = String(mqtt);
    mkdirSync(join(this.#folder, 'home'));
    for (const name of readdirSync('.')) {
      if (name !== '.git' && name !== '.tiro') symlinkSync(resolve(name), join(this.#folder, name));
    }
  }

  static async open(): Promise<Session> {
    return new Session(await freePort(), await freePort());
  }

  /**
   * Runs one example. `npm start` alone is left running, and what it printed until it was ready is the answer.
   * @returns what it printed on standard output, with the usual ports in it
   * @throws if it ends with another code than 0
   */
  async run(script: string): Promise<string> {
    if (script.trim() === 'npm start') return this.#asWritten(await this.#start());
    const ports = script.replaceAll(HTTP_PORT, this.#http).replaceAll(MQTT_PORT, this.#mqtt);
    const child = spawn('bash', ['-euo', 'pipefail', '-c', ports], this.#options(SCRIPT_WITHIN_MS));
    let printed = '';
    let errors = '';
    child.stdout.on('data', (chunk: Buffer) => (printed += chunk));
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk));
    const code = await outcome(child);
    if (code !== 0) throw new Error(`ended with ${code}:\n${printed}\n${errors}`);
    return this.#asWritten(printed);
  }

  /** Stops npm as a terminal or a service does, and removes the folder. @throws if the table goes on without npm */
  async close(): Promise<void> {
    this.#daemon?.child.kill('SIGTERM');
    await this.#daemon?.ended;
    const deadline = Date.now() + STOPPED_WITHIN_MS;
    while (this.#daemon !== undefined && (await this.#ready()) !== undefined) {
      if (Date.now() > deadline) throw new Error(`the table goes on without npm:\n${this.#daemon.told}`);
      await new Promise((done) => setTimeout(done, 100));
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #ready(): Promise<number | undefined> {
    return fetch(`http://127.0.0.1:${this.#http}/readyz`).then(
      ({ status }) => status,
      () => undefined,
    );
  }

  #options(timeout = 0): SpawnOptionsWithStdioTuple<StdioNull, StdioPipe, StdioPipe> {
    const home = join(this.#folder, 'home');
    const env: NodeJS.ProcessEnv = {
      PATH: process.env.PATH,
      LANG: 'C.UTF-8',
      HOME: home,
      XDG_DATA_HOME: join(home, 'data'),
      TIRO_HTTP_PORT: this.#http,
      TIRO_MQTT_PORT: this.#mqtt,
    };
    return { cwd: this.#folder, env, stdio: ['ignore', 'pipe', 'pipe'], timeout };
  }

  async #start(): Promise<string> {
    const child = spawn('npm', ['start', '--silent'], this.#options());
    const daemon = { child, told: '', ended: outcome(child) };
    this.#daemon = daemon;
    child.stdout.on('data', (chunk: Buffer) => (daemon.told += chunk));
    child.stderr.on('data', (chunk: Buffer) => (daemon.told += chunk));
    const deadline = Date.now() + READY_WITHIN_MS;
    while (Date.now() < deadline && child.exitCode === null) {
      if ((await this.#ready()) === 200) {
        await new Promise((done) => setTimeout(done, 300));
        return daemon.told;
      }
      await new Promise((done) => setTimeout(done, 100));
    }
    throw new Error(`npm start did not get ready:\n${daemon.told}`);
  }

  #asWritten(printed: string): string {
    return printed.replaceAll(this.#http, HTTP_PORT).replaceAll(this.#mqtt, MQTT_PORT);
  }
}
