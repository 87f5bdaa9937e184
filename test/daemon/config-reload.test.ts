import { closeSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import { hasPython, PtyTray } from '../devices/pty.js';
import { cleanUp, Daemon, freshFolder, sleep, tiro, until } from './daemon.js';
import { Ear } from './ears.js';

const GOOD = `# la configurazione della prova
language: it
log:
  level: info
http:
  allowedHosts: [ tavolo.lan ]
mqtt:
  mode: "off"
dice:
  settle:
    godice: 250
  dwell:
    godice: 800
devices:
  serial: []
`;

/** Draws from a small generator with a fixed beginning: the same hundred texts in every run. */
function drawing(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

/** Texts that are wrong whatever is drawn. */
const WRONG: readonly string[] = [
  GOOD.replace('level: info', 'level: loud'),
  GOOD.replace('godice: 250', 'godice: molto'),
  GOOD.replace('godice: 250', 'godice: -1'),
  GOOD.replace('godice: 250', 'godice: 2.5'),
  GOOD.replace('godice: 250', 'godice: [250]'),
  GOOD.replace('serial: []', 'serial: COM3'),
  GOOD.replace('serial: []', 'serial: [ { baud: 9600 } ]'),
  GOOD.replace('[ tavolo.lan ]', '[ "http://tavolo.lan" ]'),
  GOOD.replace('language: it', 'language: fr'),
  GOOD.replace('dice:', 'dadi:'),
  GOOD.replace('settle:', 'setle:'),
  `${GOOD}prova: 1\n`,
  `${GOOD}language: en\n`,
  GOOD.replace('    godice: 800', '\tgodice: 800'),
  `${GOOD}__proto__: { isGM: true }\n`,
  `${GOOD}constructor: { prototype: { isGM: true } }\n`,
  GOOD.replace('godice: 800', '__proto__: 800'),
  `${GOOD}x: &a [ *a ]\n`,
  `${GOOD}x: *nowhere\n`,
  GOOD.replace('level: info', 'level: !!js/function "x"'),
  `${'['.repeat(2000)}`,
  `${'a: {'.repeat(60)}`,
  '- una\n- lista\n',
  'solo parole\n',
  '42\n',
  '"aperta\n',
  'a: b: c\n',
  '{\n',
  '---\nlanguage: it\n---\nlanguage: en\n',
  'http:\n  port: 99999\n',
  'http:\n  gmToken: corto\n',
  'mqtt:\n  url: "mqtt://user:word@broker"\n',
  'data:\n  dir: 5\n',
  Array.from({ length: 20 }, (_, n) => `l${n}: &a${n} [${n === 0 ? 'x' : `*a${n - 1},`.repeat(9).slice(0, -1)}]`).join(
    '\n',
  ),
];

/** One change of the kind a hand or a disk makes. */
function damaged(draw: (sides: number) => number): string {
  const at = draw(GOOD.length - 1);
  const kinds = [
    () => GOOD.slice(0, at) + GOOD.slice(at + 1 + draw(6)),
    () => GOOD.slice(0, at) + GOOD.slice(at, at + 1 + draw(20)) + GOOD.slice(at),
    () => `${GOOD.slice(0, at)}${String.fromCharCode(33 + draw(90))}${GOOD.slice(at + 1)}`,
    () => `${GOOD.slice(0, at)}\u0000${GOOD.slice(at)}`,
    () => `${GOOD.slice(0, at)}\t${GOOD.slice(at)}`,
    () => GOOD.slice(0, at),
  ];
  return kinds[draw(kinds.length)]?.() ?? '';
}

interface State {
  readonly text: string;
  readonly faults: readonly { line?: number; column?: number; reason: string; remedy: string }[];
  readonly leaves: readonly { path: string; value: unknown; differs: boolean; title: string }[];
  readonly pending: readonly string[];
}

const stateOf = async (daemon: Daemon): Promise<State> => (await daemon.get('/api/v1/config')).json;
const settingOf = async (daemon: Daemon, path: string): Promise<unknown> =>
  (await stateOf(daemon)).leaves.find((leaf) => leaf.path === path)?.value;

/** A free port of loopback, as it was a moment ago. */
const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });

afterAll(cleanUp);

describe('the configuration of a running daemon', () => {
  const file = join(freshFolder(), 'tiro.yaml');
  let daemon: Daemon;
  let socket: WebSocket;
  let closes = 0;

  beforeAll(async () => {
    writeFileSync(file, GOOD);
    daemon = await Daemon.start({ args: ['--config', file], mqtt: 'configured' });
    socket = new WebSocket(`${daemon.url.replace('http', 'ws')}/ws?table=prova`);
    socket.on('close', () => {
      closes += 1;
    });
    await new Promise((resolve) => socket.once('open', resolve));
  });

  /** Writes the file, hangs up, and waits until the daemon has said what became of it. */
  async function hangUp(text: string): Promise<string> {
    writeFileSync(file, text);
    const from = daemon.err.length;
    daemon.process.kill('SIGHUP');
    const said = await until(
      'an answer to SIGHUP',
      () => {
        const line = /^.*the configuration (?:is not taken|was read again).*$/m.exec(daemon.err.slice(from));
        return line?.[0];
      },
      30_000,
    );
    return said;
  }

  const status = async (host: string): Promise<number> => {
    const { request } = await import('node:http');
    return new Promise((resolve, reject) => {
      const asked = request(`${daemon.url}/healthz`, { headers: { host } }, (answer) => {
        answer.resume();
        resolve(answer.statusCode ?? 0);
      });
      asked.on('error', reject).end();
    });
  };

  test('a hundred damaged files by SIGHUP and by POST: the old one serves, line and column are told (F146)', async () => {
    const draw = drawing(3);
    const texts = [...WRONG];
    while (texts.length < 100) texts.push(damaged(draw));
    let refused = 0;
    for (const [index, text] of texts.entries()) {
      const dry = await daemon.post('/api/v1/config', { text, dry: true });
      if (dry.status === 200) {
        // Some damage leaves a right text, as a letter within a comment: then it must not change the file either.
        expect(index, text).toBeGreaterThanOrEqual(WRONG.length);
        continue;
      }
      refused += 1;
      const posted = await daemon.post('/api/v1/config', { text });
      expect(posted.status, text).toBe(400);
      expect(posted.json.error, text).toMatchObject({
        code: 'config_invalid',
        where: expect.stringMatching(/^line \d+, column \d+$/),
      });
      for (const fault of posted.json.faults)
        expect(fault, text).toMatchObject({
          line: expect.any(Number),
          column: expect.any(Number),
          reason: expect.stringMatching(/./),
          remedy: expect.stringMatching(/./),
        });
      expect(readFileSync(file, 'utf8'), text).toBe(GOOD);
      const said = await hangUp(text);
      expect(said, text).toContain('is not taken');
      expect(said, text).toMatch(/tiro\.yaml:\d+:\d+: /);
      writeFileSync(file, GOOD);
    }
    expect(refused).toBeGreaterThan(70);
    expect(daemon.gone).toBe(false);
    const kept = await stateOf(daemon);
    expect(kept.faults.length).toBeGreaterThan(0);
    expect((await daemon.get('/api/v1/status')).json.configuration).toMatchObject({ state: 'faulty' });
    expect(kept.leaves.find(({ path }) => path === 'dice.dwell.godice')?.value).toBe(800);
    expect(await status('tavolo.lan')).toBe(200);
    expect(({} as { isGM?: boolean }).isGM).toBeUndefined();
    expect(await hangUp(GOOD)).toContain('nothing changed');
    expect((await daemon.get('/api/v1/status')).json.configuration).toMatchObject({ state: 'ok' });
    expect(closes).toBe(0);
  }, 300_000);

  test('a body that is too large, no text, or too much is refused', async () => {
    expect((await daemon.post('/api/v1/config', { text: `# ${'x'.repeat(70_000)}` })).status).toBe(413);
    expect((await daemon.post('/api/v1/config', { text: 5 })).status).toBe(400);
    expect((await daemon.post('/api/v1/config', { text: GOOD, more: 1 })).status).toBe(400);
    expect(await hangUp(`# ${'x'.repeat(300_000)}`)).toMatch(/tiro\.yaml:1:1: larger than/);
    await hangUp(GOOD);
  });

  test('a good change holds at once, and no client notices', async () => {
    const port = await freePort();
    expect(await status('casa.lan')).toBe(421);
    const text = GOOD.replace('tavolo.lan', 'tavolo.lan, casa.lan')
      .replace('level: info', 'level: debug')
      .replace('godice: 800', 'godice: 950')
      .replace('mode: "off"', `mode: embedded\n  port: ${port}`)
      .replace('serial: []', 'serial: [ { path: /dev/tiro-no-such-tray } ]');
    const dry = await daemon.post('/api/v1/config', { text, dry: true });
    expect(dry.json.changed).toEqual(
      expect.arrayContaining(['dice.dwell.godice', 'http.allowedHosts', 'log.level', 'mqtt.port', 'devices.serial']),
    );
    expect(await settingOf(daemon, 'dice.dwell.godice')).toBe(800);
    const saved = await daemon.post('/api/v1/config', { text });
    expect(saved.status).toBe(200);
    expect(saved.json.pending).toEqual(['devices.fake']);
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect(readFileSync(`${file}.before`, 'utf8')).toBe(GOOD);
    expect(readFileSync(join(daemon.data, 'tiro.good.yaml'), 'utf8')).toBe(text);
    expect(await status('casa.lan')).toBe(200);
    const after = (await daemon.get('/api/v1/status')).json;
    expect(after.mqtt).toMatchObject({ url: `mqtt://127.0.0.1:${port}`, mode: 'embedded' });
    expect(after.serial.trays).toMatchObject([{ link: 'down' }]);
    // The fakes are the same as before: their numbering goes on.
    expect(after.fake.devices).toHaveLength(5);
    expect((await daemon.fake('fake-pixels-d20', 'roll', { natural: 7 })).json.roll).not.toBeNull();
    const other = await freePort();
    await hangUp(text.replace(String(port), String(other)));
    expect((await daemon.get('/api/v1/status')).json.mqtt.url).toBe(`mqtt://127.0.0.1:${other}`);
    expect(await hangUp(GOOD)).toContain('dice.dwell.godice');
    const back = (await daemon.get('/api/v1/status')).json;
    expect(back.serial.trays).toEqual([]);
    expect(back.mqtt.url).toBeNull();
    expect(await status('casa.lan')).toBe(421);
    expect(closes).toBe(0);
    expect(socket.readyState).toBe(WebSocket.OPEN);
  });

  test('the dwell of a fake die is the new one from the next throw on', async () => {
    const wait = async (): Promise<number> => {
      await daemon.fake('fake-godice-d6', 'set', { face: 2 });
      await sleep(100);
      const began = performance.now();
      const heard = new Promise<number>((resolve) => {
        const hear = (data: WebSocket.RawData): void => {
          if (JSON.parse(String(data)).kind !== 'counter') return;
          socket.off('message', hear);
          resolve(performance.now() - began);
        };
        socket.on('message', hear);
      });
      await daemon.fake('fake-godice-d6', 'set', { face: 5 });
      return heard;
    };
    await hangUp(GOOD.replace('godice: 800', 'godice: 2500'));
    expect(await wait()).toBeGreaterThan(2000);
  });

  test('what waits for the next start is said', async () => {
    await hangUp(GOOD);
    const said = await daemon.post('/api/v1/config', { text: `${GOOD}ble:\n  enabled: "off"\n` });
    expect(said.json).toMatchObject({ changed: ['ble.enabled'], pending: ['ble.enabled'] });
    expect((await stateOf(daemon)).pending).toEqual(['ble.enabled']);
    expect((await daemon.get('/api/v1/status')).json.configuration.pending).toEqual(['ble.enabled']);
    await hangUp(GOOD);
    expect((await stateOf(daemon)).pending).toEqual([]);
  });

  test('a secret is never shown, and a text with its mask keeps it', async () => {
    const secret = 'parola molto segreta';
    await hangUp(GOOD.replace('mode: "off"', `mode: "off"\n  password: ${secret}  # del broker`));
    const shown = await daemon.get('/api/v1/config');
    expect(shown.text).not.toContain(secret);
    expect(shown.json.text).toContain('password: "********"  # del broker');
    const saved = await daemon.post('/api/v1/config', { text: shown.json.text.replace('godice: 800', 'godice: 700') });
    expect(saved.json.changed).toEqual(['dice.dwell.godice']);
    expect(readFileSync(file, 'utf8')).toContain(`password: "${secret}"  # del broker`);
    writeFileSync(file, GOOD.replace('mode: "off"', `mode: [\n  password: ${secret}`));
    expect((await daemon.get('/api/v1/config')).text).not.toContain(secret);
    await hangUp(GOOD);
  });
});

describe('SIGHUP', () => {
  test('before the daemon is ready, many times, and with the file gone: the process stays', async () => {
    const data = freshFolder();
    writeFileSync(join(data, 'tiro.yaml'), GOOD);
    const starting = Daemon.start({ data });
    const begun = Daemon.running().find((one) => one.data === data);
    await until('the lock of the data folder', () => readdirSync(data).length > 1, 30_000);
    for (let n = 0; n < 200 && !(begun?.out ?? '').includes('Tiro'); n += 1) {
      begun?.process.kill('SIGHUP');
      await sleep(10);
    }
    const daemon = await starting;
    await until('the answer to those that came too early', () => daemon.err.includes('was read again'));
    expect(readFileSync(join(data, 'tiro.good.yaml'), 'utf8')).toBe(GOOD);
    rmSync(join(data, 'tiro.yaml'));
    daemon.process.kill('SIGHUP');
    await until('a word about the file', () => daemon.err.includes('cannot be read'));
    expect(await settingOf(daemon, 'http.allowedHosts')).toEqual(['tavolo.lan']);
    expect(await daemon.stop()).toBe(0);
  });

  test('a daemon without a file takes one that the page writes', async () => {
    const daemon = await Daemon.start();
    const first = await stateOf(daemon);
    expect(first).toMatchObject({ exists: false, faults: [] });
    const saved = await daemon.post('/api/v1/config', { text: first.text.replace('godice: 800', 'godice: 900') });
    expect(saved.json.changed).toEqual(['dice.dwell.godice']);
    expect(readFileSync(join(daemon.data, 'tiro.yaml'), 'utf8')).toContain('godice: 900');
    expect(await stateOf(daemon)).toMatchObject({ exists: true });
    await daemon.stop();
  });
});

test('another tray path, and the same tray anew: rolls go on and none is taken for one of before', async () => {
  expect(hasPython(), 'python3 plays the tray').toBe(true);
  const [first, second] = [new PtyTray('one'), new PtyTray('two')];
  await first.plug();
  await second.plug();
  const data = freshFolder();
  const file = join(data, 'tiro.yaml');
  const trays = (...ports: string[]): string => `devices:\n  fake: "on"\n  serial: [ ${ports.join(', ')} ]\n`;
  writeFileSync(file, trays(`{ path: ${first.path}, compat: true }`));
  const daemon = await Daemon.start({ data });
  const ear = await Ear.at(daemon, 'table=prova');
  const seen = async (cable: PtyTray, natural: number): Promise<void> => {
    const known = ear.rolls().length;
    await until(`a ${natural}`, async () => {
      // The first line after opening is not trusted, and the port may not be open yet: the throw is said until it is heard.
      cable.say(`d20:${natural}\n`);
      await sleep(200);
      return ear.rolls().length > known;
    });
    expect(ear.rolls().at(-1)).toMatchObject({ natural });
  };
  const renew = async (text: string): Promise<void> => {
    writeFileSync(file, text);
    const from = daemon.err.length;
    daemon.process.kill('SIGHUP');
    await until('the renewal', () => daemon.err.slice(from).includes('devices.serial'));
  };
  await seen(first, 17);
  // More than the tries after the renewal: were the counting of the first tray repeated, none of those could be heard.
  first.say('d20:17\n'.repeat(80));
  await until('80 rolls', () => ear.rolls().length > 80, 30_000);
  await renew(trays(`{ path: ${first.path}, compat: true, baud: 9600 }`));
  await seen(first, 17);
  await renew(trays(`{ path: ${second.path}, compat: true }`));
  await seen(second, 12);
  const before = ear.rolls().length;
  first.say('d20:3\nd20:3\nd20:3\n');
  await sleep(300);
  expect(ear.rolls()).toHaveLength(before);
  expect((await daemon.get('/api/v1/status')).json.serial.trays).toHaveLength(1);
  ear.end();
  await daemon.stop();
  await Promise.all([first.end(), second.end()]);
});

test('on a full disk a change is refused with the reason, and the old file stays whole (F017)', async () => {
  const folder = freshFolder();
  const source = join(freshFolder(), 'tiro.yaml');
  writeFileSync(source, GOOD);
  const script = 'mount -t tmpfs -o size=64k tiny "$0" && cp "$1" "$0/tiro.yaml" && shift && exec "$@"';
  const daemon = await Daemon.start({
    args: ['--config', join(folder, 'tiro.yaml')],
    command: ['unshare', '-rm', 'sh', '-c', script, folder, source, process.execPath],
  });
  const inside = `/proc/${daemon.pid}/root${folder}`;
  const first = await daemon.post('/api/v1/config', { text: GOOD.replace('godice: 800', 'godice: 801') });
  expect(first.status).toBe(200);
  const filler = openSync(`${inside}/filler`, 'w');
  try {
    for (let part = 0; part < 64; part += 1) writeSync(filler, Buffer.alloc(4096));
  } catch {
    // Full, as it should be.
  }
  closeSync(filler);
  for (let n = 0; n < 20; n += 1) {
    const answer = await daemon.post('/api/v1/config', { text: GOOD.replace('godice: 800', `godice: ${900 + n}`) });
    expect(answer.status).toBe(507);
    expect(answer.json.error).toMatchObject({ code: 'not_written', message: expect.stringContaining('ENOSPC') });
  }
  expect(readFileSync(`${inside}/tiro.yaml`, 'utf8')).toContain('godice: 801');
  expect(readFileSync(`${inside}/tiro.yaml.before`, 'utf8')).toBe(GOOD);
  expect(readdirSync(inside).sort()).toEqual(['filler', 'tiro.yaml', 'tiro.yaml.before']);
  expect(await settingOf(daemon, 'dice.dwell.godice')).toBe(801);
  rmSync(`${inside}/filler`);
  expect((await daemon.post('/api/v1/config', { text: GOOD })).status).toBe(200);
  await daemon.stop();
});

describe('tiro config', () => {
  test('check says each fault with its place and remedy, and exits 2; a right one 0', async () => {
    const file = join(freshFolder(), 'tiro.yaml');
    writeFileSync(file, 'http:\n  prot: 1\n  host: 5\n');
    const wrong = await tiro(['config', 'check', file]);
    expect(wrong.code).toBe(2);
    expect(wrong.err).toContain(`${file}:2:3: http.prot: unknown key (did you mean "port"?)`);
    expect(wrong.err).toMatch(/tiro\.yaml:3:9: http\.host: .*\(for example host: "0\.0\.0\.0"\)/);
    writeFileSync(file, GOOD);
    expect(await tiro(['config', 'check', file])).toMatchObject({ code: 0, out: `${file}: right\n` });
  });

  test('show tells each value with its source, secrets masked', async () => {
    const file = join(freshFolder(), 'tiro.yaml');
    writeFileSync(file, `${GOOD.replace('mode: "off"', 'password: parola')}`);
    const shown = await tiro(['config', 'show', '--config', file], { env: { TIRO_HTTP_PORT: '8711' } });
    expect(shown.code).toBe(0);
    expect(shown.out).toMatch(/^http\.port +8711 +TIRO_HTTP_PORT$/m);
    expect(shown.out).toMatch(/^dice\.dwell\.godice +800 +\S*tiro\.yaml:13:13$/m);
    expect(shown.out).toMatch(/^mqtt\.password +"\*{8}" +\S*tiro\.yaml:8:13$/m);
    expect(shown.out).toMatch(/^ble\.enabled +"auto" +default$/m);
    expect(shown.out).not.toContain('parola');
  });
});
