import { hostname, networkInterfaces } from 'node:os';
import { err, ok, type Result } from '../dice/result.js';
import { Access } from './access.js';
import { HttpApp } from './app.js';
import type { Daemon, NetworkConfig } from './daemon.js';
import { type Interfaces, LanDoor } from './lan.js';
import { Listeners, type ListenFault } from './listeners.js';
import { Metrics } from './metrics.js';
import { OwnNames, plainAddress } from './names.js';
import { boxRoutes } from './routes-box.js';
import { deviceRoutes } from './routes-device.js';
import { lanRoutes } from './routes-lan.js';
import { overlayRoutes } from './routes-overlay.js';
import { pageRoutes, schemaRoutes } from './routes-page.js';
import { settingsRoutes } from './routes-settings.js';
import { type MqttState, stateRoutes } from './routes-state.js';
import { tableRoutes } from './routes-table.js';
import type { TokenStore } from './tokens.js';
import type { Route } from './visit.js';
import { Sockets } from './ws.js';

export interface HttpParts {
  readonly daemon: Daemon;
  readonly config: NetworkConfig;
  readonly tokens: TokenStore;
  /** Where MQTT is served, for the status. */
  readonly mqtt: () => MqttState;
  /** `os.networkInterfaces`, or a test's. */
  readonly interfaces?: Interfaces;
  /** Milliseconds between pings, for tests. */
  readonly pingMs?: number;
}

const LOOPBACK = '127.0.0.1';

/** HTTP and WebSocket of the daemon on all its addresses. */
export class HttpDoor {
  readonly sockets: Sockets;
  readonly access: Access;
  readonly lan: LanDoor;
  readonly #parts: HttpParts;
  readonly #listeners: Listeners;
  readonly #metrics: Metrics;
  readonly #app: HttpApp;
  readonly #unwatch: () => void;
  #port = 0;

  private constructor(parts: HttpParts) {
    this.#parts = parts;
    const { daemon, config, tokens } = parts;
    const interfaces = parts.interfaces ?? networkInterfaces;
    const names = new OwnNames(config.names, hostname(), () => ownAddresses(interfaces));
    this.access = new Access(tokens, names, config.trustLoopback);
    this.sockets = new Sockets(daemon, this.access, parts.pingMs);
    this.#metrics = new Metrics(daemon, this.sockets);
    this.#listeners = new Listeners(
      (request, response) => this.#app.express(request, response),
      (request, socket, head) => this.sockets.upgrade(request, socket, head),
      (address, peer) => this.lan.noteArrival(address, peer),
    );
    this.lan = new LanDoor(this.#listeners, tokens, interfaces, () => this.#port);
    this.#app = new HttpApp(daemon, this.access, this.#routes(), (status) => this.#metrics.answered(status));
    this.#unwatch = tokens.onChange(() => this.sockets.review());
  }

  /**
   * Listens on the configured address, on loopback on ::1 as well.
   * @returns the door, or why the port could not be had
   */
  static async open(parts: HttpParts): Promise<Result<HttpDoor, ListenFault>> {
    const door = new HttpDoor(parts);
    const { host, port } = parts.config;
    const first = await door.#listeners.open(host === 'localhost' ? LOOPBACK : host, port);
    if (!first.ok) {
      await door.close();
      return err(first.error);
    }
    door.#port = first.value;
    if (host === LOOPBACK || host === 'localhost') {
      const second = await door.#listeners.open('::1', first.value);
      // No IPv6 on this computer is no news; another program on [::1] answers to "localhost" in our place.
      if (!second.ok && second.error.code === 'EADDRINUSE')
        parts.daemon.log('warn', `another program holds [::1]:${first.value}: use http://${LOOPBACK}:${first.value}`);
    }
    return ok(door);
  }

  /** The port all addresses share. */
  get port(): number {
    return this.#port;
  }

  /** Every route with its rule. */
  get routes(): readonly Route[] {
    return this.#app.routes;
  }

  /** The express application, for a look at what is registered. */
  get express(): HttpApp['express'] {
    return this.#app.express;
  }

  /** Addresses to open in a browser, loopback first. */
  urls(): readonly string[] {
    return this.#listeners.addresses().map((address) => {
      const shown = address === '0.0.0.0' || address === '::' ? LOOPBACK : address;
      return `http://${shown.includes(':') ? `[${shown}]` : shown}:${this.#port}`;
    });
  }

  /** Tells all clients that it restarts, and stops listening. */
  async close(): Promise<void> {
    this.#unwatch();
    this.sockets.close();
    await this.#metrics.close();
    await this.#listeners.closeAll();
  }

  #routes(): readonly Route[] {
    const { daemon, config } = this.#parts;
    const { sockets, access } = this;
    const sources = {
      daemon,
      sockets,
      access,
      metrics: this.#metrics,
      urls: () => this.urls(),
      mqtt: this.#parts.mqtt,
    };
    return [
      ...stateRoutes(sources),
      ...tableRoutes(daemon, sockets),
      ...boxRoutes(daemon),
      ...deviceRoutes(daemon),
      ...settingsRoutes(daemon),
      ...lanRoutes(daemon, this.lan),
      ...schemaRoutes(config.schemas),
      ...overlayRoutes(daemon, this.#parts.tokens, config.pages),
      ...pageRoutes(config.pages),
    ];
  }
}

function ownAddresses(interfaces: Interfaces): readonly string[] {
  return Object.values(interfaces()).flatMap((list) => (list ?? []).map((entry) => plainAddress(entry.address)));
}
