import type { TablePort } from '../table/port.js';
import type { Grant, Viewer } from './access.js';
import type { Fault } from './daemon.js';
import type { Query } from './query.js';
import type { Role } from './tokens.js';

/** One request that has passed the door and the rule of its route. */
export interface Visit {
  /** Null only on routes open to anyone. */
  readonly grant: Grant | null;
  /** The Host header: under which name and port we were reached. */
  readonly host: string;
  readonly params: ReadonlyMap<string, string>;
  readonly query: Query;
  /** The query as it came, for routes that read none of it (`query: null`). */
  readonly search: URLSearchParams;
  /** Parsed JSON of a POST, else undefined. */
  readonly body: unknown;
}

/** What a route answers: JSON, text of some type, or a file of a folder we serve. */
export type Reply =
  | { readonly kind: 'json'; readonly status: number; readonly body: unknown }
  | {
      readonly kind: 'text';
      readonly status: number;
      readonly type: string;
      readonly text: string;
      /** Name under which a browser saves it instead of showing it. */
      readonly saveAs?: string;
    }
  | { readonly kind: 'file'; readonly root: string; readonly name: string; readonly forever: boolean };

/** One route and its rule; a route cannot be registered without one (F079). */
export interface Route {
  readonly method: 'get' | 'post';
  readonly path: string;
  /** Roles that may call it, or `anyone`, without a token and from anywhere the door lets in. */
  readonly allow: 'anyone' | readonly Role[];
  /** True where a token for one table is not enough. */
  readonly wide?: true;
  /** Bytes of its body, where more than usual are read. */
  readonly bodyBytes?: number;
  /** Query parameters beside token, role and seat; null reads no query at all (pages). */
  readonly query: readonly string[] | null;
  answer(visit: Visit): Promise<Reply> | Reply;
}

/** A refusal on its way to the error answer. */
export class Refused extends Error {
  readonly fault: Fault;

  constructor(fault: Fault) {
    super(fault.message);
    this.fault = fault;
  }
}

/** A visit at a table, with what the visitor may see and do there. */
export interface TableVisit {
  readonly table: TablePort;
  readonly viewer: Viewer;
}

export const json = (body: unknown, status = 200): Reply => ({ kind: 'json', status, body });

export const refused = (status: number, code: string, message: string, more: Partial<Fault> = {}): Refused =>
  new Refused({ status, code, message, ...more });
