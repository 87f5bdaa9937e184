import type { JsonObject } from '../dice/json.js';
import type { Result } from '../dice/result.js';
import type { DieListing, TablePort } from '../table/port.js';
import type { ConfiguredNames } from './names.js';
import type { Settings } from './settings.js';

/** Why a request was not served, as people and programs read it (contracts E). */
export interface Fault {
  /** HTTP status, 400…599. */
  readonly status: number;
  readonly code: string;
  readonly message: string;
  /** The faulty field or parameter. */
  readonly where?: string;
  readonly remedy?: string;
}

/** A table that is to be opened. */
export interface TableOrder {
  readonly id: string;
  readonly name?: string;
  readonly game?: string;
  readonly options?: JsonObject;
  readonly seats?: readonly { readonly id: string; readonly name?: string }[];
}

/** What a fake device is told to do (contracts E). */
export type FakeDeed =
  | { readonly verb: 'notify'; readonly hex: string }
  | { readonly verb: 'link'; readonly up: boolean }
  | { readonly verb: 'roll'; readonly natural: number | string }
  | { readonly verb: 'set'; readonly face: number | string }
  | { readonly verb: 'line'; readonly text: string };

/** What came of it, told after the journal. */
export interface FakeAnswer {
  readonly signals: readonly JsonObject[];
  readonly roll: string | null;
  readonly seq: number | null;
}

/** `/readyz`: ready, or the reasons why not. */
export interface Readiness {
  readonly ready: boolean;
  readonly reasons: readonly string[];
}

/** Everything the broadcast needs of the running daemon; built by cli/start. */
export interface Daemon {
  readonly version: string;
  tables(): readonly TablePort[];
  /** Called for every table opened after this call; returns its end. */
  onTable(listener: (table: TablePort) => void): () => void;
  createTable(order: TableOrder): Promise<Result<TablePort, Fault>>;
  /** Parts beside ours, each with its state and why it does not work: `ble`, `serial`, `journal`, … */
  status(): JsonObject;
  dice(): readonly DieListing[];
  /** Drives a fake device; refused where there is none of that name. */
  fake(device: string, deed: FakeDeed): Promise<Result<FakeAnswer, Fault>>;
  readiness(): Readiness;
  /** Further numbers for `/metrics`, names without the `tiro_` prefix; names ending in `_total` only grow. */
  gauges?(): Readonly<Record<string, number>>;
  /** The configuration, where it may be seen and changed. */
  readonly settings?: Settings;
  /** Told for a person at the terminal: one readable line. */
  log(level: 'info' | 'warn' | 'error', message: string, about?: JsonObject): void;
}

/** The part of the configuration that concerns the network. */
export interface NetworkConfig {
  /** `127.0.0.1` listens on ::1 as well. */
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  /** Key `http.trustLoopback`. */
  readonly trustLoopback: boolean;
  /** Keys `http.allowedHosts` and `http.allowedOrigins`: further names of ours, and origins of pages that may use us. */
  readonly names: ConfiguredNames;
  /** Folder of the built pages, null if there are none. */
  readonly pages: string | null;
  /** Folder of the published JSON Schemas, null if there are none. */
  readonly schemas: string | null;
}

/** The table with this id, or undefined; ids from outside are never used as keys (F154). */
export function tableOf(daemon: Daemon, id: string): TablePort | undefined {
  return daemon.tables().find((table) => table.id === id);
}
