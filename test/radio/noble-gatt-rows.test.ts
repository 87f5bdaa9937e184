import { expect } from 'vitest';
import { REFUSED } from './att.js';
import { PROPERTY } from './gatt.js';
import { STATUS } from './hci.js';
import { NEVER_MS, type NobleLab, type Settled } from './noble-host.js';
import { A, AT_ONCE, B, HEARS, linkOf, put, type Row, rowsOfBoth, WRITES } from './noble-room.js';

/** What becomes of a write and of a discovery whose links are lost before they are answered. */
async function lostUnderway(lab: NobleLab): Promise<readonly Settled[]> {
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
  return [await write, await discovery];
}

async function discoverOnUserChannel(lab: NobleLab): Promise<Settled> {
  put(lab, A);
  await lab.meet(A);
  await lab.do({ do: 'connect', address: A });
  return lab.ask({ do: 'discover', address: A }, 2 * NEVER_MS);
}

const USER_CHANNEL = { env: { HCI_CHANNEL_USER: '1' } };

function alike(row: Row): void {
  row('G2 a refused write: never settles, the next works', async (lab) => {
    const die = put(lab, A, { faults: { refuseWrite: REFUSED.unlikely } });
    await lab.link(A);
    const write = { do: 'write', address: A, uuid: WRITES, hex: '01' };
    expect(await lab.ask(write, NEVER_MS)).toEqual({ settled: 'never' });
    delete die.attFaults.refuseWrite;
    expect(await lab.ask({ ...write, hex: '02' })).toMatchObject({ settled: 'resolved' });
    expect(die.writes).toEqual(['02']);
  });

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

  row('G16 two characteristics of one UUID: the first of them cannot be reached', async (lab) => {
    const characteristics = [PROPERTY.notify, PROPERTY.write].map((properties) => ({ uuid: WRITES, properties }));
    const die = put(lab, A, { services: [{ uuid: 'aa01', characteristics }] });
    expect(await lab.link(A)).toHaveLength(2);
    expect(await lab.ask({ do: 'subscribe', address: A, uuid: WRITES }, NEVER_MS)).toEqual({ settled: 'never' });
    expect(die.end?.listens(WRITES)).toBe(false);
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

  const malformed = [
    ['a notification of one byte', '010004001b'],
    ['a packet shorter than its own head', '0100'],
    ['a first piece that ends within the head', '030004'],
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

  row('G29 subscribing where there is no switch, and G31 where one must be paired: never settles', async (lab) => {
    const noSwitch = { uuid: HEARS, properties: PROPERTY.notify, noSwitch: true };
    put(lab, A, { services: [{ uuid: 'aa01', characteristics: [noSwitch] }] });
    put(lab, B, { faults: { refuseSwitch: REFUSED.authentication } });
    await lab.link(A);
    await lab.link(B);
    const asked = [A, B].map((address) => lab.ask({ do: 'subscribe', address, uuid: HEARS }, NEVER_MS));
    expect(await Promise.all(asked)).toEqual([{ settled: 'never' }, { settled: 'never' }]);
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
}

function ofAbandonware(row: Row): void {
  row(
    'G1 the user channel: it links, and then no GATT ever',
    async (lab) => {
      expect(await discoverOnUserChannel(lab)).toEqual({ settled: 'never' });
    },
    USER_CHANNEL,
  );

  row('G3 a link lost under a pending write and during discovery: never settles', async (lab) => {
    expect(await lostUnderway(lab)).toEqual([{ settled: 'never' }, { settled: 'never' }]);
  });
}

function ofStoprocent(row: Row): void {
  row(
    'G1 the user channel: it works',
    async (lab) => {
      expect(await discoverOnUserChannel(lab)).toMatchObject({ settled: 'resolved' });
    },
    USER_CHANNEL,
  );

  row('G3 a link lost under a pending write and during discovery: rejects', async (lab) => {
    const lost = { settled: 'rejected', error: `Disconnected ${STATUS.timeout}` };
    expect(await lostUnderway(lab)).toMatchObject([lost, lost]);
  });
}

rowsOfBoth('reads, writes and listens', { alike, apart: { abandonware: ofAbandonware, stoprocent: ofStoprocent } });
