import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { cleanUp, Daemon, freshFolder, median, sleep } from '../daemon/daemon.js';
import { HERE } from './chromium.js';
import { OverlayPages, played, shown } from './overlay-pages.js';
import { PageServer } from './page-server.js';
import { roll as rolled, SCENES } from './scenes.js';

const PAGES = join(import.meta.dirname, '../../dist/web');
const FILE = '/overlay/tiro-overlay.html';
/** From the daemon's readiness to the overlay on the screen (F021). */
const SHOWN_WITHIN_MS = 5_000;
const GONE_MS = 200;

/** A daemon that goes and comes back at the same place. */
class Venue {
  daemon: Daemon;
  readonly #port: number;

  private constructor(daemon: Daemon) {
    this.daemon = daemon;
    this.#port = Number(new URL(daemon.url).port);
  }

  static async open(): Promise<Venue> {
    return new Venue(await Daemon.start({ data: freshFolder() }));
  }

  async back(): Promise<void> {
    this.daemon = await Daemon.start({ data: this.daemon.data, port: this.#port });
  }

  async roll(natural: number): Promise<string> {
    const { json, text } = await this.daemon.command('prova', 'type', { seat: 'ada', sides: 20, natural });
    if (typeof json?.roll !== 'string') throw new Error(`the roll was not taken: ${text}`);
    return json.roll;
  }
}

describe.runIf(HERE)('the overlay as a source of OBS', () => {
  let pages: OverlayPages;
  let absolute: Server;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tiro-obs-'));
    // OBS shows a local file under this origin.
    absolute = createServer((request, response) => {
      response.setHeader('Content-Type', 'text/html; charset=utf-8');
      response.end(request.url?.endsWith('.html') === true ? readFileSync(join(folder, 'tiro-overlay.html')) : '');
    });
    await new Promise<void>((done) => absolute.listen(0, '127.0.0.1', done));
    const { port } = absolute.address() as AddressInfo;
    pages = await OverlayPages.launch([`--host-resolver-rules=MAP absolute 127.0.0.1:${port}`]);
  });

  afterEach(async () => {
    expect(await pages.clear()).toEqual([]);
  });

  afterAll(async () => {
    await pages?.close();
    absolute?.close();
    rmSync(folder, { recursive: true, force: true });
    await cleanUp();
  });

  test.each([['null'], ['http://absolute']])(
    'F021: opened before the daemon from the origin %s, the local file shows the overlay within 5 s, and again after a restart',
    async (origin) => {
      const venue = await Venue.open();
      const id = await venue.roll(17);
      const file = await venue.daemon.get(`${FILE}?table=prova&lang=en&last=2`);
      expect(file.status).toBe(200);
      expect(file.headers.get('content-disposition')).toContain('attachment');
      expect(file.text.match(/<script/g)).toHaveLength(1);
      expect(file.text).not.toMatch(/type="module"|<script[^>]+src|<link/);
      await venue.daemon.stop();
      writeFileSync(join(folder, 'tiro-overlay.html'), file.text);
      const context = await pages.context({ colorScheme: 'dark' });
      const page = await pages.open(
        origin === 'null' ? pathToFileURL(join(folder, 'tiro-overlay.html')).href : `${origin}/tiro-overlay.html`,
        context,
      );
      expect(await page.evaluate(() => self.origin)).toBe(origin);
      await sleep(3_000);
      expect(await page.locator('iframe').count()).toBe(0);
      await venue.back();
      const began = performance.now();
      const inside = page.frameLocator('iframe.ready').locator(`[data-roll="${id}"]`);
      await inside.waitFor({ timeout: SHOWN_WITHIN_MS });
      expect(performance.now() - began).toBeLessThan(SHOWN_WITHIN_MS);
      expect(await inside.textContent()).toContain('typed in');
      const picture = await pages.picture(page);
      expect(picture.alpha(960, 300)).toBe(0);
      expect(picture.alpha(90, 1000)).toBeGreaterThan(180);
      await venue.daemon.kill('SIGKILL');
      await page.frameLocator('iframe').locator('.overlay-stale').waitFor();
      await venue.back();
      await page.frameLocator('iframe').locator('.overlay-stale').waitFor({ state: 'detached' });
      const next = await venue.roll(3);
      await page.frameLocator('iframe').locator(`[data-roll="${next}"]`).waitFor();
    },
    60_000,
  );

  test('what an address carries stays text in the file', async () => {
    const venue = await Venue.open();
    const hostile = encodeURIComponent('</script><script>alert(1)</script>');
    const { text } = await venue.daemon.get(`${FILE}?table=prova&seat=${hostile}`);
    expect(text.match(/<\/script>/g)).toHaveLength(1);
    expect((await venue.daemon.get(`${FILE}?table=${hostile}`)).status).toBe(400);
  });

  test('after a restart it is right without a reload: stale meanwhile, nothing played again', async () => {
    const venue = await Venue.open();
    const ids = [await venue.roll(4)];
    const page = await pages.open(`${venue.daemon.url}/overlay/prova`);
    await page.locator(`[data-roll="${ids[0]}"]`).waitFor();
    ids.unshift(await venue.roll(5), await venue.roll(6));
    ids.sort((a, b) => Number(b.slice(6)) - Number(a.slice(6)));
    await expect.poll(() => shown(page)).toEqual(ids);
    await sleep(700);
    const before = await played(page);
    await page.evaluate(() => document.body.setAttribute('data-same', 'page'));
    await venue.daemon.kill('SIGKILL');
    const stale = page.locator('.overlay-stale');
    await stale.waitFor();
    expect(await stale.textContent()).toMatch(/non aggiornato dalle \d/);
    expect(await shown(page)).toEqual(ids);
    await pages.shoot(page, 'overlay-stale-it');
    await venue.back();
    await stale.waitFor({ state: 'detached', timeout: 10_000 });
    const next = await venue.roll(7);
    await page.locator(`[data-roll="${next}"]`).waitFor();
    expect(await shown(page)).toEqual([next, ...ids].slice(0, 3));
    await sleep(500);
    expect(await played(page)).toEqual([...before, next]);
    expect(await page.locator('body[data-same]').count()).toBe(1);
  }, 40_000);

  const hideAndShow: [how: string, hide: (page: Page) => Promise<() => Promise<void>>][] = [
    [
      'hidden',
      async (page) => {
        const look = (as: 'hidden' | 'visible') =>
          page.evaluate((how) => {
            window.seenAs = how;
            document.dispatchEvent(new Event('visibilitychange'));
          }, as);
        await look('hidden');
        return () => look('visible');
      },
    ],
    [
      'held still with all its scripts',
      async (page) => {
        const browser = await page.context().newCDPSession(page);
        await browser.send('Debugger.enable');
        const paused = new Promise((done) => browser.once('Debugger.paused', done));
        browser.send('Runtime.evaluate', { expression: 'debugger;' }).catch(() => {});
        await paused;
        return async () => void (await browser.send('Debugger.resume'));
      },
    ],
  ];
  test.each(hideAndShow)(
    'F097: a source that was %s shows what is now when it is shown again, and plays nothing old',
    async (_how, hide) => {
      const venue = await Venue.open();
      const page = await pages.open(`${venue.daemon.url}/overlay/prova`);
      const first = await venue.roll(2);
      await page.locator(`[data-roll="${first}"]`).waitFor();
      await sleep(700);
      const before = await played(page);
      const show = await hide(page);
      const ids: string[] = [];
      for (let n = 1; n <= 10; n += 1) ids.unshift(await venue.roll(n));
      await sleep(6_000);
      await show();
      await expect.poll(() => shown(page)).toEqual(ids.slice(0, 3));
      await sleep(700);
      expect(await played(page)).toEqual(before);
      const next = await venue.roll(20);
      await page.locator(`[data-roll="${next}"]`).waitFor();
      await expect.poll(() => played(page)).toEqual([...before, next]);
    },
    40_000,
  );

  test('F158, F135: where no sound is allowed nothing else breaks; of two copies only one would be heard', async () => {
    const venue = await Venue.open();
    const context = await pages.context();
    const quiet = await pages.open(`${venue.daemon.url}/overlay/prova`, context);
    const copies = [
      await pages.open(`${venue.daemon.url}/overlay/prova?sound=1`, context),
      await pages.open(`${venue.daemon.url}/overlay/prova?sound=1`, context),
    ];
    for (const page of [quiet, ...copies]) await page.locator('.overlay').waitFor();
    await sleep(500);
    const id = await venue.roll(12);
    for (const page of [quiet, ...copies]) await page.locator(`[data-roll="${id}"]`).waitFor();
    await sleep(500);
    const sounds = await Promise.all(copies.map((page) => page.evaluate(() => window.counted.audio.count)));
    expect(sounds.reduce((a, b) => a + b, 0)).toBe(1);
    expect(await quiet.evaluate(() => window.counted.audio.count)).toBe(0);
    for (const page of copies) expect(await page.evaluate(() => window.counted.rejected)).toEqual([]);
  });

  test('F098: after an update the new overlay is shown, by itself and after a reload, whatever was kept', async () => {
    const venue = await Venue.open();
    const { headers, text } = await venue.daemon.get('/overlay/prova');
    expect(headers.get('cache-control')).toBe('no-store');
    const asset = /\/assets\/[\w-]+-[\w-]{8}\.js/.exec(text)?.[0] ?? 'no hashed script';
    expect((await venue.daemon.get(asset)).headers.get('cache-control')).toMatch(/immutable/);
    const build = join(folder, 'b');
    cpSync(PAGES, build, { recursive: true });
    const page = join(build, 'index.html');
    writeFileSync(page, readFileSync(page, 'utf8').replace('<body>', '<body data-build="b">'));
    const old = new PageServer(PAGES);
    old.scenes.set('dadoteck', SCENES.dadoteck);
    const address = await old.listen();
    const overlay = await pages.open(`${address}/overlay/dadoteck`);
    await overlay.locator('[data-roll]').first().waitFor();
    await old.close();
    const update = new PageServer(build);
    update.version = '0.2.0';
    update.scenes.set('dadoteck', SCENES.dadoteck);
    await update.listen(Number(new URL(address).port));
    await overlay.locator('body[data-build="b"] [data-roll]').first().waitFor({ timeout: 10_000 });
    await overlay.reload();
    await overlay.locator('body[data-build="b"] [data-roll]').first().waitFor();
    await update.close();
  }, 30_000);

  test('F008: a roll that becomes secret after the fact is gone within 200 ms, also while it still waits', async () => {
    const server = new PageServer(PAGES);
    server.scenes.set('dadoteck', SCENES.dadoteck);
    const address = await server.listen();
    const told = { v: 1, table: 'dadoteck', at: new Date().toISOString(), clock: 'trusted', awaited: [] };
    const page = await pages.open(`${address}/overlay/dadoteck`);
    const late = await pages.open(`${address}/overlay/dadoteck?delay=1200`);
    await page.locator('[data-roll]').first().waitFor();
    await late.locator('[data-roll]').first().waitFor();
    const kept = SCENES.dadoteck.rolls;
    const times: number[] = [];
    let seq = 47;
    for (let n = 0; n < 20; n += 1) {
      const at = new Date().toISOString();
      seq += 1;
      const secret = rolled(seq, 'ada', 13);
      server.tell({ ...told, at, kind: 'roll', seq, prev: seq - 1, roll: secret });
      const card = page.locator(`[data-roll="${secret.id}"]`);
      await card.waitFor();
      const gone = page.evaluate(
        (id) =>
          new Promise<number>((done) => {
            const check = (): void => {
              if (document.querySelector(`[data-roll="${id}"]`) !== null) return;
              look.disconnect();
              requestAnimationFrame(() => done(Date.now()));
            };
            const look = new MutationObserver(check);
            look.observe(document.body, { subtree: true, childList: true });
            check();
          }),
        secret.id,
      );
      await sleep(30);
      seq += 1;
      const began = Date.now();
      server.tell({
        ...told,
        at,
        kind: 'rewound',
        seq,
        prev: seq - 1,
        rewound: { from: seq, rolls: kept, trackers: [] },
      });
      times.push((await gone) - began);
      expect(await late.locator(`[data-roll="${secret.id}"]`).count()).toBe(0);
    }
    expect(median(times)).toBeLessThan(GONE_MS);
    expect(Math.max(...times)).toBeLessThan(5 * GONE_MS);
    await sleep(1_500);
    expect(await shown(late)).toEqual(
      kept
        .slice(-3)
        .reverse()
        .map(({ id }) => id),
    );
    expect(await played(late)).toEqual([]);
    await server.close();
  }, 40_000);
});
