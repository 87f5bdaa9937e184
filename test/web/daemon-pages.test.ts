import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { cleanUp, Daemon } from '../daemon/daemon.js';
import { CHROMIUM, FLAGS, HERE } from './chromium.js';
import { HOSTILE } from './scenes.js';

/** A fake GoDice D20 that tumbles and lies on its 17 (protocols, GoDice vectors). */
const TUMBLING = '52';
const SEVENTEEN = '545300EAC0';

describe.runIf(HERE)('the pages over a running daemon', () => {
  let daemon: Daemon;
  let browser: Browser;
  let context: BrowserContext;
  let faults: string[];

  beforeAll(async () => {
    daemon = await Daemon.start();
    browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
  });

  beforeEach(async () => {
    await context?.close();
    context = await browser.newContext({ locale: 'it-IT', viewport: { width: 1280, height: 900 } });
    faults = [];
  });

  afterAll(async () => {
    await browser?.close();
    await cleanUp();
  });

  const open = async (path: string): Promise<Page> => {
    const page = await context.newPage();
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (line) => {
      if (line.type() === 'error') faults.push(line.text());
    });
    await page.goto(`${daemon.url}${path}`);
    await page.locator('main .card, main .awaited, .overlay').first().waitFor();
    return page;
  };

  const throwSeventeen = async (): Promise<string> => {
    await daemon.notify('fake-godice-d20', TUMBLING);
    return (await daemon.notify('fake-godice-d20', SEVENTEEN)).json.roll;
  };

  test('a throw of a fake die stands on the table, the board and the overlay at once', async () => {
    const pages = [await open('/table/prova'), await open('/board/prova/ada'), await open('/overlay/prova')];
    const began = performance.now();
    const id = await throwSeventeen();
    for (const page of pages) {
      const roll = page.locator(`[data-roll="${id}"]`);
      await roll.waitFor({ timeout: 5_000 });
      expect(await roll.textContent()).toContain('17');
      expect(await roll.textContent()).toContain('finto');
    }
    expect(performance.now() - began).toBeLessThan(3_000);
    expect(faults).toEqual([]);
  });

  test('the GM adds a seat, starts Dadoteck, and the table is led by its rules', async () => {
    const gm = await open('/gm/prova');
    await gm.getByText('Posti', { exact: true }).click();
    await gm.getByLabel('Nome', { exact: true }).last().fill(HOSTILE);
    await gm.getByRole('button', { name: 'Aggiungi un posto' }).click();
    await gm.locator('.seat-name', { hasText: HOSTILE }).waitFor();
    await gm.getByText('Gioco', { exact: true }).click();
    await gm.getByRole('button', { name: 'Nuova partita' }).click();
    await gm.getByRole('button', { name: 'Comincia' }).click();
    const line = gm.locator('.awaited-line').first();
    await expect.poll(() => line.textContent()).toContain('tirate 1D20 (piazzamento)');
    const board = await open('/board/prova/ada');
    await board.getByRole('button', { name: 'Tira 1D20 dal computer' }).click();
    await board.locator('.roll-accepted', { hasText: 'tirato dal computer' }).first().waitFor();
    await expect.poll(() => line.textContent()).not.toContain('Ada');
    await board.locator('.pawn').first().waitFor();
    const id = await throwSeventeen();
    const refused = board.locator(`[data-roll="${id}"]`).first();
    await refused.waitFor();
    expect(await refused.textContent()).toContain('Non vale: hai già tirato');
    expect(await board.locator('img[src="x"]').count()).toBe(0);
    expect(faults).toEqual([]);
  });

  test('a correction is previewed where it changes more, confirmed, and changes every page', async () => {
    const gm = await open('/gm/prova');
    const table = await open('/table/prova');
    const digital = gm.locator('.card-rolls .roll-accepted', { hasText: 'piazzamento' }).first();
    const id = await digital.getAttribute('data-roll');
    await digital.getByRole('button', { name: 'Correggi…' }).click();
    // The computer drew it: what is corrected must become another number, whatever was drawn.
    const drawn = Number(await gm.getByLabel('Numero giusto').inputValue());
    const right = drawn === 9 ? 10 : 9;
    await gm.getByLabel('Numero giusto').fill(String(right));
    await gm.getByRole('button', { name: 'Vale questo numero' }).click();
    const confirm = gm.locator('dialog').getByRole('button', { name: 'Conferma' });
    await expect.poll(async () => (await confirm.count()) > 0 || (await gm.locator('dialog').count()) === 0).toBe(true);
    if ((await confirm.count()) > 0) await confirm.click();
    await expect.poll(() => gm.locator('dialog').count()).toBe(0);
    const corrected = table.locator(`[data-roll="${id}"]`).first();
    await expect.poll(() => corrected.textContent()).toContain('corretto');
    expect(await corrected.textContent()).toContain(`risultato naturale ${right}`);
    await gm.getByRole('button', { name: /Torna indietro/ }).click();
    await expect.poll(() => table.locator('.awaited-line').first().textContent()).toContain('Ada');
    await gm.getByRole('button', { name: /Rifai/ }).click();
    await expect.poll(() => table.locator('.awaited-line').first().textContent()).not.toContain('Ada');
    expect(faults).toEqual([]);
  });

  test('the evening pauses and resumes from the GM screen; all pages say so', async () => {
    const gm = await open('/gm/prova');
    const table = await open('/table/prova');
    await gm.getByRole('button', { name: 'Metti in pausa' }).click();
    await table.getByText('Serata in pausa: i tiri sono annotati e non contano.').waitFor();
    await gm.getByRole('button', { name: 'Riprendi' }).click();
    await expect.poll(() => table.locator('.chip-open').count()).toBe(1);
  });

  test('a page of nobody and a screen of somebody else say what to do', async () => {
    const missing = await context.newPage();
    await missing.goto(`${daemon.url}/table/nessuno`);
    await missing.getByText('Questo tavolo non esiste.').waitFor();
    const stranger = await context.newPage();
    await stranger.goto(`${daemon.url}/board/prova/nessuno`);
    await stranger.getByText('Questo posto non c’è più. Scegli il tuo nome.').waitFor();
  });
});
