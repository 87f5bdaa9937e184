import { randomInt } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import { isId } from '../dice/ids.js';
import type { Json, JsonObject } from '../dice/json.js';
import { err, ok, type Result } from '../dice/result.js';
import type { SeatSetup } from '../games/game.js';
import { GAME_IDS, gameById } from '../games/registry.js';
import { Referee } from '../table/referee.js';
import { asksHelp } from './asked-help.js';
import { answerTo, type Fault, get, object, type Session } from './deed-line.js';
import { MAX_LINE_BYTES, readLines } from './lines.js';
import { withFiles } from './setup-data.js';

const USAGE = `Usage: tiro play ${GAME_IDS.join('|')} < deeds
First line {"setup":{"seats":["ada","bea"]}}, then one deed a line; verdicts come out as JSON lines.
Exit 0: every line was a deed; 1: a line was none; 2: wrong usage.
`;

/**
 * `tiro play GAME`: a referee on standard input (contracts B).
 * @returns exit code: 0, 1 if a line was no deed or the setup was refused, 2 on wrong usage
 */
export async function play(
  args: readonly string[],
  stdin: Readable,
  stdout: Writable,
  stderr: Writable,
): Promise<number> {
  if (asksHelp(args)) {
    stdout.write(USAGE);
    return 0;
  }
  const [id, surplus] = args;
  const game = id === undefined ? undefined : gameById(id);
  if (game === undefined || surplus !== undefined) {
    stderr.write(
      id === undefined
        ? USAGE
        : `tiro play: ${surplus === undefined ? `no game "${id.slice(0, 40)}"` : 'one game at a time'}\n${USAGE}`,
    );
    return 2;
  }
  const say = (line: object): void => {
    stdout.write(`${JSON.stringify(line)}\n`);
  };
  let session: Session | undefined;
  let failed = false;
  let n = 0;
  for await (const line of readLines(stdin)) {
    if (line.text.trim() === '') continue;
    const parsed = line.whole ? parseLine(line.text) : err(`longer than ${MAX_LINE_BYTES} bytes`);
    if (session === undefined) {
      const opened = parsed.ok ? setUp(game.id, parsed.value) : parsed;
      if (!opened.ok) {
        say({ kind: 'error', n: 0, why: opened.error });
        return 1;
      }
      session = opened.value;
      say({ kind: 'ready', awaited: session.referee.awaited() });
      continue;
    }
    n += 1;
    const answer = parsed.ok ? answerTo(session, n, parsed.value) : parsed;
    if (!answer.ok) failed = true;
    say(answer.ok ? answer.value : { kind: 'error', n, why: answer.error });
  }
  if (session === undefined) {
    say({ kind: 'error', n: 0, why: 'no line {"setup":{…}} was given' });
    return 1;
  }
  say({ kind: 'state', game: game.id, state: session.referee.state({ role: 'gm' }) });
  return failed ? 1 : 0;
}

function parseLine(text: string): Result<JsonObject, Fault> {
  try {
    const value = object(JSON.parse(text) as Json);
    return value === undefined ? err('a line is one JSON object') : ok(value);
  } catch (error) {
    return err(`not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function setUp(id: string, line: JsonObject): Result<Session, Fault> {
  const named = object(get(line, 'setup'));
  const read = named === undefined ? undefined : withFiles(named);
  if (read?.ok === false) return read;
  const setup = read?.value;
  const game = gameById(id);
  const outside = gameById('external');
  if (setup === undefined || game === undefined || outside === undefined)
    return err('the first line is {"setup":{"seats":[…]}}');
  const seats = readSeats(get(setup, 'seats'));
  if (!seats.ok) return seats;
  const opening = game.setup(setup, seats.value);
  if (opening.verdict === 'refused' || opening.verdict === 'loose') {
    const expected =
      opening.verdict === 'refused' && opening.expected !== undefined ? ` (expected: ${opening.expected})` : '';
    return err(
      `setup refused: ${opening.code}${opening.rule === undefined ? '' : ` ${opening.rule}`}: ${opening.reason}${expected}`,
    );
  }
  const calls = outside.setup({}, seats.value);
  const outsideEvents = calls.verdict === 'accepted' || calls.verdict === 'open' ? calls.events : [];
  const referee = new Referee(game, opening.events, outside, outsideEvents, (sides) => randomInt(1, sides + 1));
  return ok({ game: id, referee, seats: new Set(seats.value.map((seat) => seat.id)) });
}

function readSeats(value: Json | undefined): Result<SeatSetup[], Fault> {
  if (!Array.isArray(value)) return err('setup.seats: a list of seat ids, or of {"id","name"}');
  const seats: SeatSetup[] = [];
  for (const entry of value as readonly Json[]) {
    const own = typeof entry === 'string' ? { id: entry } : object(entry);
    const id = own === undefined ? undefined : get(own, 'id');
    const name = own === undefined ? undefined : get(own, 'name');
    if (typeof id !== 'string' || !isId(id))
      return err(
        `setup.seats: ${JSON.stringify(entry).slice(0, 60)} is no seat id (a small letter or digit, then at most 31 of a-z 0-9 _ -)`,
      );
    seats.push({ id, name: typeof name === 'string' ? name : id });
  }
  return ok(seats);
}
