import { afterAll, beforeAll, expect, test } from 'vitest';
import { createToken, revokeToken, type TokenOrder } from '../../src/broadcast/tokens.js';
import { cleanUp, Daemon, median, tiro, until } from './daemon.js';
import { Ear, MqttEar } from './ears.js';

/** A running daemon obeys within this (contracts G); a busy machine gets five times as long before a test fails. */
const OBEYED_MS = 2000;
const SLACK = 5;

let daemon: Daemon;

beforeAll(async () => {
  daemon = await Daemon.start({ mqtt: 0 });
});
afterAll(cleanUp);

/** A token written by another process, as `tiro token create` does. */
function written(order: TokenOrder, { data } = daemon): { token: string; id: string } {
  const made = createToken(`${data}/tokens.json`, order);
  if (!made.ok) throw new Error(made.error);
  return { token: made.value.token, id: made.value.stored.id };
}

const closedWith = (ear: Ear, ms = OBEYED_MS * SLACK): Promise<number> =>
  until('closed', () => ear.closed ?? undefined, ms);

test('the command line makes, lists and revokes tokens, and says what is wrong with 1 or 2', async () => {
  const player = ['--role', 'player', '--table', 'prova', '--seat', 'ada', '--label', 'telefono'];
  const { code, out } = await tiro(['token', 'create', ...player, '--data', daemon.data]);
  expect(code).toBe(0);
  const [token = '', line = ''] = out.split('\n');
  const id = /^id (\S+):/.exec(line)?.[1] ?? '';
  expect(token).toMatch(/^tiro_[\w-]{43}$/);
  const list = await tiro(['token', 'list', '--data', daemon.data]);
  expect(list.out).toContain(`${id}  `);
  expect(list.out).toContain('player, table prova, seat ada  (telefono)');
  expect(list.out).not.toContain(token);
  expect((await tiro(['token', 'revoke', id, '--data', daemon.data])).code).toBe(0);
  expect((await tiro(['token', 'list', '--data', daemon.data])).out).not.toContain(id);
  const wrong = await Promise.all([
    tiro(['token', 'revoke', id, '--data', daemon.data]),
    tiro(['token', 'create', '--role', 'king', '--data', daemon.data]),
    tiro(['token', 'create', '--data', daemon.data]),
  ]);
  expect(wrong.map(({ code }) => code)).toEqual([1, 1, 2]);
  expect(wrong.map(({ err }) => err.length > 0)).toEqual([true, true, true]);
});

test('a running daemon obeys a new token and a revoked one within 2 s', async () => {
  const path = `${daemon.data}/tokens.json`;
  const known: number[] = [];
  const gone: number[] = [];
  for (let i = 0; i < 20; i++) {
    const { token, id } = written({ role: 'spectator', table: 'prova' });
    const status = async (): Promise<number> => (await daemon.get('/api/v1/tables/prova', token)).status;
    let began = performance.now();
    await until('the token is known', async () => (await status()) === 200, OBEYED_MS * SLACK);
    known.push(performance.now() - began);
    const ear = await Ear.at(daemon, 'table=prova', { token });
    began = performance.now();
    expect(revokeToken(path, id).ok).toBe(true);
    expect(await closedWith(ear)).toBe(4003);
    gone.push(performance.now() - began);
    expect(await status()).toBe(401);
  }
  process.stdout.write(
    `a new token is known after ${median(known).toFixed(0)} ms, a revoked one ends after ${median(gone).toFixed(0)} ms (medians of 20)\n`,
  );
  expect(Math.max(median(known), median(gone))).toBeLessThan(OBEYED_MS);
}, 60_000);

test('close codes: 4001 without a valid token, 4004 where there is no such table', async () => {
  const wrong = new Ear(daemon, 'table=prova', { token: 'tiro_nobody' });
  expect(await closedWith(wrong)).toBe(4001);
  expect(await closedWith(new Ear(daemon, 'table=nowhere'))).toBe(4004);
  const proxied = new Ear(daemon, 'table=prova', { headers: { 'X-Forwarded-For': '192.168.1.9' } });
  expect(await closedWith(proxied)).toBe(4001);
});

test('a player acts for its seat only, a spectator not at all; a token of one table does not open another', async () => {
  const player = written({ role: 'player', table: 'prova', seat: 'ada' });
  const spectator = written({ role: 'spectator', table: 'prova' });
  await until('both are known', async () => {
    const answers = [player, spectator].map(({ token }) => daemon.get('/api/v1/tables/prova', token));
    return (await Promise.all(answers)).every(({ status }) => status === 200);
  });
  await daemon.post('/api/v1/tables', { id: 'altro', seats: ['ada'] });
  const ada = await Ear.at(daemon, 'table=prova', { token: player.token });
  expect(ada.heard[0]).toMatchObject({ kind: 'hello', role: 'player', seat: 'ada' });
  expect(await ada.command('type', { sides: 20, natural: 3 })).toMatchObject({ kind: 'ack' });
  expect(await ada.command('type', { seat: 'bea', sides: 20, natural: 3 })).toMatchObject({ code: 'forbidden' });
  expect(await ada.command('undo')).toMatchObject({ code: 'forbidden' });
  const looker = await Ear.at(daemon, 'table=prova', { token: spectator.token });
  expect(await looker.command('type', { seat: 'ada', sides: 20, natural: 3 })).toMatchObject({ code: 'forbidden' });
  expect((await daemon.get('/api/v1/tables/altro', player.token)).status).toBe(403);
  expect(await closedWith(new Ear(daemon, 'table=altro', { token: player.token }))).toBe(4001);
  expect(
    (
      await daemon.request(
        'POST',
        '/api/v1/fake/fake-tray/roll',
        { natural: 2 },
        { Authorization: `Bearer ${player.token}` },
      )
    ).status,
  ).toBe(403);
  ada.end();
  looker.end();
});

test("once a GM's token exists nobody is trusted for being on this computer, and an open connection ends", async () => {
  const trusted = await Ear.at(daemon, 'table=prova');
  const mqtt = await MqttEar.at(daemon, 'tiro/prova/#');
  const { token, id } = written({ role: 'gm' });
  expect(await closedWith(trusted)).toBe(4001);
  expect((await daemon.get('/api/v1/tables/prova')).status).toBe(401);
  expect((await daemon.fake('fake-tray', 'roll', { natural: 1 })).status).toBe(401);
  expect((await daemon.get('/readyz')).status).toBe(200);
  expect((await daemon.get('/healthz')).status).toBe(200);
  expect((await daemon.get('/api/v1/status', token)).json).toMatchObject({ loopbackTrusted: false });
  const gm = await Ear.at(daemon, 'table=prova', { token });
  expect(gm.heard[0]).toMatchObject({ role: 'gm' });
  const bySubprotocol = await fetch(`${daemon.url}/api/v1/tables/prova?token=${token}`);
  expect(bySubprotocol.status).toBe(200);
  await bySubprotocol.text();

  const master = await MqttEar.at(daemon, 'tiro/prova/reply/#', { username: 'tiro', password: token });
  const command = { id: 'm1', token, do: 'type', args: { seat: 'ada', sides: 20, natural: 8 } };
  await master.client.publishAsync('tiro/prova/command', JSON.stringify(command), { qos: 1 });
  await until('the reply', () => master.on('tiro/prova/reply/m1')[0]);
  expect(mqtt.heard.concat(master.heard).filter(({ text }) => text.includes(token))).toEqual([]);

  revokeToken(`${daemon.data}/tokens.json`, id);
  expect(await closedWith(gm)).toBe(4003);
  await until('MQTT lets go', () => !master.client.connected, OBEYED_MS * SLACK);
  expect(daemon.out + daemon.err).not.toContain(token);
  mqtt.end();
  master.end();
});

test('http.trustLoopback off: a token is needed from the first moment', async () => {
  const closed = await Daemon.start({ env: { TIRO_HTTP_TRUSTLOOPBACK: 'false' } });
  expect((await closed.get('/api/v1/status')).status).toBe(401);
  expect((await closed.fake('fake-tray', 'roll', { natural: 1 })).status).toBe(401);
  expect(await closedWith(new Ear(closed, 'table=prova'))).toBe(4001);
  const { token } = written({ role: 'gm' }, closed);
  await until('the token is known', async () => (await closed.get('/api/v1/status', token)).status === 200);
});
