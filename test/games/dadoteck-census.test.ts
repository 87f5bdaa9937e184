import { expect, test } from 'vitest';
import { differences, POSITIONS } from '../census/enumerate.js';
import { player } from './dadoteck-leaves.js';

/** The deepest leaves of all positions are played in test/slow. */
const DEEP = ['three-specials'];

test.each(POSITIONS)('every leaf of $name ends as the second enumeration says', (position) => {
  const deepest = DEEP.includes(position.name) ? position.depth : Math.min(position.depth, 2);
  for (let depth = 1; depth <= deepest; depth += 1) expect(differences(position, depth, player(), 3)).toEqual([]);
});
