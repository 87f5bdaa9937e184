import type { Awaited, RollWire } from '../wire/envelope.js';
import type { TableView } from '../wire/view.js';
import { fighterName, purposeIn } from './dicebound/words.js';
import { keyOf, language, listOf, say } from './language.js';
import { isIdle, magicPurpose } from './magic/game.js';
import { seatOf } from './room.js';

/** What people call a seat: its name, literally. */
export function nameOf(view: TableView | null, seat: string | null | undefined): string {
  if (seat === 'gm') return say('who.gm');
  if (seat === 'table') return say('who.table');
  const name = seatOf(view, seat)?.name;
  return name ?? (seat == null ? say('who.nobody') : (fighterName(view, seat) ?? seat));
}

/** Who threw a roll; of the GM's, for which of the monsters that stand. */
export function throwerName(view: TableView | null, { seat, for: whom }: RollWire): string {
  if (seat === null) return say('roll.unbound');
  const fighter = seat === 'gm' && whom !== undefined ? fighterName(view, whom) : undefined;
  return fighter === undefined ? nameOf(view, seat) : `${nameOf(view, seat)}: ${fighter}`;
}

/** "a Bea", "ad Ada": Italian asks for the d before the same vowel. */
export const toName = (name: string): string => say(/^[aàá]/i.test(name) ? 'to.ad' : 'to.a', { name });

/** A die as the game's book writes it: 1D20 in Dadoteck, d6 in Gedeone3000, D12 elsewhere. */
export function dieWord(game: string, type: string): string {
  if (type === 'planar') return say('dice.planar');
  if (type === 'fudge') return say('dice.fudge');
  const sides = type === 'd00' ? '%' : type.replace(/^d/i, '');
  if (game === 'dadoteck') return `1D${sides}`;
  return `${game === 'magic' || game === 'gedeone3000' ? 'd' : 'D'}${sides}`;
}

/** The dice of a call in one phrase: "il D20", "1D20", "2 × D6 e D8". */
export function dicePhrase(game: string, types: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const type of types) counts.set(type, (counts.get(type) ?? 0) + 1);
  const [only] = counts.keys();
  if (only === undefined) return say('dice.any');
  if (types.length === 1) {
    const word = dieWord(game, only);
    return game === 'dadoteck' || only === 'planar' || only === 'fudge' ? word : say('dice.the', { die: word });
  }
  return listOf([...counts].map(([type, n]) => counted(game, type, n)));
}

function counted(game: string, type: string, n: number): string {
  const word = dieWord(game, type);
  return n === 1 ? word : say('dice.count', { n, die: word.replace(/^1D/, 'D') });
}

/** Kinds of dice a call wants. */
export const typesOf = (call: Awaited): readonly string[] =>
  call.dice?.map((die) => die.type) ?? (call.sides === undefined ? [] : [`d${call.sides}`]);

export const isRoll = (call: Awaited): boolean => call.sides !== undefined || call.dice !== undefined;
export const isChoice = (call: Awaited): boolean => call.options !== undefined || call.actions !== undefined;

/** The game's word for what a roll is for; an outside program's own words stay as they are. */
export function purposeWord(what: string): string {
  const key = keyOf(`purpose.${what}`);
  return key === undefined ? what : say(key);
}

/** What a call's roll is for, as this game's people say it. */
export const rollPurpose = (view: TableView | null, call: Awaited): string =>
  purposeIn(view, call) ?? magicPurpose(view, call) ?? purposeWord(call.what);

/** Dicebound awaits much at once: who must act is told in the large, dice to turn and what one may do stand elsewhere. */
const isTold = (view: TableView | null, call: Awaited): boolean =>
  !isIdle(view, call) &&
  (view?.game.id !== 'dicebound' || ((isRoll(call) || isChoice(call)) && call.optional !== true));

/** What changed a roll's result, in the reader's language where the glossary knows the word. */
export function modifierWord(source: string): string {
  const key = keyOf(`modifier.${source}`);
  return key === undefined ? source : say(key);
}

/** One sentence per thing awaited; equal rolls of several seats share one. */
export function awaitedSentences(view: TableView | null, awaited: readonly Awaited[]): readonly string[] {
  const groups = new Map<string, Awaited[]>();
  for (const call of awaited.filter((one) => isTold(view, one))) {
    const shared = isRoll(call) && call.seat !== null && call.for === undefined;
    const key = shared ? `${call.what}|${typesOf(call).join()}` : call.id;
    groups.set(key, [...(groups.get(key) ?? []), call]);
  }
  return [...groups.values()].map((calls) => sentence(view, calls)).filter((text) => text !== '');
}

function sentence(view: TableView | null, calls: readonly Awaited[]): string {
  const [call] = calls;
  if (call === undefined) return '';
  if (isRoll(call)) return rollSentence(view, call, calls);
  if (isChoice(call)) return choiceSentence(view, call);
  if (call.face !== undefined) {
    const counter = counterWord(call.counter ?? '');
    return say('awaited.set', { name: nameOf(view, call.seat), counter, face: call.face });
  }
  // How long an outside program's request stays open concerns nobody at the table.
  return call.ms === undefined || call.what === 'ttl' ? '' : say('awaited.timer', { n: Math.ceil(call.ms / 1000) });
}

function rollSentence(view: TableView | null, call: Awaited, calls: readonly Awaited[]): string {
  const dice = dicePhrase(view?.game.id ?? '', typesOf(call));
  const purpose = rollPurpose(view, call);
  if (calls.length > 1) {
    return say('awaited.rollMany', { names: listOf(calls.map((one) => nameOf(view, one.seat))), dice, purpose });
  }
  if (call.seat === null || call.seat === 'table') return say('awaited.rollAny', { dice, purpose });
  if (call.seat === 'gm') {
    const whose = call.for === undefined ? undefined : fighterName(view, call.for);
    if (whose !== undefined) return say('awaited.rollGmFor', { dice, purpose, name: whose });
    return say('awaited.rollGm', { dice, purpose });
  }
  const to = toName(nameOf(view, call.seat));
  return purpose === '' ? say('awaited.rollPlain', { to, dice }) : say('awaited.roll', { to, dice, purpose });
}

/** What there is to choose, as a phrase, or as a sentence of its own with a capital letter. */
export function choicePhrase(call: Awaited, alone = false): string {
  const key = keyOf(`choice.${call.what}`);
  const phrase = key === undefined ? say('choice.other', { purpose: purposeWord(call.what) }) : say(key);
  return alone ? capital(phrase) : phrase;
}

function choiceSentence(view: TableView | null, call: Awaited): string {
  const choice = choicePhrase(call);
  if (call.seat === 'gm') {
    const whose = call.for === undefined ? undefined : fighterName(view, call.for);
    if (whose !== undefined) return say('awaited.chooseGmFor', { choice, name: whose });
    return say('awaited.chooseGm', { choice });
  }
  if (call.seat === null || call.seat === 'table') return say('awaited.chooseAll', { choice });
  return say('awaited.choose', { to: toName(nameOf(view, call.seat)), choice });
}

/** What a counter is called. */
export function counterWord(counter: string): string {
  const key = keyOf(`counter.${counter}`);
  return key === undefined ? counter : say(key);
}

/** Why something does not count, in the reader's language where the glossary knows the code. */
export function reasonOf(refusal: {
  readonly code?: string | undefined;
  readonly reason?: string | undefined;
}): string {
  const key = refusal.code === undefined ? undefined : keyOf(`code.${refusal.code}`);
  return key === undefined ? (refusal.reason ?? refusal.code ?? '') : say(key);
}

/** One short line that says what became of a roll; empty where it simply counts. */
export function verdictLine(roll: RollWire): string {
  if (roll.standing === 'void') return say('roll.void');
  if (roll.verdict === 'refused') return say('roll.refused', { reason: reasonOf(roll) });
  if (roll.verdict !== 'loose') return '';
  const key = roll.code === undefined ? undefined : keyOf(`code.${roll.code}`);
  return key === undefined ? say('roll.loose') : say('roll.looseWhy', { reason: sentenceCase(say(key)) });
}

const capital = (text: string): string => `${text.charAt(0).toLocaleUpperCase(language.value)}${text.slice(1)}`;

/** A reason as a sentence of its own; a question keeps its mark. */
const sentenceCase = (text: string): string => `${capital(text)}${/[.?!]$/.test(text) ? '' : '.'}`;
