const OUTLINES: Record<string, string> = {
  d4: 'M32 6 61 57H3z',
  d6: 'M13 7h38a6 6 0 0 1 6 6v38a6 6 0 0 1-6 6H13a6 6 0 0 1-6-6V13a6 6 0 0 1 6-6z',
  d8: 'M32 3 60 32 32 61 4 32z',
  d10: 'M32 4 60 28v9L32 61 4 37v-9z',
  d12: 'M32 4 60 25 49 58H15L4 25z',
  d20: 'M32 3 57 17.500v29L32 61 7 46.500v-29z',
};
const EDGES: Record<string, string> = {
  d8: 'M4 32 32 47 60 32',
  d10: 'M4 37 18 40 32 61 46 40 60 37M32 4 18 40 32 48 46 40z',
  d20: 'M32 3 14 43h36zM7 17.500 14 43 32 61 50 43 57 17.500M7 46.500 14 43M57 46.500 50 43',
};
const ROUND = 'M32 4a28 28 0 1 0 0 56a28 28 0 1 0 0-56z';
/** The face of some dice sits lower or higher than the middle of their outline. */
const CENTRES: Record<string, number> = { d4: 41, d10: 31, d20: 33, d12: 33 };

const shapeOf = (type: string): string => (type === 'd00' || type === 'd100' ? 'd10' : type);

/** What stands on a planar die in place of a number; its word stands beside it. */
const SYMBOLS: Record<string, string> = { planeswalker: '⌁', chaos: '✹', blank: '·' };

interface DieProps {
  readonly type: string;
  /** What is written on it. */
  readonly text: string;
  readonly struck?: boolean;
  readonly tone?: 'plain' | 'quiet' | 'best' | 'worst';
  readonly size?: number;
}

/** A die as seen from above, its number on it. Struck through where it was ignored or rerolled. */
export function DieFace({ type, text, struck = false, tone = 'plain', size = 64 }: DieProps) {
  const shape = shapeOf(type);
  const y = CENTRES[shape] ?? 32;
  const long = text.length > 2 && SYMBOLS[text] === undefined;
  return (
    <svg
      class={`die die-${tone} ${struck ? 'die-struck' : ''}`}
      viewBox="0 0 64 64"
      width={size}
      height={size}
      aria-hidden="true"
    >
      <path class="die-body" d={OUTLINES[shape] ?? ROUND} />
      <path class="die-edges" d={EDGES[shape] ?? ''} />
      <text x="32" y={y} text-anchor="middle" dominant-baseline="central" font-size={long ? 15 : 22}>
        {SYMBOLS[text] ?? text}
      </text>
      {struck ? <path class="die-strike" d="M8 50 56 14" /> : null}
    </svg>
  );
}
