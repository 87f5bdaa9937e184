import type { Rarity, Slot, Stat } from '../data.js';

/** What a sample tile gives: +n, a die, a raised roll, a drink, or a star. */
export type SampleBonus =
  | number
  | `d${number}`
  | { readonly stat: Stat; readonly flat?: number; readonly die?: number }
  | { readonly heal?: number; readonly pa?: number }
  | {
      readonly star: {
        readonly damage?: number;
        readonly heal?: number;
        readonly pa?: number;
        readonly die?: number;
        readonly cost?: number;
        readonly limit?: number;
        readonly per?: 'turn' | 'fight' | 'rest';
        readonly it: string;
        readonly en: string;
      };
    };

/** Number, slot, class, rarity, PA, bonus, names. */
export type SampleTile = readonly [
  id: string,
  slot: Slot,
  owner: string | null,
  rarity: Rarity,
  cost: number,
  bonus: SampleBonus,
  it: string,
  en: string,
];

/** Sample tiles, invented for this program and named as samples: the real ones are typed in from the box. */
export const SAMPLE_TILES: readonly SampleTile[] = [
  ['801', 'physical', null, 'common', 2, 1, 'Bastone nodoso', 'Knotted staff'],
  ['802', 'physical', null, 'common', 2, 'd4', 'Coltello da campo', 'Camp knife'],
  ['803', 'physical', 'baluardo', 'common', 3, 2, 'Mazza del guado', 'Ford mace'],
  ['804', 'physical', 'ombralama', 'common', 2, 'd4', 'Lama corta', 'Short blade'],
  ['805', 'physical', 'spaccarocce', 'common', 3, 'd6', 'Piccone storto', 'Bent pick'],
  ['806', 'physical', 'cantarune', 'common', 2, 2, 'Verga di frassino', 'Ash rod'],
  ['807', 'physical', 'baluardo', 'rare', 3, 'd6', 'Martello di guardia', 'Watch hammer'],
  ['808', 'physical', 'ombralama', 'rare', 2, 'd6', 'Pugnale muto', 'Silent dagger'],
  ['809', 'physical', 'spaccarocce', 'rare', 4, 'd10', 'Ascia di basalto', 'Basalt axe'],
  ['810', 'physical', null, 'rare', 3, 3, 'Arco del crinale', 'Ridge bow'],
  ['811', 'physical', null, 'rare', 4, 'd8', 'Falce della palude', 'Marsh scythe'],
  ['812', 'physical', 'baluardo', 'legendary', 4, 'd12', 'Spezzaporte', 'Doorbreaker'],
  ['813', 'physical', 'ombralama', 'legendary', 3, 'd10', 'Unghia della notte', 'Nail of night'],
  ['814', 'physical', 'spaccarocce', 'legendary', 5, 6, 'Cuore di frana', 'Heart of landslide'],
  [
    '815',
    'physical',
    'ombralama',
    'legendary',
    2,
    {
      star: {
        damage: 4,
        limit: 1,
        per: 'turn',
        it: '4 danni a un bersaglio, una volta per turno',
        en: '4 damage to one target, once a turn',
      },
    },
    'Dardo di cenere',
    'Ash dart',
  ],
  [
    '816',
    'physical',
    null,
    'rare',
    1,
    {
      star: {
        die: 6,
        limit: 1,
        per: 'turn',
        it: 'Il prossimo attacco tira un D6 in più',
        en: 'The next attack rolls one more D6',
      },
    },
    'Cote del fabbro',
    "Smith's whetstone",
  ],
  ['821', 'magic', null, 'common', 2, 1, 'Sasso inciso', 'Carved pebble'],
  ['822', 'magic', null, 'common', 3, 'd4', 'Foglio strappato', 'Torn page'],
  ['823', 'magic', 'cantarune', 'common', 2, 'd4', 'Bacchetta di salice', 'Willow wand'],
  ['824', 'magic', 'cantarune', 'common', 3, 2, 'Tomo dei sussurri', 'Tome of whispers'],
  ['825', 'magic', 'ombralama', 'common', 2, 2, 'Specchio opaco', 'Dull mirror'],
  ['826', 'magic', 'cantarune', 'rare', 3, 'd6', 'Bastone di brina', 'Rime staff'],
  ['827', 'magic', 'cantarune', 'rare', 3, 'd8', 'Libro delle braci', 'Book of embers'],
  ['828', 'magic', 'ombralama', 'rare', 3, 'd6', 'Filo di fumo', 'Thread of smoke'],
  ['829', 'magic', 'baluardo', 'rare', 4, 3, 'Campana di ferro', 'Iron bell'],
  ['830', 'magic', 'spaccarocce', 'rare', 4, 'd8', 'Runa del terremoto', 'Quake rune'],
  ['831', 'magic', 'cantarune', 'legendary', 4, 'd12', 'Canto del vuoto', 'Song of the void'],
  ['832', 'magic', null, 'legendary', 5, 6, 'Occhio della tempesta', 'Eye of the storm'],
  [
    '833',
    'magic',
    'cantarune',
    'legendary',
    3,
    {
      star: {
        heal: 5,
        limit: 1,
        per: 'fight',
        it: 'Recupera 5 PV, una volta per scontro',
        en: 'Regain 5 HP, once a fight',
      },
    },
    'Fonte in bottiglia',
    'Bottled spring',
  ],
  [
    '834',
    'magic',
    null,
    'rare',
    1,
    {
      star: {
        cost: -1,
        limit: 1,
        per: 'turn',
        it: 'Il prossimo attacco costa 1 PA in meno',
        en: 'The next attack costs 1 AP less',
      },
    },
    'Clessidra crepata',
    'Cracked hourglass',
  ],
  ['841', 'armour', null, 'common', 0, 1, 'Giaccone imbottito', 'Padded coat'],
  ['842', 'armour', null, 'common', 0, 'd4', 'Scudo di vimini', 'Wicker shield'],
  ['843', 'armour', 'baluardo', 'common', 0, 2, 'Cotta della ronda', 'Patrol mail'],
  ['844', 'armour', 'cantarune', 'common', 0, 1, 'Mantello cerato', 'Waxed cloak'],
  ['845', 'armour', 'ombralama', 'common', 0, 1, 'Cuoio morbido', 'Soft leather'],
  ['846', 'armour', 'baluardo', 'rare', 0, 'd6', 'Scudo a torre', 'Tower shield'],
  ['847', 'armour', 'spaccarocce', 'rare', 0, 'd4', 'Elmo di granito', 'Granite helm'],
  ['848', 'armour', null, 'rare', 0, 2, 'Piastre spaiate', 'Odd plates'],
  ['849', 'armour', 'cantarune', 'rare', 0, 'd4', 'Veste di rune', 'Rune robe'],
  ['850', 'armour', 'baluardo', 'legendary', 0, 'd8', 'Muro del re', "King's wall"],
  ['851', 'armour', 'ombralama', 'legendary', 0, 3, "Pelle d'ombra", 'Shadow skin'],
  ['852', 'armour', 'spaccarocce', 'legendary', 0, 'd6', 'Corazza di cava', 'Quarry plate'],
  ['861', 'accessory', null, 'common', 0, { stat: 'defence', flat: 1 }, 'Spilla di peltro', 'Pewter brooch'],
  ['862', 'accessory', null, 'common', 0, { stat: 'agility', flat: 1 }, 'Stivali leggeri', 'Light boots'],
  ['863', 'accessory', null, 'common', 0, { stat: 'physical', flat: 1 }, 'Bracciale di rame', 'Copper armlet'],
  ['864', 'accessory', null, 'common', 0, { stat: 'magic', flat: 1 }, 'Anello di giada', 'Jade ring'],
  ['865', 'accessory', null, 'rare', 0, { stat: 'agility', die: 4 }, 'Stivali del vento', 'Wind boots'],
  ['866', 'accessory', null, 'rare', 0, { stat: 'defence', die: 4 }, 'Amuleto della tartaruga', 'Turtle amulet'],
  ['867', 'accessory', null, 'rare', 0, { stat: 'magic', flat: 2 }, 'Orecchino di luna', 'Moon earring'],
  ['868', 'accessory', null, 'legendary', 0, { stat: 'physical', die: 6 }, 'Cinta del gigante', "Giant's belt"],
  ['869', 'accessory', null, 'legendary', 0, { stat: 'defence', flat: 3 }, 'Sigillo antico', 'Ancient seal'],
  [
    '870',
    'accessory',
    null,
    'legendary',
    0,
    {
      star: {
        pa: 2,
        limit: 1,
        per: 'rest',
        it: 'Recupera 2 PA, una volta fra due riposi',
        en: 'Regain 2 AP, once between two rests',
      },
    },
    'Corno dell’alba',
    'Horn of dawn',
  ],
  ['881', 'accessory', null, 'common', 1, { heal: 3 }, 'Pozione piccola', 'Small potion'],
  ['882', 'accessory', null, 'common', 2, { heal: 5 }, 'Pozione rossa', 'Red potion'],
  ['883', 'accessory', null, 'rare', 2, { heal: 8 }, 'Pozione grande', 'Large potion'],
  ['884', 'accessory', null, 'rare', 3, { heal: 12 }, 'Elisir di cura', 'Healing elixir'],
  ['885', 'accessory', null, 'legendary', 3, { heal: 20 }, 'Sorgente chiusa', 'Sealed spring'],
  ['886', 'accessory', null, 'common', 0, { pa: 1 }, 'Radice amara', 'Bitter root'],
  ['887', 'accessory', null, 'rare', 0, { pa: 3 }, 'Caffè del nano', 'Dwarf coffee'],
  ['888', 'accessory', null, 'rare', 1, { heal: 4, pa: 1 }, 'Brodo del campo', 'Camp broth'],
];
