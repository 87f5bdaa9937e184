import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Daemon } from './daemon.js';
import type { Sockets } from './ws.js';

/** Numbers for Prometheus: names start with `tiro_`, base units, counters end in `_total`; no die or seat is a label. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests: Counter<'status'>;
  readonly #daemon: Daemon;
  readonly #sockets: Sockets;

  constructor(daemon: Daemon, sockets: Sockets) {
    this.#daemon = daemon;
    this.#sockets = sockets;
    const registers = [this.#registry];
    collectDefaultMetrics({ register: this.#registry, prefix: 'tiro_' });
    const info = new Gauge({ name: 'tiro_info', help: 'Version of the daemon.', labelNames: ['version'], registers });
    info.set({ version: daemon.version }, 1);
    this.#requests = new Counter({
      name: 'tiro_http_requests_total',
      help: 'HTTP answers by status.',
      labelNames: ['status'],
      registers,
    });
    this.#gauge('tiro_tables', 'Tables of this daemon.', () => daemon.tables().length);
    this.#gauge('tiro_websocket_clients', 'Open WebSocket connections.', () => sockets.count());
    this.#gauge('tiro_ready', '1 while /readyz answers 200.', () => (daemon.readiness().ready ? 1 : 0));
    this.#gauge('tiro_degraded_tables', 'Tables whose journal cannot write.', () => {
      return daemon.tables().filter((table) => table.degraded()).length;
    });
  }

  /** Counts an HTTP answer. */
  answered(status: number): void {
    this.#requests.inc({ status: String(status) });
  }

  async text(): Promise<string> {
    return `${await this.#registry.metrics()}${this.#closes()}${this.#further()}`;
  }

  get type(): string {
    return this.#registry.contentType;
  }

  close(): void {
    this.#registry.clear();
  }

  #gauge(name: string, help: string, read: () => number): void {
    new Gauge({
      name,
      help,
      registers: [this.#registry],
      collect() {
        this.set(read());
      },
    });
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
