import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkBluetooth, checkToldAdapters, type SystemFolders } from '../src/cli/bluetooth-checkup.js';
import {
  checkDataFolder,
  checkHttpPort,
  checkMqttPort,
  checkNative,
  checkNode,
  checkSerial,
} from '../src/cli/checkup.js';
import { examine } from '../src/cli/doctor.js';
import { openTableAt } from '../src/cli/open-table.js';
import { configFile, dataFolder, defaultDataFolder } from '../src/cli/places.js';
import { adaptersIn } from '../src/cli/told-adapters.js';
import { defaultConfig } from '../src/config/schema.js';
import { probeBluetooth } from '../src/devices/ble/probe.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tiro-doctor-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A folder with one library of the given text in its node_modules, as the probe's child would find it. */
function packagesWith(name: string, text: string | undefined): string {
  const at = join(folder, name);
  const library = join(at, 'node_modules', '@abandonware', 'noble');
  mkdirSync(library, { recursive: true });
  if (text === undefined) rmSync(library, { recursive: true });
  else {
    writeFileSync(join(library, 'package.json'), '{"main":"index.js"}');
    writeFileSync(join(library, 'index.js'), text);
  }
  return join(at, 'here.js');
}

describe('the Bluetooth probe (F001) answers, whatever the library does to the process that loads it', () => {
  const noAddressFamily = 'const e = new Error("EAFNOSUPPORT, Address family not supported"); throw e;';

  it.each([
    ['loads', 'setInterval(() => {}, 1000);', 'available', /available/],
    ['throws where the kernel has no Bluetooth', noAddressFamily, 'unavailable', /EAFNOSUPPORT/],
    ['is not installed', undefined, 'unavailable', /not installed/],
    ['ends the process', 'process.abort();', 'unavailable', /ended the process/],
    ['never comes back', 'for (;;);', 'unavailable', /SIGKILL/],
    ['prints rubbish and fails', 'console.log("{"); throw new Error("broken addon");', 'unavailable', /broken addon/],
  ])('%s', async (name, text, state, reason) => {
    const packagesAt = packagesWith(name.replaceAll(' ', '-'), text);
    // Off Linux the library itself is loaded; on Linux its socket is, which this folder lacks.
    const found = await probeBluetooth({ packagesAt, platform: 'darwin', timeoutMs: 1500 });
    expect(found).toMatchObject({ state, reason: expect.stringMatching(reason) });
    if (state === 'unavailable') expect(found.remedy.length * found.inItalian.remedy.length).toBeGreaterThan(0);
  });

  it('tells the truth of this computer with the real library', async () => {
    const found = await probeBluetooth();
    expect(['available', 'unavailable']).toContain(found.state);
    expect(found.reason).not.toMatch(/not installed|does not load/);
    expect(found.driver).toBeDefined();
  });
});

describe('the doctor looks at Bluetooth', () => {
  const WORKS = {
    state: 'available',
    reason: 'Bluetooth is available',
    remedy: '',
    inItalian: { reason: 'il Bluetooth è disponibile', remedy: '' },
  } as const;
  const NONE = { ...WORKS, state: 'unavailable', reason: 'this system has no Bluetooth (EAFNOSUPPORT)' } as const;
  const ALL_RIGHTS = 'Name:\tnode\nCapEff:\t000001ffffffffff\n';
  let systems = 0;

  /** A made-up system: files by their paths below its root, and links that end in an arrow and their target. */
  function system(files: Record<string, string>): SystemFolders {
    systems += 1;
    const root = join(folder, `system-${systems}`);
    for (const [path, text] of Object.entries({ 'proc/self/status': ALL_RIGHTS, ...files })) {
      mkdirSync(join(root, path, '..'), { recursive: true });
      if (text.startsWith('→')) symlinkSync(text.slice(1), join(root, path));
      else writeFileSync(join(root, path), text);
    }
    return { root, proc: join(root, 'proc'), sys: join(root, 'sys') };
  }

  const look = (files: Record<string, string>, ble: object = {}, found: typeof WORKS | typeof NONE = WORKS) =>
    checkBluetooth({ ...defaultConfig().ble, ...ble }, false, system(files), async () => found);
  const said = async (...args: Parameters<typeof look>) =>
    (await look(...args)).slice(1).map(({ level, told, remedy }) => [level, told.en, remedy?.en]);

  it.runIf(process.platform === 'linux')('names each adapter, and one that is wanted and not there', async () => {
    const adapters = { 'sys/class/bluetooth/hci0/address': '00:1a:7d:da:71:13\n', 'sys/class/bluetooth/hci0:1/x': '' };
    expect(await said(adapters)).toEqual([
      ['ok', 'Bluetooth adapter hci0, 00:1a:7d:da:71:13', undefined],
      ['ok', 'rights for Bluetooth', undefined],
    ]);
    expect(await said(adapters, { adapter: '00:1A:7D:DA:71:13' })).toHaveLength(2);
    expect((await said(adapters, { adapter: 'hci1' }))[1]).toEqual([
      'warn',
      'the adapter hci1 is not there',
      'plug it in, or change ble.adapter',
    ]);
  });

  it.runIf(process.platform === 'linux')('finds a radio that is switched off, by software and by a key', async () => {
    const radio = (soft: string, hard: string) => ({
      'sys/class/rfkill/rfkill0/type': 'bluetooth\n',
      'sys/class/rfkill/rfkill0/name': 'hci0\n',
      'sys/class/rfkill/rfkill0/soft': soft,
      'sys/class/rfkill/rfkill0/hard': hard,
      'sys/class/rfkill/rfkill1/type': 'wlan\n',
      'sys/class/rfkill/rfkill1/soft': '1',
    });
    const off = 'hci0: radio switched off (rfkill)';
    expect((await said(radio('1\n', '0\n')))[0]).toEqual(['warn', off, 'sudo rfkill unblock bluetooth']);
    expect((await said(radio('0\n', '1\n')))[0]).toEqual(['warn', off, "switch it on by the computer's key"]);
    expect(await said(radio('0\n', '0\n'))).toHaveLength(1);
  });

  it.runIf(process.platform === 'linux')('names the rights that are missing, with the command (F106)', async () => {
    const [told] = await said({ 'proc/self/status': 'CapEff:\t0000000000000000\n' });
    expect(told).toEqual([
      'warn',
      'Node lacks rights: cap_net_raw, cap_net_admin',
      'sudo setcap cap_net_raw,cap_net_admin+eip "$(readlink -f "$(which node)")"',
    ]);
    const [one] = await said({ 'proc/self/status': 'CapEff:\t0000000000001000\n' });
    expect(one?.[1]).toBe('Node lacks rights: cap_net_raw');
  });

  it.runIf(process.platform === 'linux')('finds who else has the adapter, and lets bluetoothd be', async () => {
    const others = {
      'proc/net/hci':
        'sk               RefCnt Rmem   Wmem   User   Inode  Parent\n0000000000000000 2      0      0      0      4711   0\n',
      'proc/300/comm': 'node\n',
      'proc/300/fd/18': '→socket:[4711]',
      'proc/301/comm': 'other\n',
      'proc/301/fd/3': '→socket:[4712]',
      'proc/302/comm': 'bluetoothd\n',
    };
    expect((await said(others)).slice(1)).toEqual([
      ['warn', 'another program uses the adapter: node (300)', 'end it: kill 300'],
      [
        'ok',
        "the system's Bluetooth service (bluetoothd) runs: it is left as it is",
        'if dice do not connect: sudo systemctl stop bluetooth',
      ],
    ]);
    const mine = await checkBluetooth(defaultConfig().ble, true, system(others), async () => WORKS);
    expect(mine).toHaveLength(2);
  });

  it.runIf(process.platform === 'linux')('tells a container that has a network of its own (F142)', async () => {
    const container = { '.dockerenv': '' };
    expect((await said(container, {}, NONE))[0]).toEqual([
      'warn',
      'this is a container: with a network of its own it sees no Bluetooth',
      'run it with --network host --cap-add NET_ADMIN --cap-add NET_RAW',
    ]);
    expect(await said(container)).toHaveLength(1);
    expect(await said({}, {}, NONE)).toHaveLength(1);
  });

  it('looks at the serial port where the adapter is on one, and at nothing where Bluetooth is off', async () => {
    const port = join(folder, 'ttyUSB9');
    writeFileSync(port, '');
    const [there] = await look({}, { hci: `uart:${port}` });
    expect([there?.level, there?.told.en]).toEqual(['ok', `Bluetooth adapter on ${port}`]);
    const [gone] = await look({}, { hci: 'uart:/nowhere/ttyUSB8' });
    expect([gone?.level, gone?.remedy?.en]).toEqual(['warn', 'plug the adapter in, or change ble.hci']);
    expect(await look({}, { enabled: 'off' })).toMatchObject([{ level: 'ok', told: { it: 'Bluetooth spento' } }]);
  });

  it.runIf(process.platform === 'linux')('looks at each of several adapters, of the system and on ports', async () => {
    const port = join(folder, 'ttyUSB7');
    writeFileSync(port, '');
    const both = await look({}, { hci: [`uart:${port}`, 'uart:/nowhere/ttyUSB8'] });
    expect(both.map(({ level, told }) => [level, told.en])).toEqual([
      ['ok', `Bluetooth adapter on ${port}`],
      ['warn', 'port /nowhere/ttyUSB8 is not there'],
    ]);
    const adapters = { 'sys/class/bluetooth/hci0/address': '00:1a:7d:da:71:13\n' };
    const mixed = await said(adapters, { hci: ['native', `uart:${port}`], adapter: ['hci0', 'hci1'] });
    expect(mixed.map(([level, told]) => [level, told])).toEqual([
      ['ok', 'Bluetooth adapter hci0, 00:1a:7d:da:71:13'],
      ['warn', 'the adapter hci1 is not there'],
      ['ok', 'rights for Bluetooth'],
      ['ok', `Bluetooth adapter on ${port}`],
    ]);
  });

  it('says what an open table tells of its adapters, and which of them is away', () => {
    const away = { reason: 'the adapter is off', remedy: 'plug it in' };
    const status = {
      ble: {
        radio: {
          adapters: [
            { name: 'hci0', links: 7, linked: 6, state: 'on', epoch: 1 },
            { name: 'hci1', links: 5, linked: 0, state: 'unavailable', trouble: { it: away, en: away } },
          ],
        },
      },
    };
    expect(
      checkToldAdapters(adaptersIn(status)).map(({ level, told, remedy }) => [level, told.en, remedy?.en]),
    ).toEqual([
      ['ok', 'Bluetooth adapter hci0: 6 of 7 dice linked', undefined],
      ['warn', 'Bluetooth adapter hci1: the adapter is off', 'plug it in'],
    ]);
    expect(adaptersIn({ ble: { state: 'unavailable' } })).toEqual([]);
  });
});

describe('the doctor', () => {
  it.each([
    ['18.20.0', 'fail'],
    ['20.18.3', 'fail'],
    ['20.19.0', 'warn'],
    ['22.12.0', 'warn'],
    ['24.1.0', 'ok'],
    ['26.0.0', 'ok'],
  ])('finds Node %s %s', (version, level) => {
    expect(checkNode(version).level).toBe(level);
  });

  it('finds native parts that are missing, and says what to do (F140)', () => {
    expect(checkNative().map(({ level }) => level)).toEqual(['ok', 'ok']);
    const missing = checkNative(join(folder, 'empty', 'here.js'));
    expect(missing.map(({ level }) => level)).toEqual(['fail', 'warn']);
    expect(missing[0]?.remedy?.en).toContain('npm ci');
  });

  it('finds a part built for another Node by what the loader says (F140)', () => {
    const library = join(folder, 'other-node', 'node_modules', 'libsql');
    mkdirSync(library, { recursive: true });
    writeFileSync(join(library, 'addon.node'), 'no machine code');
    writeFileSync(join(library, 'index.js'), "require('./addon.node');");
    const [database] = checkNative(join(folder, 'other-node', 'here.js'));
    expect(database).toMatchObject({ level: 'fail', told: { en: expect.stringContaining('does not load') } });
  });

  it('looks at the data folder without making it', () => {
    expect(checkDataFolder(join(folder, 'not', 'yet')).level).toBe('ok');
    const file = join(folder, 'a-file');
    writeFileSync(file, '');
    chmodSync(file, 0o400);
    expect(checkDataFolder(join(file, 'below')).level).toBe('fail');
  });

  it('finds taken ports and the next free one', async () => {
    const server: Server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const { http, mqtt } = defaultConfig();
    expect((await checkHttpPort({ ...http, port })).level).toBe('fail');
    const taken = await checkMqttPort({ ...mqtt, port });
    expect(taken).toMatchObject({ level: 'warn', told: { en: expect.stringMatching(/taken/) } });
    await new Promise((resolve) => server.close(resolve));
    expect((await checkHttpPort({ ...http, port })).level).toBe('ok');
    expect((await checkMqttPort({ ...mqtt, mode: 'off', port })).level).toBe('ok');
  });

  it('knows an open table of ours from another program on the port', async () => {
    let answer = JSON.stringify({ version: '1.2.3', tables: [], mqtt: { url: 'mqtt://127.0.0.1:1883' } });
    let locked = false;
    const server = createHttpServer((_, response) => response.writeHead(locked ? 401 : 200).end(answer));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const { http, mqtt } = defaultConfig();
    const open = await openTableAt(port);
    expect(open).toEqual({ locked: false, version: '1.2.3', mqtt: 'mqtt://127.0.0.1:1883', adapters: [] });
    expect((await checkHttpPort({ ...http, port }, open)).level).toBe('ok');
    expect((await checkMqttPort({ ...mqtt, port }, open)).told.en).toContain('is open');
    answer = 'something else';
    expect(await openTableAt(port)).toBeUndefined();
    locked = true;
    answer = JSON.stringify({ error: { code: 'token_missing' } });
    const shut = await openTableAt(port);
    expect(shut).toEqual({ locked: true });
    expect(await checkHttpPort({ ...http, port }, shut)).toMatchObject({
      level: 'warn',
      remedy: { it: expect.stringContaining('TIRO_TOKEN') },
    });
    answer = JSON.stringify({ error: { code: 'somebody_elses' } });
    expect(await openTableAt(port)).toBeUndefined();
    await new Promise((resolve) => server.close(resolve));
    expect(await openTableAt(port)).toBeUndefined();
  });

  it('lists serial ports without any program of the system (F019)', () => {
    const dev = join(folder, 'dev');
    mkdirSync(dev);
    for (const name of ['ttyACM0', 'ttyUSB1', 'null']) writeFileSync(join(dev, name), '');
    const told = checkSerial([{ path: join(dev, 'gone'), baud: 115_200 }], dev).map(({ level, told: { en } }) => [
      level,
      en,
    ]);
    expect(told).toEqual([
      ['warn', `port ${join(dev, 'gone')} is not there`],
      ['ok', `serial port ${join(dev, 'ttyACM0')}`],
      ['ok', `serial port ${join(dev, 'ttyUSB1')}`],
    ]);
    expect(checkSerial([{ path: 'auto', baud: 115_200 }], join(folder, 'nowhere'))).toHaveLength(1);
  });

  it('puts a wrong configuration among its findings and goes on with the rest', async () => {
    const config = join(folder, 'wrong.yaml');
    writeFileSync(config, 'http:\n  prot: 1\n');
    const { findings } = await examine({ config, data: folder });
    expect(findings.find(({ check }) => check === 'configuration')).toMatchObject({
      level: 'fail',
      told: { en: `${config}:2:3: http.prot: unknown key (did you mean "port"?)` },
    });
    expect(new Set(findings.map(({ check }) => check)).size).toBe(8);
  });
});

describe('places', () => {
  it('follow the system', () => {
    expect(defaultDataFolder({ XDG_DATA_HOME: '/x' }, 'linux', '/home/ada')).toBe('/x/tiro');
    expect(defaultDataFolder({ XDG_DATA_HOME: 'x' }, 'linux', '/home/ada')).toBe('/home/ada/.local/share/tiro');
    expect(defaultDataFolder({}, 'darwin', '/Users/ada')).toBe('/Users/ada/Library/Application Support/tiro');
    expect(defaultDataFolder({ APPDATA: 'C:/R' }, 'win32', 'C:/u')).toBe('C:/R/tiro');
    expect(dataFolder('', { XDG_DATA_HOME: '/x' })).toMatch(/tiro$/);
    expect(dataFolder('d')).toBe(join(process.cwd(), 'd'));
  });

  it('take the configuration as told, else tiro.yaml beside the data', () => {
    const data = join(folder, 'data');
    mkdirSync(data);
    expect(configFile({ data }, {})).toBeUndefined();
    writeFileSync(join(data, 'tiro.yaml'), '');
    expect(configFile({ data }, {})).toBe(join(data, 'tiro.yaml'));
    expect(configFile({ data }, { TIRO_CONFIG: 'b' })).toBe('b');
    expect(configFile({ config: 'a', data }, { TIRO_CONFIG: 'b' })).toBe('a');
  });
});
