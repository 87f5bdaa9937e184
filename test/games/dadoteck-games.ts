import type { Json } from '../../src/dice/json.js';
import { missingDice } from '../../src/games/awaited.js';
import { dadoteck } from '../../src/games/dadoteck/dadoteck.js';
import { type DadoteckEvent, type DadoteckState, living } from '../../src/games/dadoteck/state.js';
import type { Deed, GameEvent, SeatSetup, Verdict } from '../../src/games/game.js';
import { choice, roll } from './dadoteck-play.js';
import { RuledGame } from './dadoteck-rulings.js';

/** Rules of the page a computer can meet. M7 (a pawn knocked about by accident) is not modelled. */
export const RULES = [
  'S1',
  'S2',
  'I1',
  'I2',
  'M1',
  'M2',
  'M3',
  'M4',
  'M5',
  'M6',
  'F1',
  'F2',
  'F3',
  'F4',
  'V1',
  'V2',
  'V3',
];

/** A game longer than this many deeds does not end. */
const MAX_DEEDS = 20_000;

/** What thousands of games came to: how often each rule let something happen, refused it, or called it loose. */
export interface Tally {
  games: number;
  deeds: number;
  illegal: number;
  /** Rolls of the past that the GM corrected, and the later deeds that became loose. */
  corrected: number;
  loosened: number;
  readonly winners: Map<string, number>;
  readonly accepted: Map<string, number>;
  readonly refused: Map<string, number>;
  readonly loose: Map<string, number>;
}

/** The same numbers every time, 0 ≤ n < 1 (mulberry32). */
export function numbers(seed: number): () => number {
  let a = seed | 0;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const add = (counts: Map<string, number>, key: string): void => {
  counts.set(key, (counts.get(key) ?? 0) + 1);
};

class Chance {
  readonly #next: () => number;
  constructor(seed: number) {
    this.#next = numbers(seed);
  }
  below(n: number): number {
    return Math.floor(this.#next() * n);
  }
  face(sides: number): number {
    return this.below(sides) + 1;
  }
  of<T>(items: readonly T[], otherwise: T): T {
    return items[this.below(items.length)] ?? otherwise;
  }
}

/** A deed that something awaited asks for; the table agrees on dice now and then only. */
function legal(state: DadoteckState, chance: Chance): Deed {
  const all = dadoteck.expects(state);
  const wanted = chance.below(8) === 0 ? all : all.filter((one) => one.purpose !== 'dice');
  const one = chance.of(wanted, all[0]);
  if (one?.kind === 'choice' && one.seat !== null) return choice(one.seat, chance.of(one.options ?? [], null));
  const sides = one?.kind === 'roll' ? Number(missingDice(one.resolution)[0]?.slice(1)) : 20;
  return roll(state, one?.seat ?? null, sides, chance.face(sides));
}

/** A deed that is out of turn, of the wrong die, of a seat that is out, late, or chosen by whom nobody asked. */
function illegal(state: DadoteckState, chance: Chance): Deed {
  const anybody = chance.of(state.seats, 'ada');
  const anyone = chance.of([anybody, state.last?.seat ?? anybody, state.mover ?? anybody], anybody);
  const options: readonly Json[] = [
    anybody,
    chance.face(20),
    'renounce',
    { movementDie: chance.of([4, 20, 7], 4) },
    { initiativeDie: chance.of([2, 4, 5, 100], 4) },
  ];
  const callOf = (round: number) => `r${round}.move.${anyone}`;
  const deeds: readonly (() => Deed)[] = [
    () => roll(state, anyone, chance.of([6, 8, 10, 12, 16], 6), chance.face(6)),
    () => roll(state, anyone, 20, chance.face(20)),
    () => roll(state, chance.of(state.eliminated, 'zoe'), 20, chance.face(20)),
    () => roll(state, null, 20, chance.face(20)),
    () => roll(state, anyone, 20, chance.face(20), callOf(state.round - chance.below(2))),
    () => roll(state, anyone, 4, chance.face(4)),
    () => choice(anyone, chance.of(options, null)),
    () => choice(chance.of(['table', anyone], 'table'), chance.of(options.slice(3), null)),
    () => choice(chance.of(state.eliminated, anyone), chance.of(options, null)),
  ];
  return chance.of(deeds, () => roll(state, 'gm', 20, 1))();
}

function record(tally: Tally, verdict: Verdict<GameEvent>): void {
  const counts = 'events' in verdict ? tally.accepted : verdict.verdict === 'loose' ? tally.loose : tally.refused;
  if ('events' in verdict)
    for (const { rule } of verdict.events as readonly DadoteckEvent[]) add(counts, rule.slice('dadoteck:'.length));
  else add(counts, (verdict.rule ?? 'none').replace('dadoteck:', ''));
}

function newGame(chance: Chance, tally: Tally): RuledGame {
  const count = 2 + chance.below(19);
  const seats: readonly SeatSetup[] = Array.from({ length: count }, (_, at) => ({ id: `s${at}`, name: `S${at}` }));
  const movement = [
    { below: 2 + chance.below(count), sides: chance.of([16, 12], 16) },
    { below: 3, sides: chance.of([10, 8, 6], 8) },
  ];
  const options = {
    initiative: chance.of(['d20', 'smallest'], 'd20'),
    ...(chance.below(2) === 0 ? {} : { movement }),
  };
  if (chance.below(20) === 0) record(tally, dadoteck.setup(options, seats.slice(0, 1)));
  const verdict = dadoteck.setup(options, seats);
  record(tally, verdict);
  if (!('events' in verdict)) throw new Error(`no game: ${JSON.stringify(verdict)}`);
  return new RuledGame(verdict.events);
}

/** One seat and one die a square, whatever happened. */
function sound(state: DadoteckState): boolean {
  const squares = Object.values(state.pawns);
  const alive = living(state);
  return (
    new Set(squares).size === squares.length &&
    Object.keys(state.pawns).every((seat) => alive.includes(seat)) &&
    (state.phase === 'over') === (dadoteck.expects(state).length === 0)
  );
}

/** Puts one deed before the rules; one that does not count must leave the state as it was. */
function play(game: RuledGame, chance: Chance, tally: Tally, wrong: boolean): void {
  const before = game.state;
  const deed = wrong ? illegal(before, chance) : legal(before, chance);
  const kept = wrong ? JSON.stringify(before) : '';
  const verdict = game.put(deed);
  record(tally, verdict);
  tally.deeds += 1;
  const taken = 'events' in verdict;
  if (wrong && !taken) tally.illegal += 1;
  if (wrong && JSON.stringify(before) !== kept) throw new Error(`changed by ${JSON.stringify(deed)}`);
  if (!taken && game.state !== before) throw new Error(`moved by a refusal: ${JSON.stringify(deed)}`);
  if (!wrong && !taken) throw new Error(`not taken: ${JSON.stringify([deed, verdict, before])}`);
}

/** The GM corrects one of the last rolls. */
function correct(game: RuledGame, chance: Chance, tally: Tally): void {
  const loose = game.correct((n) => chance.below(n));
  if (loose === undefined) return;
  tally.deeds += 1;
  tally.corrected += 1;
  tally.loosened += loose;
}

/**
 * Plays games of 2 to 20 seats to their end; one deed in five is illegal, out of turn, of the wrong die, or a correction.
 * Throws where a refusal changed the state, a legal deed was not taken, a corrected game is not the one played with the
 * final values, a position is unsound, or a game does not end.
 */
export function playGames(count: number, seed: number): Tally {
  const tally: Tally = {
    games: 0,
    deeds: 0,
    illegal: 0,
    corrected: 0,
    loosened: 0,
    winners: new Map(),
    accepted: new Map(),
    refused: new Map(),
    loose: new Map(),
  };
  const chance = new Chance(seed);
  for (; tally.games < count; tally.games += 1) {
    const game = newGame(chance, tally);
    let after = 3;
    for (let deeds = 0; game.state.phase !== 'over' || after > 0; deeds += 1) {
      if (game.state.phase === 'over') after -= 1;
      const wrong = game.state.phase === 'over' || chance.below(5) === 0;
      if (wrong && chance.below(6) === 0) correct(game, chance, tally);
      else play(game, chance, tally, wrong);
      if (!sound(game.state)) throw new Error(`unsound: ${JSON.stringify(game.state)}`);
      if (deeds > MAX_DEEDS) throw new Error(`endless: ${JSON.stringify(game.state)}`);
    }
    add(tally.winners, game.state.winner === null ? 'nobody' : 'somebody');
  }
  return tally;
}

/** The coverage of rules as it is printed: one line a rule. */
export function coverage(tally: Tally): string {
  const lines = RULES.map((rule) => {
    const [accepted, refused, loose] = [tally.accepted, tally.refused, tally.loose].map(
      (counts) => counts.get(rule) ?? 0,
    );
    return `  ${rule}  accepted ${accepted}, refused ${refused}, loose ${loose}`;
  });
  const head = `${tally.games} games, ${tally.deeds} deeds, ${tally.illegal} of them not taken`;
  const rulings = `${tally.corrected} rolls corrected, ${tally.loosened} later deeds loose`;
  return [head, rulings, ...lines, '  M7  not modelled'].join('\n');
}
