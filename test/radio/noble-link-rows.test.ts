import { expect } from 'vitest';
import { OP, STATUS } from './hci.js';
import { NEVER_MS, type NobleLab, type Settled } from './noble-host.js';
import { A, AT_ONCE, B, linkOf, put, type Row, rowsOfBoth } from './noble-room.js';
import { namedAdvert } from './plain-peripheral.js';

/** Switches the adapter off and on again; no link is left then. */
async function offAndOn(lab: NobleLab): Promise<void> {
  const offs = lab.count('state', { state: 'poweredOff' });
  const ons = lab.count('state', { state: 'poweredOn' });
  lab.powerOff();
  await lab.until('off', () => lab.count('state', { state: 'poweredOff' }) > offs);
  lab.powerOn();
  await lab.until('on again', () => lab.count('state', { state: 'poweredOn' }) > ons);
  expect(lab.radio.controller.links).toEqual([]);
}

/** What becomes of a discovery that follows at once on a link that is lost in the moment it was made. */
async function linkLostAtOnce(lab: NobleLab): Promise<Settled> {
  put(lab, A);
  await lab.meet(A);
  lab.radio.controller.faults.dropAtOnce = STATUS.notEstablished;
  return lab.ask({ do: 'linkUp', address: A }, 2 * NEVER_MS);
}

/** Puts a peripheral on the air that has its service data in the advert and its name in the scan response. */
const putWithData = (lab: NobleLab): unknown =>
  put(lab, A, { advert: [2, 1, 6, 4, 0x16, 0x0f, 0x18, 0x07], scanResponse: [4, 9, ...Buffer.from('G28')] });

function alike(row: Row): void {
  row('G4 a die that vanished: connect never settles, and all behind it wait', async (lab) => {
    const gone = put(lab, A);
    put(lab, B);
    await lab.meet(A, B);
    gone.silent = true;
    const attempts = [A, B].map((address) => lab.ask({ do: 'connect', address }, NEVER_MS));
    expect(await Promise.all(attempts)).toEqual([{ settled: 'never' }, { settled: 'never' }]);
  });

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

  row('G17 the 16-bit UUID 00ff: "ff" among the services, "00ff" with its data', async (lab) => {
    put(lab, A, { advert: [...namedAdvert('G17'), 3, 3, 0xff, 0x00, 4, 0x16, 0xff, 0x00, 0x07] });
    await lab.meet(A);
    expect(lab.told.find(({ event }) => event === 'discover')).toMatchObject({
      services: ['ff'],
      data: [{ uuid: '00ff', hex: '07' }],
    });
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

  row('G33 terms of its own: 7.5 to 22.5 ms, lost after 420 ms; those it is given arrive', async (lab) => {
    put(lab, A);
    put(lab, B);
    await lab.link(A);
    expect(linkOf(lab, A).terms).toEqual({ interval: 18, latency: 0, timeout: 42 });
    await lab.link(B, { minInterval: 12, maxInterval: 24, latency: 0, timeout: 300 });
    expect(linkOf(lab, B).terms).toEqual({ interval: 24, latency: 0, timeout: 300 });
  });
}

function ofAbandonware(row: Row): void {
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

  row('G11 the adapter off and on: the links are gone, and nobody says so', async (lab) => {
    put(lab, A);
    await lab.link(A);
    await offAndOn(lab);
    expect(lab.count('disconnect')).toBe(0);
    expect(await lab.do({ do: 'look', address: A })).toMatchObject({ state: 'connected' });
    expect(await lab.ask({ do: 'connect', address: A })).toMatchObject({ settled: 'rejected' });
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

  row(
    'G28 extended mode: of service data in the advert and a name in the scan response the name remains',
    async (lab) => {
      putWithData(lab);
      await lab.meet(A);
      await lab.until('its name', () => lab.count('discover', { name: 'G28' }) > 0);
      expect(lab.told.find(({ name }) => name === 'G28')).toMatchObject({ data: [] });
      await lab.do({ do: 'connect', address: A });
      await lab.do({ do: 'discover', address: A });
    },
    { env: { NOBLE_EXTENDED: '1' } },
  );

  row('G35 connect twice: the second attempt stays pending and blocks the queue', async (lab) => {
    put(lab, A);
    put(lab, B);
    await lab.meet(A, B);
    for (const address of [A, A]) void lab.ask({ do: 'connect', address });
    await lab.until('linked', () => lab.count('connect', { address: A }) > 0);
    expect(await lab.ask({ do: 'connect', address: B }, NEVER_MS)).toEqual({ settled: 'never' });
  });
}

function ofStoprocent(row: Row): void {
  row('G5 a cancelled attempt: rejects once, the state is disconnected, the queue goes on', async (lab) => {
    const gone = put(lab, A);
    put(lab, B);
    await lab.meet(A, B);
    gone.silent = true;
    const attempt = lab.ask({ do: 'connect', address: A });
    await lab.do({ do: 'cancel', address: A });
    expect(await attempt).toMatchObject({ settled: 'rejected' });
    await lab.do({ do: 'connect', address: B });
    expect(lab.count('connect', { address: A })).toBe(1);
    expect(await lab.do({ do: 'look', address: A })).toMatchObject({ state: 'disconnected' });
  });

  row('G11 the adapter off and on: the end of each link is told once', async (lab) => {
    put(lab, A);
    await lab.link(A);
    await offAndOn(lab);
    expect(lab.count('disconnect', { address: A })).toBe(1);
    expect(await lab.do({ do: 'look', address: A })).toMatchObject({ state: 'disconnected' });
    const met = lab.count('discover', { address: A });
    await lab.do({ do: 'scan', duplicates: true });
    await lab.until('met again', () => lab.count('discover', { address: A }) > met);
    await lab.do({ do: 'connect', address: A });
    await lab.do({ do: 'discover', address: A });
  });

  row('G22c a link lost in the moment it was made: connect resolves, what follows rejects', async (lab) => {
    expect(await linkLostAtOnce(lab)).toMatchObject({ settled: 'rejected' });
  });

  row(
    'G22c the same in one piece of a stream: connect resolves, what follows never settles',
    async (lab) => {
      expect(await linkLostAtOnce(lab)).toEqual({ settled: 'never' });
      expect(lab.count('connect', { address: A, error: undefined })).toBe(1);
    },
    { env: AT_ONCE },
  );

  row(
    'G28 extended mode: service data in the advert and a name in the scan response are both there',
    async (lab) => {
      putWithData(lab);
      await lab.meet(A);
      await lab.until('its name', () => lab.count('discover', { name: 'G28' }) > 0);
      expect(lab.told.find(({ name }) => name === 'G28')).toMatchObject({ data: [{ uuid: '180f', hex: '07' }] });
      await lab.do({ do: 'connect', address: A });
      await lab.do({ do: 'discover', address: A });
    },
    { env: { NOBLE_EXTENDED: '1' } },
  );

  row('G35 connect twice: one attempt is made of both, and the first call never settles', async (lab) => {
    put(lab, A);
    put(lab, B);
    await lab.meet(A, B);
    const attempts = [A, A].map((address) => lab.ask({ do: 'connect', address }, NEVER_MS));
    expect(await Promise.all(attempts)).toMatchObject([{ settled: 'never' }, { settled: 'resolved' }]);
    await lab.do({ do: 'connect', address: B });
  });
}

rowsOfBoth('looks and links', { alike, apart: { abandonware: ofAbandonware, stoprocent: ofStoprocent } });
