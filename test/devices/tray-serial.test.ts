import { spawn } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { monotonicClock } from '../../src/devices/clock.js';
import type { Heard } from '../../src/devices/device.js';
import { framed } from '../../src/devices/fake/tray-frames.js';
import { findPorts } from '../../src/devices/serial/discovery.js';
import { TrayNames } from '../../src/devices/serial/names.js';
import { type PortOpener, permissionReason } from '../../src/devices/serial/port.js';
import { SerialTray, type SerialTrayOptions } from '../../src/devices/serial/tray.js';
import { SerialTrays } from '../../src/devices/serial/trays.js';
import { hasPython, PtyTray, until } from './pty.js';

const python = hasPython();
const child = fileURLToPath(new URL('./tray-child.mjs', import.meta.url));
const POWERLESS = ['setpriv', '--bounding-set', '-dac_override,-dac_read_search'];
const ending: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end();
});

async function cable(name?: string): Promise<PtyTray> {
  const pty = new PtyTray(name);
  ending.push(() => pty.end());
  await pty.plug();
  return pty;
}

function tray(path: string, options: Partial<SerialTrayOptions> = {}) {
  const device = new SerialTray({ path, epoch: 1, ...options });
  const heard: Heard[] = [];
  device.start((h) => heard.push(h));
  ending.push(() => device.stop());
  const faces = () => heard.flatMap((h) => (h.signal.kind === 'rested' ? [h.signal.face] : []));
  const garbled = () => heard.flatMap((h) => (h.signal.kind === 'garbled' ? [h.signal] : []));
  const up = () => until('link up', () => device.status().link === 'up');
  return { device, heard, faces, garbled, up };
}

const roll = (seq: number, face: number, boot = 9): string => `TTROL,${seq},${boot},1500,d20,${face},slot=2,kind=roll`;

/** Descriptors of this process on pseudo-terminals whose other end is `pty` or gone. */
function openPtys(): number {
  return readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).includes('/pts/');
    } catch {
      return false;
    }
  }).length;
}

test('a pseudo-terminal can be had (python3); CI must have it', () => {
  if (!python) console.warn('python3 is missing: the serial tray is not tested over a real port here');
  expect(python || process.env.CI === undefined).toBe(true);
});

describe.runIf(python)('a tray on a real pseudo-terminal', () => {
  test('HEL, USE, a roll with its whereabouts, and the first line after opening may be half a line', async () => {
    const pty = await cable();
    const { device, heard, faces, up } = tray(pty.path);
    pty.say('42,9,1500,d20,3*BF29\n');
    await up();
    pty.frame(roll(1, 17));
    await until('the roll', () => faces().length === 1);
    await until('the greeting', () => pty.commands.length >= 4);
    expect(device.id).toBe('tray-a');
    expect(pty.commands.slice(0, 4)).toEqual([
      framed('TTHEL?'),
      framed('TTUSE,1'),
      framed('TTRES,9,0'),
      framed('TTPIN,1'),
    ]);
    expect(heard.find((h) => h.signal.kind === 'rested')).toMatchObject({
      device: 'tray-a',
      origin: 'tray-a/9/1',
      fake: false,
      die: { id: 'tray-a-2', lane: '2', type: 'd20', settleMs: 0, dwellMs: 600, quality: 'ok' },
      signal: { face: 17, how: 'thrown' },
    });
  });

  test('F028 one byte at a time, then two frames in one write with CRLF: exactly three rolls', async () => {
    const pty = await cable();
    const { heard, faces, up, garbled } = tray(pty.path);
    await up();
    // A real tray's answer to the clock's question never falls into the midst of its own frame; this one's would.
    await until('the answer to PIN', () => heard.some(({ signal }) => signal.kind === 'reply'));
    for (const byte of `${framed(roll(1, 17))}\n`) {
      pty.say(byte);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    pty.say(`${framed(roll(2, 4))}\r\n${framed(roll(3, 20))}\r\n`);
    await until('three rolls', () => faces().length === 3);
    expect(faces()).toEqual([17, 4, 20]);
    expect(garbled()).toEqual([]);
  });

  test('F028 a flipped digit is garbled with both checks, and no roll', async () => {
    const pty = await cable();
    const { faces, garbled, up } = tray(pty.path);
    await up();
    pty.say('$TTROL,1042,9,183220,d20,71,slot=2,kind=roll,q=98,throw=311,of=1/3*BF29\n');
    await until('the report', () => garbled().length === 1);
    expect(garbled()[0]).toMatchObject({ why: 'check', got: 'BF29', expected: '5A90' });
    expect(faces()).toEqual([]);
  });

  test('F006 64 MiB without a newline: memory flat, the loop free, the next frame accepted', async () => {
    const pty = await cable();
    const { device, heard, faces, garbled, up } = tray(pty.path);
    await up();
    const before = process.memoryUsage().rss;
    const delay = monitorEventLoopDelay({ resolution: 10 });
    delay.enable();
    await pty.flood(64 << 20, 120_000);
    delay.disable();
    const grown = (process.memoryUsage().rss - before) / (1 << 20);
    pty.say('\n');
    pty.frame(roll(1, 17));
    await until('the roll', () => faces().length === 1);
    console.log(`F006: loop delay max ${(delay.max / 1e6).toFixed(0)} ms, RSS ${grown.toFixed(0)} MiB more`);
    expect(garbled().filter((g) => g.why === 'too_long')).toHaveLength(1);
    expect(delay.max / 1e6).toBeLessThan(200);
    expect(grown).toBeLessThan(48);
    expect(device.status().counters.bytes).toBeGreaterThan(64 << 20);
    expect(heard.length).toBeLessThan(100);
  }, 180_000);

  test('F006 noise with newlines is told a few times a second, counted, and says to check the baud rate', async () => {
    const pty = await cable();
    pty.hello = '';
    const { device, heard } = tray(pty.path);
    await until('open', () => pty.commands.length > 0);
    for (let n = 0; n < 400; n++) pty.say(`\x80\x81${n}\xff\n`);
    await until('all lines', () => device.status().counters.lines === 400);
    expect(device.status()).toMatchObject({
      link: 'connecting',
      code: 'check_baud',
      reason: expect.stringContaining('check baud'),
    });
    expect(heard.length).toBeLessThan(150);
    expect(device.status().counters.unshown).toBe(400 - heard.length);
  });

  test('F157 bytes FF FE and a label cut in two: rejected or intact, no U+FFFD anywhere', async () => {
    const pty = await cable();
    const { heard, faces, up } = tray(pty.path);
    await up();
    pty.say('\xff\xfe\n');
    pty.say('caff\xc3');
    pty.say('\xa8 pronto\n$TTERR,1,9,1,20,\xc3\xa8*0000\n');
    pty.frame(roll(1, 17));
    await until('the roll', () => faces().length === 1);
    expect(JSON.stringify(heard)).not.toContain('\ufffd');
    const texts = heard.flatMap((h) => ('text' in h.signal ? [h.signal.text] : []));
    expect(texts).toEqual(['ÿþ', 'caffè pronto', '$TTERR,1,9,1,20,è*0000']);
  });

  test('hang-up: the link is told down, the tray comes back by itself, a half line is not glued to the next', async () => {
    const pty = await cable();
    const { device, faces, garbled, up } = tray(pty.path);
    await up();
    pty.say('$TTROL,1,9,1500,d20,1');
    await pty.unplug();
    await until('down', () => device.status().link === 'down', 2000);
    expect(device.status()).toMatchObject({ reason: expect.stringContaining(pty.path) });
    await pty.plug();
    expect(await until('up again', () => device.status().link === 'up', 5000)).toBeLessThan(5000);
    pty.frame(roll(1, 17));
    await until('the roll', () => faces().length === 1);
    expect(garbled()).toEqual([]);
  });

  test('hang-up right behind a line, where the binding may notice nothing and spin: always noticed', async () => {
    const pty = await cable();
    const { device, up } = tray(pty.path);
    for (let n = 1; n <= 8; n++) {
      await up();
      for (let i = 0; i < 20; i++) pty.frame(roll(n * 100 + i, 5));
      await pty.unplug();
      await until(`down ${n}`, () => device.status().link !== 'up', 3000);
      await pty.plug();
    }
    await up();
    expect(device.status().counters.connections).toBe(9);
  }, 60_000);

  test('a roll that was in the cable at the hang-up is replayed and told once, another command is not', async () => {
    const pty = await cable();
    const { faces, up } = tray(pty.path);
    await up();
    pty.frame(roll(1, 17));
    await until('the roll', () => faces().length === 1);
    await pty.unplug();
    pty.hello = 'TTHEL,1-1,tray-a,boot=9,next=3,ms=3000';
    pty.stored = [roll(1, 17), roll(2, 4)];
    pty.commands.length = 0;
    await pty.plug();
    await until('the replay', () => faces().length === 2);
    expect(faces()).toEqual([17, 4]);
    expect(pty.commands.slice(0, 3)).toEqual([framed('TTHEL?'), framed('TTUSE,1'), framed('TTRES,9,1')]);
  });

  test('silence: a port that is open and says nothing for 6 s is opened anew', async () => {
    const pty = await cable();
    const { device, up } = tray(pty.path);
    await up();
    pty.pong = false;
    const waited = await until('opened anew', () => device.status().counters.connections === 2, 9000);
    expect(waited).toBeGreaterThan(5000);
  });

  test('F062 the cable goes and comes 25 times: back within 5 s each time, no descriptor is left', async () => {
    const pty = await cable();
    const { device, up } = tray(pty.path);
    await up();
    const before = openPtys();
    for (let n = 0; n < 25; n++) {
      await pty.unplug();
      await new Promise((resolve) => setTimeout(resolve, n % 5 === 0 ? 600 : 100));
      await pty.plug();
      if (n % 5 === 4) await until('up', () => device.status().link === 'up', 5000);
    }
    await up();
    expect(openPtys()).toBe(before);
    await device.stop();
    expect(openPtys()).toBe(before - 1);
  }, 60_000);

  test('F061 two ports swap their names between two starts: each tray keeps its own id', async () => {
    const [one, two] = [await cable(), await cable()];
    two.hello = 'TTHEL,1-1,tray-b,boot=4,next=1,ms=1000';
    const swap = async (first: PtyTray, second: PtyTray): Promise<string[]> => {
      const names = new TrayNames();
      const a = tray(first.path, { id: 'left', names });
      const b = tray(second.path, { id: 'right', names });
      await Promise.all([a.up(), b.up()]);
      const ids = [a.device.id, b.device.id];
      await Promise.all([a.device.stop(), b.device.stop()]);
      return ids;
    };
    expect(await swap(one, two)).toEqual(['tray-a', 'tray-b']);
    expect(await swap(two, one)).toEqual(['tray-b', 'tray-a']);
  });

  test('F061 two trays with one id are both refused with a message; when one goes the other counts', async () => {
    const [one, two] = [await cable(), await cable()];
    const names = new TrayNames();
    const a = tray(one.path, { names });
    await a.up();
    const b = tray(two.path, { names });
    await until('both refused', () => [a, b].every((t) => t.device.status().link === 'refused'));
    const { code, reason } = a.device.status();
    expect(code).toBe('same_id');
    expect(reason).toContain(one.path);
    expect(reason).toContain(two.path);
    one.frame(roll(1, 17));
    two.frame(roll(1, 3));
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect([...a.faces(), ...b.faces()]).toEqual([]);
    await two.unplug();
    await a.up();
    one.frame(roll(2, 8));
    await until('the roll', () => a.faces().length === 1);
  });

  test('F064 over a wire: sequence wrap and a new boot, all once and in order', async () => {
    const pty = await cable();
    pty.hello = 'TTHEL,1-1,tray-a,boot=9,next=4294967295,ms=1000';
    const { faces, heard, up } = tray(pty.path);
    await up();
    pty.frame(roll(4294967295, 1));
    pty.frame(roll(0, 2));
    pty.frame(roll(0, 2));
    pty.frame('TTHEL,1-1,tray-a,boot=10,next=1,ms=10');
    pty.frame(roll(1, 3, 10));
    await until('three rolls', () => faces().length === 3);
    expect(faces()).toEqual([1, 2, 3]);
    expect(heard.flatMap((h) => (h.signal.kind === 'rested' ? [h.origin] : []))).toEqual([
      'tray-a/9/4294967295',
      'tray-a/9/0',
      'tray-a/10/1',
    ]);
  });

  test('F092 a port held by another program: told so, and taken when it is free; a second instance is told too', async () => {
    const pty = await cable();
    const holder = spawn('python3', [
      '-c',
      'import fcntl,os,sys,time; f=os.open(sys.argv[1],os.O_RDWR|os.O_NOCTTY); fcntl.flock(f,fcntl.LOCK_EX); print("held",flush=True); sys.stdin.read()',
      pty.path,
    ]);
    ending.push(async () => void holder.kill());
    await new Promise((resolve) => holder.stdout.once('data', resolve));
    const { device, up } = tray(pty.path);
    await until('busy', () => device.status().code === 'port_busy');
    expect(device.status()).toMatchObject({
      link: 'down',
      reason: expect.stringContaining('port busy by another program'),
    });
    holder.stdin.end();
    await up();
    const second = tray(pty.path);
    await until('second refused', () => second.device.status().code === 'port_busy');
    expect(device.status().link).toBe('up');
  });

  test('F093 no permission: path, owner group and remedy are named, and it works after chmod without a restart', async () => {
    const pty = await cable();
    const node = readlinkSync(pty.path);
    chmodSync(node, 0o000);
    // Root may open anything: the child gets on without that power.
    const [command = '', ...args] = [...(process.getuid?.() === 0 ? POWERLESS : []), process.execPath, child, pty.path];
    const run = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    ending.push(async () => void run.kill());
    let said = '';
    run.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    await until('refused', () => said.includes('port_permission'));
    const refused: unknown = JSON.parse(said.split('\n').find((line) => line.includes('port_permission')) ?? '');
    expect(refused).toEqual({
      link: 'refused',
      code: 'port_permission',
      reason: expect.stringMatching(
        new RegExp(`${pty.path} \\(owner group \\S+, \\d+, mode 000\\): sudo usermod -aG .*--group-add \\d+$`),
      ),
    });
    chmodSync(node, 0o666);
    await until('up', () => said.includes('"link":"up"'));
    run.stdin.end();
  });

  test('a foreign tray counts only with the compat parser on: unverified, with identities the host makes', async () => {
    const pty = await cable();
    pty.hello = '';
    const off = tray(pty.path);
    await until('open', () => pty.commands.length > 0);
    pty.say('boot\nd20:17\n');
    await until('two lines', () => off.device.status().counters.lines === 2);
    expect(off.faces()).toEqual([]);
    await off.device.stop();
    const on = tray(pty.path, { id: 'old-tray', compat: { die: 'd20' }, epoch: 7 });
    await on.up();
    pty.say('d20:1\nd20:17\nd20:17\nRoll: 3\n');
    await until('three rolls', () => on.faces().length === 3);
    // The first line after opening may be the end of another one: it is never a roll.
    expect(on.faces()).toEqual([17, 17, 3]);
    const rolls = on.heard.filter((h) => h.signal.kind === 'rested');
    expect(rolls.map((h) => h.origin)).toEqual(['old-tray/7h/1', 'old-tray/7h/2', 'old-tray/7h/3']);
    expect(rolls[0]?.die).toMatchObject({ id: 'old-tray', quality: 'unverified' });
  });

  test('a path given by hand works beside discovery, and a stranger on USB is let go', async () => {
    const pty = await cable();
    const found = await cable();
    const trays = new SerialTrays({
      given: [{ path: pty.path }],
      discover: true,
      epoch: 1,
      clock: monotonicClock,
      find: async () => [
        { path: found.path, node: found.path },
        { path: pty.path, node: readlinkSync(pty.path) },
      ],
    });
    found.hello = 'TTHEL,1-1,tray-b,boot=1,next=1';
    ending.push(() => trays.stop());
    trays.start(() => undefined);
    await until('both up', () => trays.status().filter((s) => s.link === 'up').length === 2);
    expect(trays.devices().map((d) => d.id)).toEqual(['tray-a', 'tray-b']);
  });
});

describe('ports', () => {
  test('a missing binding only disables serial, and says why', async () => {
    const open: PortOpener = async () => ({
      fault: { code: 'no_serial', reason: 'no serial trays: the binding does not load' },
    });
    const { device } = tray('/dev/nothing-here', { open });
    await until('told', () => device.status().code === 'no_serial');
    expect(device.status().link).toBe('refused');
  });

  test('a path that is not there, and a file that is no port', async () => {
    const gone = tray('/dev/nothing-here');
    await until('absent', () => gone.device.status().code === 'port_absent');
    expect(gone.device.status().reason).toContain('/dev/nothing-here is not there');
    const file = tray(new URL(import.meta.url).pathname);
    await until('unusable', () => file.device.status().code === 'port_unusable');
  });

  test('F093 a group without a name is told by its number', async () => {
    const reason = await permissionReason(new URL(import.meta.url).pathname, '/nothing/group');
    expect(reason).toMatch(/owner group without a name, \d+/);
  });

  test('F019 ports are found in sysfs, without udevadm, by their by-id link; an empty machine gives none', async () => {
    const root = mkdtempSync(join(tmpdir(), 'sysfs-'));
    ending.push(async () => rmSync(root, { recursive: true, force: true }));
    const usb = join(root, 'sys/devices/usb1/1-1');
    mkdirSync(join(usb, '1-1:1.0'), { recursive: true });
    for (const [name, text] of [
      ['idVendor', '2341'],
      ['idProduct', '0043'],
      ['serial', 'A1'],
      ['product', 'Uno'],
    ] as const) {
      writeFileSync(join(usb, name), `${text}\n`);
    }
    for (const name of ['ttyACM0', 'ttyS0']) mkdirSync(join(root, 'sys/class/tty', name), { recursive: true });
    symlinkSync(join(usb, '1-1:1.0'), join(root, 'sys/class/tty/ttyACM0/device'));
    mkdirSync(join(root, 'dev/serial/by-id'), { recursive: true });
    writeFileSync(join(root, 'dev/ttyACM0'), '');
    symlinkSync('../../ttyACM0', join(root, 'dev/serial/by-id/usb-Uno_A1'));
    const roots = { sys: join(root, 'sys'), dev: join(root, 'dev') };
    expect(await findPorts('linux', roots)).toEqual([
      {
        path: join(root, 'dev/serial/by-id/usb-Uno_A1'),
        node: join(root, 'dev/ttyACM0'),
        usb: { vendor: '2341', product: '0043', serial: 'A1', name: 'Uno' },
      },
    ]);
    expect(await findPorts('linux', { sys: '/nothing', dev: '/nothing' })).toEqual([]);
    const { PATH } = process.env;
    process.env.PATH = '/nothing';
    expect(await findPorts('linux')).toBeInstanceOf(Array);
    process.env.PATH = PATH;
  });
});
