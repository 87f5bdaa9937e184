// An independent reading of the movement rules of Dadoteck (M1-M6, F1, F2, V2). It shares nothing with src/ on purpose:
// it exists to disagree with it.

export type Option = string | number;

/** The rule by which a seat fell. `M6` is M2 reached by a bastard's choice, `F2` the suicide of the last one left. */
export type Cause = 'M2' | 'M6' | 'M4' | 'M5-occupant' | 'M5-victim' | 'F2';

export interface Threshold {
  readonly below: number;
  readonly sides: number;
}

export interface Choice {
  readonly what: 'bastard' | 'assassin';
  readonly seat: string;
  readonly options: readonly Option[];
}

export interface Board {
  /** Squares of the living. */
  readonly pawns: ReadonlyMap<string, number>;
  /** Living seats whose move of this round is still to come, the first one's turn; empty when the round is done. */
  readonly queue: readonly string[];
  readonly fallen: readonly { readonly seat: string; readonly cause: Cause }[];
  readonly sides: number;
  readonly thresholds: readonly Threshold[];
  readonly choice: Choice | null;
  readonly over: boolean;
  readonly winner: string | null;
}

/** Rule V2: the die of a round that starts with `alive` seats living; the smallest of the dice agreed, else the d20. */
export function movementDie(thresholds: readonly Threshold[], alive: number): number {
  return Math.min(20, ...thresholds.filter((t) => alive < t.below).map((t) => t.sides));
}

/** The board at the first movement roll of a round. */
export function opening(
  pawns: Readonly<Record<string, number>>,
  order: readonly string[],
  thresholds: readonly Threshold[],
): Board {
  return {
    pawns: new Map(Object.entries(pawns)),
    queue: order,
    fallen: [],
    sides: movementDie(thresholds, order.length),
    thresholds,
    choice: null,
    over: false,
    winner: null,
  };
}

/** Whether one seat is left with its move still to come (F2), free to renounce or to roll. */
export function isLast(board: Board): boolean {
  return !board.over && board.pawns.size === 1;
}

function without(board: Board, seat: string, cause: Cause): Board {
  const pawns = new Map(board.pawns);
  pawns.delete(seat);
  return {
    ...board,
    pawns,
    queue: board.queue.filter((other) => other !== seat),
    fallen: [...board.fallen, { seat, cause }],
  };
}

function occupant(board: Board, square: number, roller: string): string | null {
  for (const [seat, at] of board.pawns) if (at === square && seat !== roller) return seat;
  return null;
}

function finished(board: Board, winner: string | null): Board {
  return { ...board, queue: [], choice: null, over: true, winner };
}

// The turn of `roller` is done: it leaves the queue, and F2 is looked at.
function turnDone(board: Board, roller: string): Board {
  const next = { ...board, choice: null, queue: board.queue.filter((seat) => seat !== roller) };
  if (next.pawns.size !== 1) return next;
  const [survivor = null] = next.pawns.keys();
  return survivor !== null && next.queue.includes(survivor) ? next : finished(next, survivor);
}

// M1, M2, M3: the roller goes to the square, whoever else stands there falls; on its own square nothing happens.
function land(board: Board, roller: string, square: number, cause: Cause): Board {
  const struck = occupant(board, square, roller);
  const cleared = struck === null ? board : without(board, struck, cause);
  return turnDone({ ...cleared, pawns: new Map(cleared.pawns).set(roller, square) }, roller);
}

function assassinate(board: Board, roller: string): Board {
  const struck = occupant(board, 20, roller);
  const cleared = struck === null ? board : without(board, struck, 'M5-occupant');
  const moved = { ...cleared, pawns: new Map(cleared.pawns).set(roller, 20) };
  const victims = [...moved.pawns.keys()].filter((seat) => seat !== roller);
  if (victims.length === 0) return turnDone(moved, roller);
  return { ...moved, choice: { what: 'assassin', seat: roller, options: victims.sort() } };
}

/** The board after a movement roll of the seat whose turn it is: settled, or with a choice open. */
export function rolled(board: Board, natural: number): Board {
  const roller = board.queue[0];
  if (roller === undefined || board.over || board.choice) throw new Error('no movement roll is awaited');
  if (natural < 1 || natural > board.sides) throw new Error(`a d${board.sides} does not show ${natural}`);
  if (isLast(board)) {
    if (natural === 1) return finished(without(board, roller, 'F2'), null);
    return finished({ ...board, pawns: new Map([[roller, natural]]) }, roller);
  }
  if (natural === 1) return turnDone(without(board, roller, 'M4'), roller);
  if (natural === 20) return assassinate(board, roller);
  if (natural === 13 || natural === 17) {
    return { ...board, choice: { what: 'bastard', seat: roller, options: [natural - 1, natural, natural + 1] } };
  }
  return land(board, roller, natural, 'M2');
}

/** The board after the open choice is made. */
export function chosen(board: Board, option: Option): Board {
  const choice = board.choice;
  if (choice === null || !choice.options.includes(option)) throw new Error(`${option} is not among the options`);
  if (typeof option === 'number') return land({ ...board, choice: null }, choice.seat, option, 'M6');
  return turnDone(without(board, option, 'M5-victim'), choice.seat);
}

/** F2: the last one left renounces the roll and wins; the pawn stays. */
export function renounced(board: Board): Board {
  const [survivor = null] = board.pawns.keys();
  if (!isLast(board)) throw new Error('nobody may renounce');
  return finished(board, survivor);
}

/** F1: the board at the first movement roll of the next round, once its initiative gave `order`. */
export function nextRound(board: Board, order: readonly string[]): Board {
  return { ...board, queue: order, sides: movementDie(board.thresholds, board.pawns.size) };
}

/** The phase by the contract's names. */
export function phaseOf(board: Board): string {
  if (board.over) return 'over';
  if (board.choice) return board.choice.what;
  return board.queue.length === 0 ? 'initiative' : 'movement';
}

function awaitedOf(board: Board): string {
  if (board.over) return '-';
  if (board.choice) return `${board.choice.what}@${board.choice.seat}[${board.choice.options.join(',')}]`;
  const turn = board.queue[0];
  if (turn === undefined) return `initiative@${[...board.pawns.keys()].sort().join(',')}`;
  return `${isLast(board) ? 'last' : 'move'}@${turn}/${board.sides}`;
}

/** The canonical form of README.md: `phase|pawns|eliminated|winner|awaited`. */
export function canonical(board: Board): string {
  const pawns = [...board.pawns.keys()]
    .sort()
    .map((seat) => `${seat}:${board.choice?.seat === seat ? '*' : board.pawns.get(seat)}`);
  const fallen = board.fallen.map((each) => each.seat);
  return [phaseOf(board), pawns.join(','), fallen.join(','), board.winner ?? '-', awaitedOf(board)].join('|');
}
