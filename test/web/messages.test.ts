import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { BOX_WORDS } from '../../src/games/box-words.js';
import { en } from '../../src/web/messages/en.js';
import { it as italian, type Message } from '../../src/web/messages/it.js';

const glossary = (language: Record<string, Message>): [string, Message][] => Object.entries(language);
const forms = (message: Message): string[] => (typeof message === 'string' ? [message] : [message.one, message.other]);
const holes = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map((hole) => hole[1] ?? '').sort();

/** Every word of the page of words whose column says "avoid", for text that people read in Italian. */
const AVOIDED = [
  /in attesa di input/i,
  /\baccettat[oaie]\b/i,
  /\brifiutat[oaie]\b/i,
  /\brespint[oaie]\b/i,
  /\bsciolt[oaie]\b/i,
  /\bvagant[ei]\b/i,
  /\britirat[oaie]\b/i,
  /\bscartat[oaie]\b/i,
  /\bmemorizzat[oaie]\b/i,
  /\bgrezz[oaie]\b/i,
  /\binclinat[oaie]\b/i,
  /\bthrown\b/i,
  /\bincert[oaie]\b/i,
  /\bdiscrepanz[ae]\b/i,
  /\btracker\b/i,
  /\bcontator[ei]\b/i,
  /\bassociazion[ei]\b/i,
  /\bvincol[oi]\b/i,
  /\bregistra(re|to|ta|ti|te)?\b/i,
  /\brivendica(re|to|ta)?\b/i,
  /\bsed[ei]\b/i,
  /\birrisolt[oaie]\b/i,
  /\brisincronizzat[oaie]\b/i,
  /\boffline\b/i,
  /\bobsolet[oaie]\b/i,
  /\bcorrott[oaie]\b/i,
  /\bfisic[oaie]\b/i,
  /\bdashboard\b/i,
  /\bgiornale\b/i,
  /\blog\b/i,
  /\bvalidat[oaie]\b/i,
  /\bliber[oaie]\b/i,
  /\btray\b/i,
  /\bsession[ei]\b/i,
  /\bstream\b/i,
  /\bannulla\b/i,
];

/** The rulebooks' own terms, which stay as they are whatever else is avoided (words.md: the books' words are kept). */
const BOOK_TERMS = /\b(Attacco|Arma) Fisic[oa]\b/g;

/** What people read in Italian: the glossary of the pages, and what is said of a faulty box. */
const ITALIAN = [
  ...glossary(italian),
  ...Object.entries(BOX_WORDS).map(([word, { it }]): [string, Message] => [word, it]),
];

describe('the glossary', () => {
  test('has the same keys in both languages', () => {
    expect(Object.keys(en).sort()).toEqual(Object.keys(italian).sort());
  });

  test('has the same placeholders in both languages, and plurals for the same keys', () => {
    const english = new Map(glossary(en));
    for (const [key, message] of glossary(italian)) {
      const other = english.get(key) ?? '';
      expect(typeof other, key).toBe(typeof message);
      const wanted = new Set(forms(message).flatMap(holes));
      expect(new Set(forms(other).flatMap(holes)), key).toEqual(wanted);
      if (typeof message !== 'string') expect([...wanted], key).toContain('n');
    }
  });

  test('avoids the words the page of words avoids', () => {
    for (const [key, message] of ITALIAN) {
      for (const text of forms(message)) {
        for (const word of AVOIDED) expect(text.replaceAll(BOOK_TERMS, ''), key).not.toMatch(word);
      }
    }
  });

  test('never has the name of the product, whose word is the commonest here, as the subject of a sentence', () => {
    for (const [key, message] of ITALIAN) {
      // "Tiro in più", "Tiro perso" and "Tiro:" speak of a roll; a verb after the word would speak of the program.
      for (const text of forms(message)) expect(text, key).not.toMatch(/\bTiro (?!in più|perso)/);
    }
    for (const [key, message] of glossary(en))
      for (const text of forms(message)) expect(text, key).not.toMatch(/\bTiro\b/);
  });

  test('says of a faulty box the same in both languages', () => {
    for (const [word, { it, en }] of Object.entries(BOX_WORDS)) expect(holes(it), word).toEqual(holes(en));
  });

  test('holds no sentence that no page says', () => {
    const source = sources(join(import.meta.dirname, '../../src/web')).join('\n');
    const stems = [...source.matchAll(/`([\w.]+\.)\$\{/g)].map((stem) => stem[1] ?? '');
    const unsaid = Object.keys(italian).filter(
      (key) => !source.includes(`'${key}'`) && !stems.some((stem) => key.startsWith(stem)),
    );
    expect(unsaid).toEqual([]);
  });
});

test('every code with which the table or a game answers has its sentence', () => {
  const root = join(import.meta.dirname, '../../src');
  const source = [...sources(join(root, 'table')), ...sources(join(root, 'games'))].join('\n');
  const planar = readFileSync(join(root, 'rolls/planar.ts'), 'utf8');
  const answers = [
    ...source.matchAll(/(?:(?:refused?|loose|\bno)\(\s*|\bcode: )'([a-z_]+)'/g),
    // The planar die's rules name theirs, and the game hands them on.
    ...planar.matchAll(/\berr\('([a-z_]+)'/g),
  ];
  const codes = answers.map((code) => code[1] ?? '');
  const silent = [...new Set(codes)].filter((code) => !(`code.${code}` in italian) && !(`notice.${code}` in italian));
  expect(codes.length).toBeGreaterThan(20);
  expect(silent).toEqual([]);
});

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) return entry.name === 'messages' ? [] : sources(join(folder, entry.name));
    return /\.tsx?$/.test(entry.name) ? [readFileSync(join(folder, entry.name), 'utf8')] : [];
  });
}
