import type { Use } from '../../rolls/resolution.js';

/** A number only the players know: the game asks for it by this word. */
export interface Asked {
  readonly asks: string;
  readonly plus?: number;
}

/** How a card in play changes rolls. `target`: it is set on a player, for that player's next roll only (`once`). */
export interface CardEffect {
  readonly kind:
    | 'advantage'
    | 'doubleEachDie'
    | 'rollTwoUseTotal'
    | 'plusOneIgnoreOne'
    | 'adjustEach'
    | 'adjust'
    | 'reroll'
    | 'exchange';
  readonly scope?: 'any';
  readonly dice?: number | 'planar';
  readonly chooser?: 'roller' | 'controller';
  readonly target?: boolean;
  readonly once?: boolean;
  readonly amount?: number;
  readonly amounts?: readonly number[];
  readonly natural?: number;
  readonly many?: boolean;
  readonly asks?: string;
  readonly cost?: string;
  readonly perTurn?: number;
  readonly counters?: number;
}

/** A card as numbers: what it rolls, what changes rolls, what watches them. Names belong to their owner (NOTICE). */
export interface Card {
  readonly name: string;
  /** As printed in Italian; many cards never were. */
  readonly italian?: string;
  readonly count?: number | Asked;
  readonly sides?: number | 'planar';
  readonly modifier?: { readonly asks: string; readonly times: 1 | -1 };
  readonly lowest?: number | 'allButHighest';
  readonly use?: Use;
  /** The number `n` of the use's condition. */
  readonly condition?: string;
  /** Every player rolls; who has the highest, or the lowest, is selected. */
  readonly contest?: 'highest' | 'lowest';
  /** It asks whether the same total came before in this turn. */
  readonly remembers?: boolean;
  /** Results are stored on the permanent (706.8). */
  readonly stores?: boolean;
  readonly effect?: CardEffect;
  /** What triggers it (listeners of `rolls/triggers.ts`). */
  readonly watches?: readonly string[];
  readonly watchSides?: number;
  readonly watchOnce?: boolean;
  readonly watchAny?: boolean;
}

/**
 * The cards that roll dice, change rolls or watch them, as numbers. Italian names as they were printed, by Gatherer, in
 * Adventures in the Forgotten Realms (2021), its Commander decks and Planechase 2012; none is translated here.
 */
export const CARDS: readonly Card[] = [
  {
    name: 'Aberrant Mind Sorcerer',
    italian: 'Stregona della Mente Aberrante',
    count: 1,
    sides: 20,
    use: { kind: 'table', rows: ['1-9', '10-20'] },
  },
  {
    name: 'Arcane Investigator',
    italian: 'Investigatore Arcano',
    count: 1,
    sides: 20,
    use: { kind: 'table', rows: ['1-9', '10-20'] },
  },
  {
    name: 'Component Pouch',
    italian: 'Borsa per Componenti',
    count: 1,
    sides: 20,
    use: { kind: 'table', rows: ['1-9', '10-20'] },
  },
  {
    name: "Farideh's Fireball",
    italian: 'Palla di Fuoco di Farideh',
    count: 1,
    sides: 20,
    use: { kind: 'table', rows: ['1-9', '10-20'] },
  },
  {
    name: 'Goblin Morningstar',
    italian: 'Morning Star del Goblin',
    count: 1,
    sides: 20,
    use: { kind: 'table', rows: ['1-9', '10-20'] },
  },
  { name: "Lae'zel's Acrobatics", count: 1, sides: 20, use: { kind: 'table', rows: ['1-9', '10-20'] } },
  {
    name: 'Scion of Stygia',
    italian: 'Progenie di Stygia',
    count: 1,
    sides: 20,
    use: { kind: 'table', rows: ['1-9', '10-20'] },
  },
  {
    name: 'Spiked Pit Trap',
    italian: 'Fossa con Spuntoni',
    count: 1,
    sides: 20,
    use: { kind: 'table', rows: ['1-9', '10-20'] },
  },
  {
    name: 'Chaos Channeler',
    italian: 'Incanalatore del Caos',
    count: 1,
    sides: 20,
    use: { kind: 'table', rows: ['1-9', '10-19', '20'] },
  },
  { name: 'Cone of Cold', count: 1, sides: 20, use: { kind: 'table', rows: ['1-9', '10-19', '20'] } },
  {
    name: 'Contact Other Plane',
    italian: 'Contattare Altri Piani',
    count: 1,
    sides: 20,
    use: { kind: 'table', rows: ['1-9', '10-19', '20'] },
  },
  { name: 'Contraband Livestock', count: 1, sides: 20, use: { kind: 'table', rows: ['1-9', '10-19', '20'] } },
  {
    name: 'Djinni Windseer',
    italian: 'Djinni Veggente del Vento',
    count: 1,
    sides: 20,
    use: { kind: 'table', rows: ['1-9', '10-19', '20'] },
  },
  { name: 'Druid of the Emerald Grove', count: 1, sides: 20, use: { kind: 'table', rows: ['1-9', '10-19', '20'] } },
  {
    name: 'Earth-Cult Elemental',
    italian: 'Elementale del Culto della Terra',
    count: 1,
    sides: 20,
    use: { kind: 'table', rows: ['1-9', '10-19', '20'] },
  },
  {
    name: 'Herald of Hadar',
    italian: 'Araldo di Hadar',
    count: 1,
    sides: 20,
    use: { kind: 'table', rows: ['1-9', '10-19', '20'] },
  },
  {
    name: 'Hoarding Ogre',
    italian: 'Ogre Accumulatrice',
    count: 1,
    sides: 20,
    use: { kind: 'table', rows: ['1-9', '10-19', '20'] },
  },
  { name: 'Journey to the Lost City', count: 1, sides: 20, use: { kind: 'table', rows: ['1-9', '10-19', '20'] } },
  {
    name: 'Lightfoot Rogue',
    italian: 'Piedelesto Ladro',
    count: 1,
    sides: 20,
    use: { kind: 'table', rows: ['1-9', '10-19', '20'] },
  },
  {
    name: 'Loathsome Troll',
    italian: 'Troll Raccapricciante',
    count: 1,
    sides: 20,
    use: { kind: 'table', rows: ['1-9', '10-19', '20'] },
  },
  { name: 'Mathise, Surge Channeler', count: 1, sides: 20, use: { kind: 'table', rows: ['1-9', '10-19', '20'] } },
  { name: "Myrkul's Edict", count: 1, sides: 20, use: { kind: 'table', rows: ['1-9', '10-19', '20'] } },
  { name: 'Nothic', count: 1, sides: 20, use: { kind: 'table', rows: ['1-9', '10-19', '20'] } },
  { name: 'Overwhelming Encounter', count: 1, sides: 20, use: { kind: 'table', rows: ['1-9', '10-19', '20'] } },
  {
    name: 'Power of Persuasion',
    italian: 'Potere della Persuasione',
    count: 1,
    sides: 20,
    use: { kind: 'table', rows: ['1-9', '10-19', '20'] },
  },
  { name: 'Recruitment Drive', count: 1, sides: 20, use: { kind: 'table', rows: ['1-9', '10-19', '20'] } },
  {
    name: 'Swarming Goblins',
    italian: 'Sciame di Goblin',
    count: 1,
    sides: 20,
    use: { kind: 'table', rows: ['1-9', '10-19', '20'] },
  },
  {
    name: 'Sylvan Shepherd',
    italian: 'Pastora Silvana',
    count: 1,
    sides: 20,
    use: { kind: 'table', rows: ['1-9', '10-19', '20'] },
  },
  { name: 'Thunderwave', count: 1, sides: 20, use: { kind: 'table', rows: ['1-9', '10-19', '20'] } },
  { name: 'Wand of Wonder', count: 1, sides: 20, use: { kind: 'table', rows: ['1-9', '10-19', '20'] } },
  {
    name: "Wizard's Spellbook",
    italian: 'Libro degli Incantesimi del Mago',
    count: 1,
    sides: 20,
    use: { kind: 'table', rows: ['1-9', '10-19', '20'] },
  },
  {
    name: 'Treasure Chest',
    italian: 'Forziere del Tesoro',
    count: 1,
    sides: 20,
    use: { kind: 'table', rows: ['1', '2-9', '10-19', '20'] },
  },
  { name: '"Name Sticker" Goblin', count: 1, sides: 20, use: { kind: 'table', rows: ['1-6', '7-14', '15-20'] } },
  {
    name: "Berserker's Frenzy",
    italian: 'Frenesia del Berserker',
    count: 2,
    sides: 20,
    lowest: 1,
    use: { kind: 'table', rows: ['1-14', '15-20'] },
  },
  {
    name: 'Delina, Wild Mage',
    italian: 'Delina, Maga Selvaggia',
    count: 1,
    sides: 20,
    use: { kind: 'table', rows: ['1-14', '15-20'], again: ['15-20'] },
  },
  {
    name: 'Iron Mastiff',
    count: { asks: 'players' },
    sides: 20,
    lowest: 'allButHighest',
    use: { kind: 'table', rows: ['1-9', '10-19', '20'] },
  },
  {
    name: 'Danse Macabre',
    italian: 'Danza Macabra',
    count: 1,
    sides: 20,
    modifier: { asks: 'toughness', times: 1 },
    use: { kind: 'table', rows: ['1-14', '15+'] },
  },
  {
    name: "Diviner's Portent",
    italian: 'Portento del Divinatore',
    count: 1,
    sides: 20,
    modifier: { asks: 'hand', times: 1 },
    use: { kind: 'table', rows: ['1-14', '15+'] },
  },
  {
    name: "Gale's Redirection",
    count: 1,
    sides: 20,
    modifier: { asks: 'mana', times: 1 },
    use: { kind: 'table', rows: ['1-14', '15+'] },
  },
  {
    name: 'Revivify',
    italian: 'Rivivificare',
    count: 1,
    sides: 20,
    modifier: { asks: 'creatures', times: 1 },
    use: { kind: 'table', rows: ['1-14', '15+'] },
  },
  {
    name: 'Song of Inspiration',
    italian: 'Canto di Ispirazione',
    count: 1,
    sides: 20,
    modifier: { asks: 'mana', times: 1 },
    use: { kind: 'table', rows: ['1-14', '15+'] },
  },
  {
    name: "Wyll's Reversal",
    count: 1,
    sides: 20,
    modifier: { asks: 'power', times: 1 },
    use: { kind: 'table', rows: ['1-14', '15+'] },
  },
  {
    name: 'The Deck of Many Things',
    italian: 'Il Mazzo delle Meraviglie',
    count: 1,
    sides: 20,
    modifier: { asks: 'hand', times: -1 },
    use: { kind: 'table', rows: ['1-9', '10-19', '20'], conditions: ['<=0'] },
  },
  { name: 'Ancient Brass Dragon', count: 1, sides: 20, use: { kind: 'number' } },
  { name: 'Ancient Bronze Dragon', count: 1, sides: 20, use: { kind: 'number' } },
  { name: 'Ancient Copper Dragon', count: 1, sides: 20, use: { kind: 'number' } },
  { name: 'Ancient Gold Dragon', count: 1, sides: 20, use: { kind: 'number' } },
  { name: 'Ancient Silver Dragon', count: 1, sides: 20, use: { kind: 'number' } },
  { name: 'Chaos Dragon', italian: 'Drago del Caos', count: 1, sides: 20, contest: 'highest', use: { kind: 'number' } },
  { name: 'Sword of Dungeons & Dragons', count: 1, sides: 20, use: { kind: 'repeat', value: 20 } },
  { name: 'Vexing Puzzlebox', count: 1, sides: 20, use: { kind: 'none' }, watches: ['sum'] },
  { name: 'Reckless Endeavor', italian: 'Impresa Avventata', count: 2, sides: 12, use: { kind: 'choose' } },
  {
    name: 'Sword of Hours',
    italian: 'Spada delle Ore',
    count: 1,
    sides: 12,
    condition: 'damage',
    use: { kind: 'condition', condition: 'x>n or x==12' },
  },
  { name: 'Bag of Devouring', italian: 'Borsa Divorante', count: 1, sides: 10, use: { kind: 'number' } },
  { name: 'Grave Endeavor', italian: 'Impresa Sepolta', count: 2, sides: 10, use: { kind: 'choose' } },
  { name: 'Underdark Rift', italian: "Crepa per l'Underdark", count: 1, sides: 10, use: { kind: 'number' } },
  { name: 'Arcane Endeavor', italian: 'Impresa Arcana', count: 2, sides: 8, use: { kind: 'choose' } },
  { name: 'Bag of Tricks', italian: 'Borsa dei Trucchi', count: 1, sides: 8, use: { kind: 'number' } },
  { name: 'Clay Golem', italian: 'Golem di Argilla', count: 1, sides: 8, use: { kind: 'number' } },
  {
    name: "Bucknard's Everfull Purse",
    italian: 'Borsa Sempre Piena di Bucknard',
    count: 1,
    sides: 4,
    use: { kind: 'number' },
  },
  { name: 'Wild Endeavor', italian: 'Impresa Selvaggia', count: 2, sides: 4, use: { kind: 'choose' } },
  { name: 'Arden Angel', count: 1, sides: 4, use: { kind: 'condition', condition: '==1' } },
  {
    name: 'Netherese Puzzle-Ward',
    italian: 'Enigma-Interdizione di Netheril',
    count: 1,
    sides: 4,
    use: { kind: 'number' },
    watches: ['nat==max'],
  },
  { name: 'Ebony Fly', italian: "Mosca d'Ebano", count: 1, sides: 6, use: { kind: 'number' } },
  { name: 'Maddening Hex', italian: 'Sortilegio Dissennante', count: 1, sides: 6, use: { kind: 'number' } },
  { name: 'Neverwinter Hydra', italian: 'Idra di Neverwinter', count: { asks: 'x' }, sides: 6, use: { kind: 'total' } },
  { name: 'Valiant Endeavor', italian: 'Impresa Valorosa', count: 2, sides: 6, use: { kind: 'choose' } },
  { name: 'Attempted Murder', count: { asks: 'x' }, sides: 6, use: { kind: 'parity' } },
  { name: 'Boing!', count: 1, sides: 6, use: { kind: 'condition', condition: '<=3' } },
  { name: 'Box of Free-Range Goblins', count: 1, sides: 6, use: { kind: 'number' } },
  { name: 'Celebr-8000', count: 2, sides: 6, use: { kind: 'list', rows: ['1', '2', '3', '4', '5', '6'] } },
  { name: 'Circuits Act', count: 3, sides: 6, use: { kind: 'distinct' } },
  { name: 'Clown Car', count: { asks: 'x' }, sides: 6, use: { kind: 'parity' } },
  { name: 'Clowning Around', count: 1, sides: 6, condition: 'robots', use: { kind: 'condition', condition: 'x<=n' } },
  { name: 'Comet, Stellar Pup', count: 1, sides: 6, use: { kind: 'table', rows: ['1-2', '3', '4-5', '6'] } },
  { name: 'Dissatisfied Customer', count: 1, sides: 6, use: { kind: 'condition', condition: '<=3' } },
  { name: 'Non-Human Cannonball', count: 1, sides: 6, use: { kind: 'condition', condition: '<=4' } },
  { name: "Pair o' Dice Lost", count: 2, sides: 6, use: { kind: 'total' } },
  { name: 'Six-Sided Die', count: 1, sides: 6, use: { kind: 'table', rows: ['1', '2', '3', '4', '5', '6'] } },
  { name: 'Slight Malfunction', count: 1, sides: 6, use: { kind: 'number' } },
  { name: 'Strength-Testing Hammer', count: 1, sides: 6, use: { kind: 'number' } },
  { name: 'Vegetation Abomination', count: 1, sides: 6, use: { kind: 'number' } },
  { name: 'Luck Bobblehead', count: { asks: 'bobbleheads' }, sides: 6, use: { kind: 'count', value: 6, wins: 7 } },
  {
    name: 'Mr. House, President and CEO',
    count: { asks: 'treasures', plus: 1 },
    sides: 6,
    use: { kind: 'none' },
    watches: ['res>=4', 'res>=6'],
  },
  {
    name: 'Monoxa, Midway Manager',
    count: 1,
    sides: 6,
    use: { kind: 'none' },
    watches: ['res>=3', 'res>=4', 'res>=5'],
  },
  { name: 'Atomwheel Acrobats', count: 1, sides: 6, use: { kind: 'none' }, watches: ['res==1', 'res==2'] },
  { name: 'Centaur of Attention', count: 5, sides: 6, stores: true, use: { kind: 'none' } },
  {
    name: 'Vedalken Squirrel-Whacker',
    count: 2,
    sides: 6,
    use: { kind: 'ordered' },
    effect: { kind: 'exchange', dice: 6, asks: 'value' },
  },
  { name: 'Chicken Egg', count: 1, sides: 6, use: { kind: 'condition', condition: '==6' } },
  { name: 'Growth Spurt', count: 1, sides: 6, use: { kind: 'number' } },
  { name: 'Hammer Helper', count: 1, sides: 6, use: { kind: 'number' } },
  { name: 'Hydradoodle', count: { asks: 'x' }, sides: 6, use: { kind: 'total' } },
  { name: 'Hammer Jammer', count: 1, sides: 6, use: { kind: 'number' }, watches: ['each_die'] },
  { name: 'Inhumaniac', count: 1, sides: 6, use: { kind: 'table', rows: ['1', '3-4', '5+'] } },
  { name: 'Jack-in-the-Mox', count: 1, sides: 6, use: { kind: 'table', rows: ['1', '2', '3', '4', '5', '6'] } },
  { name: 'Jumbo Imp', count: 1, sides: 6, use: { kind: 'number' } },
  { name: 'Krazy Kow', count: 1, sides: 6, use: { kind: 'condition', condition: '==1' } },
  { name: 'Lobe Lobber', count: 1, sides: 6, use: { kind: 'condition', condition: '>=5' } },
  { name: 'Mad Science Fair Project', count: 1, sides: 6, use: { kind: 'condition', condition: '<=3' } },
  { name: 'Painiac', count: 1, sides: 6, use: { kind: 'number' } },
  { name: 'Poultrygeist', count: 1, sides: 6, use: { kind: 'condition', condition: '==1' } },
  { name: 'Ricochet', count: 1, sides: 6, contest: 'lowest', use: { kind: 'number' } },
  { name: 'Goblin Bowling Team', count: 1, sides: 6, use: { kind: 'number' } },
  { name: 'Goblin Tutor', count: 1, sides: 6, use: { kind: 'table', rows: ['2', '3', '4', '5', '6'] } },
  { name: 'Elvish Impersonators', count: 2, sides: 6, use: { kind: 'ordered' } },
  { name: 'Free-Range Chicken', count: 2, sides: 6, use: { kind: 'doubles' }, remembers: true },
  { name: 'Garbage Elemental (C)', count: 2, sides: 6, use: { kind: 'difference' } },
  { name: 'Garbage Elemental (D)', count: 1, sides: 6, use: { kind: 'number' } },
  { name: 'GO TO JAIL', count: 2, sides: 6, use: { kind: 'doubles' } },
  { name: 'Spark Fiend', count: 2, sides: 6, use: { kind: 'total' } },
  { name: 'Strategy, Schmategy', count: 1, sides: 6, use: { kind: 'table', rows: ['2', '3', '4', '5', '6'] } },
  { name: 'Temp of the Damned', count: 1, sides: 6, use: { kind: 'number' } },
  { name: 'Time Out', count: 1, sides: 6, use: { kind: 'number' } },
  {
    name: "Urza's Science Fair Project",
    count: 1,
    sides: 6,
    use: { kind: 'table', rows: ['1', '2', '3', '4', '5', '6'] },
  },
  { name: 'Velukan Dragon', count: 1, sides: 6, use: { kind: 'number', plus: -1 } },
  { name: 'Adorable Kitten', count: 1, sides: 6, use: { kind: 'number' } },
  { name: 'Mother Kangaroo', count: 1, sides: 6, use: { kind: 'number' } },
  {
    name: 'Chicken a la King',
    count: 1,
    sides: 6,
    use: { kind: 'none' },
    watches: ['res==6'],
    watchSides: 6,
    watchAny: true,
  },
  { name: 'Chittering Doom', watches: ['res>=4'] },
  { name: 'Ground Pounder', count: 1, sides: 6, use: { kind: 'number' }, watches: ['res>=5'] },
  { name: 'Steel Squirrel', count: 1, sides: 6, use: { kind: 'none' }, watches: ['res>=5'] },
  { name: 'Willing Test Subject', count: 1, sides: 6, use: { kind: 'none' }, watches: ['res>=4'] },
  { name: 'As Luck Would Have It', watches: ['each_die'] },
  { name: 'Priority Boarding', watches: ['each_die'], watchOnce: true },
  { name: 'The Space Family Goblinson', watches: ['each_die'] },
  { name: 'Dee Kay, Finder of the Lost', watches: ['res==2', 'res==4', 'res==6'] },
  { name: 'Critical Hit', italian: 'Colpo Critico', watches: ['nat==20'] },
  { name: 'Brazen Dwarf', italian: 'Nano del Bronzo', watches: ['one_or_more'] },
  { name: 'Feywild Trickster', italian: 'Mistificatrice della Selva Fatata', watches: ['one_or_more'] },
  { name: 'Vrondiss, Rage of Ancients', italian: 'Vrondiss, Ira degli Antenati', watches: ['one_or_more'] },
  {
    name: "Farideh, Devil's Chosen",
    italian: 'Farideh, Prescelta del Diavolo',
    watches: ['one_or_more', 'any_res>=10'],
  },
  { name: 'Barbarian Class', italian: 'Classe del Barbaro', effect: { kind: 'advantage' }, watches: ['one_or_more'] },
  { name: 'Pixie Guide', italian: 'Pixie Guida', effect: { kind: 'advantage' } },
  { name: 'Wyll, Blade of Frontiers', effect: { kind: 'advantage' }, watches: ['one_or_more'] },
  { name: "Krark's Other Thumb", effect: { kind: 'doubleEachDie' } },
  { name: 'Probability Flux', effect: { kind: 'plusOneIgnoreOne', chooser: 'roller', scope: 'any' } },
  { name: 'Bamboozling Beeble', effect: { kind: 'plusOneIgnoreOne', chooser: 'controller', target: true, once: true } },
  {
    name: 'Squid Fire Knight (sticker)',
    effect: { kind: 'plusOneIgnoreOne', chooser: 'controller', target: true, once: true },
  },
  { name: 'Ichor Elixir', effect: { kind: 'plusOneIgnoreOne', chooser: 'roller', dice: 'planar' } },
  {
    name: 'The Big Idea',
    count: 1,
    sides: 6,
    use: { kind: 'number' },
    effect: { kind: 'rollTwoUseTotal', dice: 6, once: true },
  },
  { name: 'Squirrel-Powered Scheme', effect: { kind: 'adjustEach', amount: 2 } },
  { name: 'Snickering Squirrel', effect: { kind: 'adjust', amounts: [1], scope: 'any', cost: 'tap it', perTurn: 1 } },
  {
    name: 'Night Shift of the Living Dead',
    effect: { kind: 'adjust', amounts: [1, -1], cost: '1 life', perTurn: 1 },
    watches: ['res==6'],
  },
  { name: 'Xenosquirrels', effect: { kind: 'adjust', amounts: [1, -1], cost: 'remove a +1/+1 counter', counters: 2 } },
  { name: 'Monitor Monitor', effect: { kind: 'reroll', many: true, cost: '{1}', perTurn: 1 } },
  { name: 'Clam-I-Am', effect: { kind: 'reroll', natural: 3, dice: 6 } },
  { name: 'Wall of Fortune', effect: { kind: 'reroll', scope: 'any', cost: 'tap an untapped Wall you control' } },
  { name: 'Goblin Bookie', effect: { kind: 'reroll', scope: 'any', cost: '{R}, tap', perTurn: 1 } },
  { name: 'Scooch' },
  { name: 'Pippa, Duchess of Dice' },
  {
    name: 'Fractured Powerstone',
    italian: 'Pietra del Potere Spezzata',
    count: 1,
    sides: 'planar',
    use: { kind: 'none' },
  },
];
