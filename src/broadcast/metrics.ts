import type { Registry } from 'prom-client';
import type { Daemon } from './daemon.js';
import type { Sockets } from './ws.js';

type Prometheus = typeof import('prom-client');

/** Numbers for Prometheus: names start with `tiro_`, base units, counters end in `_total`; no die or seat is a label. */
export class Metrics {
  readonly #daemon: Daemon;
  readonly #sockets: Sockets;
  readonly #answers = new Map<number, number>();
  /** Made, and its library loaded, when somebody asks for the first time. */
  #registry: Promise<Registry> | undefined;

  constructor(daemon: Daemon, sockets: Sockets) {
    this.#daemon = daemon;
    this.#sockets = sockets;
  }

  /** Counts an HTTP answer. */
  answered(status: number): void {
    this.#answers.set(status, (this.#answers.get(status) ?? 0) + 1);
  }

  /** Everything in the text format of Prometheus, with its content type. */
  async exposition(): Promise<{ readonly type: string; readonly text: string }> {
    this.#registry ??= import('prom-client').then((prometheus) => this.#filled(prometheus));
    const registry = await this.#registry;
    return { type: registry.contentType, text: `${await registry.metrics()}${this.#closes()}${this.#further()}` };
  }

  async close(): Promise<void> {
    (await this.#registry)?.clear();
  }

  #filled({ Counter, collectDefaultMetrics, Gauge, Registry }: Prometheus): Registry {
    const registry = new Registry();
    const registers = [registry];
    const [daemon, sockets, answers] = [this.#daemon, this.#sockets, this.#answers];
    collectDefaultMetrics({ register: registry, prefix: 'tiro_' });
    const info = new Gauge({ name: 'tiro_info', help: 'Version of the daemon.', labelNames: ['version'], registers });
    info.set({ version: daemon.version }, 1);
    new Counter({
      name: 'tiro_http_requests_total',
      help: 'HTTP answers by status.',
      labelNames: ['status'],
      registers,
      collect() {
        this.reset();
        for (const [status, count] of answers) this.inc({ status: String(status) }, count);
      },
    });
    const gauge = (name: string, help: string, read: () => number): void => {
      new Gauge({
        name,
        help,
        registers,
        collect() {
          this.set(read());
        },
      });
    };
    gauge('tiro_tables', 'Tables of this daemon.', () => daemon.tables().length);
    gauge('tiro_websocket_clients', 'Open WebSocket connections.', () => sockets.count());
    gauge('tiro_ready', '1 while /readyz answers 200.', () => (daemon.readiness().ready ? 1 : 0));
    gauge('tiro_degraded_tables', 'Tables whose journal cannot write.', () => {
      return daemon.tables().filter((table) => table.degraded()).length;
    });
    return registry;
  }

  #closes(): string {
    const lines = [...this.#sockets.closes()].map(
      ([code, count]) => `tiro_websocket_closed_total{code="${code}"} ${count}`,
    );
    return block('tiro_websocket_closed_total', 'WebSocket connections closed, by close code.', lines);
  }

  #further(): string {
    return Object.entries(this.#daemon.gauges?.() ?? {})
      .filter(([name, value]) => /^[a-z][a-z0-9_]{0,60}$/.test(name) && Number.isFinite(value))
      .map(([name, value]) => block(`tiro_${name}`, name.replaceAll('_', ' '), [`tiro_${name} ${value}`]))
      .join('');
  }
}

function block(name: string, help: string, lines: readonly string[]): string {
  const kind = name.endsWith('_total') ? 'counter' : 'gauge';
  return `# HELP ${name} ${help}\n# TYPE ${name} ${kind}\n${lines.map((line) => `${line}\n`).join('')}`;
}
