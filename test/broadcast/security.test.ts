import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { createToken, revokeToken, TokenStore } from '../../src/broadcast/tokens.js';
import type { Route } from '../../src/broadcast/visit.js';
import { tokenCreate, tokenList, tokenRevoke } from '../../src/cli/token.js';
import { Bench } from './bench-daemon.js';

const benches: Bench[] = [];

async function bench(...options: Parameters<typeof Bench.open>): Promise<Bench> {
  const made = await Bench.open(...options);
  benches.push(made);
  return made;
}

afterEach(async () => {
  for (const made of benches.splice(0)) await made.close();
});

/** As a request of another computer: a proxy's header alone ends the trust. */
const OUTSIDE = { 'x-forwarded-for': '203.0.113.9' };
const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });

/** A path of the route with every parameter filled in. */
const pathOf = (route: Route): string =>
  route.path
    .replace(':table', 'prova')
    .replace(':seat', 'ada')
    .replace(':device', 'fake-tray')
    .replace(':verb', 'line')
    .replace(':name', 'envelope')
    .replace(':file', 'icon.svg');

const VISITORS = ['nobody', 'overlay', 'spectator', 'player', 'gm', 'monitor'] as const;
type Visitor = (typeof VISITORS)[number];
type Row = readonly [path: string, ...allowed: Visitor[]];

/** The documented matrix. A path stands for its method and all visitors that are let in; others get 401 or 403. */
const MATRIX: readonly Row[] = [
  ['get /healthz', 'nobody', 'overlay', 'spectator', 'player', 'gm', 'monitor'],
  ['get /readyz', 'nobody', 'overlay', 'spectator', 'player', 'gm', 'monitor'],
  ['get /metrics', 'gm', 'monitor'],
  ['get /api/v1/status', 'overlay', 'spectator', 'player', 'gm', 'monitor'],
  ['get /api/v1/tables', 'overlay', 'spectator', 'player', 'gm'],
  ['post /api/v1/tables', 'gm'],
  ['get /api/v1/tables/:table', 'overlay', 'spectator', 'player', 'gm'],
  ['get /api/v1/tables/:table/events', 'overlay', 'spectator', 'player', 'gm'],
  ['post /api/v1/tables/:table/commands', 'player', 'gm'],
  ['post /api/v1/tables/:table/overlay', 'gm'],
  ['get /api/v1/tables/:table/box', 'player', 'gm'],
  ['post /api/v1/tables/:table/box', 'gm'],
  ['get /api/v1/dice', 'overlay', 'spectator', 'player', 'gm'],
  ['post /api/v1/fake/:device/:verb', 'gm'],
  ['get /api/v1/config', 'gm'],
  ['post /api/v1/config', 'gm'],
  ['get /api/v1/lan', 'gm'],
  ['post /api/v1/lan', 'gm'],
  ['get /api/v1/lan/qr', 'gm'],
  ['get /api/v1/schemas', 'nobody', 'overlay', 'spectator', 'player', 'gm', 'monitor'],
  ['get /api/v1/schemas/:name', 'nobody', 'overlay', 'spectator', 'player', 'gm', 'monitor'],
  ...['/', '/settings', '/table/:table', '/gm/:table', '/board/:table', '/board/:table/:seat', '/overlay/:table'].map(
    (path): Row => [`get ${path}`, ...VISITORS],
  ),
  ['get /overlay/tiro-overlay.html', ...VISITORS],
  ['get /assets/:file', 'nobody', 'overlay', 'spectator', 'player', 'gm', 'monitor'],
  ['get /:file', 'nobody', 'overlay', 'spectator', 'player', 'gm', 'monitor'],
];

describe('F079 every route has a rule, and the rule holds', () => {
  test('the routes registered are those of the matrix, and no others', async () => {
    const at = await bench();
    const documented = MATRIX.map(([path]) => path);
    expect(at.door.routes.map((route) => `${route.method} ${route.path}`).sort()).toEqual([...documented].sort());
    interface Layer {
      readonly name: string;
      readonly route?: { readonly path: string; readonly methods: Record<string, boolean> };
    }
    const { stack } = at.door.express.router as unknown as { stack: readonly Layer[] };
    const registered = stack.flatMap(({ route }) =>
      route === undefined ? [] : Object.keys(route.methods).map((method) => `${method} ${route.path}`),
    );
    expect(registered.sort()).toEqual([...documented].sort());
    // Beside them: the headers, the 404 and the error answer. A folder mounted past the rules would be a fourth.
    expect(stack.filter((layer) => layer.route === undefined)).toHaveLength(3);
  });

  test('each route by nobody, overlay, spectator, player, gm and monitor', async () => {
    const at = await bench();
    const tokens = new Map<Visitor, Record<string, string>>([['nobody', OUTSIDE]]);
    for (const role of VISITORS.slice(1)) {
      const seat = role === 'player' ? { seat: 'ada' } : {};
      tokens.set(role, { ...OUTSIDE, ...bearer(at.token(role, seat).token) });
    }
    const found: string[] = [];
    const wanted: string[] = [];
    for (const route of at.door.routes) {
      const [, ...allowed] = MATRIX.find(([path]) => path === `${route.method} ${route.path}`) ?? [''];
      for (const visitor of VISITORS) {
        const headers = tokens.get(visitor) ?? {};
        const path = pathOf(route);
        const answer = route.method === 'get' ? await at.get(path, headers) : await at.post(path, {}, headers);
        const kept = visitor === 'nobody' ? 401 : 403;
        const line = `${route.method} ${route.path} ${visitor}`;
        wanted.push(`${line} ${allowed.includes(visitor) ? 'in' : kept}`);
        found.push(`${line} ${[401, 403].includes(answer.status) ? answer.status : 'in'}`);
      }
    }
    expect(found).toEqual(wanted);
    expect(at.tables).toHaveLength(1);
    expect(at.driven).toEqual([]);
  });

  test('a token for one table or one seat reaches no other', async () => {
    const at = await bench();
    at.addTable('altra');
    const gm = { ...OUTSIDE, ...bearer(at.token('gm', { table: 'prova' }).token) };
    const ada = { ...OUTSIDE, ...bearer(at.token('player', { table: 'prova', seat: 'ada' }).token) };
    const house = { ...OUTSIDE, ...bearer(at.token('player', { table: 'prova' }).token) };
    expect((await at.get('/api/v1/tables/prova', gm)).json.view).toMatchObject({ secret: 'for the GM' });
    expect((await at.get('/api/v1/tables/altra', gm)).status).toBe(403);
    expect((await at.get('/api/v1/tables', gm)).json.tables?.map((table) => table.id)).toEqual(['prova']);
    expect((await at.post('/api/v1/tables', { id: 'terza' }, gm)).status).toBe(403);
    expect((await at.post('/api/v1/fake/fake-tray/line', { text: 'x' }, gm)).status).toBe(403);
    expect((await at.get('/api/v1/tables/prova', ada)).json.view).toMatchObject({ hand: 'hand of ada' });
    expect((await at.get('/api/v1/tables/prova?seat=bea', ada)).status).toBe(403);
    expect((await at.get('/api/v1/tables/prova?role=gm', ada)).status).toBe(403);
    expect((await at.get('/api/v1/tables/prova', house)).json.view).not.toHaveProperty('hand');
    expect((await at.get('/api/v1/tables/prova?seat=bea&role=player', house)).json.view).toMatchObject({
      hand: 'hand of bea',
    });
    expect((await at.get('/api/v1/tables/prova?seat=zoe&role=player', house)).status).toBe(404);
    const typed = { id: 'c1', do: 'type', args: { seat: 'bea', sides: 20, natural: 1 } };
    expect((await at.post('/api/v1/tables/prova/commands', typed, ada)).status).toBe(403);
    expect((await at.post('/api/v1/tables/prova/commands', { id: 'c2', do: 'undo' }, ada)).status).toBe(403);
  });
});

describe('F013 who is trusted without a token', () => {
  test('loopback by a loopback name and our port, until a GM token for all tables exists', async () => {
    const at = await bench();
    const status = async (headers: Record<string, string>) => (await at.get('/api/v1/status', headers)).status;
    const { port } = at.door;
    expect(await status({ host: `localhost:${port}` })).toBe(200);
    expect(await status({ host: `127.0.0.1:${port}` })).toBe(200);
    expect(await status({ host: 'localhost:1' })).toBe(401);
    expect(await status({ host: `tavolo.local:${port}` })).toBe(401);
    expect(await status(OUTSIDE)).toBe(401);
    expect(await status({ forwarded: 'for=203.0.113.9' })).toBe(401);
    expect(await status({ 'x-forwarded-host': 'x' })).toBe(401);
    expect(await status(bearer('tiro_unknown'))).toBe(401);
    at.token('overlay');
    at.token('gm', { table: 'prova' });
    expect(await status({})).toBe(200);
    const gm = at.token('gm');
    expect(await status({})).toBe(401);
    expect(await status(bearer(gm.token))).toBe(200);
    expect((await at.get(`/api/v1/status?token=${gm.token}`)).status).toBe(200);
  });

  test('http.trustLoopback: false asks everybody', async () => {
    const at = await bench({ trustLoopback: false });
    expect((await at.get('/api/v1/status')).status).toBe(401);
    expect((await at.get('/healthz')).status).toBe(200);
    expect(await at.follow('table=prova').closed()).toBe(4001);
  });

  test('a hundred headers more do not push a proxy header out of sight', async () => {
    const at = await bench();
    const many = Object.fromEntries(Array.from({ length: 2010 }, (_, n) => [`a${n}`, '']));
    expect((await at.get('/api/v1/status', { ...many, ...OUTSIDE })).status).toBe(431);
  });
});

describe('F053 foreign names and origins', () => {
  test('a foreign Host is refused on HTTP and WebSocket, naming the key to add', async () => {
    const at = await bench({ names: ['table.example'] });
    const { port } = at.door;
    for (const host of ['rebind.evil:8080', `rebind.evil:${port}`, 'a b', '[::1', 'localhost.evil.com', '8.8.8.8']) {
      const answer = await at.get('/api/v1/status', { host });
      expect([400, 421]).toContain(answer.status);
      if (host.startsWith('rebind')) expect(answer.json.error?.remedy).toMatch(/http\.allowedHosts/);
    }
    expect((await at.get('/table/prova', { host: 'rebind.evil' })).status).toBe(421);
    const ear = at.follow('table=prova', { headers: { host: 'rebind.evil' } });
    expect(await ear.closed()).toBe(1006);
    const gm = at.token('gm').token;
    for (const host of [`[::1]:${port}`, 'tavolo.local', 'table.example', 'TABLE.example.:443'])
      expect((await at.get('/api/v1/status', { host, ...bearer(gm) })).status).toBe(200);
  });

  test('HTTP/1.0 without Host is refused', async () => {
    const at = await bench();
    const answer = await new Promise<string>((resolve) => {
      const socket = createConnection({ host: '127.0.0.1', port: at.door.port });
      let text = '';
      socket.on('data', (data) => {
        text += String(data);
      });
      socket.on('close', () => resolve(text));
      socket.write('GET /api/v1/status HTTP/1.0\r\n\r\n');
    });
    expect(answer).toMatch(/^HTTP\/1\.1 421/);
    expect(answer).not.toMatch(/version/);
  });

  test('a foreign Origin is refused; our own, a configured one and none are taken', async () => {
    const at = await bench({ names: ['https://table.example'] });
    const own = `http://127.0.0.1:${at.door.port}`;
    const typed = (origin: string) =>
      at.post(
        '/api/v1/tables/prova/commands',
        { id: origin.slice(-20), do: 'type', args: { natural: 4, sides: 20 } },
        { origin },
      );
    expect((await typed(own)).status).toBe(200);
    expect((await typed('https://table.example')).status).toBe(200);
    for (const origin of ['https://evil.example', 'http://127.0.0.1:1', 'http://localhost:5173', 'file://', 'x']) {
      const answer = await typed(origin);
      expect([origin, answer.status]).toEqual([origin, 403]);
      const ear = at.follow('table=prova', { headers: { origin } });
      expect(await ear.closed()).toBe(1006);
    }
    const ear = at.follow('table=prova', { headers: { origin: own } });
    await ear.ready();
  });

  test('a local overlay file (Origin null) sees what is public and may not act, with a GM token neither', async () => {
    const at = await bench();
    const open = async (query: string) => {
      const ear = at.follow(query, { headers: { origin: 'null' } });
      await ear.ready();
      ear.say({ id: 'n1', do: 'undo' });
      expect(await ear.hear((message) => message.id === 'n1')).toMatchObject({ kind: 'refused', code: 'forbidden' });
      return ear;
    };
    expect((await open('table=prova')).heard[0]).toMatchObject({ role: 'overlay' });
    expect(await at.follow('table=prova&role=gm', { headers: { origin: 'null' } }).closed()).toBe(4001);
    const command = { id: 'n2', do: 'undo' };
    expect((await at.post('/api/v1/tables/prova/commands', command, { origin: 'null' })).status).toBe(403);
    const gm = at.token('gm').token;
    expect((await open(`table=prova&token=${gm}`)).heard[0]).toMatchObject({ role: 'gm' });
    expect((await at.post('/api/v1/tables/prova/commands', command, { origin: 'null', ...bearer(gm) })).status).toBe(
      403,
    );
    expect(at.table.asked).toEqual([]);
  });
});

test('F077 a form-style POST changes nothing on any route', async () => {
  const at = await bench();
  for (const route of at.door.routes.filter(({ method }) => method !== 'get')) {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', '']) {
      const headers = type === '' ? {} : { 'content-type': type };
      const answer = await at.ask('POST', pathOf(route), headers, '{"id":"x","do":"undo","damage":5}');
      expect([route.path, type, answer.status]).toEqual([route.path, type, 415]);
      expect(answer.json.error?.code).toBe('not_json');
    }
    const empty = await at.ask('POST', pathOf(route), { 'content-type': 'application/json' });
    expect([400, 404]).toContain(empty.status);
  }
  expect(at.table.asked).toEqual([]);
  expect(at.driven).toEqual([]);
  expect(at.tables).toHaveLength(1);
});

test('F145 a token revoked by another process closes its sockets with 4003 within 2 s', async () => {
  const at = await bench();
  const file = join(at.folder, 'tokens.json');
  const made = createToken(file, { role: 'gm' });
  const other = createToken(file, { role: 'overlay' });
  if (!made.ok || !other.ok) throw new Error('no token');
  const early = at.follow('table=prova');
  expect(await early.closed(2000)).toBe(4001);
  const gm = at.follow(`table=prova&token=${made.value.token}`);
  const overlay = at.follow(`table=prova&token=${other.value.token}`);
  await Promise.all([gm.ready(), overlay.ready()]);
  expect(revokeToken(file, made.value.stored.id).ok).toBe(true);
  expect(await gm.closed(2000)).toBe(4003);
  expect(overlay.code).toBeNull();
  expect(await at.follow(`table=prova&token=${made.value.token}`).closed()).toBe(4001);
});

describe('F054 F080 the token file', () => {
  test('it holds hashes only, is private, and no constant secret opens anything', async () => {
    const at = await bench();
    const { token } = at.token('gm');
    const file = join(at.folder, 'tokens.json');
    expect(token).toMatch(/^tiro_[A-Za-z0-9_-]{43}$/);
    expect(readFileSync(file, 'utf8')).not.toContain(token.slice(5));
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o077).toBe(0);
    for (const guess of ['', 'tiro', 'tiro_', 'admin', 'changeme', 'null', 'undefined', `${token}x`])
      expect((await at.get('/api/v1/status', bearer(guess))).status).toBe(401);
  });

  test.each([
    ['empty', ''],
    ['garbage', '\u0000\u0001{{'],
    ['of the wrong shape', '{"v":1,"tokens":{"gm":true}}'],
    ['of another version', '{"v":2,"tokens":[]}'],
  ])('%s: refused with a message, and kept', (_what, content) => {
    const at = new Bench();
    benches.push(at);
    const file = join(at.folder, 'damaged.json');
    writeFileSync(file, content);
    const opened = TokenStore.open(file, () => undefined);
    expect(opened.ok).toBe(false);
    if (!opened.ok) expect(opened.error).toMatch(/damaged.*(good copy|move the file)/);
    expect(createToken(file, { role: 'gm' }).ok).toBe(false);
    expect(readFileSync(file, 'utf8')).toBe(content);
  });

  test('damaged while the daemon runs: the tokens known so far stay in force', async () => {
    const at = await bench();
    const gm = at.token('gm').token;
    writeFileSync(join(at.folder, 'tokens.json'), '{');
    for (let n = 0; n < 40 && at.logged.length === 0; n++) await sleep(50);
    expect(at.logged.join()).toMatch(/damaged/);
    expect((await at.get('/api/v1/status')).status).toBe(401);
    expect((await at.get('/api/v1/status', bearer(gm))).status).toBe(200);
  });

  test('tiro token create, list, revoke', () => {
    const at = new Bench();
    benches.push(at);
    const data = join(at.folder, 'data');
    expect(tokenList(data)).toEqual({ exit: 0, out: 'no tokens' });
    writeFileSync(join(at.folder, 'file'), '');
    expect(tokenCreate(join(at.folder, 'file', 'data'), { role: 'gm' })).toMatchObject({
      exit: 1,
      out: expect.stringContaining('ENOTDIR'),
    });
    const closes = /pages and programs on this computer need a token too/;
    expect(tokenCreate(join(at.folder, 'all'), { role: 'gm' }).out).toMatch(closes);
    expect(tokenCreate(join(at.folder, 'one'), { role: 'gm', table: 'prova' }).out).not.toMatch(closes);
    const made = tokenCreate(data, { role: 'player', table: 'prova', seat: 'ada' });
    expect(made.exit).toBe(0);
    const id = /^id (\w+): player, table prova, seat ada\./m.exec(made.out)?.[1] ?? '';
    expect(tokenList(data).out).toMatch(new RegExp(`^${id} .*player, table prova, seat ada$`));
    expect(tokenList(data).out).not.toContain('tiro_');
    for (const order of [
      { role: 'admin' },
      { role: '__proto__' },
      { role: 'gm', seat: 'ada' },
      { role: 'player', seat: 'gm' },
      { role: 'gm', table: 'A B' },
    ])
      expect(tokenCreate(data, order)).toMatchObject({ exit: 1 });
    expect(tokenRevoke(data, 'nessuno')).toMatchObject({ exit: 1 });
    expect(tokenRevoke(data, id)).toMatchObject({ exit: 0 });
    expect(tokenList(data).out).toBe('no tokens');
  });
});
