import { faceOf, facesText } from '../dice/die.js';
import type { Command, Preview } from '../wire/command.js';
import { takeUp } from './claiming.js';
import { seatFor } from './permit.js';
import { commandOrigin, isSeat, unknownSeat } from './playing.js';
import type { Caller } from './port.js';
import type { Rewound, RollEntry } from './record.js';
import type { Past } from './retelling.js';
import { type Done, done, findRoll, noSuchRoll, type Room, refused } from './room.js';
import { changes, redo, type Trial, type Tried, tryCorrect, tryReassign, tryUndo, tryVoid } from './rulings.js';
import { completes, type NaturalDeed, rollWire } from './throw.js';
import { expectedFace } from './tracker.js';

type Of<K extends Command['do']> = Extract<Command, { do: K }>;
type Attempt = () => Tried;

/** Previews that wait for a confirmation; the oldest goes when there are more. */
export const MAX_PREVIEWS = 20;

/** A ruling that the GM has been shown and not yet confirmed. It is tried again on confirmation. */
interface Waiting {
  readonly preview: Preview;
  readonly attempt: Attempt;
}

/** Rulings that wait for `confirm`, by the id of their preview. */
export class Previews {
  readonly #waiting = new Map<string, Waiting>();
  #made = 0;

  list(): readonly Preview[] {
    return [...this.#waiting.values()].map(({ preview }) => preview);
  }

  /** Another number for every preview: two rulings on the same roll are two previews. */
  nextId(table: string): string {
    this.#made += 1;
    return `${table}-preview-${this.#made}`;
  }

  add(preview: Preview, attempt: Attempt): void {
    this.#waiting.set(preview.id, { preview, attempt });
    const oldest = this.#waiting.size > MAX_PREVIEWS ? this.#waiting.keys().next().value : undefined;
    if (oldest !== undefined) this.#waiting.delete(oldest);
  }

  take(id: string): Waiting | undefined {
    const found = this.#waiting.get(id);
    this.#waiting.delete(id);
    return found;
  }
}

const UNREADABLE = refused('incomplete', 'The chronicle holds something this version does not know: open a new game.');

/** `correct`, `void`, `assign` of a roll that counted, `undo`: tried on a branch, applied at once or previewed. */
export function rule(
  room: Room,
  caller: Caller,
  command: Of<'correct' | 'void' | 'assign' | 'undo'>,
  previews: Previews,
): Done {
  if (command.do === 'undo')
    return attempt(room, caller, command.id, previews, (past) => tryUndo(past, command.args.n ?? 1));
  const { roll: id } = command.args;
  if (command.do === 'assign' && !isSeat(room, command.args.seat)) return unknownSeat(command.args.seat);
  const entry = findRoll(room, id);
  if (command.do === 'assign' && entry?.wire.verdict !== 'accepted') {
    return takeUp(room, caller, command.id, id, command.args.seat, command.args.call);
  }
  if (entry === undefined) return noSuchRoll(id);
  if (entry.wire.standing === 'void') return refused('already_void', 'This roll does not count any more.');
  if (entry.wire.code === 'assigned')
    return refused('already_given', 'This throw was given to a seat: rule on the roll it became.');
  if (entry.wire.verdict !== 'accepted')
    return command.do === 'correct'
      ? correctUncounted(room, caller, command, entry)
      : rewriteRoll(room, caller, command.id, { ...entry, wire: { ...entry.wire, standing: 'void' } }, 'void');
  return attempt(room, caller, command.id, previews, (past) => {
    if (command.do === 'void') return tryVoid(past, entry);
    if (command.do === 'assign') return tryReassign(past, entry, command.args.seat);
    const { natural, dice } = command.args;
    return tryCorrect(past, entry, dice ?? (natural === undefined ? [] : [natural]));
  });
}

/** `lend` of a roll that counted: its roller gives it to another seat, as long as nothing has been built on it. */
export function lendCounted(room: Room, caller: Caller, command: Of<'lend'>, previews: Previews): Done {
  const entry = findRoll(room, command.args.roll);
  if (entry === undefined || entry.wire.standing === 'void') return noSuchRoll(command.args.roll);
  const act = (past: Past): Tried => tryReassign(past, entry, command.args.seat);
  if (caller.role === 'gm') return attempt(room, caller, command.id, previews, act);
  if (entry.wire.seat !== null && entry.wire.seat !== seatFor(caller, undefined))
    return refused('not_your_roll', 'Somebody else threw this die: they or the GM may lend it.');
  const past = pastOf(room);
  const tried = past === undefined ? undefined : act(past);
  if (tried === undefined) return UNREADABLE;
  if (!tried.ok) return refusedBy(tried);
  if (!tried.value.smooth) return refused('needs_gm', 'Others have gone on from this roll: the GM decides.');
  return apply(room, caller, command.id, tried.value);
}

function pastOf(room: Room): Past | undefined {
  const { course, rolls, incomplete } = room.state();
  return course === undefined || incomplete ? undefined : { table: room.id, course, rolls };
}

const refusedBy = ({ error }: Extract<Tried, { ok: false }>): Done =>
  refused(error.code, error.reason, error.expected === undefined ? {} : { expected: error.expected });

function attempt(room: Room, caller: Caller, command: string, previews: Previews, act: (past: Past) => Tried): Done {
  if (pastOf(room) === undefined) return UNREADABLE;
  const again: Attempt = () => {
    const past = pastOf(room);
    return past === undefined ? { ok: false, error: { code: 'incomplete', reason: 'Open a new game.' } } : act(past);
  };
  const tried = again();
  if (!tried.ok) return refusedBy(tried);
  if (tried.value.smooth) return apply(room, caller, command, tried.value);
  return show(room, previews, tried.value, again);
}

function show(room: Room, previews: Previews, trial: Trial, again: Attempt): Done {
  const preview = previewOf(room, previews.nextId(room.id), trial);
  previews.add(preview, again);
  return done(null, { preview });
}

function apply(room: Room, caller: Caller, command: string, trial: Trial): Done {
  const body = { v: 1, caller: caller.id, rewound: trial.rewound } as const;
  return done(room.commit('rewound', body, commandOrigin(room, caller, command)));
}

function previewOf(room: Room, id: string, trial: Trial): Preview {
  const state = room.state();
  const then = { ...state, course: trial.course };
  return {
    id,
    changes: state.course === undefined ? [] : changes(state.course, trial.course),
    loose: trial.rewound.loose.map((seq) => ({ seq, reason: reasonOf(trial.rewound, seq) })),
    trackers: [...state.trackers.values()].flatMap((tracker) => {
      const face = expectedFace(then, tracker.seat, tracker.counter);
      return face === undefined || face === tracker.face
        ? []
        : [{ seat: tracker.seat, counter: tracker.counter, face }];
    }),
  };
}

function reasonOf(rewound: Rewound, seq: number): string {
  const verdict = rewound.records.find((step) => step.id === seq)?.verdict;
  return verdict?.verdict === 'refused' || verdict?.verdict === 'loose' ? verdict.reason : 'it no longer fits';
}

/**
 * `confirm`: the ruling that was previewed, tried again on the table as it is now. If deeds that were not shown would
 * become loose, it is shown again instead.
 */
export function confirm(room: Room, caller: Caller, command: Of<'confirm'>, previews: Previews): Done {
  const waiting = previews.take(command.args.preview);
  if (waiting === undefined) return refused('no_such_preview', 'This preview is gone: try the ruling again.');
  const tried = waiting.attempt();
  if (!tried.ok) return refusedBy(tried);
  const shown = new Set(waiting.preview.loose.map(({ seq }) => seq));
  if (tried.value.rewound.loose.every((seq) => shown.has(seq))) return apply(room, caller, command.id, tried.value);
  const fresh = show(room, previews, tried.value, waiting.attempt);
  const id = fresh.ok ? fresh.preview?.id : undefined;
  return refused(
    'stale_preview',
    'More has happened since: look again at what would change.',
    id === undefined ? {} : { expected: `confirm ${id}` },
  );
}

/** `redo`: brings back what the last undo took. */
export function redoLast(room: Room, caller: Caller, command: Of<'redo'>): Done {
  const { undone, incomplete } = room.state();
  const last = undone.at(-1);
  if (incomplete) return UNREADABLE;
  if (last === undefined) return refused('nothing_to_redo', 'Nothing was taken back.');
  const body = { v: 1, caller: caller.id, rewound: redo(last) } as const;
  return done(room.commit('rewound', body, commandOrigin(room, caller, command.id)));
}

/** A roll that did not count keeps not counting, with its right face. */
function correctUncounted(room: Room, caller: Caller, command: Of<'correct'>, entry: RollEntry): Done {
  const { wire } = entry;
  const [die] = wire.dice;
  const natural = command.args.natural ?? command.args.dice?.[0];
  if (die === undefined || natural === undefined)
    return refused('which_number', 'Name the natural result.', { expected: 'natural' });
  const type = die.type as NaturalDeed['die']['type'];
  const face = faceOf(type, natural);
  if (!face.ok) return refused('no_such_face', face.error, { expected: facesText(type) });
  const { quality, source, fake } = die;
  const ref = { die: die.die, type, quality, ...(fake === undefined ? {} : { fake }) };
  const deed: NaturalDeed = { kind: 'natural', call: null, seat: wire.seat, die: ref, face: face.value, source };
  const alone = completes(deed, undefined, false);
  if (alone === undefined || 'missing' in alone) return noSuchRoll(wire.id);
  const why = { verdict: 'loose', code: wire.code ?? 'loose', reason: wire.reason ?? '' } as const;
  const retold = rollWire({ id: wire.id, game: wire.game, origin: wire.origin }, alone, why);
  const { purpose, for: whom, rule, verdict, late } = wire;
  const told = { ...(whom === undefined ? {} : { for: whom }), ...(late === undefined ? {} : { late }) };
  const kept = { purpose, rule, verdict, ...told };
  return rewriteRoll(
    room,
    caller,
    command.id,
    { ...entry, wire: { ...retold, ...kept, standing: 'corrected' } },
    'correct',
  );
}

/** Changes how a roll is told without touching the game: nothing before or after it is judged again. */
function rewriteRoll(room: Room, caller: Caller, command: string, roll: RollEntry, ruling: Rewound['ruling']): Done {
  const rewound: Rewound = { from: room.state().seq + 1, records: [], ruling, loose: [], rolls: [roll] };
  const body = { v: 1, caller: caller.id, rewound } as const;
  return done(room.commit('rewound', body, commandOrigin(room, caller, command)));
}
