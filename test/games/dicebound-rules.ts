const numbered = (letter: string, last: number): readonly string[] =>
  Array.from({ length: last }, (_, at) => `${letter}${at + 1}`);

/** Every rule of the page. */
export const RULES: readonly string[] = [
  ...numbered('D', 6),
  ...numbered('T', 7),
  ...numbered('E', 5),
  ...numbered('C', 13),
  ...numbered('G', 14),
];

/** Every rule that is common to all games (rules README). */
export const COMMON_RULES: readonly string[] = numbered('Z', 9);
