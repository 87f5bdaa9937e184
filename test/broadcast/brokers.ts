import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, connect as dial, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** The login that every broker here knows. */
export const LOGIN = { username: 'tiro', password: 'segreto-di-prova' } as const;

const folders: string[] = [];
const servers = new Set<BrokerServer>();

export function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tiro-brokers-'));
  folders.push(folder);
  return folder;
}

/** Kills what still runs and takes the folders away. */
export async function cleanUpBrokers(): Promise<void> {
  await Promise.all([...servers].map((server) => server.kill()));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** Where a program is, also where a user's path lacks the system's folders. */
export function program(name: string): string | null {
  const places = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/lib/rabbitmq/bin'];
  return places.map((place) => join(place, name)).find((file) => existsSync(file)) ?? null;
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

export async function until(what: string, fits: () => unknown, ms = 10_000): Promise<void> {
  for (const end = Date.now() + ms; Date.now() < end; await sleep(5)) if (fits()) return;
  throw new Error(`${what}: not within ${ms} ms`);
}

async function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = dial({ host: '127.0.0.1', port });
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

/** A real broker as a process of its own; it keeps its data over `kill` and `start`. */
export interface BrokerServer {
  readonly name: string;
  readonly port: number;
  readonly folder: string;
  readonly output: string;
  start(): Promise<void>;
  /** SIGKILL, as if the power failed. */
  kill(): Promise<void>;
  signal(signal: NodeJS.Signals): void;
}

class Program implements BrokerServer {
  readonly name: string;
  readonly port: number;
  readonly folder: string;
  output = '';
  readonly #run: () => ChildProcess;
  #child: ChildProcess | null = null;
  #gone: Promise<unknown> = Promise.resolve();

  constructor(name: string, port: number, folder: string, run: () => ChildProcess) {
    this.name = name;
    this.port = port;
    this.folder = folder;
    this.#run = run;
  }

  async start(): Promise<void> {
    const child = this.#run();
    servers.add(this);
    this.#child = child;
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.output = (this.output + text).slice(-20_000);
      });
    let gone = false;
    this.#gone = new Promise((resolve) => {
      child.once('exit', resolve);
      child.once('error', resolve);
    }).then(() => {
      gone = true;
    });
    for (const end = Date.now() + 120_000; Date.now() < end && !gone; await sleep(20))
      if (await listens(this.port)) return;
    throw new Error(`${this.name} does not listen:\n${this.output}`);
  }

  async kill(): Promise<void> {
    const pid = this.#child?.pid;
    this.#child = null;
    servers.delete(this);
    // The whole group, which is ours alone: RabbitMQ is a script, a virtual machine and its watchers.
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
    await this.#gone;
  }

  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }
}

const launch = (file: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): ChildProcess =>
  spawn(file, args, { detached: true, stdio: ['ignore', 'pipe', 'pipe'], env });

/** Writes Mosquitto's file of passwords; it is read again on SIGHUP. */
export function writePassword(folder: string, password: string): string {
  const file = join(folder, 'passwords');
  execFileSync(program('mosquitto_passwd') ?? 'mosquitto_passwd', ['-b', '-c', file, LOGIN.username, password], {
    stdio: 'pipe',
  });
  return file;
}

/** Mosquitto with login and persistence. `more`: further lines of its configuration, such as a second listener. */
export async function mosquitto(more = '', persistence = true): Promise<BrokerServer> {
  const folder = freshFolder();
  const port = await freePort();
  const file = join(folder, 'mosquitto.conf');
  const keep = `persistence true\npersistence_location ${folder}/\nautosave_interval 1\n`;
  writeFileSync(
    file,
    `user root\nlistener ${port} 127.0.0.1\nallow_anonymous false\npassword_file ${writePassword(folder, LOGIN.password)}\n` +
      `${persistence ? keep : 'persistence false\n'}${more}`,
  );
  return new Program('mosquitto', port, folder, () => launch(program('mosquitto') ?? '', ['-c', file]));
}

/** NATS with its MQTT listener, which keeps sessions and retained messages in JetStream. */
export async function nats(): Promise<BrokerServer> {
  const folder = freshFolder();
  const port = await freePort();
  const file = join(folder, 'nats.conf');
  writeFileSync(
    file,
    [
      'server_name: prova',
      `listen: "127.0.0.1:${await freePort()}"`,
      `jetstream: { store_dir: "${folder}" }`,
      `mqtt: { listen: "127.0.0.1:${port}" }`,
      `authorization: { users: [{ user: "${LOGIN.username}", password: "${LOGIN.password}" }] }`,
    ].join('\n'),
  );
  return new Program('nats', port, folder, () => launch(program('nats-server') ?? '', ['-c', file]));
}

/** RabbitMQ with its MQTT plugin; everything it would keep in the system is in the folder, its port mapper is ours. */
export async function rabbitmq(): Promise<BrokerServer> {
  const folder = freshFolder();
  const [port, mapper, dist] = [await freePort(), await freePort(), await freePort()];
  for (const name of ['home', 'data', 'log']) mkdirSync(join(folder, name));
  const plugins = join(folder, 'plugins');
  const config = join(folder, 'rabbitmq.conf');
  writeFileSync(plugins, '[rabbitmq_mqtt].\n');
  writeFileSync(
    config,
    `listeners.tcp = none\nmqtt.listeners.tcp.1 = 127.0.0.1:${port}\nmqtt.allow_anonymous = false\n` +
      `default_user = ${LOGIN.username}\ndefault_pass = ${LOGIN.password}\nlog.file = false\nlog.console = true\n`,
  );
  const env = {
    ...process.env,
    HOME: join(folder, 'home'),
    ERL_EPMD_PORT: String(mapper),
    ERL_EPMD_ADDRESS: '127.0.0.1',
    RABBITMQ_NODENAME: `tiro${mapper}@localhost`,
    RABBITMQ_DIST_PORT: String(dist),
    RABBITMQ_MNESIA_BASE: join(folder, 'data'),
    RABBITMQ_LOG_BASE: join(folder, 'log'),
    RABBITMQ_PID_FILE: join(folder, 'pid'),
    RABBITMQ_ENABLED_PLUGINS_FILE: plugins,
    RABBITMQ_CONFIG_FILE: config,
    RABBITMQ_CONF_ENV_FILE: '/dev/null',
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '+S 1:1 +sbwt none -kernel inet_dist_use_interface {127,0,0,1}',
  };
  const epmd = new Program('epmd', mapper, folder, () =>
    launch(program('epmd') ?? '', ['-port', String(mapper), '-address', '127.0.0.1']),
  );
  await epmd.start();
  // The system's own `rabbitmq-server` changes the user; this one runs as whoever starts it.
  const file = '/usr/lib/rabbitmq/bin/rabbitmq-server';
  return new Program('rabbitmq', port, folder, () => launch(file, [], env));
}

/** A wire to a broker that can be cut, and that counts who comes. */
export class Wire {
  readonly arrivals: number[] = [];
  /** While closed, whoever comes is turned away. */
  closed = false;
  /** Nothing more comes from the broker: it seems to be there and gives no answers. */
  muted = false;
  #port = 0;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(target: number) {
    this.#server = createServer((socket) => {
      this.arrivals.push(Date.now());
      if (this.closed) {
        socket.destroy();
        return;
      }
      const far = dial({ host: '127.0.0.1', port: target });
      for (const one of [socket, far]) {
        this.#sockets.add(one);
        one.on('error', () => undefined);
        one.on('close', () => {
          this.#sockets.delete(one);
          socket.destroy();
          far.destroy();
        });
      }
      socket.pipe(far);
      far.on('data', (bytes) => {
        if (!this.muted) socket.write(bytes);
      });
    });
  }

  static async to(port: number): Promise<Wire> {
    const wire = new Wire(port);
    await new Promise<void>((resolve) => wire.#server.listen(0, '127.0.0.1', resolve));
    const address = wire.#server.address();
    wire.#port = typeof address === 'object' && address !== null ? address.port : 0;
    return wire;
  }

  get port(): number {
    return this.#port;
  }

  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
