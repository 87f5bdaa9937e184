import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { err, ok, type Result } from '../dice/result.js';

/** Header bytes of a request; more are answered 431 (F128). */
const MAX_HEADER_BYTES = 16 * 1024;

/** A client must have sent its headers, then its whole request, within these (F131). */
const HEADERS_MS = 10_000;
const REQUEST_MS = 20_000;

/** How often slow clients are looked for. */
const SLOW_CHECK_MS = 2_000;

/** Open sockets per address. */
const MAX_SOCKETS = 8_000;

export type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** Why an address could not be listened on. */
export interface ListenFault {
  readonly code: string;
  readonly message: string;
}

/** The HTTP servers of the daemon: one per address, all with the same pages, routes and sockets. */
export class Listeners {
  readonly #serve: RequestListener;
  readonly #upgrade: Upgrade;
  readonly #servers = new Map<string, Server>();
  readonly #arrivals: (address: string, peer: string | undefined) => void;

  /** @param arrivals told of every connection: our address it came to, and its peer's address */
  constructor(
    serve: RequestListener,
    upgrade: Upgrade,
    arrivals: (address: string, peer: string | undefined) => void = () => undefined,
  ) {
    this.#serve = serve;
    this.#upgrade = upgrade;
    this.#arrivals = arrivals;
  }

  /**
   * Listens on an address.
   * @param port 0 takes a free one
   * @returns the port, or the system's code (`EADDRINUSE`, `EADDRNOTAVAIL`, `EACCES`)
   */
  async open(address: string, port: number): Promise<Result<number, ListenFault>> {
    const server = createServer(
      {
        maxHeaderSize: MAX_HEADER_BYTES,
        headersTimeout: HEADERS_MS,
        requestTimeout: REQUEST_MS,
        connectionsCheckingInterval: SLOW_CHECK_MS,
        keepAliveTimeout: 5_000,
        noDelay: true,
      },
      this.#serve,
    );
    // The door counts headers itself: those beyond this limit would be dropped in silence, a proxy's among them.
    server.maxHeadersCount = 0;
    server.maxConnections = MAX_SOCKETS;
    server.on('upgrade', this.#upgrade);
    server.on('connection', (socket) => this.#arrivals(address, socket.remoteAddress));
    return new Promise((resolve) => {
      const failed = (error: NodeJS.ErrnoException): void =>
        resolve(err({ code: error.code ?? 'EFAIL', message: `${address}:${port}: ${error.message}` }));
      server.once('error', failed);
      server.listen({ host: address, port, ipv6Only: address.includes(':') && address !== '::', backlog: 1024 }, () => {
        server.removeListener('error', failed);
        server.on('error', () => undefined);
        this.#servers.set(address, server);
        resolve(ok((server.address() as AddressInfo).port));
      });
    });
  }

  addresses(): readonly string[] {
    return [...this.#servers.keys()];
  }

  /** Stops listening on an address and cuts its connections. */
  async close(address: string): Promise<void> {
    const server = this.#servers.get(address);
    if (server === undefined) return;
    this.#servers.delete(address);
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeIdleConnections();
      setTimeout(() => server.closeAllConnections(), 500).unref();
    });
  }

  async closeAll(): Promise<void> {
    await Promise.all(this.addresses().map((address) => this.close(address)));
  }
}
