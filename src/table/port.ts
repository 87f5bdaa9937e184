import type { JsonObject } from '../dice/json.js';
import type { Result } from '../dice/result.js';
import type { Audience, Seat } from '../games/game.js';
import type { Answer, Command } from '../wire/command.js';
import type { BoxFault } from '../wire/dicebound-box.js';
import type { Envelope, Live, RollWire, Snapshot } from '../wire/envelope.js';
import type { Following } from './known-dice.js';

export type { Audience, Seat };

/** Who gives a command: a token (or the trusted loopback), its role and, for a player, its seat. */
export interface Caller {
  /** Id of the token, or `loopback`; commands are remembered by (caller, command id). */
  readonly id: string;
  readonly role: 'gm' | 'player' | 'overlay' | 'spectator' | 'monitor';
  readonly seat?: Seat;
}

/**
 * One record on its way to the screens, released only once it is on disk. Each form is made once per audience and kept:
 * a thousand clients share one string.
 */
export interface Told {
  readonly table: string;
  readonly seq: number;
  /** The envelope for this audience, or null where it may not know of the record. */
  envelope(audience: Audience): Envelope | null;
  /** The same as JSON text, serialised once per audience. */
  text(audience: Audience): string | null;
}

/** What a transport hears of a table. */
export interface TableListener {
  told(told: Told): void;
  /** Not journalled, never replayed. */
  live(live: Live): void;
}

/** What broadcast sees of a table. */
export interface TablePort {
  readonly id: string;
  readonly name: string;
  /** Number of the newest record told to this audience. */
  seq(audience: Audience): number;
  snapshot(audience: Audience): Snapshot;
  /** Envelopes after `seq` for this audience, or null if a snapshot must be sent instead. */
  since(audience: Audience, seq: number): readonly string[] | null;
  /** Pages through the chronicle, at most 1,000 at once; `next` is null at the end. */
  events(
    audience: Audience,
    since: number,
    limit: number,
  ): Promise<{ events: readonly Envelope[]; next: number | null }>;
  command(caller: Caller, command: Command): Promise<Answer>;
  subscribe(listener: TableListener): () => void;
  /** Seats that exist, for checking a token's or a client's seat. */
  seats(): readonly Seat[];
  /** Rolls of this table by id, for joining views. */
  roll(id: string, audience: Audience): RollWire | null;
  /** What people enter for the game (its box), in the form of its file; null where the game has none. */
  box(audience: Audience): JsonObject | null;
  /** Reads such a file into the fields of one or more actions `box`, or tells its faults; null where the game has none. */
  readBox(text: string, file: string): Result<readonly JsonObject[], readonly BoxFault[]> | null;
  /** True while the journal cannot write. */
  degraded(): boolean;
}

/** A die as `GET /api/v1/dice` lists it. */
export interface DieListing {
  readonly id: string;
  readonly device: string;
  readonly model: string;
  readonly type: string | null;
  readonly table: string | null;
  readonly seat: Seat | null;
  readonly duty: 'rolls' | 'counts' | 'pawn' | null;
  readonly counter: string | null;
  readonly link: string;
  readonly battery: number | null;
  readonly low?: true;
  readonly face: number | string | null;
  readonly fake: boolean;
  readonly name: string | null;
  readonly colour?: string;
  /** Signal of its last advertisement, dBm. */
  readonly rssi?: number;
  readonly following?: Following;
  /** What a GoDice wears, as its owner says. */
  readonly shell?: string;
  /** What some of its faces bear in the place of their numbers. */
  readonly names?: readonly (readonly [face: number | string, name: string])[];
  /** What its owner says it is, against what it says of itself. */
  readonly kind?: string;
  /** Its rests fit another shell than the one it is said to wear. */
  readonly doubt?: 'shell';
}
