import { type ReadonlySignal, signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { afterReading } from '../dice/battery.js';
import type { Answer, CommandName } from '../wire/command.js';
import type { Awaited, Envelope, Live, RollWire, Snapshot } from '../wire/envelope.js';
import type { ClaimView, DieView, OverlayView, SeatView, TableView } from '../wire/view.js';
import { connect, type Door, type LinkState } from './connection.js';
import { read } from './daemon.js';
import { delayed, type Hearing, rollsNow } from './overlay/delay.js';
import { forgetToken, token } from './session.js';

/** How many rolls a page keeps: as many as a snapshot brings. */
const KEPT_ROLLS = 20;
/** A look at what is no record is repeated when something came meanwhile, this often. */
const MOST_LOOKS = 3;

/** A table as a page holds it. Everything is replaced, never changed in place. */
export interface Room {
  readonly door: Door;
  readonly link: ReadonlySignal<LinkState>;
  /** When the daemon was last heard; null before the first word. */
  readonly heard: ReadonlySignal<Date | null>;
  readonly view: ReadonlySignal<TableView | null>;
  readonly awaited: ReadonlySignal<readonly Awaited[]>;
  /** Newest first. */
  readonly rolls: ReadonlySignal<readonly RollWire[]>;
  /** What a die does right now (`tumbling`, `handling`), by die. */
  readonly moving: ReadonlySignal<ReadonlyMap<string, string>>;
  /** False while the chronicle cannot be written. */
  readonly durable: ReadonlySignal<boolean>;
  /** What the GM has told the overlays. */
  readonly orders: ReadonlySignal<OverlayView>;
  /** Told of each message just before it changes the room. @returns stops it */
  listen(listener: Partial<Hearing>): () => void;
  command(verb: CommandName, args: Record<string, unknown>): Promise<Answer>;
}

/** Opens a room for the life of a page. `delayMs`: how much later than the table it shows things. */
export function useRoom(table: string, role: Door['role'], seat?: string, delayMs = 0): Room {
  const { room, close } = useMemo(
    () => openRoom({ table, role, token: token(), ...(seat === undefined ? {} : { seat }) }, delayMs),
    [table, role, seat, delayMs],
  );
  useEffect(() => close, [close]);
  return room;
}

/** What a page knows, and how each message from the daemon changes it. */
function roomState() {
  const heard = signal<Date | null>(null);
  const view = signal<TableView | null>(null);
  const awaited = signal<readonly Awaited[]>([]);
  const rolls = signal<readonly RollWire[]>([]);
  const moving = signal<ReadonlyMap<string, string>>(new Map());
  const durable = signal(true);

  const snapshot = (message: Snapshot): void => {
    heard.value = new Date();
    view.value = viewOf(message.view);
    awaited.value = message.awaited;
    rolls.value = newestFirst(message.rolls);
    durable.value = message.durable !== false;
  };

  const envelope = (message: Envelope): void => {
    heard.value = new Date();
    if (message.view !== undefined) view.value = viewOf(message.view);
    awaited.value = message.awaited;
    durable.value = message.durable !== false;
    const { roll } = message;
    if (roll !== undefined) rolls.value = newestFirst([roll, ...rolls.value.filter((kept) => kept.id !== roll.id)]);
    // A ruling about the past changes rolls already shown: the record brings them as they now stand.
    const now = rollsNow(message);
    if (now !== null) rolls.value = newestFirst(now);
  };

  /** What is shown and no longer stands goes, what was changed changes; nothing new comes. */
  const mend = (now: readonly RollWire[]): void => {
    rolls.value = rolls.value.flatMap((shown) => now.find((one) => one.id === shown.id) ?? []);
  };

  const live = (message: Live): void => {
    heard.value = new Date();
    const kind = String(message.signal.kind ?? '');
    const next = new Map(moving.value);
    if (kind === 'tumbling' || kind === 'handling') next.set(message.die, kind);
    else if (kind === 'rested' || kind === 'unresolved' || kind === 'link') next.delete(message.die);
    moving.value = next;
    view.value = withLive(view.value, message);
  };

  return { known: { heard, view, awaited, rolls, moving, durable }, hear: { snapshot, envelope, live }, mend };
}

function openRoom(door: Door, delayMs: number): { room: Room; close: () => void } {
  const link = signal<LinkState>('connecting');
  const orders = signal<OverlayView>({});
  const { known, hear, mend } = roomState();
  const { hearing, listen } = audible(hear);
  const late = delayMs > 0 ? delayed(hearing, delayMs, mend) : hearing;
  let version = '';
  let words = 0;
  let met = false;
  const connection = connect(door, {
    snapshot: (message) => {
      words += 1;
      orders.value = ordersIn(message.view);
      late.snapshot(message);
    },
    envelope: (message, replayed) => {
      words += 1;
      if (message.view !== undefined) orders.value = ordersIn(message.view);
      late.envelope(message, replayed);
    },
    live: (message) => {
      words += 1;
      // Which strangers are on the air is the GM's affair.
      if (message.signal.kind === 'dice') return door.role === 'gm' ? void catchUp() : undefined;
      // What the GM tells the overlays holds at once, however late the picture is.
      if (message.signal.kind !== 'overlay') return late.live(message);
      orders.value = ordersIn(message.signal);
      hearing.live(message);
    },
    state: (state) => {
      link.value = state;
      if (state !== 'live') known.moving.value = new Map();
      else if (met) void catchUp();
      met ||= state === 'live';
      if (state === 'token') void whoAmI(door).then((found) => (link.value = found));
    },
    version: (now) => {
      if (version !== '' && now !== version) location.reload();
      version = now;
    },
  });
  /** What is no record (orders, links, batteries) may have changed while the link was down, and nobody tells it again. */
  const catchUp = async (): Promise<void> => {
    for (let tries = 0; tries < MOST_LOOKS; tries += 1) {
      const before = words;
      const now = await read<Snapshot>(`/api/v1/tables/${door.table}?role=${door.role}${seatQuery(door)}`);
      if (!now.ok) return;
      if (words !== before) continue;
      orders.value = ordersIn(now.value.view);
      const shown = known.view.value;
      if (shown !== null && delayMs === 0) known.view.value = { ...shown, ...withoutRecord(viewOf(now.value.view)) };
      return;
    }
  };
  const room = { door, link, orders, ...known, listen, command: connection.client.send.bind(connection.client) };
  return { room, close: connection.close };
}

/** The parts of a view that are no record. */
const withoutRecord = ({ dice, radio, collecting }: TableView): Partial<TableView> => ({
  ...(dice === undefined ? {} : { dice }),
  ...(radio === undefined ? {} : { radio }),
  ...(collecting === undefined ? {} : { collecting }),
});

const seatQuery = ({ seat }: Door): string => (seat === undefined ? '' : `&seat=${seat}`);

/** Lets others hear what a room hears. */
function audible(hear: Hearing): { hearing: Hearing; listen: Room['listen'] } {
  const listeners = new Set<Partial<Hearing>>();
  // A part of the page that cannot take a message must not keep it from the rest.
  const tell = (told: (listener: Partial<Hearing>) => void): void => {
    for (const listener of listeners) {
      try {
        told(listener);
      } catch (error) {
        reportError(error);
      }
    }
  };
  const hearing: Hearing = {
    snapshot: (message) => {
      tell((listener) => listener.snapshot?.(message));
      hear.snapshot(message);
    },
    envelope: (message, replayed) => {
      tell((listener) => listener.envelope?.(message, replayed));
      hear.envelope(message, replayed);
    },
    live: (message) => {
      tell((listener) => listener.live?.(message));
      hear.live(message);
    },
  };
  const listen = (listener: Partial<Hearing>): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return { hearing, listen };
}

function ordersIn(given: { readonly overlay?: unknown }): OverlayView {
  const { overlay } = given;
  return typeof overlay === 'object' && overlay !== null ? (overlay as OverlayView) : {};
}

/**
 * The daemon closes alike on a token it does not know and on a page that is not for this reader: asking as a spectator
 * tells them apart. A dead token is forgotten; on the table's own computer the page then works without one.
 */
async function whoAmI(door: Door): Promise<LinkState> {
  const answer = await read<unknown>(`/api/v1/tables/${door.table}?role=spectator`);
  if (answer.ok || answer.status === 403) return 'not_yours';
  if (answer.status === 404) return 'no_table';
  if (answer.status === 401 && door.token !== null) {
    forgetToken();
    location.reload();
  }
  return 'token';
}

/** Reads a view leniently: a part that is missing is empty, so that an older page shows what it can. */
function viewOf(raw: Snapshot['view']): TableView {
  const given = raw as Partial<TableView>;
  return {
    ...raw,
    seats: Array.isArray(given.seats) ? given.seats : [],
    game: given.game ?? { id: 'free', state: {} },
    evening: given.evening ?? 'open',
  };
}

/** Battery and link are told live and are not records; the next view has them too. */
function withLive(view: TableView | null, { die, signal: heard }: Live): TableView | null {
  if (view !== null && heard.kind === 'collecting') return withClaim(view, heard.collecting);
  if (view?.dice === undefined) return view;
  const kind = heard.kind;
  const dice = view.dice.map((known) => {
    if (known.id !== die) return known;
    if (kind === 'battery' && typeof heard.percent === 'number') return withBattery(known, heard.percent);
    if (kind === 'link' && typeof heard.link === 'string') return { ...known, link: heard.link };
    return known;
  });
  return { ...view, dice };
}

function withClaim({ collecting: _before, ...view }: TableView, told: unknown): TableView {
  return typeof told === 'object' && told !== null ? { ...view, collecting: told as ClaimView } : view;
}

function withBattery({ low, battery, ...die }: DieView, percent: number): DieView {
  return { ...die, ...afterReading({ battery, ...(low === undefined ? {} : { low }) }, percent) };
}

/** Number of the record a roll is, from its id `<table>-<seq>`. */
export const seqOf = (roll: RollWire): number => Number(roll.id.slice(roll.id.lastIndexOf('-') + 1));

const newestFirst = (rolls: readonly RollWire[]): readonly RollWire[] =>
  [...rolls].sort((a, b) => seqOf(b) - seqOf(a)).slice(0, KEPT_ROLLS);

/** The seat of this id, where it still exists. */
export const seatOf = (view: TableView | null, id: string | null | undefined): SeatView | undefined =>
  view?.seats.find((seat) => seat.id === id);
