import { describe, expect, test } from 'vitest';
import { REFUSED } from './att.js';
import { PROPERTY, type Service } from './gatt.js';
import { OP, STATUS } from './hci.js';
import { noNoble } from './needs.js';
import { type LabOptions, NEVER_MS, NobleLab } from './noble-host.js';
import { namedAdvert, PlainPeripheral, type PlainTraits } from './plain-peripheral.js';

// What the library does under each stimulus of testing-bluetooth §4, in the numbers of that table. Rows in which it hangs
// or dies say why the daemon never trusts a promise of it; `worker-rows.test.ts` shows that the daemon lives on.

const A = 'c0:00:00:00:00:0a';
const B = 'c0:00:00:00:00:0b';
const HEARS = 'aa02';
const WRITES = 'aa03';
/** Packets come as from a serial line: several in one turn. */
const AT_ONCE = { VIRTUAL_RADIO_AT_ONCE: '1' };

const both: readonly Service[] = [
  {
    uuid: 'aa01',
    characteristics: [
      { uuid: HEARS, properties: PROPERTY.notify },
      { uuid: WRITES, properties: PROPERTY.write | PROPERTY.writeCommand },
    ],
  },
];

/** A row of the table in a lab of its own. */
const row = (name: string, body: (lab: NobleLab) => Promise<void>, options: LabOptions = {}): void =>
  test(name, { timeout: 120_000 }, async () => {
    const lab = await NobleLab.open(options);
    try {
      await body(lab);
    } finally {
      await lab.close();
    }
  });

function put(lab: NobleLab, address: string, traits: Omit<PlainTraits, 'address'> = {}): PlainPeripheral {
  const peripheral = new PlainPeripheral({ address, services: both, ...traits });
  lab.radio.air.join(peripheral);
  return peripheral;
}

const linkOf = (lab: NobleLab, address: string) => {
  const link = lab.radio.controller.links.find(({ peripheral }) => peripheral.address === address);
  if (link === undefined) throw new Error(`${address} has no link`);
  return link;
};

describe.skipIf(noNoble()).concurrent('what the library does with', () => {
  row(
    'G1 the user channel: it links, and then no GATT ever',
    async (lab) => {
      put(lab, A);
      await lab.meet(A);
      await lab.do({ do: 'connect', address: A });
      expect(await lab.ask({ do: 'discover', address: A }, NEVER_MS)).toEqual({ settled: 'never' });
    },
    { env: { HCI_CHANNEL_USER: '1' } },
  );

  row('G2 a refused write: never settles, the next works', async (lab) => {
    const die = put(lab, A, { faults: { refuseWrite: REFUSED.unlikely } });
    await lab.link(A);
    const write = { do: 'write', address: A, uuid: WRITES, hex: '01' };
    expect(await lab.ask(write, NEVER_MS)).toEqual({ settled: 'never' });
    delete die.attFaults.refuseWrite;
    expect(await lab.ask({ ...write, hex: '02' })).toMatchObject({ settled: 'resolved' });
    expect(die.writes).toEqual(['02']);
  });

  row('G3 a link lost under a pending write and during discovery: never settles', async (lab) => {
    put(lab, A, { faults: { mute: true } });
    const die = put(lab, B);
    await lab.link(B, { minInterval: 6, maxInterval: 6, latency: 0, timeout: 42 });
    die.attFaults.mute = true;
    const write = lab.ask({ do: 'write', address: B, uuid: WRITES, hex: '01' }, 3 * NEVER_MS);
    linkOf(lab, B).cut();
    await lab.until('lost', () => lab.count('disconnect', { address: B, reason: STATUS.timeout }) === 1);
    await lab.meet(A);
    await lab.do({ do: 'connect', address: A });
    const discovery = lab.ask({ do: 'discover', address: A }, 2 * NEVER_MS);
    linkOf(lab, A).cut();
    await lab.until('lost', () => lab.count('disconnect', { address: A }) === 1);
    expect([await write, await discovery]).toEqual([{ settled: 'never' }, { settled: 'never' }]);
  });

  row('G4 a die that vanished: connect never settles, and all behind it wait', async (lab) => {
    const gone = put(lab, A);
    put(lab, B);
    await lab.meet(A, B);
    gone.silent = true;
    const attempts = [A, B].map((address) => lab.ask({ do: 'connect', address }, NEVER_MS));
    expect(await Promise.all(attempts)).toEqual([{ settled: 'never' }, { settled: 'never' }]);
  });

  row(
    'G5 a cancelled attempt: rejects with a second connect event and the state error; the queue goes on',
    async (lab) => {
      const gone = put(lab, A);
      put(lab, B);
      await lab.meet(A, B);
      gone.silent = true;
      const attempt = lab.ask({ do: 'connect', address: A });
      await lab.do({ do: 'cancel', address: A });
      expect(await attempt).toMatchObject({ settled: 'rejected' });
      await lab.until('told twice', () => lab.count('connect', { address: A }) >= 2);
      expect(await lab.do({ do: 'look', address: A })).toMatchObject({ state: 'error' });
      await lab.do({ do: 'connect', address: B });
    },
  );

  row(
    'G6e a write in the handler of a notification, the link lost in the same piece of a stream: the process dies',
    async (lab) => {
      const die = put(lab, A);
      await lab.link(A);
      await lab.do({ do: 'subscribe', address: A, uuid: HEARS });
      await lab.do({ do: 'answer', address: A, uuid: HEARS, to: WRITES, hex: '01' });
      const link = linkOf(lab, A);
      lab.radio.atOnce(() => {
        link.sendAtOnce(Buffer.from('1b030001', 'hex'));
        link.finish(STATUS.timeout);
      });
      await lab.until('dead', () => lab.ended !== null);
      expect(lab.ended?.code).not.toBe(0);
      expect(die.writes).toEqual([]);
    },
    { env: AT_ONCE },
  );

  row(
    'G7 disconnect without a link: never settles, and cuts whoever has handle 0',
    async (lab) => {
      put(lab, A);
      const other = put(lab, B);
      await lab.meet(A, B);
      await lab.do({ do: 'connect', address: B });
      expect(other.end).not.toBeNull();
      expect(await lab.ask({ do: 'disconnect', address: A }, NEVER_MS)).toEqual({ settled: 'never' });
      await lab.until('the other one cut', () => lab.count('disconnect', { address: B }) === 1);
    },
    { traits: { firstHandle: 0 } },
  );

  row('G8 Invalid PDU for an answer to the MTU: the link is stuck; any other refusal is fine', async (lab) => {
    put(lab, A, { faults: { refuseMtu: REFUSED.pdu } });
    put(lab, B, { faults: { refuseMtu: REFUSED.request } });
    await lab.link(B);
    await lab.meet(A);
    await lab.do({ do: 'connect', address: A });
    expect(await lab.ask({ do: 'discover', address: A }, NEVER_MS)).toEqual({ settled: 'never' });
  });

  row('G9 an MTU of 512 offered: told as 512, whatever was asked', async (lab) => {
    put(lab, A, { faults: { offerMtu: 512 }, maxMtu: 256 });
    await lab.link(A);
    expect(await lab.do({ do: 'look', address: A })).toMatchObject({ mtu: 512 });
    expect(linkOf(lab, A).mtu).toBe(256);
  });

  row('G10 no scan response: never met without duplicates, met with them', async (lab) => {
    put(lab, A, { scanResponse: null });
    put(lab, B);
    await lab.do({ do: 'scan', duplicates: false });
    const often = (): boolean => [A, B].every((address) => (lab.radio.air.heard.get(address) ?? 0) > 3);
    await lab.until('the other one met', () => often() && lab.count('discover', { address: B }) > 0);
    expect(lab.count('discover', { address: A })).toBe(0);
    await lab.do({ do: 'stopScan' });
    await lab.meet(A);
  });

  row('G11 the adapter off and on: the links are gone, and nobody says so', async (lab) => {
    put(lab, A);
    await lab.link(A);
    const offs = lab.count('state', { state: 'poweredOff' });
    lab.powerOff();
    await lab.until('off', () => lab.count('state', { state: 'poweredOff' }) > offs);
    lab.powerOn();
    await lab.until('on again', () => lab.count('state', { state: 'poweredOn' }) === 2);
    expect(lab.radio.controller.links).toEqual([]);
    expect(lab.count('disconnect')).toBe(0);
    expect(await lab.do({ do: 'look', address: A })).toMatchObject({ state: 'connected' });
    expect(await lab.ask({ do: 'connect', address: A })).toMatchObject({ settled: 'rejected' });
  });

  row(
    'G12 a refused scan: startScanning resolves all the same; refused parameters still mean poweredOn',
    async (lab) => {
      put(lab, A);
      lab.radio.controller.scan.refuse = STATUS.disallowed;
      await lab.do({ do: 'scan', duplicates: true });
      expect(lab.radio.controller.scan.on).toBe(false);
    },
    { refused: [OP.scanParameters] },
  );

  row('G16 two characteristics of one UUID: one of them is lost', async (lab) => {
    const twice = { uuid: WRITES, properties: PROPERTY.write };
    put(lab, A, { services: [{ uuid: 'aa01', characteristics: [twice, { ...twice }] }] });
    await lab.meet(A);
    await lab.do({ do: 'connect', address: A });
    const found = await lab.do({ do: 'discover', address: A });
    await lab.do({ do: 'write', address: A, uuid: WRITES, hex: '01' });
    expect(found).toHaveLength(2);
    expect(lab.radio.controller.links).toHaveLength(1);
  });

  row('G17 the 16-bit UUID 00ff: "ff" among the services, "00ff" with its data', async (lab) => {
    put(lab, A, { advert: [...namedAdvert('G17'), 3, 3, 0xff, 0x00, 4, 0x16, 0xff, 0x00, 0x07] });
    await lab.meet(A);
    expect(lab.told.find(({ event }) => event === 'discover')).toMatchObject({
      services: ['ff'],
      data: [{ uuid: '00ff', hex: '07' }],
    });
  });

  row('G19 a characteristic of the link before: using it throws at once', async (lab) => {
    put(lab, A);
    await lab.link(A);
    await lab.do({ do: 'disconnect', address: A });
    await lab.meet(A);
    await lab.do({ do: 'connect', address: A });
    expect(await lab.ask({ do: 'write', address: A, uuid: WRITES, hex: '01' }, NEVER_MS)).toMatchObject({
      error: expect.stringContaining('Cannot read properties of undefined'),
    });
    await lab.do({ do: 'discover', address: A });
    await lab.do({ do: 'write', address: A, uuid: WRITES, hex: '01' });
  });

  row('G22 an attempt that fails with 0x3e or 0x0c: rejects, and another one works', async (lab) => {
    put(lab, A);
    await lab.meet(A);
    for (const status of [STATUS.notEstablished, STATUS.disallowed]) {
      lab.radio.controller.faults.failConnect = status;
      expect(await lab.ask({ do: 'connect', address: A })).toMatchObject({ settled: 'rejected' });
    }
    await lab.link(A);
  });

  row(
    'G22c a link lost in the moment it was made: connect resolves, and in one piece of a stream the process dies',
    async (lab) => {
      put(lab, A);
      await lab.meet(A);
      lab.radio.controller.faults.dropAtOnce = STATUS.notEstablished;
      const attempt = lab.ask({ do: 'connect', address: A });
      await lab.until('dead', () => lab.ended !== null);
      expect(await attempt).toMatchObject({ settled: 'resolved' });
      expect(lab.ended?.words).toContain('TypeError');
    },
    { env: AT_ONCE },
  );

  const malformed = [
    ['a notification of one byte', '010004001b'],
    ['a packet shorter than its own head', '0100'],
  ] as const;
  for (const [what, hex] of malformed) {
    row(`G27 ${what}: the process dies`, async (lab) => {
      put(lab, A);
      await lab.link(A);
      linkOf(lab, A).sendPacket(true, Buffer.from(hex, 'hex'));
      await lab.until('dead', () => lab.ended !== null);
      expect(lab.ended?.words).toContain('RangeError');
    });
  }

  row(
    'G28 extended mode: of service data in the advert and a name in the scan response the name remains',
    async (lab) => {
      put(lab, A, { advert: [2, 1, 6, 4, 0x16, 0x0f, 0x18, 0x07], scanResponse: [4, 9, ...Buffer.from('G28')] });
      await lab.meet(A);
      await lab.until('its name', () => lab.count('discover', { name: 'G28' }) > 0);
      expect(lab.told.find(({ name }) => name === 'G28')).toMatchObject({ data: [] });
      await lab.do({ do: 'connect', address: A });
      await lab.do({ do: 'discover', address: A });
    },
    { env: { NOBLE_EXTENDED: '1' } },
  );

  row('G29 subscribing where there is no switch, and G31 where one must be paired: never settles', async (lab) => {
    const noSwitch = { uuid: HEARS, properties: PROPERTY.notify, noSwitch: true };
    put(lab, A, { services: [{ uuid: 'aa01', characteristics: [noSwitch] }] });
    put(lab, B, { faults: { refuseSwitch: REFUSED.authentication } });
    await lab.link(A);
    await lab.link(B);
    const asked = [A, B].map((address) => lab.ask({ do: 'subscribe', address, uuid: HEARS }, NEVER_MS));
    expect(await Promise.all(asked)).toEqual([{ settled: 'never' }, { settled: 'never' }]);
  });

  row('G33 terms of its own: 7.5 to 22.5 ms, lost after 420 ms; those it is given arrive', async (lab) => {
    put(lab, A);
    put(lab, B);
    await lab.link(A);
    expect(linkOf(lab, A).terms).toEqual({ interval: 18, latency: 0, timeout: 42 });
    await lab.link(B, { minInterval: 12, maxInterval: 24, latency: 0, timeout: 300 });
    expect(linkOf(lab, B).terms).toEqual({ interval: 24, latency: 0, timeout: 300 });
  });

  row('G35 connect twice: the second attempt stays pending and blocks the queue', async (lab) => {
    put(lab, A);
    put(lab, B);
    await lab.meet(A, B);
    for (const address of [A, A]) void lab.ask({ do: 'connect', address });
    await lab.until('linked', () => lab.count('connect', { address: A }) > 0);
    expect(await lab.ask({ do: 'connect', address: B }, NEVER_MS)).toEqual({ settled: 'never' });
  });

  row(
    'what is well formed: long notifications in 27-byte pieces, indications, long writes, before discovery too',
    async (lab) => {
      const long = Buffer.alloc(244, 7);
      const die = put(lab, A, {
        maxMtu: 247,
        services: [
          {
            uuid: 'aa01',
            characteristics: [
              { uuid: HEARS, properties: PROPERTY.notify },
              { uuid: WRITES, properties: PROPERTY.write },
              { uuid: 'aa04', properties: PROPERTY.indicate },
            ],
          },
        ],
      });
      await lab.meet(A);
      await lab.do({ do: 'connect', address: A });
      // Before discovery nobody listens; nothing is hurt by it.
      die.end?.send(4, Buffer.from('1b030001', 'hex'));
      await lab.do({ do: 'discover', address: A });
      for (const uuid of [HEARS, 'aa04']) await lab.do({ do: 'subscribe', address: A, uuid });
      for (const uuid of [HEARS, 'aa04', HEARS]) expect(die.end?.notify(uuid, long)).toBe(true);
      await lab.until('heard', () => lab.count('data', { hex: long.toString('hex') }) === 3);
      await lab.until('confirmed', () => (lab.radio.controller.links[0]?.confirmed ?? 0) === 1);
      await lab.do({ do: 'write', address: A, uuid: WRITES, hex: '05'.repeat(300) });
      expect(die.writes).toEqual(['05'.repeat(300)]);
      expect(lab.radio.controller.overruns).toBe(0);
    },
  );
});
