/** Numbers as the cards spell them. */
const WORDS: ReadonlyMap<string, number> = new Map([
  ['a', 1],
  ['an', 1],
  ['one', 1],
  ['un', 1],
  ['uno', 1],
  ['two', 2],
  ['due', 2],
  ['three', 3],
  ['tre', 3],
  ['four', 4],
  ['quattro', 4],
  ['five', 5],
  ['cinque', 5],
  ['six', 6],
  ['sei', 6],
  ['seven', 7],
  ['sette', 7],
  ['eight', 8],
  ['otto', 8],
  ['nine', 9],
  ['nove', 9],
  ['ten', 10],
  ['dieci', 10],
  ['twelve', 12],
  ['dodici', 12],
  ['twenty', 20],
  ['venti', 20],
  ['hundred', 100],
  ['cento', 100],
]);

const ITALIAN = /^(?:(\S+)\s+)?dad[oi]\s+(?:a|da)\s+(\S+)\s+facce(.*)$/;
const ENGLISH = /^(?:(\S+)\s+)?(\S+)[- ]sided\s+(?:die|dice)(.*)$/;
const SHORT = /^(\S+)\s+d(\d{1,4})(.*)$/;

const worth = (word: string): number => WORDS.get(word) ?? (/^\d{1,4}$/.test(word) ? Number(word) : 0);

/** What follows the dice: modifiers and marks of the notation; `plus 2` and `meno 2` are modifiers too. */
const rest = (text: string): string => text.replace(/\s(?:plus|più|piu)\s/, '+').replace(/\s(?:minus|meno)\s/, '-');

/**
 * Brings both wordings of an instruction (706.1a) to the notation: `dado a 20 facce`, `two six-sided dice`, `due d6 + 1`.
 * @returns the notation, or the text as it is
 */
export function notationOf(text: string): string {
  const words = text
    .trim()
    .toLowerCase()
    .replace(/^(roll|tira|lancia)\s+/, '');
  const [, count = 'a', sides, behind = ''] = ITALIAN.exec(words) ?? ENGLISH.exec(words) ?? SHORT.exec(words) ?? [];
  const [dice, faces] = [worth(count), worth(sides ?? '')];
  return dice > 0 && faces > 0 ? `${dice}d${faces}${rest(behind)}` : text;
}
