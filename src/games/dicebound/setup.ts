import type { Json, JsonObject } from '../../dice/json.js';
import { field } from '../awaited.js';
import { boxSays } from '../box-words.js';
import type { SeatSetup, Verdict } from '../game.js';
import { isObject, refused, unknownOption } from '../refusal.js';
import { seatsFault } from '../seating.js';
import { BOX_KINDS, readBox, readEntries } from './box.js';
import type { GameData } from './data.js';
import type { DiceboundEvent } from './events.js';
import { faultText, Reader, told } from './reader.js';
import { SAMPLES } from './samples/samples.js';
import { readSeatings, readTeams } from './seatings.js';
import type { HouseRules } from './state.js';
import { MAX_LEVEL, thresholdHead } from './thresholds.js';

/** So many players may sit at a table of Dicebound. */
export const MAX_PLAYERS = 20;

/** Tiles a backpack holds at most. */
export const MAX_BACKPACK = 20;

const HOUSE_RULES = [
  'trackerAuthority',
  'declare',
  'earlyAnswers',
  'ambushRoll',
  'bag',
  'backpack',
  'gmInitiative',
  'ambushPercent',
  'startingTiles',
  'arenaTeams',
] as const;

const KNOWN: readonly string[] = ['mode', 'campaign', 'level', ...HOUSE_RULES, 'box', ...BOX_KINDS];

function readRules(reader: Reader, options: JsonObject): HouseRules {
  const word = <W extends string>(key: string, words: readonly [W, ...W[]]): W =>
    reader.word(options, 'setup', key, words, words[0]);
  return {
    trackerAuthority: word('trackerAuthority', ['rules', 'dice']),
    declare: word('declare', ['after', 'before']),
    earlyAnswers: word('earlyAnswers', ['hold', 'refuse']),
    ambushRoll: word('ambushRoll', ['app', 'dice']),
    bag: word('bag', ['physical', 'digital']),
    backpack: reader.whole(options, 'setup', 'backpack', 0, MAX_BACKPACK, 0),
    gmInitiative: word('gmInitiative', ['each', 'once']),
    ambushPercent: reader.whole(options, 'setup', 'ambushPercent', 0, 100, 25),
  };
}

/** Refuses what is faulty in the setup; the tiles that boards begin with have a code of their own, for people type them. */
function faulty({ faults }: Reader): Verdict<never> | undefined {
  const [first] = faults;
  if (first === undefined) return undefined;
  const reason = `${faultText(first)}${faults.length > 1 ? ` (and ${faults.length - 1} more)` : ''}`;
  const expected = `${first.place}: ${first.remedy.en}`;
  return first.place.startsWith('startingTiles')
    ? refused('starting_tiles', 'dicebound:T7', reason, expected)
    : refused('bad_option', 'dicebound:D1', reason, expected);
}

/** The box as its file has it, in the samples' place kind by kind; without one the samples. */
function wholeBox(reader: Reader, box: Json | undefined): GameData {
  if (box === undefined || box === null) return SAMPLES;
  if (isObject(box)) return { ...SAMPLES, ...readEntries(reader, box) };
  reader.fault('setup.box', told(box), boxSays('table'));
  return SAMPLES;
}

/** Opens a game (contracts I), or refuses its options naming the place, the field and the remedy. */
export function openGame(options: JsonObject, seats: readonly SeatSetup[]): Verdict<DiceboundEvent> {
  const reader = new Reader();
  const mode = reader.word(options, 'setup', 'mode', ['story', 'arena'], 'story');
  const least = mode === 'arena' ? 2 : 1;
  const fault = seatsFault(seats, least, MAX_PLAYERS, mode === 'arena' ? 'dicebound:C10' : 'dicebound:G14');
  if (fault !== undefined) return fault;
  const strange = unknownOption(options, KNOWN);
  if (strange !== undefined) {
    return refused('unknown_option', 'dicebound:D1', `there is no option "${strange.slice(0, 40)}"`, KNOWN.join(', '));
  }
  const campaign = reader.word(options, 'setup', 'campaign', ['fast', 'medium', 'epic'], 'medium');
  const level = reader.whole(options, 'setup', 'level', 1, MAX_LEVEL, 1);
  const rules = readRules(reader, options);
  const data = readBox(reader, options, wholeBox(reader, field(options, 'box')));
  const seatings = readSeatings(reader, data, seats, options);
  const ids = seats.map((seat) => seat.id);
  const teams = readTeams(reader, ids, mode === 'arena' ? field(options, 'arenaTeams') : undefined);
  const wrong = faulty(reader);
  if (wrong !== undefined) return wrong;
  const event: DiceboundEvent = {
    kind: 'opened',
    ev: 1,
    rule: mode === 'arena' ? 'dicebound:C10' : 'dicebound:G14',
    mode,
    campaign,
    rules,
    data,
    seats: seatings,
    teams,
    level,
    xp: thresholdHead(level, campaign) ?? 0,
  };
  if (mode === 'story') return { verdict: 'accepted', events: [event] };
  const rollers = seatings.filter((seating) => seating.attendance === 'present').map(({ id }) => id);
  return { verdict: 'accepted', events: [event, { kind: 'fight_started', ev: 1, rule: 'dicebound:C10', rollers }] };
}
