import type { TableView } from '../../wire/view.js';
import { say } from '../language.js';
import type { MessageKey } from '../messages/it.js';
import { dieWord, nameOf } from '../wording.js';
import { initials, Sign, seatIndex } from './sign.js';

/** The book's sample board (dadoteck:S1); a table may lay it out otherwise. */
const BOOK_LAYOUT: readonly (readonly number[])[] = [
  [1, 19, 3, 8],
  [14, 4, 10, 17],
  [7, 20, 5, 9],
  [16, 2, 12, 18],
  [13, 11, 6, 15],
];

const SPECIAL: Record<number, { readonly kind: string; readonly key: MessageKey; readonly mark: string }> = {
  1: {
    kind: 'suicide',
    key: 'dt.suicide',
    mark: 'M16 4a10 10 0 0 0-6 18v4h12v-4A10 10 0 0 0 16 4zM12 14h.1M20 14h.1M14 26v-3M18 26v-3',
  },
  13: { kind: 'bastards', key: 'dt.bastards', mark: 'M16 6v20M16 16H5M16 16h11M9 12l-4 4 4 4M23 12l4 4-4 4' },
  17: { kind: 'bastards', key: 'dt.bastards', mark: 'M16 6v20M16 16H5M16 16h11M9 12l-4 4 4 4M23 12l4 4-4 4' },
  20: { kind: 'assassin', key: 'dt.assassin', mark: 'M26 5 13 18M10 15l7 7M12 20l-6 6M9 26l-3-3' },
};

interface DadoteckState {
  readonly phase: string;
  readonly round: number;
  readonly order: readonly string[];
  readonly pawns: ReadonlyMap<string, number>;
  readonly eliminated: readonly string[];
  readonly initiativeDie: number | null;
  readonly movementDie: number | null;
  readonly winner: string | null;
  readonly over: boolean;
}

/** Reads the game's public state; what is missing or odd counts as not there. */
export function readDadoteck(state: { readonly [field: string]: unknown }): DadoteckState {
  const pawns = typeof state.pawns === 'object' && state.pawns !== null ? Object.entries(state.pawns) : [];
  return {
    phase: typeof state.phase === 'string' ? state.phase : 'placement',
    round: typeof state.round === 'number' ? state.round : 0,
    order: texts(state.order),
    pawns: new Map(pawns.filter((pawn): pawn is [string, number] => typeof pawn[1] === 'number')),
    eliminated: texts(state.eliminated),
    initiativeDie: dieOf(state.initiativeDie),
    movementDie: dieOf(state.movementDie),
    winner: typeof state.winner === 'string' ? state.winner : null,
    over: state.over === true,
  };
}

const texts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
const dieOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);

function layoutOf(view: TableView): readonly (readonly number[])[] {
  const given = view.game.options?.layout ?? view.game.state.layout;
  if (!Array.isArray(given) || given.length === 0) return BOOK_LAYOUT;
  if (given.every((row) => Array.isArray(row))) {
    return given.map((row) => row.filter((square): square is number => typeof square === 'number'));
  }
  const flat = given.filter((square): square is number => typeof square === 'number');
  return Array.from({ length: Math.ceil(flat.length / 4) }, (_, i) => flat.slice(i * 4, i * 4 + 4));
}

/** The board of Dadoteck with everyone on it, the order of the round, who fell, who won. */
export function DadoteckTable({ view, turn }: { view: TableView; turn: ReadonlySet<string> }) {
  const state = readDadoteck(view.game.state);
  return (
    <section class="card dadoteck" aria-label="Dadoteck">
      <header class="dadoteck-head">
        <h2>{state.round === 0 ? say('dt.placement') : say('dt.round', { n: state.round })}</h2>
        {state.initiativeDie === null || state.movementDie === null ? null : (
          <p class="quiet">
            {say('dt.dice', {
              initiative: dieWord('dadoteck', `d${state.initiativeDie}`),
              movement: dieWord('dadoteck', `d${state.movementDie}`),
            })}
          </p>
        )}
      </header>
      {state.over ? (
        <p class="dadoteck-end">
          {state.winner === null ? say('dt.nobody') : say('dt.winner', { name: nameOf(view, state.winner) })}
        </p>
      ) : null}
      <div class="dadoteck-body">
        <Board view={view} state={state} turn={turn} />
        <div class="dadoteck-side">
          <Order view={view} state={state} turn={turn} />
          <Fallen view={view} state={state} />
          <Legend />
        </div>
      </div>
    </section>
  );
}

interface PartProps {
  readonly view: TableView;
  readonly state: DadoteckState;
}

function Board({ view, state, turn }: PartProps & { turn: ReadonlySet<string> }) {
  return (
    <ul class="squares" aria-label={say('dt.board')}>
      {layoutOf(view)
        .flat()
        .map((n) => (
          <Square key={n} n={n} view={view} on={[...state.pawns].filter(([, at]) => at === n)} turn={turn} />
        ))}
    </ul>
  );
}

interface SquareProps {
  readonly n: number;
  readonly view: TableView;
  readonly on: ReadonlyArray<readonly [string, number]>;
  readonly turn: ReadonlySet<string>;
}

function Square({ n, view, on, turn }: SquareProps) {
  const special = SPECIAL[n];
  const names = on.map(([seat]) => nameOf(view, seat)).join(', ');
  const words = names === '' ? say('dt.squareEmpty', { n }) : say('dt.squareFull', { n, name: names });
  return (
    <li
      class={`square ${special === undefined ? '' : `square-${special.kind}`}`}
      aria-label={special === undefined ? words : `${words} (${say(special.key)})`}
    >
      <span class="square-number" aria-hidden="true">
        {n}
      </span>
      {special === undefined ? null : (
        <>
          <svg class="square-mark" viewBox="0 0 32 32" aria-hidden="true">
            <path d={special.mark} />
          </svg>
          <span class="square-word" aria-hidden="true">
            {say(special.key)}
          </span>
        </>
      )}
      <span class="square-pawns" aria-hidden="true">
        {on.map(([seat]) => (
          <Pawn key={seat} index={seatIndex(view, seat)} name={nameOf(view, seat)} now={turn.has(seat)} />
        ))}
      </span>
    </li>
  );
}

/** What the marks of the special squares mean, where a square is too small for its word. */
function Legend() {
  return (
    <ul class="legend" aria-hidden="true">
      {['1', '20', '13'].map((n) => {
        const special = SPECIAL[Number(n)];
        return special === undefined ? null : (
          <li key={n}>
            <svg class="square-mark" viewBox="0 0 32 32">
              <title>{n}</title>
              <path d={special.mark} />
            </svg>
            {special.kind === 'bastards' ? '13, 17' : n} {say(special.key)}
          </li>
        );
      })}
    </ul>
  );
}

/** A pawn is a d4 in this game: a triangle with its owner's letters. */
function Pawn({ index, name, now }: { index: number; name: string; now: boolean }) {
  return (
    <svg class={`pawn seat-colour-${Math.max(index, 0) % 10} ${now ? 'pawn-now' : ''}`} viewBox="0 0 40 38">
      <title>{name}</title>
      <path d="M20 3 37 34H3z" />
      <text x="20" y="26" text-anchor="middle" dominant-baseline="central" font-size="12">
        {initials(name)}
      </text>
    </svg>
  );
}

function Order({ view, state, turn }: PartProps & { turn: ReadonlySet<string> }) {
  const out = new Set(state.eliminated);
  return (
    <div>
      <h3>{say('dt.order')}</h3>
      {state.order.length === 0 ? <p class="quiet">{say('dt.noOrder')}</p> : null}
      <ol class="order">
        {state.order.map((seat) => (
          <li key={seat} class={`${turn.has(seat) ? 'order-now' : ''} ${out.has(seat) ? 'order-out' : ''}`}>
            <Sign index={seatIndex(view, seat)} name={nameOf(view, seat)} size={26} />
            <span>{nameOf(view, seat)}</span>
            {turn.has(seat) ? <span class="chip chip-now">{say('dt.now')}</span> : null}
            {out.has(seat) ? <span class="chip">{say('dt.out')}</span> : null}
          </li>
        ))}
      </ol>
      <p class="quiet">{say('dt.alive', { n: view.seats.length - out.size })}</p>
    </div>
  );
}

function Fallen({ view, state }: PartProps) {
  if (state.eliminated.length === 0) return null;
  return (
    <div>
      <h3>{say('dt.eliminated')}</h3>
      <ol class="fallen">
        {state.eliminated.map((seat) => (
          <li key={seat}>{say('dt.elimination', { name: nameOf(view, seat) })}</li>
        ))}
      </ol>
    </div>
  );
}
