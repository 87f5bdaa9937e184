import { PLANAR_FACES, type PlanarFace } from '../../dice/die.js';
import type { Json, JsonObject } from '../../dice/json.js';
import { err, ok, type Result } from '../../dice/result.js';
import { enlarge } from '../../rolls/ignoring.js';
import { type Instruction, ROLLER } from '../../rolls/instruction.js';
import { PLANAR_DIE, type PlanarTurn, planarOutcome, specialAction } from '../../rolls/planar.js';
import { Sheet } from '../../rolls/sheet.js';
import { triggered } from '../../rolls/triggers.js';
import { get, object } from '../deed-line.js';
import { choicesOf, runCase } from './case-run.js';
import { readEffects } from './effects.js';
import { type CaseFault, list, number, text, texts } from './fields.js';
import { actionFault, planarFault } from './shape.js';

const isPlanarFace = (value: Json | undefined): value is PlanarFace => PLANAR_FACES.some((face) => face === value);

/** Words that begin the next turn in a list of actions. */
const NEW_TURN = /^(new|next|end)?_?turn$/i;

function actions(given: readonly Json[]): Result<JsonObject, CaseFault> {
  let turn: PlanarTurn = new Map();
  const costs: (number | null)[] = [];
  const accepted: boolean[] = [];
  for (const entry of given) {
    const fault = actionFault(entry);
    if (fault !== undefined) return err(fault);
    const action = object(entry) ?? {};
    const word = text(action, 'do') ?? 'special';
    if (get(action, 'newTurn') === true || NEW_TURN.test(word)) turn = new Map();
    if (word !== 'special') {
      if (word !== 'effect' && !NEW_TURN.test(word)) return err('bad_action');
      continue;
    }
    const taken = specialAction(turn, attemptOf(action));
    costs.push(taken.ok ? taken.value.cost : null);
    accepted.push(taken.ok);
    if (taken.ok) turn = taken.value.turn;
  }
  return ok({ valid: true, costs, accepted });
}

function attemptOf(action: JsonObject) {
  const player = text(action, 'player') ?? ROLLER;
  const [phase, stack, mana] = [text(action, 'phase'), number(action, 'stack'), number(action, 'mana')];
  return {
    player,
    ...(phase === undefined ? {} : { phase }),
    ...(stack === undefined ? {} : { stack }),
    ...(mana === undefined ? {} : { mana }),
  };
}

/** Attempts by the active player (`active`, or who is named so) and by others. */
function attempts(given: readonly Json[], named: string | undefined): Result<JsonObject, CaseFault> {
  let turn: PlanarTurn = new Map();
  const accepted: boolean[] = [];
  for (const entry of given) {
    const fault = actionFault(entry);
    if (fault !== undefined) return err(fault);
    const attempt = attemptOf(object(entry) ?? {});
    const active = ['active', ROLLER, named].includes(attempt.player);
    const taken = specialAction(turn, { ...attempt, active });
    if (taken.ok) turn = taken.value.turn;
    accepted.push(taken.ok);
  }
  return ok({ valid: true, accepted });
}

/** Resolves a case of the planar die: its faces, its cost, or what one throw brings (706.7, 901). */
export function planarCase(given: JsonObject): Result<JsonObject, CaseFault> {
  const shape = planarFault(given);
  if (shape !== undefined) return err(shape);
  if (typeof get(given, 'faces') === 'number') return ok({ valid: true, faces: { ...PLANAR_DIE } });
  if (Object.hasOwn(given, 'actions')) return actions(list(given, 'actions'));
  if (Object.hasOwn(given, 'attempts')) return attempts(list(given, 'attempts'), text(given, 'active'));
  const face = get(given, 'face');
  const faces = face === undefined ? list(given, 'faces') : [face];
  if (!faces.every(isPlanarFace)) return err('face_out_of_range');
  return thrownPlanar(given, faces);
}

function thrownPlanar(given: JsonObject, faces: readonly PlanarFace[]): Result<JsonObject, CaseFault> {
  const effects = readEffects(list(given, 'effects'), new Map());
  if (!effects.ok) return effects;
  const asks: Instruction = {
    dice: ['planar'],
    modifiers: [],
    percentile: 'zero',
    roller: ROLLER,
    effects: effects.value.map(({ effect }) => effect),
    use: { kind: 'none' },
  };
  const { types } = enlarge(new Sheet(asks));
  const waiting = effects.value.some(({ effect }) => effect.kind === 'rollTwoUseTotal');
  const offers = { adjustOffered: false, exchangeOffered: false, ...(waiting ? { effectStillPending: true } : {}) };
  if (faces.length < types.length) return ok({ valid: true, diceThrown: types.length, ...offers });
  const keep = number(given, 'keep');
  const choices = keep === undefined ? choicesOf(given) : keeping(keep, types.length, asks);
  const run = runCase(asks, faces, choices);
  if (!run.ok) return run;
  const { outcome } = run.value;
  const kept = outcome.planar;
  const counts = texts(given, 'listeners').map((listener) => [listener, triggered(listener, outcome)] as const);
  if (counts.some(([, count]) => !count.ok)) return err('unknown_listener');
  const triggers = Object.fromEntries(counts.map(([listener, count]) => [listener, count.ok ? count.value : 0]));
  return ok({
    valid: true,
    diceThrown: types.length,
    adjustOffered: (outcome.account?.offers.adjust ?? 0) > 0,
    exchangeOffered: (outcome.account?.offers.exchange ?? 0) > 0,
    ...(waiting ? { effectStillPending: true } : {}),
    ...(isPlanarFace(kept) ? { kept, face: kept, ...planarOutcome(kept, get(given, 'blankIsChaos') === true) } : {}),
    triggers,
    // A counter that each die removes and its number restores: a planar die has no number (706.7).
    ...(number(given, 'counters') === undefined
      ? {}
      : { countersAfter: (triggers.each_die ?? 0) > 0 ? 0 : (number(given, 'counters') ?? 0) }),
  });
}

/** The kept die as the choice the effects ask for: which of doubled dice stays, or which of all the others go. */
function keeping(keep: number, thrown: number, asks: Instruction): JsonObject {
  const doubled = (asks.effects ?? []).some((effect) => effect.kind === 'doubleEachDie');
  const others = Array.from({ length: thrown }, (_, index) => index).filter((index) => index !== keep);
  return doubled ? { keep: [keep] } : { ignoreChosen: others };
}
