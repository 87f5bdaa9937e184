import { faceOf } from '../dice/die.js';
import type { Seat } from '../games/game.js';
import type { Command, Preview } from '../wire/command.js';
import { judgeThrow } from './deeds.js';
import { seatFor } from './permit.js';
import { commandOrigin, isSeat, unknownSeat } from './playing.js';
import type { Caller } from './port.js';
import type { Rewound, RollEntry } from './record.js';
import { type Done, done, type Room, refused } from './room.js';
import { changes, redo, type Trial, tryCorrect, tryReassign, tryUndo, tryVoid } from './rulings.js';
import type { TableState } from './state.js';
import type { Throw } from './throw.js';
import { rollWire } from './throw.js';
import { expectedFace } from './tracker.js';

type Of<K extends Command['do']> = Extract<Command, { do: K }>;
type Attempt = () => ReturnType<typeof tryVoid>;

/** Previews that wait for a confirmation; the oldest goes when there are more. */
export const MAX_PREVIEWS = 20;

/** Rulings that the GM has been shown and not yet confirmed. They are tried again on confirmation. */
export class Previews {
  readonly #waiting = new Map<string, { readonly preview: Preview; readonly attempt: Attempt }>();

  list(): readonly Preview[] {
    return [...this.#waiting.values()].map(({ preview }) => preview);
  }

  add(preview: Preview, attempt: Attempt): void {
    this.#waiting.set(preview.id, { preview, attempt });
    const oldest = this.#waiting.size > MAX_PREVIEWS ? this.#waiting.keys().next().value : undefined;
    if (oldest !== undefined) this.#waiting.delete(oldest);
  }

  take(id: string): Attempt | undefined {
    const found = this.#waiting.get(id);
    this.#waiting.delete(id);
    return found?.attempt;
  }
}

const noSuchRoll = (id: string): Done =>
  refused('no_such_roll', `No roll ${id.slice(0, 64)} is known (the last 200 are).`);

/** `correct`, `void`, `assign` of a roll that counted, `undo`: tried on a branch, applied at once or previewed. */
export function rule(
  room: Room,
  caller: Caller,
  command: Of<'correct' | 'void' | 'assign' | 'undo'>,
  previews: Previews,
): Done {
  if (command.do === 'undo')
    return attempt(room, caller, command.id, previews, () =>
      withCourse(room, (course, rolls) => tryUndo(course, rolls, command.args.n ?? 1)),
    );
  const { roll: id } = command.args;
  if (command.do === 'assign' && !isSeat(room, command.args.seat)) return unknownSeat(command.args.seat);
  const entry = find(room, id);
  if (command.do === 'assign' && (entry === undefined || entry.wire.verdict !== 'accepted')) {
    return takeUp(room, caller, command.id, id, command.args.seat, command.args.call);
  }
  if (entry === undefined) return noSuchRoll(id);
  if (entry.wire.standing === 'void') return refused('already_void', 'This roll does not count any more.');
  if (entry.wire.verdict !== 'accepted')
    return command.do === 'correct'
      ? correctUncounted(room, caller, command, entry)
      : voidUncounted(room, caller, command.id, entry);
  return attempt(room, caller, command.id, previews, () =>
    withCourse(room, (course, rolls) => {
      if (command.do === 'void') return tryVoid(course, rolls, entry);
      if (command.do === 'assign') return tryReassign(course, rolls, entry, command.args.seat);
      const { natural, dice } = command.args;
      return tryCorrect(course, rolls, entry, dice ?? (natural === undefined ? [] : [natural]));
    }),
  );
}

function withCourse(
  room: Room,
  act: (course: NonNullable<TableState['course']>, rolls: readonly RollEntry[]) => ReturnType<Attempt>,
): ReturnType<Attempt> {
  const { course, rolls } = room.state();
  return course === undefined
    ? { ok: false, error: { code: 'incomplete', reason: 'The chronicle could not be read.' } }
    : act(course, rolls);
}

function find(room: Room, id: string): RollEntry | undefined {
  return room.state().rolls.find((roll) => roll.wire.id === id);
}

function attempt(room: Room, caller: Caller, command: string, previews: Previews, act: Attempt): Done {
  const tried = act();
  if (!tried.ok)
    return refused(
      tried.error.code,
      tried.error.reason,
      tried.error.expected === undefined ? {} : { expected: tried.error.expected },
    );
  if (tried.value.smooth) return apply(room, caller, command, tried.value);
  const preview = previewOf(room, tried.value);
  previews.add(preview, act);
  return done(null, { preview });
}

function apply(room: Room, caller: Caller, command: string, trial: Trial): Done {
  return done(
    room.commit('rewound', { v: 1, caller: caller.id, rewound: trial.rewound }, commandOrigin(caller, command)),
  );
}

function previewOf(room: Room, trial: Trial): Preview {
  const state = room.state();
  const then = { ...state, course: trial.course };
  return {
    id: `${room.id}-${state.seq}-${trial.rewound.ruling}-${trial.rewound.from}`.slice(0, 64),
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

/** `confirm`: the ruling that was previewed, tried again on the table as it is now. */
export function confirm(room: Room, caller: Caller, command: Of<'confirm'>, previews: Previews): Done {
  const act = previews.take(command.args.preview);
  if (act === undefined) return refused('no_such_preview', 'This preview is gone: try the ruling again.');
  const tried = act();
  return tried.ok ? apply(room, caller, command.id, tried.value) : refused(tried.error.code, tried.error.reason);
}

/** `redo`: brings back what the last undo took. */
export function redoLast(room: Room, caller: Caller, command: Of<'redo'>): Done {
  const { undone, rolls } = room.state();
  const last = undone.at(-1);
  if (last === undefined) return refused('nothing_to_redo', 'Nothing was taken back.');
  return done(
    room.commit('rewound', { v: 1, caller: caller.id, rewound: redo(rolls, last) }, commandOrigin(caller, command.id)),
  );
}

/** A roll that did not count keeps not counting, with its right face. */
function correctUncounted(room: Room, caller: Caller, command: Of<'correct'>, entry: RollEntry): Done {
  const die = entry.wire.dice[0];
  const natural = command.args.natural ?? command.args.dice?.[0];
  if (die === undefined || natural === undefined)
    return refused('which_number', 'Name the natural result.', { expected: 'natural' });
  const type = die.type as Throw['type'];
  const face = faceOf(type, natural);
  if (!face.ok) return refused('no_such_face', face.error);
  const { natural: _natural, result: _result, total: _total, planar: _planar, ...rest } = entry.wire;
  const deed = {
    kind: 'natural' as const,
    call: null,
    seat: entry.wire.seat,
    die: { die: die.die, type, quality: die.quality },
    face: face.value,
    source: die.source,
  };
  const retold = rollWire(
    { id: entry.wire.id, game: entry.wire.game, origin: entry.wire.origin },
    deed,
    undefined,
    soloOutcome(die, face.value),
    { verdict: 'loose', code: entry.wire.code ?? 'loose', reason: entry.wire.reason ?? '' },
  );
  const wire = { ...retold, ...rest, dice: retold.dice, ...numbers(retold), standing: 'corrected' as const };
  return rewriteRoll(room, caller, command.id, { ...entry, wire }, 'correct');
}

function soloOutcome(die: RollEntry['wire']['dice'][number], face: number | string): Parameters<typeof rollWire>[3] {
  const natural = die.type === 'd10' && face === 0 ? 10 : face;
  const told = { ...die, face, natural, result: natural } as Parameters<typeof rollWire>[3]['dice'][number];
  return typeof natural === 'number'
    ? { dice: [told], modifiers: [], natural, result: natural, total: natural }
    : { dice: [told], modifiers: [] };
}

function numbers(wire: RollEntry['wire']): Partial<RollEntry['wire']> {
  const { natural, result, total, planar } = wire;
  return {
    ...(natural === undefined ? {} : { natural }),
    ...(result === undefined ? {} : { result }),
    ...(total === undefined ? {} : { total }),
    ...(planar === undefined ? {} : { planar }),
  };
}

function voidUncounted(room: Room, caller: Caller, command: string, entry: RollEntry): Done {
  return rewriteRoll(room, caller, command, { ...entry, wire: { ...entry.wire, standing: 'void' } }, 'void');
}

/** Changes how a roll is told without touching the game: nothing before or after it is judged again. */
function rewriteRoll(room: Room, caller: Caller, command: string, roll: RollEntry, ruling: Rewound['ruling']): Done {
  const rewound: Rewound = { from: room.state().seq + 1, records: [], ruling, loose: [], rolls: [roll] };
  return done(room.commit('rewound', { v: 1, caller: caller.id, rewound }, commandOrigin(caller, command)));
}

/** `claim`, `lend`, `assign`: a throw that did not count, or a rest that was only offered, is put before the rules now. */
export function claim(room: Room, caller: Caller, command: Of<'claim' | 'lend'>): Done {
  const { roll: id } = command.args;
  const seat = command.do === 'lend' ? command.args.seat : seatFor(caller, command.args.seat);
  if (seat === undefined || !isSeat(room, seat)) return unknownSeat(seat ?? '');
  const owner = find(room, id)?.wire.seat ?? room.state().offers.find((offer) => offer.roll === id)?.seat ?? null;
  if (caller.role !== 'gm' && owner !== null && owner !== caller.seat) {
    return refused('not_your_roll', 'Somebody else threw this die: they or the GM may lend it.');
  }
  return takeUp(room, caller, command.id, id, seat, command.do === 'claim' ? command.args.call : undefined);
}

function takeUp(room: Room, caller: Caller, command: string, id: string, seat: Seat, call: string | undefined): Done {
  const thrown = looseThrow(room, id);
  if (thrown === undefined) return noSuchRoll(id);
  if (room.state().evening !== 'open')
    return refused(room.state().evening, 'The evening is not open: nothing counts now.');
  const judged = judgeThrow(
    room,
    { ...thrown, seat, ...(call === undefined ? {} : { call }) },
    {
      origin: commandOrigin(caller, command),
      caller: caller.id,
      also: [{ kind: 'taken', ev: 1, roll: id }],
    },
  );
  if (judged === undefined) return refused('incomplete', 'The chronicle could not be read.');
  const { verdict, seq, roll } = judged;
  if (verdict.verdict !== 'refused' && verdict.verdict !== 'loose') {
    return done(seq, roll === undefined ? {} : { roll: roll.id });
  }
  return refused(verdict.code, verdict.reason, verdict.rule === undefined ? {} : { rule: verdict.rule });
}

/** The die behind an uncounted roll or an offer; undefined if it counted, was taken already, or is unknown. */
function looseThrow(room: Room, id: string): Omit<Throw, 'seat'> | undefined {
  const offer = room.state().offers.find((candidate) => candidate.roll === id);
  if (offer !== undefined) {
    const face = offer.face as Throw['face'];
    return {
      die: offer.die,
      type: offer.type,
      face,
      source: 'physical',
      quality: 'unverified',
      others: 0,
      ...(offer.fake === undefined ? {} : { fake: offer.fake }),
    };
  }
  const wire = find(room, id)?.wire;
  const die = wire?.dice[0];
  if (
    wire === undefined ||
    die === undefined ||
    wire.verdict === 'accepted' ||
    (wire.standing !== 'valid' && wire.code === 'assigned') ||
    wire.standing === 'void'
  )
    return undefined;
  const type = die.type as Throw['type'];
  return {
    die: die.die,
    type,
    face: die.face,
    source: die.source,
    quality: die.quality,
    others: 0,
    ...(die.fake === undefined ? {} : { fake: die.fake }),
  };
}
