import type { Readable, Writable } from 'node:stream';
import type { Signal } from '../devices/device.js';
import { type LineDecoder, MAX_LINE_CHARS } from '../devices/line-decoder.js';
import { asksHelp } from './asked-help.js';

type Options = ReadonlyMap<string, string>;

/** How one kind of device is decoded; its code is loaded only when it is asked for, to start fast. */
interface Decoding {
  readonly options: readonly string[];
  /** TTP/1 is bytes, one a character; names of Bluetooth dice are UTF-8. */
  readonly encoding: 'utf8' | 'latin1';
  /** The decoder, or the reason why the options are wrong. */
  open(options: Options): Promise<LineDecoder | string>;
}

async function openGodice(options: Options): Promise<LineDecoder | string> {
  const { GODICE_SHELLS, parseShell } = await import('../devices/ble/godice-faces.js');
  const { godiceLineDecoder } = await import('../devices/ble/godice-lines.js');
  const word = options.get('shell') ?? 'd6';
  const shell = parseShell(word);
  return shell === null
    ? `--shell ${word.slice(0, 20)}: expected ${GODICE_SHELLS.join(', ')}`
    : godiceLineDecoder({ shell });
}

const MAX_FIRMWARE = 0xffff_ffff;

async function openPixels(options: Options): Promise<LineDecoder | string> {
  const { PIXELS_KINDS, parsePixelsKind } = await import('../devices/ble/pixels-faces.js');
  const { pixelsLineDecoder } = await import('../devices/ble/pixels-lines.js');
  const [word, build] = [options.get('type'), options.get('firmware')];
  const type = word === undefined ? undefined : parsePixelsKind(word);
  if (type === null) return `--type ${word?.slice(0, 20)}: expected ${PIXELS_KINDS.join(', ')}`;
  const firmware = build === undefined ? undefined : Number(build);
  if (firmware !== undefined && (!/^\d{1,10}$/.test(build ?? '') || firmware > MAX_FIRMWARE)) {
    return `--firmware ${build?.slice(0, 20)}: expected the build's UNIX seconds, 0 to ${MAX_FIRMWARE}`;
  }
  return pixelsLineDecoder({
    guess: 'd20',
    ...(type === undefined ? {} : { type }),
    ...(firmware === undefined ? {} : { firmware }),
  });
}

async function openTray(): Promise<LineDecoder> {
  const { trayLineDecoder } = await import('../devices/serial/decode-lines.js');
  return trayLineDecoder();
}

const DECODINGS: ReadonlyMap<string, Decoding> = new Map<string, Decoding>([
  ['godice', { options: ['shell'], encoding: 'utf8', open: openGodice }],
  ['pixels', { options: ['type', 'firmware'], encoding: 'utf8', open: openPixels }],
  ['tray', { options: [], encoding: 'latin1', open: openTray }],
]);

/** Without `@MS` a line comes this long after the one before (contracts A). */
const STEP_MS = 200;
const PREFIX = /^@(\d{1,15})(?: |$)/;
/** More of a line is never kept: the longest line, `@` with 15 digits and a blank, and the character that tells it was longer. */
const MAX_KEPT_BYTES = MAX_LINE_CHARS + 18;
const NEWLINE = 0x0a;

const USAGE = `Usage: tiro decode godice [--shell d4|d6|d8|d10|d10x|d12|d20] < lines
       tiro decode pixels [--type d4|d6|d6pipped|fudge|d8|d10|d00|d12|d20] [--firmware SECONDS] < lines
       tiro decode tray < lines
One line in: [@MS ] and a notification in hex, up or down; name TEXT (godice; without --shell a bare d6);
adv HEX[ sr HEX] (pixels; without --type a d20, without --firmware the newest); or a line as the tray sent it.
JSON lines out. Exit 0: all understood; 1: a line was none; 2: wrong usage.
`;

interface Parsed {
  readonly decoding: Decoding;
  readonly options: Options;
}

/** Splits the arguments into the device and its options, or says what is wrong with them. */
function parse(args: readonly string[]): Parsed | string {
  const words: string[] = [];
  const options = new Map<string, string | undefined>();
  const rest = [...args];
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    const option = /^--([a-z]+)(?:=(.*))?$/.exec(arg);
    if (option === null) {
      words.push(arg);
      continue;
    }
    options.set(option[1] ?? '', option[2] ?? rest.shift());
  }
  const [device, surplus] = words;
  if (device === undefined) return `which device? One of ${[...DECODINGS.keys()].join(', ')}`;
  if (surplus !== undefined) return `"${surplus.slice(0, 40)}" is one word too many`;
  const decoding = DECODINGS.get(device);
  if (decoding === undefined) return `"${device.slice(0, 40)}" is no device: ${[...DECODINGS.keys()].join(', ')}`;
  const strange = [...options.keys()].find((name) => !decoding.options.includes(name));
  if (strange !== undefined) return `${device} has no option --${strange.slice(0, 40)}`;
  const given = new Map<string, string>();
  for (const [name, value] of options) {
    if (value === undefined) return `--${name}: a value is missing`;
    given.set(name, value);
  }
  return { decoding, options: given };
}

/** Cuts a stream of bytes into lines and keeps no more of a long one than is needed to tell that it was long. */
class LineCutter {
  #kept: Buffer[] = [];
  #size = 0;

  *cut(chunk: Buffer): Generator<Buffer> {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      this.#keep(chunk.subarray(from, end));
      from = end + 1;
      yield this.#take();
    }
    // The chunk's memory is the stream's: what waits for its end is copied, and only as much as is kept.
    this.#keep(Buffer.from(chunk.subarray(from, from + MAX_KEPT_BYTES - this.#size)));
  }

  /** What stands behind the last newline, or null. */
  rest(): Buffer | null {
    return this.#size === 0 ? null : this.#take();
  }

  #keep(bytes: Buffer): void {
    const room = MAX_KEPT_BYTES - this.#size;
    const part = bytes.subarray(0, room);
    if (part.length === 0) return;
    this.#kept.push(part);
    this.#size += part.length;
  }

  #take(): Buffer {
    const line = Buffer.concat(this.#kept);
    this.#kept = [];
    this.#size = 0;
    return line;
  }
}

/** Numbers the lines, keeps their time and turns what the decoder says into JSON lines. */
class Session {
  readonly #decoder: LineDecoder;
  readonly #encoding: 'utf8' | 'latin1';
  #line = 0;
  #at = -STEP_MS;
  failed = false;

  constructor(decoder: LineDecoder, encoding: 'utf8' | 'latin1') {
    this.#decoder = decoder;
    this.#encoding = encoding;
  }

  read(bytes: Buffer): string {
    this.#line += 1;
    const whole = bytes.toString(this.#encoding);
    const prefix = PREFIX.exec(whole);
    // A monotonic clock never runs backwards: a line that says so comes at the same moment as the one before.
    this.#at = Math.max(prefix === null ? this.#at + STEP_MS : Number(prefix[1]), this.#at, 0);
    const text = whole.slice(prefix?.[0].length ?? 0).slice(0, MAX_LINE_CHARS + 1);
    const answer = this.#decoder.line(text, this.#at);
    if (!('error' in answer)) return answer.map((signal) => this.#json(signal)).join('');
    this.failed = true;
    return this.#json({ kind: 'error', why: answer.error });
  }

  #json(said: Signal | { readonly kind: 'error'; readonly why: string }): string {
    return `${JSON.stringify({ line: this.#line, ...said })}\n`;
  }
}

/** Writes and waits until it is out; false once nobody reads any more. */
function write(to: Writable, text: string): Promise<boolean> {
  if (text === '') return Promise.resolve(!to.destroyed);
  return new Promise((resolve) => {
    const gone = (): void => resolve(false);
    to.once('close', gone);
    // Standard output whose reader went away gives neither `drain` nor `close`, only this answer.
    to.write(text, (fault) => {
      to.off('close', gone);
      resolve(fault === null || fault === undefined);
    });
  });
}

/**
 * `tiro decode godice|pixels|tray`: the lines of one device's session in, one JSON object per signal out (contracts A). Streams:
 * memory stays flat whatever comes.
 * @returns exit code: 0 all lines understood (garbled included), 1 a line was no line at all, 2 wrong usage
 */
export async function decode(
  args: readonly string[],
  stdin: Readable,
  stdout: Writable,
  stderr: Writable = process.stderr,
): Promise<number> {
  if (asksHelp(args)) {
    await write(stdout, USAGE);
    return 0;
  }
  const parsed = parse(args);
  const decoder = typeof parsed === 'string' ? parsed : await parsed.decoding.open(parsed.options);
  if (typeof parsed === 'string' || typeof decoder === 'string') {
    await write(stderr, `${typeof parsed === 'string' ? parsed : decoder}\n${USAGE}`);
    return 2;
  }
  // A reader that went away (`| head`) ends the work without a fuss; `write` sees it.
  stdout.on('error', () => undefined);
  const session = new Session(decoder, parsed.decoding.encoding);
  const cutter = new LineCutter();
  for await (const chunk of stdin) {
    let out = '';
    for (const line of cutter.cut(typeof chunk === 'string' ? Buffer.from(chunk) : chunk)) out += session.read(line);
    if (!(await write(stdout, out))) return session.failed ? 1 : 0;
  }
  const rest = cutter.rest();
  if (rest !== null) await write(stdout, session.read(rest));
  return session.failed ? 1 : 0;
}
