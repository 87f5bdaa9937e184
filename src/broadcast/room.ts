import type { Audience, TablePort, Told } from '../table/port.js';
import type { Live } from '../wire/envelope.js';
import { textFrame } from './frame.js';

/** A connection that follows a table and has all that happened so far. */
export interface Follower {
  /** Takes one prepared message (`textFrame`), shared between all followers of an audience. */
  take(frame: Buffer): void;
}

/** One string per audience, as a key. */
export const audienceKey = (audience: Audience): string =>
  audience.role === 'seat' ? `seat ${audience.seat}` : audience.role;

interface Group {
  readonly audience: Audience;
  readonly followers: Set<Follower>;
}

/** The followers of one table, grouped by audience so that each record is prepared once per audience. */
export class Room {
  readonly table: TablePort;
  readonly #groups = new Map<string, Group>();
  readonly #snapshots = new Map<string, string>();
  readonly #leave: () => void;

  constructor(table: TablePort) {
    this.table = table;
    this.#leave = table.subscribe({ told: (told) => this.#told(told), live: (live) => this.#live(live) });
  }

  join(audience: Audience, follower: Follower): void {
    const key = audienceKey(audience);
    const group = this.#groups.get(key) ?? { audience, followers: new Set<Follower>() };
    group.followers.add(follower);
    this.#groups.set(key, group);
  }

  part(audience: Audience, follower: Follower): void {
    const key = audienceKey(audience);
    const group = this.#groups.get(key);
    if (group === undefined) return;
    group.followers.delete(follower);
    if (group.followers.size === 0) this.#groups.delete(key);
  }

  /** The snapshot as text, made once for all who come between two records. */
  snapshot(audience: Audience): string {
    const key = audienceKey(audience);
    const known = this.#snapshots.get(key);
    if (known !== undefined) return known;
    const text = JSON.stringify(this.table.snapshot(audience));
    this.#snapshots.set(key, text);
    return text;
  }

  close(): void {
    this.#leave();
    this.#groups.clear();
    this.#snapshots.clear();
  }

  #told(told: Told): void {
    this.#snapshots.clear();
    for (const group of this.#groups.values()) {
      const text = told.text(group.audience);
      if (text === null) continue;
      const frame = textFrame(text);
      for (const follower of group.followers) follower.take(frame);
    }
  }

  #live(live: Live): void {
    this.#snapshots.clear();
    if (this.#groups.size === 0) return;
    const frame = textFrame(JSON.stringify(live));
    for (const group of this.#groups.values()) for (const follower of group.followers) follower.take(frame);
  }
}
