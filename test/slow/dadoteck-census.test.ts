import { expect, test } from 'vitest';
import { differences, POSITIONS } from '../census/enumerate.js';
import { player } from '../games/dadoteck-leaves.js';

test.each(POSITIONS)(
  'every leaf of $name at its full depth ends as the second enumeration says',
  (position) => {
    expect(differences(position, position.depth, player(), 3)).toEqual([]);
  },
  120_000,
);
