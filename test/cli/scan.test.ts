import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Screen, scan } from '../../src/cli/scan.js';
import { adapterLines, lineOf, type ScannedDie, scannedOf, tableOf } from '../../src/cli/scan-table.js';
import type { DieListing } from '../../src/table/port.js';
import { freshFolder, removeFolders } from '../journal/built.js';

afterAll(removeFolders);

const listing = (id: string, more: Partial<DieListing> = {}): DieListing => ({
  id,
  device: id,
  model: id.startsWith('godice') ? 'GoDice' : 'Pixels',
  type: 'd20',
  table: null,
  seat: null,
  duty: null,
  counter: null,
  link: 'down',
  battery: 80,
  face: null,
  fake: false,
  name: null,
  ...more,
});

const ON_AIR: DieListing[] = [
  listing('pixels-00000001', { rssi: -82, colour: 'onyxBlack' }),
  listing('godice-bc0940', { rssi: -40, type: null, battery: null, colour: 'red' }),
  listing('pixels-00000002', { table: 'prova', seat: 'ada', name: 'Rosso\u001b[2J', following: { by: 'link' } }),
  listing('fake-godice-d20', { fake: true, model: 'GoDice' }),
  listing('tray', { model: 'tray' }),
];

describe('the table of a scan', () => {
  const dice: readonly ScannedDie[] = scannedOf(ON_AIR);

  test('has the nearest first, no simulated dice and no trays, as many lines as there is room for', () => {
    const lines = tableOf(dice, 'it', 10);
    expect(lines[0]).toMatch(/^segnale +dado +modello +tipo +colore +batteria +di chi$/);
    expect(lines.slice(1).map((line) => line.match(/(?:godice|pixels)-\w+/)?.[0])).toEqual([
      'godice-bc0940',
      'pixels-00000001',
      'pixels-00000002',
    ]);
    expect(lines[1]).toMatch(/^████ -40 .*\? .*red .*di nessuno$/);
    expect(tableOf(dice, 'en', 2)).toHaveLength(2);
  });

  test('has a column for the adapter, and a line for each, where there are several', () => {
    const following = (adapter: string) => ({ following: { by: 'link', adapter } }) as const;
    const two = scannedOf([
      listing('pixels-00000003', { ...following('hci0') }),
      listing('pixels-00000004', { ...following('hci1') }),
      listing('pixels-00000005', { ...following('hci0') }),
    ]);
    const lines = tableOf(two, 'en', 9);
    expect(lines[0]).toMatch(/ whose +adapter$/);
    expect(lines[1]).toMatch(/pixels-00000003 .* hci0$/);
    expect(tableOf(two.slice(0, 1), 'en', 9)[0]).toMatch(/ whose$/);
    const away = { reason: 'off', remedy: 'plug it in' };
    const adapters = [
      { name: 'hci0', links: 7, linked: 2, state: 'on' },
      { name: 'hci1', links: 7, linked: 0, state: 'unavailable', trouble: { it: away, en: away } },
    ];
    expect(adapterLines(adapters, two, 'en')).toEqual(['adapter hci0  on, 2 dice', 'adapter hci1  off: plug it in']);
    expect(adapterLines(adapters.slice(0, 1), two, 'en')).toEqual([]);
  });

  test('takes nothing for an order to the terminal', () => {
    const [, , named] = dice;
    if (named === undefined) throw new Error('no third die');
    const line = lineOf(named, 'en');
    expect(line).toBe('pixels-00000002 (Rosso[2J)  Pixels  d20  80%  prova/ada');
    expect(tableOf(dice, 'en', 9).join('\n')).not.toContain('\u001b');
  });
});

/** What a command wrote; `rows` makes it a terminal. */
class Pane extends Writable implements Screen {
  text = '';
  readonly isTTY: boolean;
  readonly rows = 6;

  constructor(isTTY: boolean) {
    super();
    this.isTTY = isTTY;
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString('utf8');
    done();
  }
}

describe('tiro scan beside a table that is open', () => {
  let server: Server;
  let config: string;
  let token: string | undefined;
  beforeEach(async () => {
    token = undefined;
    server = createServer((request, response) => {
      if (token !== undefined && request.headers.authorization !== `Bearer ${token}`) {
        response.writeHead(401).end(JSON.stringify({ error: { code: 'token_missing' } }));
        return;
      }
      const body = request.url === '/api/v1/dice' ? { dice: ON_AIR } : { version: '0.1.0', tables: [] };
      response.end(JSON.stringify(body));
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    config = join(freshFolder(), 'tiro.yaml');
    writeFileSync(config, `language: en\nhttp: { port: ${(server.address() as AddressInfo).port} }\n`);
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  test('asks it for the dice, since it has the radio: a line for each die, once', async () => {
    const [screen, errors] = [new Pane(false), new Pane(false)];
    expect(await scan({ config, seconds: 1.2 }, screen, errors)).toBe(0);
    expect(screen.text.trimEnd().split('\n')).toHaveLength(3);
    expect(errors.text).toBe('');
  });

  test('draws a table in a terminal, and gives one list for programs', async () => {
    const [screen, list] = [new Pane(true), new Pane(true)];
    expect(await scan({ config, seconds: 0.1 }, screen, new Pane(false))).toBe(0);
    expect(screen.text).toContain('\u001b[H\u001b[2J');
    expect(screen.text).toContain('nobody’s');
    expect(await scan({ config, seconds: 0.1, json: true }, list, new Pane(false))).toBe(0);
    expect(JSON.parse(list.text)).toMatchObject({
      dice: [{ die: 'godice-bc0940', rssi: -40 }, { die: 'pixels-00000001' }, { table: 'prova', seat: 'ada' }],
    });
  });

  test('that asks for a token is asked with the one in TIRO_TOKEN; without it no radio is taken from the table', async () => {
    token = 'tiro_0123';
    const [refused, errors, screen] = [new Pane(false), new Pane(false), new Pane(false)];
    expect(await scan({ config, seconds: 0.1 }, refused, errors)).toBe(1);
    expect([refused.text, errors.text]).toEqual(['', expect.stringMatching(/needs a token: .*TIRO_TOKEN/)]);
    vi.stubEnv('TIRO_TOKEN', token);
    expect(await scan({ config, seconds: 0.1 }, screen, new Pane(false))).toBe(0);
    expect(screen.text.trimEnd().split('\n')).toHaveLength(3);
    vi.unstubAllEnvs();
  });

  test('says what is wrong with a configuration', async () => {
    writeFileSync(config, 'ble: { links: many }\n');
    const errors = new Pane(false);
    expect(await scan({ config }, new Pane(false), errors)).toBe(2);
    expect(errors.text).toContain('ble.links');
  });
});
