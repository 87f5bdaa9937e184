import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type BrokerServer, cleanUpBrokers, mosquitto, nats, program, rabbitmq, until, Wire } from './brokers.js';
import { cleanUpVenues, Listener, Venue } from './external.js';

const CI = process.env.CI !== undefined;

interface Kind {
  readonly name: string;
  readonly needs: string;
  readonly make: () => Promise<BrokerServer>;
  readonly protocol: 4 | 5;
  /** Retained messages come for wildcards too. */
  readonly wildcards: boolean;
}

const KINDS: readonly Kind[] = [
  { name: 'Mosquitto, MQTT 3.1.1', needs: 'mosquitto', make: mosquitto, protocol: 4, wildcards: true },
  { name: 'Mosquitto, MQTT 5', needs: 'mosquitto', make: mosquitto, protocol: 5, wildcards: true },
  { name: 'NATS', needs: 'nats-server', make: nats, protocol: 4, wildcards: true },
  { name: 'RabbitMQ', needs: 'rabbitmq-server', make: rabbitmq, protocol: 4, wildcards: false },
];

const missing = [...new Set(KINDS.map(({ needs }) => needs))].filter((name) => program(name) === null);
if (missing.length > 0) process.stderr.write(`not installed, so not tested: ${missing.join(', ')}\n`);

const servers = new Map<Kind, Promise<BrokerServer>>();
const wires: Wire[] = [];

/** Starts at once, so that the slowest is up when its turn comes. */
beforeAll(() => {
  for (const kind of KINDS) {
    if (missing.includes(kind.needs)) continue;
    const made = kind.make().then(async (server) => {
      await server.start();
      return server;
    });
    made.catch(() => undefined);
    servers.set(kind, made);
  }
});

afterEach(async () => {
  await cleanUpVenues();
  for (const wire of wires.splice(0)) await wire.close();
});
afterAll(async () => {
  await Promise.allSettled(servers.values());
  await cleanUpBrokers();
});

async function wireTo(port: number): Promise<Wire> {
  const wire = await Wire.to(port);
  wires.push(wire);
  return wire;
}

const RETAINED = ['status', 'state', 'seat/ada/pv', 'die/ada-d20/state'].map((topic) => `tiro/prova/${topic}`);

describe.each(KINDS)('at $name', (kind) => {
  const when = test.skipIf(missing.includes(kind.needs) && !CI);
  const server = async (): Promise<BrokerServer> => {
    const made = await servers.get(kind);
    if (made === undefined) throw new Error(`${kind.needs} is not installed`);
    return made;
  };
  const everything = kind.wildcards
    ? 'tiro/#'
    : [...RETAINED, 'tiro/prova/roll', 'tiro/prova/event', 'tiro/prova/die/+/roll'];

  when(
    'topics, retained values, commands, and an acknowledged offline at a clean stop',
    async () => {
      const { port } = await server();
      const venue = await Venue.open(port, { protocol: kind.protocol });
      venue.table.setCounter('ada', 14);
      await venue.connected(60_000);
      const early = await Listener.open(port, everything);
      await early.until(() => RETAINED.every((topic) => early.on(topic).length > 0));
      venue.table.addNotice('secret', []);
      venue.table.addRoll(17);
      venue.table.setCounter('ada', 13);
      await early.until(() => early.texts('tiro/prova/seat/ada/pv').at(-1) === '13');
      await early.until(() => (early.texts('tiro/prova/state').at(-1) ?? '').includes('"pv":13'));
      // A broker keeps the order within a topic; NATS, between topics, does not.
      for (const topic of ['tiro/prova/event', 'tiro/prova/roll', 'tiro/prova/die/ada-d20/roll']) {
        await early.until(() => early.on(topic).length >= 1);
      }
      const [roll] = early.on('tiro/prova/roll');
      expect(roll).toMatchObject({ retain: false, qos: 1 });
      expect(JSON.parse(roll?.text ?? '')).toMatchObject({ seq: 3, roll: { id: 'prova-3', natural: 17 } });
      expect(JSON.parse(roll?.text ?? '')).not.toHaveProperty('late');
      expect(JSON.parse(early.texts('tiro/prova/die/ada-d20/roll')[0] ?? '')).toMatchObject({
        event_type: 'roll',
        natural: 17,
      });
      expect(JSON.stringify(early.heard)).not.toContain('secret');

      const late = await Listener.open(port, everything);
      await late.until(() => RETAINED.every((topic) => late.on(topic).length > 0));
      await sleep(100);
      expect(late.heard.map(({ topic }) => topic).sort()).toEqual([...RETAINED].sort());
      expect(late.heard.every(({ retain }) => retain)).toBe(true);
      expect(late.texts('tiro/prova/seat/ada/pv')).toEqual(['13']);

      const { token } = venue.bench.token('gm', { table: 'prova' });
      const gm = await Listener.open(port, 'tiro/prova/reply/c1');
      const command = JSON.stringify({ id: 'c1', token, do: 'type', args: { seat: 'ada', sides: 20, natural: 8 } });
      for (let times = 0; times < 2; times++) await gm.client.publishAsync('tiro/prova/command', command, { qos: 1 });
      await gm.until(() => gm.heard.length === 2);
      for (const { text } of gm.heard) expect(JSON.parse(text)).toMatchObject({ kind: 'ack', id: 'c1' });
      expect(venue.table.asked).toHaveLength(1);
      const forged = JSON.stringify({ id: 'c2', token: 'tiro_wrong', do: 'undo' });
      await gm.client.publishAsync('tiro/prova/command', forged, { qos: 1 });
      await gm.client.publishAsync('tiro/prova/roll', JSON.stringify({ kind: 'roll', roll: { id: 'x', natural: 20 } }));
      await sleep(100);
      expect(venue.table.asked).toHaveLength(1);

      await venue.stop();
      const after = await Listener.open(port, 'tiro/prova/status');
      await after.until(() => after.heard.length === 1);
      expect(after.texts('tiro/prova/status')).toEqual(['offline']);
    },
    120_000,
  );

  when(
    'the last will, and the way back: online and what is retained again (F040)',
    async () => {
      const { port } = await server();
      const wire = await wireTo(port);
      const venue = await Venue.open(wire.port, { protocol: kind.protocol });
      await venue.connected();
      const listener = await Listener.open(port, ['tiro/prova/status', 'tiro/prova/state']);
      await listener.until(() => listener.on('tiro/prova/status').length === 1);
      wire.closed = true;
      wire.cut();
      await listener.until(() => listener.texts('tiro/prova/status').at(-1) === 'offline');
      venue.table.setCounter('ada', 7);
      wire.closed = false;
      await listener.until(() => listener.texts('tiro/prova/status').at(-1) === 'online', 15_000);
      await listener.until(() => (listener.texts('tiro/prova/state').at(-1) ?? '').includes('"pv":7'));
      expect(venue.bench.logged.filter((line) => line.includes('connected')).length).toBeLessThan(10);
    },
    60_000,
  );

  when(
    'killed during 50 rolls and started again: exactly those 50, in order, the missed ones late',
    async () => {
      const broker = await server();
      const venue = await Venue.open(broker.port, { protocol: kind.protocol });
      await venue.connected();
      const options = { clean: false, clientId: `keeper-${kind.protocol}`, protocolVersion: kind.protocol } as const;
      const session = kind.protocol === 5 ? { properties: { sessionExpiryInterval: 3600 } } : {};
      const keeper = await Listener.open(broker.port, 'tiro/prova/roll', { ...options, ...session });
      // Long enough for a broker that writes its sessions down once a second.
      await sleep(1500);
      const ids: string[] = [];
      const rolls = async (count: number): Promise<void> => {
        for (let n = 0; n < count; n++) {
          ids.push(`prova-${venue.table.addRoll((ids.length % 20) + 1)}`);
          await sleep(10);
        }
      };
      await rolls(20);
      const killed = broker.kill();
      await rolls(10);
      await killed;
      await rolls(10);
      await broker.start();
      await rolls(10);
      await keeper.until(() => keeper.rolls().length === 50, 40_000);
      await sleep(100);
      const heard = keeper.rolls();
      expect(heard.map(({ id }) => id)).toEqual(ids);
      expect(heard.map(({ natural }) => natural)).toEqual(ids.map((_, n) => (n % 20) + 1));
      expect(heard.slice(30, 40).every(({ late }) => late)).toBe(true);
      expect(heard[0]?.late).toBe(false);
      // A late roll keeps its own time.
      expect(heard.map(({ at }) => at)).toEqual([...heard.map(({ at }) => at)].sort());
      venue.table.addRoll(20);
      await keeper.until(() => keeper.rolls().length === 51);
      expect(keeper.rolls()[50]?.late).toBe(false);
      await until('the cursor is written', () => venue.kept.cursors.get('prova') === 51);
    },
    150_000,
  );
});
