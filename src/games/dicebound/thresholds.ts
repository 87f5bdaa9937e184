/** The length of the campaign multiplies the thresholds (G6). */
export const CAMPAIGNS = { fast: 0.5, medium: 1, epic: 2 } as const;
export type Campaign = keyof typeof CAMPAIGNS;

/** The last level (G6). */
export const MAX_LEVEL = 10;

/** G6: experience a head at which each level is reached, before the campaign's factor; level 1 is free. */
const THRESHOLDS = [0, 20, 52, 96, 152, 220, 300, 392, 496, 612] as const;

/** Experience a head that one room of this level brings: G1 and G5, for one player. */
export const roomHead = (level: number): number => level * 3 + 2;

/** G1: the threat budget of a room, in points. */
export const budgetOf = (level: number, players: number): number => roomHead(level) * players;

/**
 * G6: experience a head at which `level` is reached.
 * @returns undefined beyond the last level
 */
export function thresholdHead(level: number, campaign: Campaign): number | undefined {
  const base = THRESHOLDS[level - 1];
  return base === undefined ? undefined : base * CAMPAIGNS[campaign];
}

/** The face of the d% that shows a level: 10 for level 1, 00 for level 10 (D1). */
export const levelFace = (level: number): number => (level * 10) % 100;

/** The level a face of the d% shows. */
export const faceLevel = (face: number): number => (face === 0 ? MAX_LEVEL : face / 10);
