import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { carryOut, Order, type Outcome } from './orders.js';
import { PseudoTerminal } from './pseudo-terminal.js';
import { VirtualRadio } from './virtual-radio.js';

// A radio in a process of its own: see README. Orders come in by standard input, answers and events go out, a line each.

const { values } = parseArgs({
  options: {
    pty: { type: 'string' },
    socket: { type: 'string' },
    seed: { type: 'string', default: '1' },
    snoop: { type: 'string' },
    links: { type: 'string', default: '7' },
    'first-handle': { type: 'string', default: '64' },
  },
});

/** Monotonic for every process of this machine, in milliseconds. */
const monotonic = (): number => Number(process.hrtime.bigint()) / 1e6;

const tell = (line: Outcome): void => {
  process.stdout.write(`${JSON.stringify({ ...line, monotonic: monotonic() })}\n`);
};

const radio = new VirtualRadio({
  seed: Number(values.seed),
  traits: { maxLinks: Number(values.links), firstHandle: Number(values['first-handle']) },
  ...(values.snoop === undefined ? {} : { snoop: values.snoop }),
  tell: (event) => tell({ ...event, at: performance.timeOrigin + performance.now() }),
});

const terminal = values.socket === undefined ? new PseudoTerminal((line) => radio.attach(line), values.pty) : null;
const server = createServer((line) => radio.attach(line));

const Line = z.object({ id: z.number() });
const plug = z.object({ do: z.enum(['plug', 'unplug']) });

async function obey(line: unknown): Promise<Outcome> {
  const plugging = plug.safeParse(line);
  if (plugging.success && terminal !== null) {
    await terminal[plugging.data.do]();
    if (plugging.data.do === 'unplug') radio.controller.reset();
    return {};
  }
  return carryOut(radio, Order.parse(line));
}

async function hear(text: string): Promise<void> {
  const line: unknown = JSON.parse(text);
  const { id } = Line.parse(line);
  try {
    tell({ re: id, ...(await obey(line)) });
  } catch (error) {
    tell({ re: id, error: error instanceof Error ? error.message : String(error) });
  }
}

async function leave(): Promise<void> {
  radio.close();
  server.close();
  await terminal?.close();
  process.exit(0);
}

if (values.socket === undefined) await terminal?.plug();
else await new Promise<void>((resolve) => server.listen(values.socket, resolve));
tell({ event: 'ready', path: terminal?.path ?? values.socket });
createInterface({ input: process.stdin })
  .on('line', (text) => void hear(text))
  .once('close', () => void leave());
process.once('SIGTERM', () => void leave());
