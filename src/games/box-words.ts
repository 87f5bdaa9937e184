/** The same said in both languages. */
export interface Wording {
  readonly it: string;
  readonly en: string;
}

/** What is wrong in the data of a box, and what to write instead: people read it on their page and at the command line. */
export const BOX_WORDS = {
  missing: { it: 'manca', en: 'is missing' },
  is: { it: 'è {value}', en: 'is {value}' },
  whole: { it: 'un numero intero, da {low} a {high}', en: 'a whole number, {low} to {high}' },
  flag: { it: 'true o false (sì o no)', en: 'true or false' },
  die: { it: 'un dado, come 6 o "d6"', en: 'a die, as 6 or "d6"' },
  table: { it: 'un oggetto { }, ogni voce sotto il suo nome', en: 'an object, each entry under its id' },
  entry: { it: 'un oggetto { }', en: 'an object' },
  tooMany: { it: 'le voci qui sono {count}', en: 'has {count} entries' },
  most: { it: 'al massimo {most}', en: 'at most {most}' },
  noId: { it: 'non può fare da nome', en: 'is no id' },
  id: { it: 'a-z 0-9 _ -, al massimo {most} caratteri', en: 'a-z 0-9 _ -, at most {most} characters' },
  names: {
    it: 'un testo, oppure {"it": …, "en": …}, al massimo {most} caratteri',
    en: 'a text, or {"it": …, "en": …}, at most {most} characters',
  },
  statDice: {
    it: 'physical, magic, defence, agility: il d4, il d8, il d10 e il d12, uno ciascuno',
    en: 'physical, magic, defence, agility: the d4, d8, d10 and d12, one each',
  },
  star: { it: 'true, oppure gli effetti della stella', en: 'true, or the effects of the star' },
  ofClass: { it: 'il nome di una classe, oppure null', en: 'the id of a class, or null' },
  drunk: { it: 'accessory, per quello che si beve (T4)', en: 'accessory, for what is drunk (T4)' },
  raised: { it: 'il tiro che aumenta: {words} (T2)', en: 'the roll it raises: {words} (T2)' },
  perk: {
    it: '{"kind": "advantage", "mastery" o "economy", …}',
    en: '{"kind": "advantage" | "mastery" | "economy", …}',
  },
  perkKinds: { it: 'advantage, mastery o economy', en: 'advantage, mastery or economy' },
  noLevel: { it: 'non è un livello', en: 'is no level' },
  levels: { it: 'da 1 a {most}', en: '1 to {most}' },
  attackDie: { it: 'le facce del suo dado di attacco', en: 'the sides of its attack die' },
  attacks: {
    it: '{"physical": {…}} o {"magic": {…}}, o tutti e due',
    en: '{"physical": {…}} or {"magic": {…}}, or both',
  },
  pawn: { it: 'un dado del Master, come "d12"', en: 'a die of the GM\'s set, as "d12"' },
  defenceDie: { it: 'il suo dado di Difesa, come 8 o "d8"', en: 'its defence die, as 8 or "d8"' },
  agilityDie: { it: 'il suo dado di Agilità, come 8 o "d8"', en: 'its agility die, as 8 or "d8"' },
  namesake: { it: 'è già un nome tra {table}', en: 'is the name of one of the {table} too' },
  anotherName: { it: 'un altro nome', en: 'another name' },
  tile: { it: 'il numero di una tesserina della scatola', en: 'the id of a tile of the box' },
  tileFor: { it: 'è una tesserina per {slot}', en: 'is a tile for {slot}' },
  forSlot: { it: 'una tesserina per {slot}', en: 'a tile for {slot}' },
  slotTaken: { it: 'lo slot {slot} è già pieno', en: 'the {slot} slot is taken' },
  oneASlot: { it: 'una tesserina per slot (T2)', en: 'one tile a slot (T2)' },
  noSlot: { it: 'non è uno slot', en: 'is no slot' },
  heroClass: { it: '{words}, oppure dadi suoi', en: '{words}, or dice of its own' },
  starting: { it: 'none, oppure {giocatore: [numeri]}', en: 'none, or {seat: [tile ids]}' },
  nobody: { it: 'lì non c’è nessuno', en: 'nobody sits there' },
  tiles: { it: 'un elenco di numeri di tesserine', en: 'a list of tile ids' },
  teamed: { it: '{seat} ha già una squadra', en: '{seat} has a team already' },
  oneTeam: { it: 'una squadra ciascuno', en: 'one team each' },
  teams: {
    it: 'none, oppure {squadra: [giocatori]}: due squadre o più, con tutti dentro',
    en: 'none, or {team: [seats]}: two teams or more, everybody in one',
  },
  unknownField: { it: 'qui non si conosce questo nome', en: 'is no known field' },
  takeOut: {
    it: 'niente: togli la riga; i nomi conosciuti sono in dicebound-box.json',
    en: 'take it out; the known fields are in dicebound-box.json',
  },
  noBox: { it: 'non dice che questa è una scatola', en: 'does not say that this is a box' },
  otherForm: { it: 'non è di questa forma', en: 'is not of this form' },
  noObject: { it: 'non è un oggetto { }', en: 'is no object' },
  surplus: { it: 'dopo la fine c’è altro', en: 'there is more behind the end' },
  oneObject: { it: 'un solo oggetto { } nel file', en: 'one object in a file' },
  tooShort: { it: 'il testo finisce troppo presto', en: 'the text ends too early' },
  closeAll: { it: 'la chiusura di ogni { [ e "', en: 'close every { [ and "' },
  tooDeep: { it: 'annidato oltre {most} livelli', en: 'nested deeper than {most}' },
  lessDeep: { it: 'meno livelli', en: 'less depth' },
  noValue: { it: '{text} non è un valore', en: '{text} is no value' },
  value: { it: 'un numero, un "testo", true, false, null, { o [', en: 'a number, a "text", true, false, null, { or [' },
  openText: { it: 'un testo non è chiuso', en: 'a text is not closed' },
  closeText: { it: '" alla fine, senza andare a capo', en: '" at its end, no line break in it' },
  noName: { it: '{text} non è un nome', en: '{text} is no name' },
  name: { it: 'un nome tra ""', en: 'a name in ""' },
  twice: { it: '"{text}" c’è due volte', en: '"{text}" is there twice' },
  once: { it: 'ogni nome una volta sola', en: 'each name once' },
  behindName: { it: 'dopo "{text}" manca qualcosa', en: 'behind "{text}" something is missing' },
  between: { it: 'tra due voci manca qualcosa', en: 'something is missing between two entries' },
  either: { it: '{one} oppure {other}', en: '{one} or {other}' },
} as const satisfies { readonly [word: string]: Wording };

type BoxWord = keyof typeof BOX_WORDS;

/** What stands in the place of a sentence's `{placeholders}`. */
type Values = { readonly [name: string]: string | number };

/** A sentence of BOX_WORDS in both languages, with its values; a placeholder without one stays as it is. */
export function boxSays(word: BoxWord, values: Values = {}): Wording {
  const told = (text: string): string =>
    text.replace(/\{(\w+)\}/g, (whole, name: string) => (Object.hasOwn(values, name) ? String(values[name]) : whole));
  const { it, en } = BOX_WORDS[word];
  return { it: told(it), en: told(en) };
}

/** The same text in both languages: what is written in the file is not translated. */
export const verbatim = (text: string): Wording => ({ it: text, en: text });
