import type { DieType, Face } from '../../src/dice/die.js';
import { faceOf } from '../../src/dice/die.js';
import type { Json, JsonObject } from '../../src/dice/json.js';
import { matchThrow } from '../../src/games/awaited.js';
import { dicebound } from '../../src/games/dicebound/dicebound.js';
import type { DiceboundEvent } from '../../src/games/dicebound/events.js';
import type { DiceboundState } from '../../src/games/dicebound/state.js';
import type { Audience, Deed, Expectation, Seat, Verdict } from '../../src/games/game.js';

/** A small box of its own, so that the numbers of the tests do not depend on the samples. */
export const BOX: JsonObject = {
  tiles: {
    '101': { slot: 'physical', class: 'knight', cost: 2, flat: 2 },
    '102': { slot: 'physical', class: 'mage', cost: 2, die: 6 },
    '103': { slot: 'physical', cost: 6, flat: 1 },
    '111': { slot: 'magic', class: 'mage', cost: 3, die: 'd6' },
    '112': { slot: 'magic', cost: 1, flat: 0, star: { damage: 3, limit: 1, per: 'turn' } },
    '113': { slot: 'magic', class: 'mage', cost: 1, star: { cost: -1 } },
    '121': { slot: 'armour', cost: 0, die: 6 },
    '122': { slot: 'armour', cost: 0, flat: 3 },
    '131': { slot: 'accessory', cost: 2, heal: 5 },
    '132': { slot: 'accessory', cost: 0, pa: 2 },
    '133': { slot: 'accessory', cost: 0, flat: 1, stat: 'agility' },
    '134': { slot: 'accessory', cost: 1, star: { die: 4 } },
    '135': { slot: 'accessory', cost: 1, star: { text: { it: 'apre una porta', en: 'opens a door' } } },
  },
  perks: {
    knight: { '2': { kind: 'economy' }, '3': { kind: 'mastery', stat: 'defence', amount: 2 } },
    mage: {
      '2': { kind: 'advantage', stat: 'magic' },
      '3': { kind: 'advantage', stat: 'magic', checks: true },
      '4': { kind: 'mastery', stat: 'magic', amount: 1 },
    },
  },
  monsters: {
    orc: { cost: 2, pv: 8, pa: 4, defence: 6, agility: 8, pawn: 'd12', attacks: { physical: { sides: 8, cost: 2 } } },
    boss: {
      cost: 15,
      pv: 40,
      pa: 6,
      defence: 10,
      agility: 10,
      attacks: { physical: { sides: 12, dice: 2, flat: 3, cost: 3 }, magic: { sides: 6, flat: 1, cost: 2 } },
    },
    swarm: {
      cost: 3,
      pv: 10,
      pa: 2,
      defence: 4,
      agility: 6,
      horde: 5,
      attacks: { physical: { sides: 4, flat: 0, cost: 1 } },
    },
  },
  traps: {
    pit: { cost: 3, pa: 2, damage: 4 },
    darts: { cost: 3, who: 'all', pa: 3, damage: { dice: 2, sides: 6 } },
    blade: { cost: 1, pa: 9, damage: 25, defence: true },
  },
  environments: { fog: { cost: 4, magicCost: 1 }, mud: { cost: 4, dodgeCost: 1 }, calm: { cost: 1 } },
};

const KNIGHT = { physical: 12, magic: 4, defence: 10, agility: 8 };
const MAGE = { physical: 4, magic: 12, defence: 8, agility: 10 };

/** Ada: d12 d4 d10 d8; Bea: d4 d12 d8 d10. */
export const SEATS: readonly JsonObject[] = [
  { id: 'ada', class: 'knight', dice: KNIGHT },
  { id: 'bea', class: 'mage', dice: MAGE },
];

/** A game in play: every deed with its verdict, immutable states. */
export class Play {
  readonly setup: Verdict<DiceboundEvent>;
  readonly events: DiceboundEvent[] = [];
  state: DiceboundState;
  last: Verdict<DiceboundEvent>;
  n = 0;

  constructor(options: JsonObject = {}, seats: readonly JsonObject[] = SEATS) {
    this.setup = setUp(options, seats);
    if (this.setup.verdict !== 'accepted') throw new Error(JSON.stringify(this.setup));
    this.last = this.setup;
    const opened = this.setup.events.reduce<DiceboundState | undefined>(
      (now, event) => dicebound.evolve(now, event),
      undefined,
    );
    if (opened === undefined) throw new Error('nothing opened');
    this.state = opened;
    this.events.push(...this.setup.events);
  }

  put(deed: Deed): this {
    this.n += 1;
    const before = JSON.stringify(this.state);
    this.last = dicebound.judge(this.state, deed);
    if (JSON.stringify(this.state) !== before) throw new Error('a deed changed the state it was judged by');
    if ('events' in this.last) {
      this.state = this.last.events.reduce((now, event) => dicebound.evolve(now, event), this.state);
      this.events.push(...this.last.events);
    }
    return this;
  }

  /** A throw put to the call it fits, as a table does; several dice are one throw. */
  roll(seat: Seat | null, ...dice: readonly (readonly [type: number | DieType, natural: Face])[]): this {
    for (const [kind, natural] of dice) {
      const type: DieType = typeof kind === 'number' ? `d${kind}` : kind;
      const match = matchThrow(dicebound.expects(this.state), { seat, type });
      const face = faceOf(type, natural);
      this.put({
        kind: 'natural',
        call: match.kind === 'call' ? match.id : null,
        seat,
        die: { die: `die-${this.n}`, type, quality: 'ok' },
        face: face.ok ? face.value : natural,
        source: 'physical',
      });
    }
    return this;
  }

  act(by: Seat, action: string, args: JsonObject = {}): this {
    return this.put({ kind: 'choice', by, action, args });
  }

  set(seat: Seat, counter: string, face: number, via?: 'gm'): this {
    if (via === undefined) return this.put({ kind: 'set', seat, counter, face });
    return this.put({ kind: 'ruling', ruling: { ruling: 'counter', args: { seat, counter, face } } });
  }

  /** Everything drawn that is asked for. */
  draw(...values: readonly number[]): this {
    const due = dicebound.expects(this.state).find((one) => one.kind === 'draw');
    return this.put({ kind: 'drawn', draw: due?.id ?? 'none', values });
  }

  elapse(timer: string): this {
    return this.put({ kind: 'elapsed', timer });
  }

  get phase(): Json {
    return this.view().phase ?? null;
  }

  /** The word of the last verdict, with the code of a refusal: `refused unaffordable dicebound:C3`. */
  get verdict(): string {
    const { last } = this;
    return 'events' in last ? last.verdict : `${last.verdict} ${last.code} ${last.rule ?? ''}`.trim();
  }

  view(audience: Audience = { role: 'gm' }): JsonObject {
    return dicebound.view(this.state, audience).state;
  }

  awaited(): readonly Expectation[] {
    return dicebound.expects(this.state);
  }

  /** What is awaited, in short: `ada:attack?`, trackers and timers left out. */
  waiting(): readonly string[] {
    return this.awaited()
      .filter((one) => one.kind !== 'set' && one.kind !== 'timer')
      .map((one) => `${one.seat}:${one.purpose}${one.optional ? '?' : ''}`);
  }

  /** Rules of the last events. */
  rules(): readonly string[] {
    return 'events' in this.last ? this.last.events.map((event) => event.rule) : [];
  }

  kinds(): readonly string[] {
    return 'events' in this.last ? this.last.events.map((event) => event.kind) : [];
  }

  hero(seat: Seat) {
    const hero = this.state.heroes[seat];
    if (hero === undefined) throw new Error(`no ${seat}`);
    return hero;
  }

  monster(id: string) {
    const monster = this.state.room?.monsters[id];
    if (monster === undefined) throw new Error(`no ${id}`);
    return monster;
  }

  /** A room with these monsters, its initiative rolled so that they act in the order given. */
  fight(buy: readonly string[], order: readonly string[], options: JsonObject = {}): this {
    this.act('gm', 'openRoom', { buy: [...buy], ...options }).act('gm', 'startFight');
    return this.initiative(order);
  }

  /** Rolls initiative so that this is the order: the first gets the most. */
  initiative(order: readonly string[]): this {
    for (let guard = 0; this.phase === 'initiative' && guard < 50; guard += 1) {
      const due = this.awaited().find((one) => one.kind === 'roll');
      if (due?.kind !== 'roll') break;
      const who = due.for ?? due.seat ?? '';
      const place = order.indexOf(who);
      const [type] = due.resolution.asks.dice;
      this.put({
        kind: 'natural',
        call: due.id,
        seat: due.seat,
        die: { die: `init-${this.n}`, type: type ?? 'd8', quality: 'ok' },
        face: order.length - place,
        source: 'physical',
      });
    }
    return this;
  }
}

export function setUp(options: JsonObject = {}, seats: readonly JsonObject[] = SEATS): Verdict<DiceboundEvent> {
  const ids = seats.map(({ id }) => ({ id: String(id), name: String(id) }));
  return dicebound.setup({ ...BOX, ...options, seats: [...seats] }, ids);
}
