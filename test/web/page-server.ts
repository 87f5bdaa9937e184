import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Answer } from '../../src/wire/command.js';
import type { LanState } from '../../src/wire/lan.js';
import { type Scene, snapshotOf } from './scenes.js';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};
const POLICY =
  "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'";
const PAGE = /^\/($|table\/|gm\/|board\/|overlay\/)/;

interface Given {
  readonly id: string;
  readonly do: string;
  readonly args: Record<string, unknown>;
}

/** A stand-in for the daemon that speaks contracts D and E with scenes in place of a table. */
export class PageServer {
  readonly scenes = new Map<string, Scene>();
  readonly asked: string[] = [];
  readonly commands: Given[] = [];
  version = '0.1.0';
  /** Answers a command; default: acknowledged. */
  answer: (command: Given) => Answer = ({ id }) => ({ kind: 'ack', id, seq: 48, durable: true });
  lan: LanState = {
    open: false,
    table: null,
    address: '192.168.1.20',
    port: 8706,
    url: null,
    arrived: 0,
    interfaces: [
      { name: 'wlan0', address: '192.168.1.20', kind: 'physical', chosen: true },
      { name: 'docker0', address: '172.17.0.1', kind: 'virtual', chosen: false },
    ],
    causes: [],
  };
  readonly #root: string;
  readonly #http: Server;
  readonly #ws: WebSocketServer;
  readonly #clients = new Set<WebSocket>();

  constructor(root: string) {
    this.#root = root;
    this.#http = createServer((request, response) => void this.#serve(request, response));
    this.#ws = new WebSocketServer({
      server: this.#http,
      path: '/ws',
      handleProtocols: (offered) => [...offered][0] ?? false,
    });
    this.#ws.on('connection', (socket, request) => this.#welcome(socket, request));
  }

  async listen(port = 0): Promise<string> {
    await new Promise<void>((done) => this.#http.listen(port, '127.0.0.1', done));
    return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}`;
  }

  /** Sends a message to every page that is open. */
  tell(message: object): void {
    for (const client of this.#clients) client.send(JSON.stringify(message));
  }

  /** Cuts every page off, as a daemon that is gone. */
  cut(): void {
    for (const client of this.#clients) client.terminate();
  }

  async close(): Promise<void> {
    this.cut();
    this.#ws.close();
    this.#http.closeAllConnections();
    await new Promise((done) => this.#http.close(done));
  }

  #welcome(socket: WebSocket, request: IncomingMessage): void {
    const query = new URL(request.url ?? '/', 'http://localhost').searchParams;
    const scene = this.scenes.get(query.get('table') ?? '');
    if (scene === undefined) {
      socket.close(4004, 'no such table');
      return;
    }
    this.#clients.add(socket);
    socket.on('close', () => this.#clients.delete(socket));
    socket.on('message', (data) => {
      const command = JSON.parse(String(data)) as Given;
      this.commands.push(command);
      socket.send(JSON.stringify(this.answer(command)));
    });
    socket.send(JSON.stringify({ kind: 'hello', version: this.version, role: query.get('role') ?? 'gm', seq: 47 }));
    socket.send(JSON.stringify(snapshotOf(query.get('table') ?? '', scene)));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    this.asked.push(pathname);
    response.setHeader('content-security-policy', POLICY);
    if (pathname.startsWith('/api/')) return this.#api(pathname, request, response);
    if (pathname === '/healthz') return void response.end('ok\n');
    const name = PAGE.test(pathname) ? 'index.html' : pathname.slice(1);
    try {
      const body = await readFile(join(this.#root, name));
      response.setHeader('content-type', TYPES[extname(name)] ?? 'application/octet-stream');
      response.end(body);
    } catch {
      response.writeHead(404).end();
    }
  }

  #api(path: string, request: IncomingMessage, response: ServerResponse): void {
    if (path === '/api/v1/lan/qr') {
      response.setHeader('content-type', 'image/svg+xml');
      response.end(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h3v3H0zM6 0h3v3H6zM0 6h3v3H0z"/></svg>',
      );
      return;
    }
    response.setHeader('content-type', 'application/json');
    if (path === '/api/v1/lan' && request.method === 'POST') {
      let text = '';
      request.on('data', (piece) => {
        text += String(piece);
      });
      request.on('end', () => {
        const { open, table } = JSON.parse(text) as { open: boolean; table?: string };
        this.lan = {
          ...this.lan,
          open,
          table: table ?? null,
          url: open ? `http://192.168.1.20:8706/board/${table}?token=geheim` : null,
          causes: open ? ['network', 'firewall', 'isolation'] : [],
        };
        response.end(JSON.stringify(this.lan));
      });
    } else if (path === '/api/v1/lan') response.end(JSON.stringify(this.lan));
    else if (path === '/api/v1/status') response.end(JSON.stringify(this.#status()));
    else response.writeHead(404).end('{"error":{"code":"not_found","message":"nothing here"}}');
  }

  #status(): object {
    return {
      version: '0.1.0',
      url: 'http://127.0.0.1:8706',
      mqtt: { url: 'mqtt://127.0.0.1:1883' },
      ble: { state: 'unavailable', reason: 'nessun adattatore Bluetooth', remedy: 'collega un adattatore USB' },
      serial: { state: 'off' },
      tables: [...this.scenes].map(([id, { view }]) => ({ id, name: view.name, seats: view.seats.map((s) => s.id) })),
    };
  }
}
