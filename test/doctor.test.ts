import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  checkDataFolder,
  checkHttpPort,
  checkMqttPort,
  checkNative,
  checkNode,
  checkSerial,
  openTableAt,
} from '../src/cli/checkup.js';
import { examine } from '../src/cli/doctor.js';
import { configFile, dataFolder, defaultDataFolder } from '../src/cli/places.js';
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
    const server = createHttpServer((_, response) => response.end(answer));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const { http, mqtt } = defaultConfig();
    const open = await openTableAt(port);
    expect(open).toEqual({ version: '1.2.3', mqtt: 'mqtt://127.0.0.1:1883' });
    expect((await checkHttpPort({ ...http, port }, open)).level).toBe('ok');
    expect((await checkMqttPort({ ...mqtt, port }, open)).told.en).toContain('is open');
    answer = 'something else';
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
