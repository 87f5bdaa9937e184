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
    controllers: { type: 'string', default: '1' },
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
  controllers: Number(values.controllers),
  traits: { maxLinks: Number(values.links), firstHandle: Number(values['first-handle']) },
  ...(values.snoop === undefined ? {} : { snoop: values.snoop }),
  tell: (event) => tell({ ...event, at: performance.timeOrigin + performance.now() }),
});

/** One for each controller; the first one has the path that was asked for. */
const terminals = radio.controllers.map(
  (_, place) => new PseudoTerminal((line) => radio.attach(line, place), place === 0 ? values.pty : undefined),
);
const server = createServer((line) => {
  radio.attach(line);
  // A kernel ends the links of a program that has ended; on a serial line the next program resets the controller.
  line.once('close', () => radio.controller.reset());
});

const Line = z.object({ id: z.number() });
const plug = z.object({
  do: z.enum(['plug', 'unplug']),
  controller: z.number().int().min(0).default(0),
  afterMs: z.number().min(0).default(0),
});

async function obey(line: unknown): Promise<Outcome> {
  const plugging = plug.safeParse(line);
  if (plugging.success && values.socket === undefined) {
    const { do: what, controller, afterMs } = plugging.data;
    // Here and not where the order comes from: hands move on by the same clock.
    if (afterMs > 0) await new Promise((resolve) => setTimeout(resolve, afterMs));
    await terminals[controller]?.[what]();
    if (what === 'unplug') radio.controllerAt(controller).reset();
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
  await Promise.all(terminals.map((terminal) => terminal.close()));
  process.exit(0);
}

if (values.socket === undefined) await Promise.all(terminals.map((terminal) => terminal.plug()));
else await new Promise<void>((resolve) => server.listen(values.socket, resolve));
const paths = values.socket === undefined ? terminals.map(({ path }) => path) : [values.socket];
tell({ event: 'ready', path: paths[0], paths });
createInterface({ input: process.stdin })
  .on('line', (text) => void hear(text))
  .once('close', () => void leave());
process.once('SIGTERM', () => void leave());
