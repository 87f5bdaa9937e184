import { randomInt } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import { type DieType, type Face, faceOf, facesText, PLANAR_FACES, type Source, sidesOf } from '../dice/die.js';
import type { JsonObject } from '../dice/json.js';
import { err, type Result } from '../dice/result.js';
import { parseNotation } from '../rolls/notation.js';
import { accepts, beginWith, type Outcome, type Resolution, take, waitsFor } from '../rolls/resolution.js';
import { asksHelp } from './asked-help.js';
import { readLines } from './lines.js';

const USAGE = `Usage: tiro roll NOTATION [--percentile zero|ten] [--digital] < naturals
One natural result a line, as 17 or "d20 17"; each is answered with what is still missing, the last with the roll.
--digital draws all dice here. Exit 0: rolled; 1: a line was refused or dice are missing; 2: wrong usage.
`;

interface Order {
  readonly roll: Resolution;
  readonly digital: boolean;
}

function order(args: readonly string[]): Order | string {
  const words = args.filter((arg) => !arg.startsWith('--'));
  const options = args.filter((arg) => arg.startsWith('--'));
  const at = args.indexOf('--percentile');
  const reading = at < 0 ? 'zero' : (args[at + 1] ?? '');
  if (reading !== 'zero' && reading !== 'ten') return '--percentile is zero or ten';
  const strange = options.find((option) => option !== '--percentile' && option !== '--digital');
  if (strange !== undefined) return `no option ${strange.slice(0, 40)}`;
  const notation = words.filter((word) => word !== args[at + 1] || at < 0).join(' ');
  const asks = parseNotation(notation, reading);
  return asks.ok ? { roll: beginWith(asks.value), digital: options.includes('--digital') } : asks.error.reason;
}

/** An unbiased face of a die, drawn here. */
function drawn(type: DieType): Face {
  if (type === 'planar')
    return (['planeswalker', 'chaos', 'blank', 'blank', 'blank', 'blank'] as const)[randomInt(6)] ?? 'blank';
  if (type === 'fudge') return randomInt(3) - 1;
  if (type === 'd00') return randomInt(10) * 10;
  return type === 'd10' ? randomInt(10) : randomInt(sidesOf(type)) + 1;
}

/** A natural result as a line gives it, with its kind where it is named. */
function read(line: string): { type: string | undefined; natural: Face } | undefined {
  const [whole, type, word] = /^\s*(?:(d\d{1,4}|fudge|planar)\s+)?(-?\d{1,4}|[a-z]+)\s*$/i.exec(line) ?? [];
  if (whole === undefined || word === undefined) return undefined;
  const face = PLANAR_FACES.find((symbol) => symbol === word);
  if (face === undefined && !/^-?\d+$/.test(word)) return undefined;
  return { type: type?.toLowerCase(), natural: face ?? Number(word) };
}

/** Why a line is not taken: by which rule, and what was expected. */
interface Refusal {
  readonly code: string;
  readonly rule: string;
  readonly expected: string;
}

const refusal = (code: string, rule: string, expected: string): Result<never, Refusal> => err({ code, rule, expected });

function put(roll: Resolution, type: DieType, face: Face, source: Source, die: string): Result<Resolution, Refusal> {
  const taken = take(roll, { die, type, face, source, quality: 'ok' });
  return taken.ok ? taken : refusal(taken.error.code, '706.1', taken.error.expected.join(', '));
}

/** Takes a natural result: for the kind it names, else for the first missing one. */
function takeLine(roll: Resolution, line: string, n: number): Result<Resolution, Refusal> {
  const wait = waitsFor(roll);
  const given = read(line);
  if (given === undefined) return refusal('not_a_natural', '706.2', 'a natural result, as 17 or d20 17');
  if (wait.kind !== 'dice') return refusal('not_awaited', '706.1', 'no more dice');
  const type = (given.type ?? wait.missing[0] ?? 'd6') as DieType;
  if (!accepts(roll, type)) return refusal('wrong_die', '706.1', wait.missing.join(', '));
  const face = faceOf(type, given.natural);
  return face.ok
    ? put(roll, type, face.value, 'manual', `die-${n}`)
    : refusal('no_such_face', '706.1a', facesText(type));
}

function tell(outcome: Outcome): JsonObject {
  const { dice, modifiers, natural, result, total, planar } = outcome;
  return {
    kind: 'rolled',
    dice: dice.map(({ type, natural: face, result: value, status, source }) => ({
      type,
      natural: face,
      result: value,
      status,
      source,
    })),
    modifiers: modifiers.map((modifier) => ({ ...modifier })),
    ...(natural === undefined ? {} : { natural }),
    ...(result === undefined ? {} : { result }),
    ...(total === undefined ? {} : { total }),
    ...(planar === undefined ? {} : { planar }),
  };
}

function standing(roll: Resolution): JsonObject {
  const wait = waitsFor(roll);
  if (wait.kind === 'done') return tell(wait.outcome);
  return { kind: 'open', missing: wait.kind === 'dice' ? [...wait.missing] : [] };
}

/**
 * `tiro roll NOTATION`: a notation filled by natural results as they come.
 * @returns exit code: 0 rolled, 1 a line was refused or dice are missing at the end, 2 wrong usage
 */
export async function roll(
  args: readonly string[],
  stdin: Readable,
  stdout: Writable,
  stderr: Writable,
): Promise<number> {
  if (asksHelp(args)) {
    stdout.write(USAGE);
    return 0;
  }
  const asked = order(args);
  if (typeof asked === 'string') {
    stderr.write(`tiro roll: ${asked}\n${USAGE}`);
    return 2;
  }
  const say = (line: JsonObject): void => {
    stdout.write(`${JSON.stringify(line)}\n`);
  };
  let now = asked.roll;
  let refused = false;
  if (asked.digital) {
    for (let n = 1, wait = waitsFor(now); wait.kind === 'dice'; n += 1, wait = waitsFor(now)) {
      const type = wait.missing[0] ?? 'd6';
      const next = put(now, type, drawn(type), 'digital', `die-${n}`);
      if (!next.ok) return 1;
      now = next.value;
    }
    say(standing(now));
    return 0;
  }
  say(standing(now));
  let n = 0;
  for await (const line of readLines(stdin)) {
    if (line.text.trim() === '') continue;
    n += 1;
    const next = line.whole ? takeLine(now, line.text, n) : refusal('too_long', '706.2', 'a short line');
    if (!next.ok) {
      refused = true;
      say({ ...standing(now), kind: 'refused', ...next.error });
      continue;
    }
    now = next.value;
    say(standing(now));
  }
  return refused || waitsFor(now).kind !== 'done' ? 1 : 0;
}
