import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { readEnvironment } from '../src/config/environment.js';
import { faultText, nearest } from '../src/config/fault.js';
import { leaf, leavesOf, section, variableOf } from '../src/config/leaf.js';
import { type ConfigSources, loadConfig } from '../src/config/load.js';
import { exampleText, schemaText } from '../src/config/publish.js';
import { type Config, configSchema, defaultConfig } from '../src/config/schema.js';
import { MAX_CONFIG_BYTES } from '../src/config/text.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tiro-config-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function fileOf(text: string): string {
  const file = join(folder, 'tiro.yaml');
  writeFileSync(file, text);
  return file;
}

function loaded(sources: ConfigSources): Config {
  const result = loadConfig(sources);
  if (!result.ok) throw new Error(result.error.map(faultText).join('\n'));
  return result.value;
}

function faults(sources: ConfigSources): string[] {
  const result = loadConfig(sources);
  return result.ok ? [] : result.error.map((fault) => faultText(fault).replace(`${folder}/`, ''));
}

describe('a configuration', () => {
  it('is whole without any source, and cannot be changed', () => {
    const config = loaded({});
    expect(config).toEqual(defaultConfig());
    expect(config).toMatchObject({
      language: 'it',
      http: { port: 8706, host: '127.0.0.1', trustLoopback: true, allowedHosts: [], allowedOrigins: [] },
      mqtt: { mode: 'embedded', port: 1883 },
      dice: { settle: { godice: 250, pixels: 0 }, dwell: { godice: 800, pixels: 600 }, percentile: 'zero' },
      devices: { fake: 'auto', serial: [] },
      ble: { enabled: 'auto', driver: 'auto', hci: 'native', adapter: '', links: 7 },
    });
    expect(Object.isFrozen(config.http)).toBe(true);
  });

  it('takes arguments before environment before file before defaults', () => {
    const file = fileOf('http:\n  port: 1001\n  host: 0.0.0.0\nmqtt:\n  port: 1002\n');
    const env = { TIRO_HTTP_PORT: '2001', TIRO_MQTT_PORT: '2002', TIRO_MQTT_USERNAME: 'ada' };
    const { http, mqtt } = loaded({ file, env, args: { 'http.port': 3001, 'mqtt.mode': undefined } });
    expect(http).toMatchObject({ port: 3001, host: '0.0.0.0', trustLoopback: true });
    expect(mqtt).toMatchObject({ mode: 'embedded', port: 2002, username: 'ada' });
  });

  it('may leave sections and the whole file empty', () => {
    expect(loaded({ file: fileOf('') })).toEqual(defaultConfig());
    expect(loaded({ file: fileOf('http:\n  # port: 1\nmqtt:\n') })).toEqual(defaultConfig());
  });

  it('reads every leaf from the environment', () => {
    const leaves = leavesOf(configSchema);
    expect(leaves.length).toBeGreaterThan(15);
    for (const { path, meta } of leaves) {
      const text = Array.isArray(meta.example) ? JSON.stringify(meta.example) : String(meta.example);
      const config: unknown = loaded({ env: { [variableOf(path)]: text } });
      const value = path.reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], config);
      expect(value, path.join('.')).toEqual(meta.example);
    }
  });

  it('reads lists from the environment with commas, and says which variable is wrong or unknown', () => {
    expect(loaded({ env: { TIRO_HTTP_ALLOWED_HOSTS: 'tavolo.lan, pi.lan' } }).http.allowedHosts).toEqual([
      'tavolo.lan',
      'pi.lan',
    ]);
    expect(loaded({ env: { TIRO_DEVICES_SERIAL: '/dev/ttyACM0' } }).devices.serial).toEqual([
      { path: '/dev/ttyACM0', baud: 115_200 },
    ]);
    expect(faults({ env: { TIRO_HTTP_PORT: '99999' } })[0]).toMatch(/^environment: TIRO_HTTP_PORT: .*65535/);
    expect(faults({ env: { TIRO_HTTP_TRUST_LOOPBACK: 'perhaps' } })).toHaveLength(1);
    const result = loadConfig({ env: { TIRO_HTTP_PROT: '1', PATH: 'x' } });
    expect(result.ok && result.notices).toEqual(['TIRO_HTTP_PROT is no setting: did you mean TIRO_HTTP_PORT?']);
  });

  it('takes one Bluetooth adapter or a list of them, from a file and from the environment', () => {
    const file = fileOf(
      'ble:\n  hci: [native, uart:/dev/ttyACM0]\n  adapter: [hci0, 00:1A:7D:DA:71:13]\n  links: [7, 5]\n',
    );
    expect(loaded({ file }).ble).toMatchObject({
      hci: ['native', 'uart:/dev/ttyACM0'],
      adapter: ['hci0', '00:1A:7D:DA:71:13'],
      links: [7, 5],
    });
    const env = { TIRO_BLE_HCI: 'uart:/dev/a, uart:/dev/b', TIRO_BLE_ADAPTER: '[hci1]', TIRO_BLE_LINKS: '7,5' };
    expect(loaded({ file, env }).ble).toMatchObject({
      hci: ['uart:/dev/a', 'uart:/dev/b'],
      adapter: ['hci1'],
      links: [7, 5],
    });
    expect(loaded({ env: { TIRO_BLE_LINKS: '5', TIRO_BLE_ADAPTER: '' } }).ble).toMatchObject({ links: 5, adapter: '' });
    expect(
      ['hci: [native, usb]', 'adapter: [hci0, HCI0]', 'adapter: [hci1, hci1]', 'links: [7, 0]', 'hci: 7'].map(
        (text) => faults({ file: fileOf(`ble:\n  ${text}\n`) })[0],
      ),
    ).toEqual([
      expect.stringMatching(/^tiro\.yaml:2:17: ble\.hci\.1: native, or uart:/),
      expect.stringMatching(/^tiro\.yaml:2:19: ble\.adapter\.1: hci1, or an address/),
      expect.stringMatching(/^tiro\.yaml:2:12: ble\.adapter: each adapter once/),
      expect.stringMatching(/^tiro\.yaml:2:14: ble\.links\.1: .*>=1/),
      expect.stringMatching(/^tiro\.yaml:2:8: ble\.hci: native, or uart: .*; or a list of them/),
    ]);
    expect(faults({ env: { TIRO_BLE_ADAPTER: 'hci0,usb' } })[0]).toMatch(/^environment: TIRO_BLE_ADAPTER: hci1, or an/);
  });

  it('reads a secret from the file its variable names, and only a secret', () => {
    const secretFile = fileOf('drago\n');
    const schema = section({
      key: leaf(z.string().min(3), 'none', { title: 'Key', titolo: 'Chiave', example: 'abc', secret: true }),
    });
    const leaves = leavesOf(schema);
    expect(readEnvironment(leaves, { TIRO_KEY_FILE: secretFile }).values).toEqual([[['key'], 'drago']]);
    expect(readEnvironment(leaves, { TIRO_KEY_FILE: secretFile, TIRO_KEY: 'x' }).faults[0]?.reason).toContain('twice');
    expect(readEnvironment(leaves, { TIRO_KEY_FILE: join(folder, 'gone') }).faults[0]?.reason).toContain(
      'cannot be read',
    );
    expect(loadConfig({ env: { TIRO_HTTP_PORT_FILE: secretFile } })).toMatchObject({ ok: true, notices: [/./] });
  });
});

describe('a wrong file refuses the start', () => {
  it.each([
    ['http:\n  prot: 8706\n', 'tiro.yaml:2:3: http.prot: unknown key (did you mean "port"?)'],
    ['http:\n  port: 8706\nhtpt: {}\n', 'tiro.yaml:3:1: htpt: unknown key (did you mean "http"?)'],
    ['port: 8706\n', 'tiro.yaml:1:1: port: unknown key (did you mean "http.port"?)'],
    [
      'mqtt:\n  zzzzzzzz: 1\n',
      'tiro.yaml:2:3: mqtt.zzzzzzzz: unknown key (known here: mode, port, url, username, password, ca, cert, key, clientId, protocol)',
    ],
    [
      'devices:\n  serial:\n    - path: COM3\n      bauds: 9600\n',
      'tiro.yaml:4:7: devices.serial.0.bauds: unknown key',
    ],
  ])('unknown key: %j', (text, told) => {
    expect(faults({ file: fileOf(text) })).toEqual([told]);
  });

  it.each([
    ['http:\n  port: many\n', /^tiro\.yaml:2:9: http\.port: .*number/],
    ['http:\n  host: a b\n', /^tiro\.yaml:2:9: http\.host: a host name/],
    ['http: 5\n', /^tiro\.yaml:1:7: http: .*object/],
    ['- 1\n', /^tiro\.yaml:1:1: .*object/],
    ['http:\n  port: 1\n  port: 2\n', /^tiro\.yaml:3:3: .*unique/],
    ['http:\n\tport: 1\n', /^tiro\.yaml:2:1: /],
    ['http: {port: 1\nmqtt: {}\n', /^tiro\.yaml:\d+:\d+: /],
    ['language: !!js/function x\n', /^tiro\.yaml:1:\d+: .*tag/i],
  ])('bad text: %j', (text, told) => {
    expect(faults({ file: fileOf(text) })[0]).toMatch(told);
  });

  it.each(['__proto__', 'constructor', 'prototype'])('the key %s, which reaches no object (F146)', (key) => {
    expect(faults({ file: fileOf(`http:\n  ${key}:\n    isGM: true\n`) })).toEqual([
      `tiro.yaml:2:3: ${key}: not allowed as a key`,
    ]);
    expect(faults({ file: fileOf(`{"${key}": {"isGM": true}}`) })).toEqual([
      `tiro.yaml:1:2: ${key}: not allowed as a key`,
    ]);
    expect(faults({ args: { [key]: { isGM: true } } })).toHaveLength(1);
    expect(faults({ env: { TIRO_DEVICES_SERIAL: `[{${key}: {isGM: true}, path: x}]` } })).not.toEqual([]);
    expect(({} as { isGM?: boolean }).isGM).toBeUndefined();
  });

  it('oversized, endlessly nested, or blown up by references', () => {
    expect(faults({ file: fileOf(`# ${'x'.repeat(MAX_CONFIG_BYTES)}`) })).toEqual([
      'tiro.yaml:1:1: larger than 256 KiB',
    ]);
    expect(faults({ file: fileOf('['.repeat(100_000)) })).toHaveLength(1);
    const levels = Array.from(
      { length: 20 },
      (_, n) => `l${n}: &a${n} [${n === 0 ? 'x' : `*a${n - 1},`.repeat(9).slice(0, -1)}]`,
    );
    const before = process.memoryUsage().rss;
    expect(faults({ file: fileOf(levels.join('\n')) })[0]).toContain('alias');
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
  });

  it('that is not there', () => {
    expect(faults({ file: join(folder, 'gone.yaml') })[0]).toMatch(
      /^gone\.yaml: cannot be read: .*\(check the path given to --config\)$/,
    );
  });

  it('tells every fault at once, up to twenty', () => {
    expect(faults({ file: fileOf('http:\n  prot: 1\n  hots: 2\nlanguage: fr\n') })).toHaveLength(3);
    const many = Array.from({ length: 50 }, (_, n) => `k${n}: 1`).join('\n');
    expect(faults({ file: fileOf(many) })).toHaveLength(20);
  });
});

describe('what is published', () => {
  it('is up to date: run node scripts/publish-config.mjs after a change of the schema', () => {
    expect(readFileSync('config/tiro.schema.json', 'utf8')).toBe(schemaText());
    expect(readFileSync('config/tiro.example.yaml', 'utf8')).toBe(exampleText());
  });

  it('shows the defaults in the example, and holds no secret (F080)', () => {
    expect(parse(exampleText())).toEqual(defaultConfig());
    expect(loaded({ file: 'config/tiro.example.yaml' })).toEqual(defaultConfig());
    const secrets = leavesOf(configSchema).filter(({ meta }) => meta.secret === true);
    expect(secrets.map(({ path }) => path.join('.'))).toContain('mqtt.password');
    for (const { fallback, meta } of secrets) {
      expect(fallback).toBe('');
      expect(exampleText()).not.toContain(String(meta.example));
    }
    expect(exampleText()).not.toMatch(/secret|(token|password): (?!['"]{2}$)/im);
  });

  it('gives every leaf a title in both languages, a default and an example that differs', () => {
    for (const { path, meta, schema, fallback } of leavesOf(configSchema)) {
      expect(meta.title.length * meta.titolo.length, path.join('.')).toBeGreaterThan(0);
      expect(schema.safeParse(meta.example).success, path.join('.')).toBe(true);
      expect(meta.example).not.toEqual(fallback);
    }
  });
});

describe('the nearest word', () => {
  it.each([
    ['prot', 'port'],
    ['hosts', 'host'],
    ['PORT', 'port'],
    ['completely-else', undefined],
    ['foo', undefined],
  ])('to %s is %s', (word, meant) => {
    expect(nearest(word, ['port', 'host', 'log', 'trustLoopback'])).toBe(meant);
  });
});
