import type { Access } from './access.js';
import type { Daemon } from './daemon.js';
import type { Metrics } from './metrics.js';
import { tableEntry, tablesFor } from './routes-table.js';
import { json, type Reply, type Route, type Visit } from './visit.js';
import type { Sockets } from './ws.js';

/** Where MQTT is served, or why it is not. With a broker elsewhere `reason` says why there is no connection. */
export interface MqttState {
  readonly url: string | null;
  readonly mode?: 'off' | 'embedded' | 'external';
  /** Of a broker elsewhere. */
  readonly connected?: boolean;
  readonly reason?: string;
  /** The port that was asked for, where another program has it and the broker went to one above. */
  readonly taken?: number;
}

/** What the state of the daemon is told from. */
export interface StateSources {
  readonly daemon: Daemon;
  readonly sockets: Sockets;
  readonly metrics: Metrics;
  readonly access: Access;
  urls(): readonly string[];
  mqtt(): MqttState;
}

function status(sources: StateSources, visit: Visit): Reply {
  const { daemon, sockets } = sources;
  const urls = sources.urls();
  return json({
    version: daemon.version,
    url: urls[0] ?? null,
    urls,
    mqtt: sources.mqtt(),
    ...daemon.status(),
    loopbackTrusted: sources.access.loopbackTrusted(),
    ready: daemon.readiness().ready,
    tables: tablesFor(daemon, visit).map((table) => tableEntry(table, sockets)),
  });
}

const plain = (code: number, text: string): Reply => ({ kind: 'text', status: code, type: 'text/plain', text });

/** Health, metrics and status. The first two need no token: they say nothing but yes, or what is missing. */
export function stateRoutes(sources: StateSources): readonly Route[] {
  return [
    { method: 'get', path: '/healthz', allow: 'anyone', query: null, answer: () => plain(200, 'ok\n') },
    {
      method: 'get',
      path: '/readyz',
      allow: 'anyone',
      query: null,
      answer() {
        const { ready, reasons } = sources.daemon.readiness();
        return ready
          ? plain(200, 'ready\n')
          : plain(503, `not ready\n${reasons.map((reason) => `${reason}\n`).join('')}`);
      },
    },
    {
      method: 'get',
      path: '/metrics',
      allow: ['gm', 'monitor'],
      query: [],
      async answer() {
        return { kind: 'text', status: 200, ...(await sources.metrics.exposition()) };
      },
    },
    {
      method: 'get',
      path: '/api/v1/status',
      allow: ['gm', 'player', 'overlay', 'spectator', 'monitor'],
      query: [],
      answer: (visit) => status(sources, visit),
    },
  ];
}
