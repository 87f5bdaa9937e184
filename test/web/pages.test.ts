import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { tableViewSchema } from '../../src/wire/view.js';
import { CHROMIUM, FLAGS, HERE } from './chromium.js';
import { PageServer } from './page-server.js';
import { HOSTILE, roll, SCENES } from './scenes.js';

/** Where screenshots go, if anybody wants to look: a folder outside the project. */
const SHOTS = process.env.TIRO_SHOTS;
const PAGES = [
  ['home', '/'],
  ['table', '/table/dadoteck'],
  ['table-free', '/table/free'],
  ['gm', '/gm/dadoteck'],
  ['gm-free', '/gm/free'],
  ['gm-air', '/gm/air'],
  ['board-claim', '/board/air/bea'],
  ['board', '/board/dadoteck/ada'],
  ['board-choice', '/board/assassin/ada'],
  ['board-free', '/board/free/ada'],
  ['who', '/board/dadoteck'],
  ['overlay', '/overlay/dadoteck'],
] as const;
const LANGUAGES = ['it', 'en'] as const;
/** Pages that show every seat's name. */
const WITH_NAMES = new Set<string>(['table', 'gm', 'board', 'board-choice', 'who']);
const ITALIAN = /\b(tir[oiae]|dad[oi]|giocator[ei]|serata|plancia|tocca|perché|vale|batteria)\b/i;
const ENGLISH = /\b(the|rolls?|players?|evening|board|why|counts|battery|turn)\b/i;
const WIDE = { width: 1920, height: 1080 };
const NARROW = { width: 360, height: 740 };

/** What a reader sees: text that is folded away is not read. */
const visibleText = (page: Page): Promise<string> =>
  // biome-ignore lint/performance/useDomNodeTextContent: what is hidden must not count here
  page.evaluate(() => document.body.innerText);

describe.runIf(HERE)('the pages in Chromium', () => {
  let root: string;
  let server: PageServer;
  let origin: string;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let faults: string[];

  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'tiro-pages-'));
    await build({ configFile: 'vite.config.ts', logLevel: 'error', build: { outDir: root, emptyOutDir: true } });
    browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
    if (SHOTS !== undefined) mkdirSync(SHOTS, { recursive: true });
  }, 60_000);

  beforeEach(async () => {
    await context?.close();
    await server?.close();
    server = new PageServer(root);
    origin = await server.listen();
    for (const [table, scene] of Object.entries(SCENES)) server.scenes.set(table, scene);
    context = await browser.newContext({ viewport: WIDE, locale: 'it-IT', reducedMotion: 'reduce' });
    page = await context.newPage();
    faults = [];
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (line) => {
      if (line.type() === 'error') faults.push(line.text());
    });
  });

  afterAll(async () => {
    await browser?.close();
    await server?.close();
    rmSync(root, { recursive: true, force: true });
  });

  const open = async (path: string): Promise<void> => {
    await page.goto(`${origin}${path}`);
    await page
      .locator('main .card, main .awaited, .overlay, .overlay-stale')
      .first()
      .waitFor({ timeout: 8_000 })
      .catch((error: unknown) => {
        throw new Error(`${path} shows nothing: ${faults.join('; ')}`, { cause: error });
      });
  };

  const shoot = async (name: string, whole: boolean): Promise<void> => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: join(SHOTS ?? '', `${name}-${colorScheme}.png`), fullPage: whole });
    }
    await page.emulateMedia({ colorScheme: 'light' });
  };

  test('the scenes of this test are views as the table makes them', () => {
    for (const scene of Object.values(SCENES)) expect(tableViewSchema.safeParse(scene.view).error).toBeUndefined();
  });

  test.each(LANGUAGES)(
    'every page stands in %s, at 1920 and at 360 pixels: whole, in one language, names letter by letter (F014)',
    async (lang) => {
      const foreign = lang === 'it' ? ENGLISH : ITALIAN;
      for (const [name, path] of PAGES) {
        await open(`${path}?lang=${lang}`);
        for (const size of [WIDE, NARROW]) {
          await page.setViewportSize(size);
          const width = await page.evaluate(() => document.documentElement.scrollWidth);
          expect(width, `${name} at ${size.width}`).toBeLessThanOrEqual(size.width);
          if (SHOTS !== undefined) await shoot(`${name}-${lang}-${size.width}`, size === NARROW);
        }
        await page.setViewportSize(WIDE);
        const text = await visibleText(page);
        expect(text, `${name}: a placeholder without its value`).not.toMatch(/\{\w+\}/);
        expect(text, `${name}: something that is nothing`).not.toMatch(/undefined|NaN|\[object/);
        expect(text.replaceAll('Venerdì sera', '').replaceAll('Il rosso di Ada', ''), name).not.toMatch(foreign);
        expect(await page.evaluate(() => document.documentElement.lang)).toBe(lang);
        if (WITH_NAMES.has(name)) {
          expect(await page.evaluate(() => document.body.textContent), name).toContain(HOSTILE);
        }
      }
      expect(faults).toEqual([]);
      expect(server.asked).not.toContain('/pwn');
    },
    90_000,
  );

  test('F014: what looks like markup in the address is no language and never runs', async () => {
    await open(`/table/dadoteck?lang=${encodeURIComponent(HOSTILE)}`);
    expect(await page.locator('html').getAttribute('lang')).toBe('it');
    expect(await page.locator('img[src="x"]').count()).toBe(0);
    expect(server.asked).not.toContain('/pwn');
  });

  test('the GM reads before play how each die is followed, and is asked only about doubtful dice', async () => {
    await open('/gm/air?lang=it');
    const radio = (await page.locator('.radio').textContent()) ?? '';
    for (const line of [
      'Nessun dado del tavolo è sveglio: muovili.',
      'hci1: l’adattatore è spento. accendilo',
      'Gli adattatori Bluetooth collegano 5 dadi insieme.',
      'hci0: 1 dado collegato su 5',
      'hci1: non risponde',
      '1 dado collegato',
      '2 dadi seguiti dagli annunci: basta per segnare',
      '1 dado si sente male',
      '1 dado non seguito',
    ])
      expect(radio).toContain(line);
    expect(await page.locator('[data-die="pixels-03ef405e"]').textContent()).toContain('si sente male: 31%');
    expect(await page.locator('[data-die="godice-bc0941"]').textContent()).toContain('Controlla il guscio');
    const worn = page.locator('[data-die="godice-bc0941"] .die-settings');
    await worn.locator('summary').click();
    await worn.getByLabel('Guscio').selectOption('d12');
    await expect
      .poll(() => server.commands.splice(0).map(({ do: verb, args }) => [verb, args]))
      .toEqual([['enrol', { die: 'godice-bc0941', shell: 'd12' }]]);
    const questions = page.locator('.claim-question');
    expect(await questions.count()).toBe(2);
    await questions.nth(0).locator('select').selectOption('d10x');
    await questions.nth(0).getByRole('button', { name: 'Si tira' }).click();
    await questions.nth(1).getByRole('button', { name: 'Segna' }).click();
    await expect
      .poll(() => server.commands.map(({ do: verb, args }) => [verb, args]))
      .toEqual([
        ['bind', { die: 'godice-7f3a00', seat: 'bea', duty: 'rolls', shell: 'd10x' }],
        ['bind', { die: 'pixels-0a0b0c0d', seat: 'bea', duty: 'counts' }],
      ]);
  });

  test('a window is told live with the numbers to show, to its player too, and goes with it', async () => {
    const tell = (collecting: object | null): void =>
      server.tell({ v: 1, kind: 'live', table: 'air', die: '', signal: { kind: 'collecting', collecting } });
    await open('/board/air/bea?lang=it');
    tell({ seat: 'bea', how: 'set', leftMs: 20_000, large: [3, 7], small: [3, 2], dice: [], asked: [] });
    const card = page.locator('.card', { hasText: 'Di chi sono i dadi' });
    await expect.poll(() => card.textContent()).toContain('Bea: tira ora tutti i tuoi dadi');
    expect(await card.textContent()).toContain('Mostra 3 e poi 7; su D4 e D6 mostra 3 e poi 2');
    expect(await card.textContent()).toMatch(/ancora (19|20) secondi/);
    tell(null);
    await expect.poll(() => card.count()).toBe(0);
  });

  test('a throw that was lost is typed in where it is told, until the die has rolled again', async () => {
    const notices = [{ code: 'unresolved', die: 'godice-bc0941', seat: 'bea', seq: 60 }];
    server.scenes.set('lost', { ...SCENES.air, view: { ...SCENES.air.view, notices } });
    await open('/board/lost/bea?lang=it');
    const form = page.locator('.card-loose form');
    await form.locator('input').fill('17');
    await form.getByRole('button').click();
    await expect
      .poll(() => server.commands.at(-1)?.args)
      .toEqual({
        seat: 'bea',
        die: 'godice-bc0941',
        type: 'd20',
        natural: 17,
      });
    const rolled = roll(61, 'bea', 17);
    const rolls = [{ ...rolled, dice: rolled.dice.map((die) => ({ ...die, die: 'godice-bc0941' })) }];
    server.scenes.set('lost', { ...SCENES.air, view: { ...SCENES.air.view, notices }, rolls });
    await open('/board/lost/bea?lang=it');
    expect(await form.count()).toBe(0);
  });

  test('a list of dice goes out whole, and a line that is none is named first', async () => {
    await open('/gm/air?lang=it');
    const form = page.locator('form', { has: page.locator('textarea') });
    await page.locator('summary', { hasText: 'Elenco di dadi' }).click();
    await form.locator('textarea').fill('pixels-03EF405D ada\n\nquesto non è un dado');
    await form.getByRole('button').click();
    expect(await form.textContent()).toContain('Riga 3: servono il codice di un dado e un posto.');
    await form.locator('textarea').fill('pixels-03EF405D ada\ngodice-bc0940, bea; pv\n');
    await form.getByRole('button').click();
    await expect
      .poll(() => server.commands.at(-1)?.args)
      .toEqual({
        dice: [
          { die: 'pixels-03ef405d', seat: 'ada' },
          { die: 'godice-bc0940', seat: 'bea', duty: 'counts', counter: 'pv' },
        ],
      });
  });

  test('the table says who is awaited, what counts, what does not and why', async () => {
    await open('/table/dadoteck?lang=it');
    await expect.poll(() => page.locator('.awaited-line').textContent()).toBe('Tocca ad Ada: tira 1D20 (movimento)');
    const refused = page.locator('[data-roll="prova-44"]');
    expect(await refused.textContent()).toContain('Non vale: non tocca a questo giocatore');
    await refused.locator('summary').click();
    expect(await refused.locator('code').textContent()).toBe('dadoteck:I2');
    expect(await page.locator('[data-roll="prova-45"]').textContent()).toContain('Tiro in più: annotato, non conta.');
    const several = page.locator('[data-roll="prova-47"]');
    expect(await several.locator('.die-struck').count()).toBe(2);
    expect(await several.textContent()).toContain('rilanciato');
    expect(await several.textContent()).toContain('ignorato');
    expect(await page.locator('[data-roll="prova-41"]').textContent()).toContain('finto');
    expect(await page.locator('[data-roll="prova-42"]').textContent()).toContain('tirato dal computer');
    expect(await page.locator('[data-roll="prova-43"]').textContent()).toContain('scritto a mano');
    expect(await page.locator('.square').count()).toBe(20);
    expect(await page.locator('.square-bastards .pawn').count()).toBe(1);
    expect(await page.locator('.square[aria-label*="suicidio"]').count()).toBe(1);
  });

  test('several awaited at once share one sentence', async () => {
    await open('/table/initiative?lang=it');
    expect(await page.locator('.awaited-line').textContent()).toBe(
      'Tocca a Ada, Bea e Gian Carlo: tirate 1D20 (iniziativa)',
    );
  });

  test('a roll that arrives stands on top at once; a correction changes it in place and moves nothing', async () => {
    await open('/overlay/dadoteck');
    const told = { v: 1, table: 'dadoteck', at: new Date().toISOString(), clock: 'trusted', awaited: [] };
    server.tell({ ...told, kind: 'roll', seq: 48, prev: 47, roll: roll(48, 'ada', 12) });
    const newest = page.locator('[data-roll="prova-48"]');
    await newest.waitFor();
    expect(await newest.textContent()).toContain('12');
    const corrected = [...SCENES.dadoteck.rolls, roll(48, 'ada', 7, { standing: 'corrected' })];
    server.tell({ ...told, kind: 'rewound', seq: 49, prev: 48, rewound: { from: 48, rolls: corrected, trackers: [] } });
    await expect.poll(() => newest.textContent()).toContain('corretto');
    expect(await newest.locator('text').first().innerHTML()).toBe('7');
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgba(0, 0, 0, 0)');
  });

  test('a page whose daemon is gone says since when, and comes back by itself', async () => {
    await open('/table/dadoteck?lang=it');
    await server.close();
    const stale = page.getByText('non aggiornato dalle');
    await stale.waitFor();
    server = new PageServer(root);
    server.scenes.set('dadoteck', SCENES.dadoteck);
    await server.listen(Number(new URL(origin).port));
    await stale.waitFor({ state: 'detached', timeout: 10_000 });
  });

  test('the one whose turn it is gets big buttons; a refusal is shown where it was caused', async () => {
    server.answer = ({ id }) => ({
      kind: 'refused',
      id,
      code: 'already_rolled',
      rule: 'dadoteck:I2',
      reason: 'already rolled',
    });
    await open('/board/dadoteck/ada?lang=it');
    await page.getByRole('button', { name: 'Tira 1D20 dal computer' }).click();
    await page.getByText('Non vale: hai già tirato').waitFor();
    expect(server.commands).toMatchObject([{ do: 'digital', args: { seat: 'ada', call: 'r3.move.ada' } }]);
    await page.getByLabel('Numero uscito').first().fill('13');
    await page.getByRole('button', { name: 'Segna il tiro' }).first().click();
    await expect.poll(() => server.commands.length).toBe(2);
    expect(server.commands[1]).toMatchObject({ do: 'type', args: { seat: 'ada', sides: 20, natural: 13 } });
    await open('/board/assassin/ada?lang=it');
    await page.getByRole('button', { name: 'Elimina: Bea' }).click();
    await expect.poll(() => server.commands[2]).toMatchObject({ do: 'choose', args: { seat: 'ada', option: 'bea' } });
  });

  test('a correction shows what would change before it is confirmed', async () => {
    const preview = {
      id: 'p1',
      changes: [{ what: 'pawns.ada', before: 17, after: 4 }],
      loose: [{ seq: 47, reason: 'no longer fits' }],
      trackers: [{ seat: 'bea', counter: 'pv', face: 9 }],
    };
    server.answer = ({ id, do: verb }) => ({
      kind: 'ack',
      id,
      seq: verb === 'confirm' ? 48 : null,
      durable: true,
      ...(verb === 'confirm' ? {} : { preview }),
    });
    await open('/gm/dadoteck?lang=it');
    await page.locator('[data-roll="prova-46"]').first().getByRole('button', { name: 'Correggi…' }).click();
    await page.getByLabel('Numero giusto').fill('4');
    await page.getByRole('button', { name: 'Vale questo numero' }).click();
    const shown = page.locator('[data-preview="p1"]');
    await shown.waitFor();
    expect(await shown.textContent()).toContain('pedina › Ada: da 17 a 4');
    expect(await shown.textContent()).toContain('1 azione successiva non torna più');
    if (SHOTS !== undefined) await page.screenshot({ path: join(SHOTS, 'gm-preview-it-1920.png') });
    await shown.getByRole('button', { name: 'Conferma' }).click();
    await expect.poll(() => page.locator('dialog').count()).toBe(0);
    expect(server.commands.map((one) => [one.do, one.args])).toEqual([
      ['correct', { roll: 'prova-46', natural: 4 }],
      ['confirm', { preview: 'p1' }],
    ]);
  });

  test('"open to the phones" shows the code, and turns green only when another device has arrived', async () => {
    await open('/gm/dadoteck?lang=it');
    await page.getByRole('switch').click();
    await page.getByText('nessun telefono è ancora arrivato').waitFor();
    await page.locator('img.qr').waitFor();
    expect(await page.locator('.phones').textContent()).not.toContain('geheim');
    await page.getByText('Non arriva nessuno?').click();
    await page.getByText('Il firewall del computer chiude la porta 8706').waitFor();
    if (SHOTS !== undefined) await page.locator('.phones').screenshot({ path: join(SHOTS, 'phones-it.png') });
    server.lan = { ...server.lan, arrived: 1, causes: [] };
    await page.getByText('Fatto: è arrivato 1 dispositivo').waitFor();
    expect(await page.locator('.invitation-arrived').count()).toBe(1);
  });

  test('the language can be switched and is remembered; an invitation leaves the address', async () => {
    await open('/table/dadoteck?token=geheim');
    expect(page.url()).not.toContain('geheim');
    await page.getByRole('button', { name: 'English' }).click();
    await page.getByRole('heading', { name: 'Last rolls' }).waitFor();
    await open('/board/free/ada');
    await page.getByRole('heading', { name: 'Your rolls' }).waitFor();
    expect(faults).toEqual([]);
  });
});
