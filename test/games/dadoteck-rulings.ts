import { isDeepStrictEqual } from 'node:util';
import { type Face, faceOf } from '../../src/dice/die.js';
import { dadoteck } from '../../src/games/dadoteck/dadoteck.js';
import type { DadoteckState } from '../../src/games/dadoteck/state.js';
import type { AnyGame, Deed, GameEvent, Verdict } from '../../src/games/game.js';
import { gameById } from '../../src/games/registry.js';
import { type Branch, branch, type Course, counted, put, type Step, startCourse } from '../../src/table/course.js';

const game = (id: string): AnyGame => {
  const known = gameById(id);
  if (known === undefined) throw new Error(`no game "${id}"`);
  return known;
};
const OUTSIDE = game('external').setup({}, []);
const outsideEvents = 'events' in OUTSIDE ? OUTSIDE.events : [];

/** How far back a GM looks for the roll to correct, in deeds that counted. */
const REACH = 12;

/** A course of Dadoteck as a table keeps it, with GM's corrections of past rolls. */
export class RuledGame {
  readonly #opening: readonly GameEvent[];
  #course: Course;
  #next = 1;

  constructor(opening: readonly GameEvent[]) {
    this.#opening = opening;
    this.#course = startCourse(game(dadoteck.id), opening, game('external'), outsideEvents);
  }

  get state(): DadoteckState {
    return this.#course.runs.game.state as DadoteckState;
  }

  put(deed: Deed): Verdict<GameEvent> {
    const { course, verdict } = put(this.#course, this.#next, 'game', deed);
    this.#next += 1;
    this.#course = course;
    return verdict;
  }

  /**
   * Corrects one of the last rolls that counted, chosen by `below`. One in ten is held against the whole game.
   * @returns how many later deeds became loose; undefined where there is no roll to correct
   * @throws where the rules do not take the correction, or the state is not that of the same deeds played anew
   */
  correct(below: (n: number) => number): number | undefined {
    const rolls = this.#course.steps.filter((step) => counted(step) && step.deed.kind === 'natural').slice(-REACH);
    const step = rolls[below(Math.max(1, rolls.length))];
    if (step?.deed.kind !== 'natural') return undefined;
    const { type } = step.deed.die;
    const face = faceOf(type, below(Number(type.slice(1))) + 1);
    if (!face.ok) throw new Error(face.error);
    const tried = branch(this.#course, new Map([[step.id, { run: 'game', deed: refaced(step.deed, face.value) }]]));
    if (tried === undefined) throw new Error('a roll among the last is out of reach');
    if (!tried.amended.every(counted)) throw new Error(`not corrected: ${JSON.stringify(tried.amended)}`);
    if (below(10) === 0) this.#check(tried);
    this.#course = tried.course;
    return tried.loose.length;
  }

  /** The deeds that stand on the branch, played from the first with the final values, lead to the same state. */
  #check({ course }: Branch): void {
    let again = startCourse(game(dadoteck.id), this.#opening, game('external'), outsideEvents);
    for (const { id, deed } of course.steps.filter(counted)) again = put(again, id, 'game', deed).course;
    if (!isDeepStrictEqual(again.runs.game.state, course.runs.game.state))
      throw new Error(`a correction leads elsewhere: ${JSON.stringify([again.runs.game.state, this.state])}`);
  }
}

const refaced = (deed: Extract<Step['deed'], { kind: 'natural' }>, face: Face): Deed => ({ ...deed, face });
