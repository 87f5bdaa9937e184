import type { Origin } from '../devices/device.js';
import type { PercentileReading } from '../dice/die.js';
import type { Journal } from '../journal/journal.js';
import type { Command } from '../wire/command.js';
import type { DieView, RadioView } from '../wire/view.js';
import type { DieRegistry } from './binding.js';
import type { Enrolments } from './enrolments.js';
import type { Caller } from './port.js';
import type { Binding } from './record.js';
import type { GameShelf } from './state.js';
import type { Clock } from './timers.js';

/** What a table needs of the house around it. */
export interface House extends DieRegistry {
  readonly journal: Journal;
  readonly clock: Clock;
  readonly shelf: GameShelf;
  readonly percentile: PercentileReading;
  /** Unbiased number 1…sides. */
  draw(sides: number): number;
  /** Dice as this table lists them. */
  dice(table: string): readonly DieView[];
  blink(die: string): Promise<boolean>;
  /** What the Bluetooth radio does; undefined where there is none. */
  radio(): RadioView | undefined;
  /** How dice find their owners, over all tables. */
  readonly enrolments: Enrolments;
  lost(table: string, reason: string): void;
  /** A command was given at a table; it may be refused. */
  commanded?(table: string, caller: Caller, command: Command): void;
  /** True if a signal of this origin was taken before, even before a restart; remembers it. */
  heardBefore(origin: Origin): boolean;
  /** A commit may have changed who owns a die. */
  bound(table: string, bindings: ReadonlyMap<string, Binding>): void;
}
