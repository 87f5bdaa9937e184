/** One textual change of a rule's condition. `from` occurs exactly once in `file`, seen from `src/games/dicebound`. */
export interface Mutation {
  /** What the game does wrong with it. */
  readonly name: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** A rule of the page as its tests show it, and the change that at least one of them must notice. */
export interface RuleRow {
  readonly rule: string;
  readonly given: string;
  readonly when: string;
  readonly then: string;
  readonly mutation: Mutation;
}

type Story = Pick<RuleRow, 'given' | 'when' | 'then'>;

const row = (rule: string, story: Story, name: string, file: string, from: string, to: string): RuleRow => ({
  rule,
  ...story,
  mutation: { name, file, from, to },
});

const tells = (given: string, when: string, then: string): Story => ({ given, when, then });

const BOARD: readonly RuleRow[] = [
  row(
    'D1',
    tells('a class in the setup', 'its four dice are read', 'only a permutation of d4, d8, d10, d12 is taken'),
    'any four dice make a class',
    'box.ts',
    "if (dice.map(String).sort().join() !== '10,12,4,8') {",
    'if (dice.length !== 4) {',
  ),
  row(
    'D2',
    tells(
      'PV 20, PA 6, or a counter of 0',
      'something heals, hurts or turns the die',
      'it stays between 0 and 20 or 6',
    ),
    'a potion heals beyond the last face',
    'evolve-party.ts',
    'Math.max(0, Math.min(most, value))',
    'Math.max(0, value)',
  ),
  row(
    'D3',
    tells('a tracker that should follow', 'it is set', 'the face expected confirms, any other is a mismatch'),
    'every face is believed',
    'set-judge.ts',
    "if (gm || (settled && state.rules.trackerAuthority === 'dice')) {",
    'if (gm || settled) {',
  ),
  row(
    'D4',
    tells('PA spent twice', 'the die has not been turned yet', 'play went on, and only the latest face is expected'),
    'the face that lies is expected, not the value',
    'trackers.ts',
    "const value = counter === 'pv' ? hero.pv : hero.pa;",
    "const value = counter === 'pv' ? hero.pv : (hero.trackers.pa.shown ?? hero.pa);",
  ),
  row(
    'D5',
    tells(
      'a weapon with a bonus die',
      'its die lies beside the statistic',
      'it is added; a die of another kind is refused',
    ),
    'a bonus die adds nothing',
    'statistics.ts',
    'outcomeOf(ask, landed)?.total ??',
    'naturalIn(ask, landed) ??',
  ),
  row(
    'D6',
    tells(
      "the GM's set of seven dice",
      'monsters are bought',
      "each gets its kind's own die, else the next, the eighth none",
    ),
    "a kind's own die is forgotten",
    'room-actions.ts',
    'const at = own === null || !free.includes(own) ? 0 : free.indexOf(own);',
    'const at = 0;',
  ),
  row(
    'T1',
    tells('tiles with +n, dN and a star', 'they are used', 'each adds what is printed on it'),
    'a flat bonus is not added',
    'statistics.ts',
    "[{ source: 'tile', amount: tile.flat }]",
    '[]',
  ),
  row(
    'T2',
    tells('armour and an accessory in their slots', 'their owner is hit', 'they raise Difesa and the roll they name'),
    'armour does not help',
    'statistics.ts',
    ": use === 'defence' ? ['armour'] : [];",
    ': [];',
  ),
  row(
    'T3',
    tells('a weapon of another class', 'it is used', 'it costs one PA more; a potion does not'),
    'every weapon is of every class',
    'costs.ts',
    'found.class !== heroOf(state, who)?.class ? 1 : 0',
    'found.class !== heroOf(state, who)?.class ? 0 : 0',
  ),
  row(
    'T4',
    tells('a potion in slot 4', 'it is drunk', 'it is paid, heals, frees its slot; in a fight only for its holder'),
    'in a fight a companion drinks it',
    'tile-actions.ts',
    'if (on !== by && state.fight !== null)',
    'if (on !== by && state.fight === null)',
  ),
  row(
    'T5',
    tells('a tile with a star', 'it is used on its own turn', 'its known effect happens, as often as its limit allows'),
    'a star works once more than its limit',
    'tile-actions.ts',
    'times >= power.limit',
    'times > power.limit',
  ),
  row(
    'T6',
    tells(
      'a tile drawn from the bag',
      'it is typed',
      'it goes into its slot at once; nothing changes hands in a fight',
    ),
    'tiles change hands in a fight',
    'tile-actions.ts',
    "if (state.fight !== null) return refused('in_fight', rule, 'a fight is on'",
    "if (state.over) return refused('in_fight', rule, 'a fight is on'",
  ),
  row(
    'T7',
    tells('a board without tiles', 'its owner draws without a chest', 'it is refused; the setup may list tiles'),
    'everybody draws without a chest',
    'tile-actions.ts',
    'if (hero === undefined || hero.chests === 0) {',
    'if (hero === undefined) {',
  ),
];

const EXPLORATION: readonly RuleRow[] = [
  row(
    'E1',
    tells('a check with a difficulty', "the statistic's die is rolled", 'at least the difficulty passes'),
    'equal to the difficulty fails',
    'evolve-camp.ts',
    'sum >= check.difficulty',
    'sum > check.difficulty',
  ),
  row(
    'E2',
    tells('a failed check', 'one PA is spent and the die thrown again', 'the result is added to the sum so far'),
    'an effort counts by itself',
    'follow.ts',
    'sum: check.sum + result,',
    'sum: result,',
  ),
  row(
    'E3',
    tells('PA spent on checks', 'a fight begins', 'round 1 is played on what is left'),
    'the first turn of a fight refills',
    'follow-order.ts',
    "return first && state.mode === 'story' ? null : MAX_PA;",
    'return MAX_PA;',
  ),
  row(
    'E4',
    tells(
      'a short rest at 25 %',
      'the number drawn in secret is 25 or 26',
      'an ambush, or calm; PA 6, PV as they were',
    ),
    'a number equal to the percentage is calm',
    'throws.ts',
    'const hit = number <= percent;',
    'const hit = number < percent;',
  ),
  row(
    'E5',
    tells(
      'a hero with perks and tiles',
      'a check is rolled',
      'no tile counts, mastery does, an advantage if it says so',
    ),
    'every advantage counts in checks',
    'statistics.ts',
    "perk.stat === stat && (use !== 'check' || perk.checks === true),",
    'perk.stat === stat,',
  ),
];

const FIGHT: readonly RuleRow[] = [
  row(
    'C1',
    tells('a fight that starts', 'everybody rolls Agilità', 'highest first; ties roll again among the tied'),
    'the lowest acts first',
    'follow-order.ts',
    '(right[at] ?? 0) - (left[at] ?? 0)',
    '(left[at] ?? 0) - (right[at] ?? 0)',
  ),
  row(
    'C2',
    tells('PA spent in a turn', "the same seat's next turn starts", 'PA are 6 again'),
    'no turn of a fight refills',
    'follow-order.ts',
    'const first = !fight.acted.includes(who);',
    'const first = true;',
  ),
  row(
    'C3',
    tells('a weapon in its slot', "its statistic's die is thrown in one's own turn", 'the attack is paid, or refused'),
    'an attack one PA too dear is taken',
    'fight-actions.ts',
    'if (cost.pa <= pa) return cost;',
    'if (cost.pa <= pa + 1) return cost;',
  ),
  row(
    'C4',
    tells('incoming damage', 'the target rolls Difesa, before or after', 'it is subtracted, once, for nothing'),
    'Difesa subtracts nothing',
    'follow-attack.ts',
    'const rest = Math.max(0, left - Math.max(0, amount));',
    'const rest = left;',
  ),
  row(
    'C5',
    tells('damage left after Difesa', 'the target has PA for a dodge', 'it is asked, pays 1 PA and adds Agilità'),
    'a dodge is asked of who cannot pay it',
    'follow-attack.ts',
    'const asked = left > 0 && paOf(state, target) >= dodgeCost(state, target);',
    'const asked = left > 0;',
  ),
  row(
    'C6',
    tells('damage left at the end', 'the attack ends', 'it is subtracted from PV, never below 0'),
    'PV fall below 0',
    'evolve-party.ts',
    'pv: within(pv - damage, MAX_PV)',
    'pv: pv - damage',
  ),
  row(
    'C7',
    tells('an empty weapon slot', 'base attacks follow each other', 'they cost 1, 2, 3 PA, and there is no fourth'),
    'every base attack costs one PA',
    'costs.ts',
    'return { ok: true, pa: bases + 1 };',
    'return { ok: true, pa: 1 };',
  ),
  row(
    'C8',
    tells('a hero at 0 PV', 'the fight is won', 'K.O. until then, awake with 1 PV and 0 PA after it'),
    'the K.O. do not wake',
    'follow.ts',
    'present(state).find((seat) => heroOf(state, seat)?.ko === true);',
    'present(state).find((seat) => heroOf(state, seat)?.ko === undefined);',
  ),
  row(
    'C9',
    tells('one hero who stands', 'that hero falls too', 'the room is lost and the table goes back to the last rest'),
    'the first K.O. loses the room',
    'follow.ts',
    'standing(state).length === 0;',
    'standing(state).length < present(state).length;',
  ),
  row(
    'C10',
    tells('an arena', 'one hero or team is left', 'it wins'),
    'nobody wins an arena',
    'follow.ts',
    'return teams.length > 1 ? undefined',
    'return teams.length > 0 ? undefined',
  ),
  row(
    'C11',
    tells(
      'an attack that is open',
      'its owner ends the turn',
      'it is refused; with 0 PA the turn does not end by itself',
    ),
    'a turn ends in the middle of an attack',
    'play.ts',
    "if (attack !== null) return no(refused('attack_open'",
    "if (state.over) return no(refused('attack_open'",
  ),
  row(
    'C12',
    tells(
      'a combatant that is out',
      'its turn comes, or is on',
      'it is skipped and what was awaited from it is cancelled',
    ),
    'a turn whose owner left goes on',
    'follow-order.ts',
    'if (!isOut(state, fight.turn)) return undefined;',
    'if (fight.turn !== null) return undefined;',
  ),
  row(
    'C13',
    tells('one monster left', 'it falls', 'the fight is won at once: waking, experience, level, in this order'),
    'no fight is ever won',
    'follow.ts',
    "const won = room?.stage === 'open' && living(state).length === 0;",
    "const won = room?.stage === 'open' && living(state).length < 0;",
  ),
];

const GAME_MASTER: readonly RuleRow[] = [
  row(
    'G1',
    tells('a party of a level', 'its budget is asked for', '(level × 3 + 2) × players present, K.O. ones too'),
    'the budget of one player for all',
    'thresholds.ts',
    'roomHead(level) * players',
    'roomHead(level)',
  ),
  row(
    'G2',
    tells('a budget of 10', 'more than that is bought', 'it is refused'),
    'five points over the budget are taken',
    'room-actions.ts',
    'if (spent > budget)',
    'if (spent > budget + 5)',
  ),
  row(
    'G3',
    tells('a monster and its data', 'it attacks and is hit', 'it pays, may dodge, and leaves the table at 0 PV'),
    'monsters attack for nothing',
    'costs.ts',
    'pa: Math.max(1, attack.cost + weather(state, weapon)) };',
    'pa: 0 };',
  ),
  row(
    'G4',
    tells('a horde of 5 dice with 3 of 10 PV', 'its turn starts', 'it has ceil(5 × 3 / 10) = 2 attacks'),
    'dice in use are rounded down',
    'combatants.ts',
    'Math.ceil((kind.horde * pv) / kind.pv)',
    'Math.floor((kind.horde * pv) / kind.pv)',
  ),
  row(
    'G5',
    tells(
      'a room won',
      'its experience is counted',
      "the room's budget, not what was spent; nothing bought, nothing won",
    ),
    'experience is what was spent',
    'follow.ts',
    'room.budget / room.heads',
    'room.spent / room.heads',
  ),
  row(
    'G6',
    tells('experience equal to a threshold', 'the room closes', 'the level is reached'),
    'a threshold must be passed, not reached',
    'follow.ts',
    'xp >= threshold',
    'xp > threshold',
  ),
  row(
    'G7',
    tells('a new level', 'the room closes', 'd% to the next ten and a chest for each one present'),
    'who is absent draws too',
    'follow.ts',
    'chests: present(state) };',
    'chests: state.seats };',
  ),
  row(
    'G8',
    tells('a hero with an advantage', 'both throws lie', 'the highest counts; mastery adds; the first dodge is free'),
    'the lowest throw counts',
    'statistics.ts',
    "keep: { which: 'kh', count: 1 }",
    "keep: { which: 'kl', count: 1 }",
  ),
  row(
    'G9',
    tells(
      'a party killed after a rest',
      'it is restored',
      'PV, PA, level, experience and tiles of just after the rest',
    ),
    'nothing comes back',
    'evolve-camp.ts',
    'return [seat, { ...hero, ...field(then, seat), trackers }];',
    'return [seat, { ...hero, trackers }];',
  ),
  row(
    'G10',
    tells('a room with traps left', 'the GM closes it', 'it is refused until they are done'),
    'a room closes over its traps',
    'room-actions.ts',
    'if (trapsLeft(room).length > 0)',
    'if (trapsLeft(room).length > 9)',
  ),
  row(
    'G11',
    tells('a trap that was sprung', 'somebody hit has too few PA', 'that one suffers without being asked'),
    'who cannot pay is asked',
    'follow-trap.ts',
    '(heroOf(state, seat)?.pa ?? 0) < kind.pa',
    '(heroOf(state, seat)?.pa ?? 0) < 0',
  ),
  row(
    'G12',
    tells('fog in the room', 'magic is used by anybody', 'it costs one PA more until the room is over'),
    'the environment changes nothing',
    'costs.ts',
    "added(state, weapon === 'magic' ? 'magicCost' : 'physicalCost');",
    '0;',
  ),
  row(
    'G13',
    tells('a rest that was disturbed', "the ambush's room is bought", 'it is a room like any other, everybody on 6 PA'),
    'the room of an ambush cannot be bought',
    'room-actions.ts',
    "const busy = state.resting === 'room' ? undefined : notCamp(state, rule);",
    'const busy = notCamp(state, rule);',
  ),
  row(
    'G14',
    tells('seats present, absent and gone', 'budget and experience are counted', 'only who is present counts'),
    'who is absent counts',
    'combatants.ts',
    "state.seats.filter((seat) => heroOf(state, seat)?.attendance === 'present');",
    "state.seats.filter((seat) => heroOf(state, seat)?.attendance !== 'gone');",
  ),
];

const COMMON: readonly RuleRow[] = [
  row(
    'Z1',
    tells('a d10 that shows 0', 'it is read', '10 by itself, 100 with 00, level 10 on a tens die that counts'),
    "a lone d10's 0 counts nothing",
    '../../dice/die.ts',
    "return type === 'd10' && face === 0 ? 10 : face;",
    'return face;',
  ),
  row(
    'Z2',
    tells('a throw that does not count', 'something else, or nothing, is awaited', 'refused with its rule, or loose'),
    'what nobody awaits is refused',
    '../awaited.ts',
    "return { verdict: 'loose', code: 'not_awaited', rule: 'Z2', reason: 'no roll is awaited' };",
    "return { verdict: 'refused', code: 'not_awaited', rule: 'Z2', reason: 'no roll is awaited' };",
  ),
  row(
    'Z3',
    tells('several seats awaited at once', 'they throw in any order', "each die fills its own seat's place"),
    "one seat's die fills another's place",
    '../awaited.ts',
    'fits.find((call) => call.seat === thrown.seat || call.seat === null)',
    'fits.find(() => true)',
  ),
  row(
    'Z4',
    tells(
      'two seats with the same result',
      'an order is needed',
      'they alone roll again, in their place among the rest',
    ),
    'a tie is left as it is',
    'follow-order.ts',
    'if (groups.length > 0) return {',
    'if (groups.length > 9) return {',
  ),
  row(
    'Z5',
    tells('a seat whose Difesa is awaited', 'it leaves', 'the attack is cancelled and the turn goes on'),
    'an attack on somebody who left stays open',
    'follow-attack.ts',
    'if (gone) return {',
    'if (state.over) return {',
  ),
  row(
    'Z6',
    tells('one d12 and two asked', 'it is thrown twice', 'two throws; with a second d12 the same one twice is refused'),
    'one die counts once, whatever is asked',
    '../../table/throw.ts',
    'return before === 0 || dice <= thrown.others ?',
    'return before >= 0 ?',
  ),
  row(
    'Z7',
    tells('a choice of an absent seat', 'the GM makes it', "it counts as the seat's; no timer runs"),
    'the GM may not choose for a seat',
    'judge.ts',
    'if (deed.call !== undefined && !choicesOf(state)',
    "if (deed.via !== undefined) return refused('wrong_seat', 'Z7', 'only its owner chooses');\n  if (deed.call !== undefined && !choicesOf(state)",
  ),
  row(
    'Z8',
    tells('2 PV left', '13 damage come through', 'the counter is 0'),
    'a monster falls below 0',
    'evolve-party.ts',
    'pv: Math.max(0, monster.pv - damage)',
    'pv: monster.pv - damage',
  ),
  row(
    'Z9',
    tells('a die of nobody', 'one seat, or several, are awaited', "it is that seat's, or it asks whose it was"),
    "a shared die is the first seat's",
    '../awaited.ts',
    'if (owners.length === 1) return {',
    'if (owners.length >= 1) return {',
  ),
];

/** Every rule of the page in its order, then those that are common to all games. */
export const RULE_TABLE: readonly RuleRow[] = [...BOARD, ...EXPLORATION, ...FIGHT, ...GAME_MASTER, ...COMMON];
