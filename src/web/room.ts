import { type ReadonlySignal, signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { Answer, CommandName } from '../wire/command.js';
import type { Awaited, Envelope, Live, RollWire, Snapshot } from '../wire/envelope.js';
import type { SeatView, TableView } from '../wire/view.js';
import { connect, type Door, type LinkState } from './connection.js';
import { read } from './daemon.js';
import { forgetToken, token } from './session.js';

/** How many rolls a page keeps: as many as a snapshot brings. */
const KEPT_ROLLS = 20;

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
  command(verb: CommandName, args: Record<string, unknown>): Promise<Answer>;
}

/** Opens a room for the life of a page. */
export function useRoom(table: string, role: Door['role'], seat?: string): Room {
  const { room, close } = useMemo(
    () => openRoom({ table, role, token: token(), ...(seat === undefined ? {} : { seat }) }),
    [table, role, seat],
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
    const now = (message as { rewound?: { rolls?: unknown } }).rewound?.rolls;
    if (Array.isArray(now)) rolls.value = newestFirst(now as readonly RollWire[]);
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

  return { known: { heard, view, awaited, rolls, moving, durable }, hear: { snapshot, envelope, live } };
}

function openRoom(door: Door): { room: Room; close: () => void } {
  const link = signal<LinkState>('connecting');
  const { known, hear } = roomState();
  let version = '';
  const connection = connect(door, {
    ...hear,
    state: (state) => {
      link.value = state;
      if (state === 'token') void whoAmI(door).then((found) => (link.value = found));
    },
    version: (now) => {
      if (version !== '' && now !== version) location.reload();
      version = now;
    },
  });
  const room = { door, link, ...known, command: connection.client.send.bind(connection.client) };
  return { room, close: connection.close };
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
  if (view?.dice === undefined) return view;
  const kind = heard.kind;
  const dice = view.dice.map((known) => {
    if (known.id !== die) return known;
    if (kind === 'battery' && typeof heard.percent === 'number') return { ...known, battery: heard.percent };
    if (kind === 'link' && typeof heard.link === 'string') return { ...known, link: heard.link };
    return known;
  });
  return { ...view, dice };
}

/** Number of the record a roll is, from its id `<table>-<seq>`. */
const seqOf = (roll: RollWire): number => Number(roll.id.slice(roll.id.lastIndexOf('-') + 1));

const newestFirst = (rolls: readonly RollWire[]): readonly RollWire[] =>
  [...rolls].sort((a, b) => seqOf(b) - seqOf(a)).slice(0, KEPT_ROLLS);

/** The seat of this id, where it still exists. */
export const seatOf = (view: TableView | null, id: string | null | undefined): SeatView | undefined =>
  view?.seats.find((seat) => seat.id === id);
