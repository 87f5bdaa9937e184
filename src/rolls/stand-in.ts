import { type DieType, faceOf, isFaceOf, naturalOf, type PlanarFace, sidesOf } from '../dice/die.js';
import { err, ok, type Result } from '../dice/result.js';
import type { Instruction, Landed, StandIn } from './instruction.js';
import { oneFor, planarMapping } from './substitute.js';

/**
 * One die of another kind for a missing one (706.1b).
 * @returns undefined where it cannot show every result equally often
 */
export function standIn(target: DieType, by: DieType): StandIn | undefined {
  if (target === 'planar' || target === 'fudge' || target === 'd00') return undefined;
  const substitute = oneFor(sidesOf(target), by);
  if (substitute === undefined) return undefined;
  const reads = Array.from({ length: sidesOf(by) }, (_, at) => {
    const face = faceOf(by, at + 1);
    const read = substitute.read([Number(face.ok ? face.value : 0)]);
    const counted = read === null ? undefined : faceOf(target, read);
    return counted?.ok === true ? counted.value : null;
  });
  return { for: target, by, reads };
}

/** A d6 for the planar die, by the face that each of its numbers stands for (R9). */
export function planarStandIn(faces: readonly PlanarFace[]): StandIn | undefined {
  return planarMapping(faces).ok ? { for: 'planar', by: 'd6', reads: faces } : undefined;
}

/** The kind that is thrown for one that is asked. */
export const thrownFor = ({ standIns = [] }: Instruction, type: DieType): DieType =>
  standIns.find((one) => one.for === type)?.by ?? type;

/**
 * What a die counts as where it stands for another; the die itself where `fits` says that it is asked for.
 * @returns `throw_again` where its face counts for nothing
 */
export function stood(
  { standIns = [] }: Instruction,
  die: Landed,
  fits: (die: Landed) => boolean,
): Result<Landed, 'throw_again'> {
  if (standIns.length === 0 || fits(die) || !isFaceOf(die.type, die.face)) return ok(die);
  for (const { for: type, by, reads } of standIns) {
    if (by !== die.type || !fits({ ...die, type, face: 0 })) continue;
    const face = reads[Number(naturalOf(die.type, die.face)) - 1];
    if (face === null || face === undefined) return err('throw_again');
    return ok({ ...die, type, face, thrown: { type: die.type, face: die.face } });
  }
  return ok(die);
}
