import { PLANAR_FACES, type PlanarFace } from '../../dice/die.js';
import type { Json, JsonObject } from '../../dice/json.js';
import type { Effect, Instruction } from '../../rolls/instruction.js';
import type { Outcome } from '../../rolls/outcome.js';
import { planarOutcome } from '../../rolls/planar.js';
import { beginWith, waitsFor } from '../../rolls/resolution.js';
import { touches } from '../../rolls/sheet.js';
import { planarStandIn } from '../../rolls/stand-in.js';
import { MAX_STORED, restore, store } from '../../rolls/stored.js';
import { triggered } from '../../rolls/triggers.js';
import type { Seat } from '../game.js';
import { findCard } from './catalogue.js';
import { contestEvents } from './contests.js';
import { effectsFor } from './effects.js';
import { evolve } from './evolve.js';
import {
  type InPlay,
  type MagicEvent,
  type MagicState,
  type OpenRoll,
  type Order,
  permanentOf,
  type Report,
  type Trigger,
} from './state.js';

/** State after these events. */
export const after = (state: MagicState, events: readonly MagicEvent[]): MagicState =>
  events.reduce<MagicState>(evolve, state);

/** The roll an order asks for, with the effects that are in play now; none touches a notation that kept its marks. */
function openRoll(state: MagicState, order: Order): OpenRoll {
  const marked = order.asks.formula !== undefined;
  const { effects, ids } = marked ? { effects: [], ids: [] } : effectsFor(state, order.seat);
  const planar = state.planarDie === null ? undefined : planarStandIn(state.planarDie);
  const standIns = [...(order.asks.standIns ?? []), ...(planar === undefined ? [] : [planar])];
  const asks: Instruction = {
    ...order.asks,
    roller: order.seat,
    ...(effects.length === 0 ? {} : { effects }),
    ...(standIns.length === 0 ? {} : { standIns }),
  };
  return { n: state.next, order, effects: ids, resolution: beginWith(asks) };
}

/** Opens rolls; one that needs no die is over at once (706.1: nothing was rolled). */
export function openRolls(state: MagicState, orders: readonly Order[]): readonly MagicEvent[] {
  const events: MagicEvent[] = [];
  for (const order of orders) {
    const now = after(state, events);
    const roll = openRoll(now, order);
    events.push({ kind: 'asked', ev: 1, roll });
    events.push(...finished(after(state, events), roll));
  }
  return events;
}

/** What follows once nothing more is awaited for a roll; nothing while something is. */
export function finished(state: MagicState, roll: OpenRoll): readonly MagicEvent[] {
  const wait = waitsFor(roll.resolution);
  if (wait.kind !== 'done') return [];
  const { outcome } = wait;
  const watching = triggersOf(state, roll, outcome);
  const report = remembering(
    state,
    reportOf(
      roll,
      outcome,
      watching.map(({ trigger }) => trigger),
    ),
  );
  const events: MagicEvent[] = [{ kind: 'rolled', ev: 1, report }];
  events.push(...usesOf(state, roll));
  for (const { one, once } of watching) if (once) events.push({ kind: 'used', ev: 1, id: one.id, times: 1 });
  events.push(...storedBy(state, roll, report));
  if (roll.order.contest !== undefined) {
    const now = after(state, events);
    const compared = contestEvents(now, roll.order, report.results[0] ?? 0);
    return [...events, ...compared.events, ...openRolls(after(now, compared.events), compared.again)];
  }
  const { reading } = report;
  if (reading.again === true) events.push({ kind: 'again_due', ev: 1, order: roll.order });
  if (reading.repeat === true) events.push(...openRolls(after(state, events), [roll.order]));
  return events;
}

/** Uses of cards in this roll; those that were for one roll only are gone. */
function usesOf(state: MagicState, { effects, resolution }: OpenRoll): readonly MagicEvent[] {
  const used = (resolution.decided ?? []).flatMap(({ option }): MagicEvent[] => {
    const id = typeof option === 'object' && 'effect' in option ? effects[option.effect] : undefined;
    return id === undefined ? [] : [{ kind: 'used', ev: 1, id, times: 1 }];
  });
  const gone = (resolution.asks.effects ?? []).flatMap((effect, at): MagicEvent[] => {
    const one = state.inPlay.find(({ id }) => id === effects[at]);
    const once = one !== undefined && findCard(one.card)?.effect?.once === true;
    return once && applied(effect, resolution.asks) ? [{ kind: 'went', ev: 1, id: one.id }] : [];
  });
  return [...used, ...gone];
}

function applied(effect: Effect, { dice }: Instruction): boolean {
  const [first] = dice;
  if (first === undefined) return false;
  if (effect.kind === 'rollTwoUseTotal') return !dice.includes('planar') && dice.some((type) => touches(effect, type));
  return touches(effect, first);
}

/** Cards in play that trigger, for their players to carry out. */
function triggersOf(
  state: MagicState,
  { order }: OpenRoll,
  outcome: Outcome,
): readonly { readonly one: InPlay; readonly trigger: Trigger; readonly once: boolean }[] {
  return state.inPlay.flatMap((one) => {
    const card = findCard(one.card);
    if (card?.watches === undefined || !(one.seat === order.seat || card.watchAny === true)) return [];
    if (card.watchSides !== undefined && order.asks.dice.some((type) => type !== `d${card.watchSides}`)) return [];
    const once = card.watchOnce === true;
    if (once && one.used > 0) return [];
    return card.watches.flatMap((when) => {
      const count = triggered(when, outcome);
      if (!count.ok || count.value === 0) return [];
      const times = once ? 1 : count.value;
      return [{ one, once, trigger: { seat: one.seat, card: card.name, when, times } }];
    });
  });
}

const isPlanarFace = (face: Json | undefined): face is PlanarFace => PLANAR_FACES.some((one) => one === face);

function reportOf({ n, order }: OpenRoll, outcome: Outcome, triggers: readonly Trigger[]): Report {
  const { account, dice, modifiers, planar, total } = outcome;
  const { rows, ...rest } = account?.reading ?? {};
  const { use } = order.asks;
  const face = isPlanarFace(planar) ? planar : undefined;
  return {
    n,
    seat: order.seat,
    name: order.name,
    dice,
    modifiers,
    naturals: account?.naturals ?? [],
    results: account?.results ?? [],
    total: total ?? null,
    ignored: account?.ignored ?? [],
    replaced: account?.replaced ?? [],
    paid: account?.paid ?? [],
    exchanged: account?.exchanged ?? null,
    ...(use?.kind === 'table' || use?.kind === 'list' ? { table: use.rows } : {}),
    reading: { ...(rows === undefined ? {} : { rows }), ...rest } as JsonObject,
    planar:
      face === undefined ? null : { face, outcome: planarOutcome(face).outcome, cost: order.planar?.cost ?? null },
    triggers,
  };
}

/** The report with the answer to a card that asks whether this total came before in this turn. */
function remembering({ totals }: MagicState, report: Report): Report {
  if (findCard(report.name)?.remembers !== true || report.total === null) return report;
  const { name, seat, total } = report;
  const repeated = totals.some((one) => one.card === name && one.seat === seat && one.total === total);
  return { ...report, reading: { ...report.reading, repeated } };
}

/** Results noted on a permanent, each entry for itself (706.8). */
function storedBy(state: MagicState, { order }: OpenRoll, report: Report): readonly MagicEvent[] {
  const { store: noted, asks, seat } = order;
  if (noted === undefined) return [];
  const sides = Number(asks.dice[0]?.slice(1) ?? 6);
  const { name, stored } = permanentOf(state, seat, noted.on) ?? { name: noted.on, stored: [] };
  const next =
    noted.entries === null ? store(stored, sides, report.results) : restore(stored, noted.entries, report.results);
  return [{ kind: 'stored', ev: 1, permanent: { name, seat, stored: next.slice(0, MAX_STORED) } }];
}

/** True if this seat has a roll that is not finished. */
export const isBusy = (state: MagicState): boolean => state.open.length > 0 || state.again !== null;

/** Seats with an open roll. */
export const rolling = (state: MagicState): readonly Seat[] => state.open.map(({ order }) => order.seat);
