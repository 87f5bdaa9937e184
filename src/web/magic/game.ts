import type { Awaited, RollWire } from '../../wire/envelope.js';
import type { TableView } from '../../wire/view.js';

/** A card in play. */
export interface CardInPlay {
  readonly id: number;
  readonly card: string;
  readonly seat: string;
  readonly used: number;
  readonly counters?: number;
  readonly target?: string;
  readonly value?: number;
}

/** A permanent with its stored results. */
export interface StoredOn {
  readonly name: string;
  readonly seat: string;
  readonly results: readonly { readonly sides: number; readonly value: number }[];
  readonly maxSame: number;
}

/** What the results of a roll came to, as the view tells it: pages know what goes over the wire, never `src/rolls`. */
export interface Reading {
  readonly rows?: readonly string[];
  readonly rowsEach?: readonly (readonly string[])[];
  readonly conditions?: readonly string[];
  readonly met?: boolean;
  readonly amount?: number;
  readonly chosen?: number;
  readonly other?: number;
  readonly difference?: number;
  readonly even?: number;
  readonly odd?: number;
  readonly distinct?: number;
  readonly count?: number;
  readonly wins?: boolean;
  readonly ordered?: readonly number[];
  readonly doubles?: boolean;
  readonly repeated?: boolean;
}

/** A finished roll as the table tells it. */
export interface Report {
  readonly n: number;
  readonly seat: string;
  readonly name: string;
  readonly dice: RollWire['dice'];
  readonly modifiers: readonly { readonly source: string; readonly amount: number }[];
  readonly naturals: readonly (number | string)[];
  readonly results: readonly number[];
  readonly total: number | null;
  readonly paid: readonly { readonly by: string; readonly source: string; readonly cost: string }[];
  readonly exchanged: { readonly from: number; readonly to: number } | null;
  readonly table?: readonly string[];
  readonly reading: Reading;
  readonly planar: { readonly face: string; readonly outcome: string; readonly cost: number | null } | null;
  readonly triggers: readonly {
    readonly seat: string;
    readonly card: string;
    readonly when: string;
    readonly times: number;
  }[];
}

/** A contest in which every player rolls. */
export interface Contest {
  readonly which: 'highest' | 'lowest';
  readonly name: string;
  readonly results: readonly { readonly seat: string; readonly result: number }[];
  readonly selected?: readonly string[];
}

/** The public state of a Magic table. */
export interface MagicView {
  readonly phase: string;
  readonly turn: number;
  readonly active: string;
  readonly inPlay: readonly CardInPlay[];
  readonly stored: readonly StoredOn[];
  readonly planarCost: number;
  readonly contest: Contest | null;
  readonly last: Report | null;
}

/** What anybody may begin at a Magic table: it stands in a form of its own, not among what is awaited. */
export const isIdle = (view: TableView | null, call: Awaited): boolean =>
  playsMagic(view) && call.optional === true && call.actions !== undefined;

/** What a roll is for at a Magic table: the card or the notation that asks for it. */
export const magicPurpose = (view: TableView | null, call: Awaited): string | undefined =>
  playsMagic(view) && call.what === 'roll' ? call.for : undefined;

export const playsMagic = (view: TableView | null): view is TableView => view?.game.id === 'magic';

/** Reads the game's public state; what is missing counts as not there. */
export function readMagic({ game }: TableView): MagicView {
  const state = game.state as Partial<Record<keyof MagicView, unknown>>;
  const list = <T>(value: unknown): readonly T[] => (Array.isArray(value) ? (value as readonly T[]) : []);
  return {
    phase: typeof state.phase === 'string' ? state.phase : 'idle',
    turn: typeof state.turn === 'number' ? state.turn : 0,
    active: typeof state.active === 'string' ? state.active : '',
    inPlay: list<CardInPlay>(state.inPlay),
    stored: list<StoredOn>(state.stored),
    planarCost: typeof state.planarCost === 'number' ? state.planarCost : 0,
    contest: (state.contest ?? null) as Contest | null,
    last: (state.last ?? null) as Report | null,
  };
}
