import { afterAll, beforeAll, expect, test } from 'vitest';
import { cleanUp, Daemon, sleep, tiro, until } from './daemon.js';
import { Ear, MqttEar } from './ears.js';

const MARK = 'Segnalibro-7731';
const D6 = 'fake-godice-d6';

let daemon: Daemon;

beforeAll(async () => {
  daemon = await Daemon.start({ mqtt: 0 });
});
afterAll(cleanUp);

test('two tables: no byte of one reaches a client of the other, on any transport', async () => {
  const seats = [{ id: 'ugo', name: MARK }, 'iva'];
  expect((await daemon.post('/api/v1/tables', { id: 'altro', name: MARK, game: 'dadoteck', seats })).status).toBe(201);
  const roles = ['role=gm', 'role=player&seat=ada', 'role=spectator', 'role=overlay'];
  const here = await Promise.all(roles.map((role) => Ear.at(daemon, `table=prova&${role}`)));
  const there = await Ear.at(daemon, 'table=altro');
  const mqtt = await MqttEar.at(daemon, 'tiro/prova/#');
  for (const seat of ['ugo', 'iva']) {
    const { json } = await daemon.command('altro', 'digital', { seat });
    expect(json, JSON.stringify(json)).toMatchObject({ kind: 'ack' });
  }
  const called = await daemon.command('altro', 'call', { seat: 'ugo', notation: '1d8', purpose: MARK });
  expect(called.status).toBe(200);
  const { json } = await daemon.fake('fake-tray', 'roll', { natural: 4 });
  await until('a roll of the first table', () => here.every((ear) => ear.rolls().some(({ id }) => id === json.roll)));
  await there.first((message) => message.kind === 'call');

  const texts = [
    ...here.flatMap((ear) => ear.texts),
    ...mqtt.heard.map(({ topic, text }) => `${topic} ${text}`),
    (await daemon.get('/api/v1/tables/prova')).text,
    JSON.stringify(await daemon.events('prova')),
  ];
  expect(texts.filter((text) => text.includes(MARK) || text.includes('"altro"'))).toEqual([]);
  const told = there.heard.filter((message) => message.table !== undefined);
  expect(told.length).toBeGreaterThan(3);
  expect(told.filter((message) => message.table !== 'altro')).toEqual([]);
  expect(there.texts.filter((text) => text.includes(json.roll))).toEqual([]);
  for (const ear of [...here, there]) ear.end();
  mqtt.end();
});

test('a table that a game does not take is refused with what the game expects', async () => {
  const { status, json } = await daemon.post('/api/v1/tables', { id: 'solo', game: 'dadoteck', seats: ['ada'] });
  expect([status, json]).toEqual([
    400,
    { error: { code: 'seats', message: 'the number of seats is 1', remedy: 'expected: 2 to 20 seats' } },
  ]);
});

test('a die belongs to one table: elsewhere it is refused with the name of the table', async () => {
  const refused = (await daemon.command('altro', 'enrol', { die: 'fake-tray' })).json;
  expect(refused).toMatchObject({ kind: 'refused' });
  expect(JSON.stringify(refused)).toContain('prova');
});

test("a notice for one seat and the GM reaches neither the others' screens nor MQTT, in any byte (F008)", async () => {
  const ears = {
    gm: await Ear.at(daemon, 'table=prova'),
    ada: await Ear.at(daemon, 'table=prova&role=player&seat=ada'),
    bea: await Ear.at(daemon, 'table=prova&role=player&seat=bea'),
    spectator: await Ear.at(daemon, 'table=prova&role=spectator'),
  };
  const mqtt = await MqttEar.at(daemon, 'tiro/prova/#');
  await daemon.fake(D6, 'set', { face: 3 });
  await until('the tracker counts', async () => {
    const { view } = (await daemon.get('/api/v1/tables/prova')).json;
    return view.seats[0].counters.pa === 3;
  });
  await daemon.command('prova', 'pause');
  await daemon.command('prova', 'resume');
  await daemon.fake(D6, 'set', { face: 5 });
  const notice = await ears.gm.first((message) => /^tracker_/.test(message.notice?.code ?? ''));
  await ears.ada.first((message) => message.seq === notice.seq);
  const { json } = await daemon.fake('fake-tray', 'roll', { natural: 6 });
  for (const ear of [ears.bea, ears.spectator]) {
    const next = await ear.first((message) => message.seq === json.seq);
    expect(next.prev).toBeLessThan(notice.seq);
    expect(ear.texts.filter((text) => text.includes(notice.notice.code))).toEqual([]);
  }
  await until('MQTT', () => mqtt.on('tiro/prova/roll').some(({ text }) => text.includes(json.roll)));
  expect(mqtt.heard.filter(({ text }) => text.includes(notice.notice.code))).toEqual([]);
  for (const ear of Object.values(ears)) ear.end();
  mqtt.end();
});

test('two GM screens open: one throw is one roll, one count, told to both once (F007)', async () => {
  const screens = [await Ear.at(daemon, 'table=altro'), await Ear.at(daemon, 'table=altro')];
  await daemon.command('altro', 'game', { game: 'free' });
  const before = (await daemon.get('/api/v1/tables/altro')).json.view.game.state.rolls;
  const { json } = await daemon.command('altro', 'type', { seat: 'ugo', sides: 20, natural: 5 });
  for (const screen of screens) await screen.first((message) => message.seq === json.seq);
  await sleep(100);
  for (const screen of screens) {
    expect(screen.heard.filter((message) => message.roll?.id === json.roll && message.kind === 'roll')).toHaveLength(1);
    screen.end();
  }
  expect((await daemon.get('/api/v1/tables/altro')).json.view.game.state.rolls).toBe(before + 1);
});

test('names of all kinds: only ids enter a topic, the true name stands in the payload (F010, F154)', async () => {
  const mqtt = await MqttEar.at(daemon, '#');
  const names = ['Bob#1', 'A+B', 'x/y', '$SYS', '__proto__', 'constructor', '<img src=x onerror=alert(1)>', '﷽ 🎲'];
  for (const [index, name] of names.entries()) {
    const seat = await daemon.command('altro', 'seat', { id: `s${index}`, name });
    expect(seat.json, name).toMatchObject({ kind: 'ack' });
    const rolled = await daemon.command('altro', 'type', { seat: `s${index}`, sides: 20, natural: index + 1 });
    expect(rolled.json, name).toMatchObject({ kind: 'ack' });
    await until(`a roll of ${name}`, () =>
      mqtt.on('tiro/altro/roll').some(({ text }) => text.includes(rolled.json.roll)),
    );
  }
  const view = JSON.parse(mqtt.on('tiro/altro/state').at(-1)?.text ?? '{}').view;
  expect(view.seats.map((seat: { name: string }) => seat.name)).toEqual(expect.arrayContaining(names));
  const odd = mqtt.heard.filter(({ topic }) => !/^tiro\/[a-z0-9_-]+(\/[a-zA-Z0-9_.~%-]+)*$/.test(topic));
  expect(odd).toEqual([]);
  for (const bad of ['', 'x'.repeat(61)])
    expect((await daemon.command('altro', 'seat', { id: 's1', name: bad })).status).toBeGreaterThanOrEqual(400);
  for (const id of ['__proto__', 'Bob#1', 'gm', 'table', ''])
    expect((await daemon.command('altro', 'seat', { id, name: 'x' })).status, id).toBeGreaterThanOrEqual(400);
  for (const id of ['constructor', 'tostring']) {
    expect((await daemon.command('altro', 'seat', { id, name: id })).json, id).toMatchObject({ kind: 'ack' });
    const rolled = await daemon.command('altro', 'type', { seat: id, sides: 6, natural: 2 });
    expect(rolled.json, id).toMatchObject({ kind: 'ack' });
  }
  mqtt.end();
});

test('payloads that are no command change nothing and end nothing; the next command is obeyed (F072)', async () => {
  const player = ['--role', 'player', '--table', 'altro', '--seat', 'iva'];
  const { out } = await tiro(['token', 'create', ...player, '--data', daemon.data]);
  const token = out.split('\n')[0] ?? '';
  const mqtt = await until('a token that is known', () =>
    MqttEar.at(daemon, 'tiro/altro/reply/#', { username: 'tiro', password: token }).catch(() => null),
  );
  const { seq } = (await daemon.get('/api/v1/tables/altro')).json;
  const rubbish = ['', 'x', '{"a":', Buffer.alloc(60_000, 0xff), '['.repeat(30_000), '{"id":"q","do":"nonsense"}'];
  for (const payload of rubbish) await mqtt.client.publishAsync('tiro/altro/command', payload, { qos: 1 });
  const command = { id: 'good', token, do: 'type', args: { seat: 'iva', sides: 20, natural: 9 } };
  await mqtt.client.publishAsync('tiro/altro/command', JSON.stringify(command), { qos: 1 });
  const reply = await until('the reply', () => mqtt.on('tiro/altro/reply/good')[0]);
  expect(JSON.parse(reply.text)).toMatchObject({ kind: 'ack', id: 'good', seq: seq + 1 });
  mqtt.end();
});
