import type { IncomingMessage } from 'node:http';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import helmet from 'helmet';
import type { Access, Grant } from './access.js';
import { checkBodyKind, readBody } from './body.js';
import type { Daemon, Fault } from './daemon.js';
import { errorBody } from './fault.js';
import { addressOf, readQuery } from './query.js';
import { Refused, type Reply, type Route, refused, type Visit } from './visit.js';

/** How long a client may go on sending a body that was refused before it is cut off. */
const LINGER_MS = 1000;

const HOUSE = ["'self'"];

/** Headers of every answer. `host` has passed the door; naming it lets older Safari open our WebSocket. */
function protection(framed: boolean): ReturnType<typeof helmet> {
  const socketsOf = (request: IncomingMessage): string => {
    const host = request.headers.host ?? '';
    return `ws://${host} wss://${host}`;
  };
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: HOUSE,
        scriptSrc: HOUSE,
        styleSrc: HOUSE,
        imgSrc: ["'self'", 'data:', 'blob:'],
        connectSrc: ["'self'", socketsOf],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: HOUSE,
        // An overlay only shows: streaming programs may frame it (conventions A3); "*" alone leaves out local files.
        frameAncestors: framed ? ['*', 'file:'] : HOUSE,
      },
    },
    xFrameOptions: framed ? false : { action: 'sameorigin' },
    crossOriginResourcePolicy: { policy: framed ? 'cross-origin' : 'same-origin' },
    crossOriginOpenerPolicy: framed ? false : { policy: 'same-origin' },
    crossOriginEmbedderPolicy: false,
    strictTransportSecurity: false,
    referrerPolicy: { policy: 'no-referrer' },
  });
}

/** Cuts off a client that goes on sending what was refused: 1 GB must not be read to the end (F131). */
function linger(request: Request, response: Response): void {
  response.once('finish', () => {
    if (request.complete) return;
    request.resume();
    setTimeout(() => request.socket.destroy(), LINGER_MS).unref();
  });
}

function faultOf(error: unknown): Fault | null {
  if (error instanceof Refused) return error.fault;
  if (error instanceof URIError) return { status: 400, code: 'path_invalid', message: 'the address is not valid' };
  return null;
}

/** The HTTP side of the daemon: the door, the rules of the routes, and their answers. */
export class HttpApp {
  readonly express: Express = express();
  readonly routes: readonly Route[];
  readonly #access: Access;
  readonly #daemon: Daemon;

  /** @param answered told of each answer's status */
  constructor(daemon: Daemon, access: Access, routes: readonly Route[], answered: (status: number) => void) {
    this.#daemon = daemon;
    this.#access = access;
    this.routes = routes;
    const app = this.express;
    app.disable('x-powered-by');
    app.disable('etag');
    app.set('query parser', false);
    app.set('case sensitive routing', true);
    const usual = protection(false);
    const framed = protection(true);
    app.use((request, response, next) => {
      response.once('finish', () => answered(response.statusCode));
      const protect = /^\/(overlay|assets)\//.test(request.path) ? framed : usual;
      protect(request, response, next);
    });
    for (const route of routes) {
      const steps = [
        (request: Request, response: Response, next: NextFunction) => this.#enter(route, request, response, next),
        (request: Request, response: Response, next: NextFunction) => {
          this.#answer(route, request, response).catch(next);
        },
      ];
      app[route.method](route.path, ...steps);
    }
    app.use((_request: Request, _response: Response, next: NextFunction) =>
      next(refused(404, 'not_found', 'there is nothing here')),
    );
    app.use((error: unknown, request: Request, response: Response, _next: NextFunction) =>
      this.#fail(error, request, response),
    );
  }

  /** Door, then the rule of the route, then the kind of body: a stranger's body is not read. */
  #enter(route: Route, request: Request, response: Response, next: NextFunction): void {
    const door = this.#access.door(request);
    if (!door.ok) throw new Refused(door.error);
    const url = addressOf(request.url);
    if (url === null) throw refused(400, 'path_invalid', 'the address is not valid');
    if (route.query !== null) {
      const query = readQuery(url.searchParams, route.query);
      if (!query.ok) throw new Refused(query.error);
      response.locals.query = query.value;
    }
    if (route.allow !== 'anyone') response.locals.grant = this.#admit(route, request, url, door.value.opaque);
    if (route.method === 'post') checkBodyKind(request);
    next();
  }

  #admit(route: Route, request: Request, url: URL, opaque: boolean): Grant {
    const grant = this.#access.identify(request, url.searchParams, opaque);
    if (!grant.ok) throw new Refused(grant.error);
    const { role, table, readOnly } = grant.value;
    if (route.allow !== 'anyone' && !route.allow.includes(role))
      throw refused(403, 'forbidden', `the role ${role} may not do this`);
    if (route.wide === true && table !== undefined)
      throw refused(403, 'forbidden', 'a token for one table is not enough here');
    if (route.method === 'post' && readOnly)
      throw refused(403, 'forbidden', 'a page without an origin may look, not act');
    return grant.value;
  }

  async #answer(route: Route, request: Request, response: Response): Promise<void> {
    const visit: Visit = {
      grant: response.locals.grant ?? null,
      host: request.headers.host ?? '',
      search: addressOf(request.url)?.searchParams ?? new URLSearchParams(),
      params: new Map(Object.entries(request.params).map(([name, value]) => [name, String(value)])),
      query: response.locals.query ?? new Map(),
      body: route.method === 'post' ? await readBody(request, route.bodyBytes) : undefined,
    };
    this.#send(await route.answer(visit), response);
  }

  #send(reply: Reply, response: Response): void {
    response.setHeader('Cache-Control', 'no-store');
    if (reply.kind === 'json') response.status(reply.status).json(reply.body);
    else if (reply.kind === 'text') {
      if (reply.saveAs !== undefined) response.attachment(reply.saveAs);
      response.status(reply.status).type(reply.type).send(reply.text);
    } else {
      const cache = reply.forever ? 'public, max-age=31536000, immutable' : 'no-store';
      response.sendFile(reply.name, { root: reply.root, cacheControl: false, headers: { 'Cache-Control': cache } });
    }
  }

  #fail(error: unknown, request: Request, response: Response): void {
    const fault = faultOf(error) ?? {
      status: 500,
      code: 'internal',
      message: 'something went wrong here; see the log',
    };
    if (fault.status === 500 && fault.code === 'internal')
      this.#daemon.log(
        'error',
        `${request.method} ${request.path.slice(0, 80)} failed: ${String(error).slice(0, 300)}`,
      );
    if (response.headersSent) {
      request.socket.destroy();
      return;
    }
    linger(request, response);
    if (fault.status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
    if (!request.complete) response.setHeader('Connection', 'close');
    response.setHeader('Cache-Control', 'no-store');
    response.status(fault.status).json(errorBody(fault));
  }
}
