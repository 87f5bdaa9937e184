import { Readable, Writable } from 'node:stream';
import { expect } from 'vitest';
import { play } from '../../src/cli/play.js';
import type { Json, JsonObject } from '../../src/dice/json.js';

/** A line of a script: the deed, and what the rulebook says comes of it. */
export interface Line {
  readonly deed: JsonObject;
  readonly verdict?: 'accepted' | 'open' | 'taken' | 'loose' | 'refused';
  /** The rule that a refusal cites. */
  readonly rule?: string;
  /** Of the calls that wait afterwards, one is like this. */
  readonly awaited?: readonly JsonObject[];
  /** No call that waits afterwards is like this. */
  readonly unawaited?: readonly JsonObject[];
  /** What the view shows, if the deed looks. */
  readonly state?: object;
}

/** A script of the referee: `end` is a part of the state at its end. */
export interface Script {
  readonly rule: string;
  readonly title: string;
  readonly setup: JsonObject;
  readonly lines: readonly Line[];
  readonly end: object;
}

export const roll = (seat: string, sides: number, natural: number): JsonObject => ({ roll: { seat, sides, natural } });
export const dice = (seat: string, ...thrown: readonly (readonly [type: string, natural: number])[]): JsonObject => ({
  roll: { seat, dice: thrown.map(([type, natural]) => ({ type, natural })) },
});
export const act = (seat: string, action: string, args: JsonObject = {}): JsonObject => ({
  choose: { seat, action, ...args },
});
export const gm = (action: string, args: JsonObject = {}): JsonObject => act('gm', action, args);
export const option = (seat: string, chosen: Json): JsonObject => ({ choose: { seat, option: chosen } });
export const set = (seat: string, counter: string, face: number): JsonObject => ({ set: { seat, counter, face } });
export const wait = (ms: number): JsonObject => ({ wait: { ms } });

type Calls = Pick<Line, 'awaited' | 'unawaited'>;

/** A deed whose verdict is of no matter here. */
export const put = (deed: JsonObject): Line => ({ deed });
export const accepted = (deed: JsonObject, calls: Calls = {}): Line => ({ deed, verdict: 'accepted', ...calls });
export const open = (deed: JsonObject, calls: Calls = {}): Line => ({ deed, verdict: 'open', ...calls });
/** Accepted or open. */
export const taken = (deed: JsonObject, calls: Calls = {}): Line => ({ deed, verdict: 'taken', ...calls });
export const loose = (deed: JsonObject): Line => ({ deed, verdict: 'loose' });
export const refused = (deed: JsonObject, rule?: string): Line => ({
  deed,
  verdict: 'refused',
  ...(rule === undefined ? {} : { rule }),
});
export const shows = (state: object, as = 'gm'): Line => ({ deed: { view: { as } }, state });

/** Runs lines through `tiro play dicebound`. */
export async function played(setup: JsonObject, deeds: readonly string[]) {
  const out: string[] = [];
  const told = new Writable({
    write(chunk, _encoding, done) {
      out.push(String(chunk));
      done();
    },
  });
  const input = Readable.from([`${[JSON.stringify({ setup }), ...deeds].join('\n')}\n`]);
  const exit = await play(['dicebound'], input, told, told);
  const lines = out.join('').trimEnd().split('\n');
  return { exit, answers: lines.map((line) => JSON.parse(line) as JsonObject) };
}

/** Plays a script and holds every answer against it. */
export async function referee({ setup, lines, end }: Script): Promise<void> {
  const { exit, answers } = await played(
    setup,
    lines.map(({ deed }) => JSON.stringify(deed)),
  );
  expect(answers[0]).toMatchObject({ kind: 'ready' });
  for (const [at, line] of lines.entries())
    compare(line, answers[at + 1], `line ${at + 1}: ${JSON.stringify(line.deed)}`);
  expect(answers.at(-1)).toMatchObject({ kind: 'state', state: end });
  expect(exit).toBe(0);
}

function compare(line: Line, answer: JsonObject | undefined, place: string): void {
  if (line.state !== undefined) expect(answer, place).toMatchObject({ kind: 'view', state: line.state });
  else expect(answer, place).toMatchObject({ kind: 'verdict' });
  if (line.verdict === 'taken')
    expect(['accepted', 'open'], `${place}: ${JSON.stringify(answer)}`).toContain(answer?.verdict);
  else if (line.verdict !== undefined) expect(answer, place).toMatchObject({ verdict: line.verdict });
  if (line.rule !== undefined) expect(answer, place).toMatchObject({ rule: line.rule });
  for (const call of line.awaited ?? [])
    expect(answer?.awaited, place).toEqual(expect.arrayContaining([expect.objectContaining(call)]));
  for (const call of line.unawaited ?? [])
    expect(answer?.awaited, place).not.toEqual(expect.arrayContaining([expect.objectContaining(call)]));
}
