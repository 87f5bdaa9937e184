import { type DieType, isFaceOf, parseDieType } from '../dice/die.js';
import { SET_COUNTERS } from '../games/duties.js';
import type { Command } from '../wire/command.js';
import { commandOrigin, isSeat, unknownSeat } from './playing.js';
import type { Caller, DieListing } from './port.js';
import type { Binding, TableEvent } from './record.js';
import { type Done, done, type Room, refused } from './room.js';

type Of<K extends Command['do']> = Extract<Command, { do: K }>;
type Refusal = Extract<Done, { ok: false }>;
type Shell = NonNullable<Of<'bind'>['args']['shell']>;
type Bindings = ReadonlyMap<string, Binding>;

/** Dice enrolled at one table. */
export const MAX_DICE_AT_TABLE = 200;

/** What the house knows of a die that was heard. */
export interface DieRegistry {
  listing(die: string): DieListing | undefined;
}

const isRefusal = (found: object): found is Refusal => 'ok' in found;

/** `enrol`: a die that was heard joins the table (or leaves it), or is read in another way. It counts for nobody before. */
export function enrol(room: Room, caller: Caller, command: Of<'enrol'>, registry: DieRegistry): Done {
  const { die, enrolled, name } = command.args;
  const { bindings } = room.state();
  const known = bindings.get(die);
  const origin = commandOrigin(room, caller, command.id);
  if (enrolled === false) {
    if (known === undefined) return refused('not_enrolled', `The die "${die}" is not enrolled at this table.`);
    return done(room.commit('binding', { v: 1, table: [{ kind: 'die_released', ev: 1, die }] }, origin));
  }
  const heard = registry.listing(die);
  const denied = mayNotSit(room, bindings, die, heard);
  if (denied !== undefined) return denied;
  const read = readAnew(known ?? fresh(die, heard), command.args);
  if (isRefusal(read)) return read;
  const binding: Binding = { ...read, ...(name === undefined ? {} : { name }) };
  return done(room.commit('binding', { v: 1, table: [{ kind: 'die_enrolled', ev: 1, binding }] }, origin));
}

/** Why a die may not be at this table: nobody has heard it, it sits elsewhere, it is blocked, or the table is full. */
function mayNotSit(room: Room, bindings: Bindings, die: string, heard: DieListing | undefined): Refusal | undefined {
  if (!bindings.has(die) && heard === undefined)
    return refused('no_such_die', `No die "${die}" has been heard.`, { expected: 'a die that is awake and listed' });
  if (heard !== undefined && heard.table !== null && heard.table !== room.id) {
    return refused('enrolled_elsewhere', `The die "${die}" is enrolled at the table "${heard.table}".`, {
      expected: `enrol with "enrolled": false at ${heard.table} first`,
    });
  }
  if (room.state().blocked.has(die))
    return refused('die_blocked', `The die "${die}" is blocked at this table.`, {
      expected: 'block with "blocked": false first',
    });
  if (!bindings.has(die) && bindings.size >= MAX_DICE_AT_TABLE)
    return refused('too_many_dice', `A table enrols at most ${MAX_DICE_AT_TABLE} dice.`);
  return undefined;
}

function fresh(die: string, heard: DieListing | undefined): Binding {
  const type = heard?.type == null ? undefined : parseDieType(heard.type);
  return {
    die,
    device: heard?.device ?? die,
    model: heard?.model ?? 'unknown',
    ...(type?.ok === true ? { type: type.value } : {}),
    seat: null,
    duty: 'rolls',
    ...(heard?.fake === true ? { fake: true as const } : {}),
  };
}

/** True if two pairs begin alike. */
const isTwice = (pairs: readonly (readonly [unknown, unknown])[] = []): boolean =>
  new Set(pairs.map(([first]) => first)).size < pairs.length;

const typeIn = (shell: Shell): DieType => (shell === 'd10x' ? 'd00' : shell);

/**
 * The binding with its owner's word on how the die is read: shell, kind, faces of its own and their names; null, or an
 * empty list, takes that word back.
 */
function readAnew(binding: Binding, { shell, kind, faces, names }: Of<'enrol'>['args']): Binding | Refusal {
  const { shell: oldShell, kind: oldKind, faces: oldFaces, names: oldNames, ...rest } = binding;
  const named = kind == null ? undefined : parseDieType(kind);
  if (named?.ok === false) return refused('no_such_type', named.error);
  const worn = shell === undefined ? oldShell : (shell ?? undefined);
  const is = kind === undefined ? oldKind : named?.value;
  const told = shell == null ? named?.value : typeIn(shell);
  const type = told ?? rest.type;
  // Faces of its own, and their names, belong to what the die was read as before.
  const same = told === undefined || told === rest.type;
  const own = faces ?? (same ? oldFaces : undefined);
  const borne = names ?? (same ? oldNames : undefined);
  const printed = [...(own ?? []).map(([, face]) => face), ...(borne ?? []).map(([face]) => face)];
  const wrong = printed.some((face) => type === undefined || !isFaceOf(type, face));
  if (wrong || isTwice(own) || isTwice(borne))
    return refused('no_such_face', `These are no faces of a ${type ?? 'die of unknown kind'}.`, {
      expected: 'each index and each named face once, each face as it is printed',
    });
  return {
    ...rest,
    ...(type === undefined ? {} : { type }),
    ...(worn === undefined ? {} : { shell: worn }),
    ...(is === undefined ? {} : { kind: is }),
    ...(own === undefined || own.length === 0 ? {} : { faces: own }),
    ...(borne === undefined || borne.length === 0 ? {} : { names: borne }),
  };
}

/** `bind`: whose a die is, and whether it rolls, counts or is a pawn. Enrols it if need be; its link stays as it is. */
export function bind(room: Room, caller: Caller, command: Of<'bind'>, registry: DieRegistry): Done {
  const { bindings } = room.state();
  const heard = registry.listing(command.args.die);
  const denied = mayNotSit(room, bindings, command.args.die, heard);
  if (denied !== undefined) return denied;
  const binding = bound(room, bindings, command.args, heard);
  if (isRefusal(binding)) return binding;
  const body = { v: 1, table: [{ kind: 'die_enrolled', ev: 1, binding }] } as const;
  return done(room.commit('binding', body, commandOrigin(room, caller, command.id)));
}

function bound(
  room: Room,
  bindings: Bindings,
  order: Of<'bind'>['args'],
  heard: DieListing | undefined,
): Binding | Refusal {
  const { die, seat: owner, duty = 'rolls', shell } = order;
  if (owner !== null && !isSeat(room, owner)) return unknownSeat(owner);
  const known = bindings.get(die) ?? fresh(die, heard);
  const read = shell === undefined ? known : readAnew(known, { die, shell });
  if (isRefusal(read)) return read;
  const { counter: _old, ...rest } = read;
  const usual = rest.type === undefined ? undefined : SET_COUNTERS.get(rest.type);
  const counter = duty === 'counts' ? (order.counter ?? usual) : undefined;
  if (duty === 'counts' && (counter === undefined || owner === null))
    return refused('which_counter', 'A die that counts needs a seat and the name of what it counts.', {
      expected: 'seat and counter, as "pv"',
    });
  const rival = [...bindings.values()].find(
    (other) => counter !== undefined && other.die !== die && other.seat === owner && other.counter === counter,
  );
  if (rival !== undefined)
    return refused('counter_taken', `The die "${rival.die}" counts ${counter} of ${owner} already.`, {
      expected: 'another counter, or that die released first',
    });
  return { ...rest, seat: owner, duty, ...(counter === undefined ? {} : { counter }) };
}

/** Models by how the ids of their dice begin: a die on a list need not have been heard. */
const MODELS = [
  ['pixels-', 'Pixels'],
  ['godice-', 'GoDice'],
] as const;

/** `enlist`: a list of dice, heard or not, all of them or none. */
export function enlist(room: Room, caller: Caller, command: Of<'enlist'>, registry: DieRegistry): Done {
  const bindings = new Map(room.state().bindings);
  const events: TableEvent[] = [];
  for (const order of command.args.dice) {
    const { die, name } = order;
    const heard = registry.listing(die);
    const model = MODELS.find(([start]) => die.startsWith(start))?.[1];
    if (bindings.get(die) === undefined && heard === undefined && model !== undefined)
      bindings.set(die, { die, device: die, model, seat: null, duty: 'rolls' });
    if (bindings.size > MAX_DICE_AT_TABLE)
      return refused('too_many_dice', `A table enrols at most ${MAX_DICE_AT_TABLE} dice.`);
    const made = mayNotSit(room, bindings, die, heard) ?? bound(room, bindings, order, heard);
    if (isRefusal(made)) return { ...made, reason: `${die}: ${made.reason}` };
    const binding: Binding = { ...made, ...(name === undefined ? {} : { name }) };
    bindings.set(die, binding);
    events.push({ kind: 'die_enrolled', ev: 1, binding });
  }
  return done(room.commit('binding', { v: 1, table: events }, commandOrigin(room, caller, command.id)));
}

/** `block`: a die that shall never be listed as new again (or shall). */
export function block(room: Room, caller: Caller, command: Of<'block'>): Done {
  const { die, blocked = true } = command.args;
  const events: TableEvent[] = [{ kind: 'die_blocked', ev: 1, die, blocked }];
  if (blocked && room.state().bindings.has(die)) events.push({ kind: 'die_released', ev: 1, die });
  return done(room.commit('binding', { v: 1, table: events }, commandOrigin(room, caller, command.id)));
}
