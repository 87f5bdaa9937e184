import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cleanUp, Daemon } from '../daemon/daemon.js';
import { CHROMIUM, FLAGS, HERE } from './chromium.js';

/** Longest wait for what stands on a page; the machine may be busy with other tests. */
const PATIENCE_MS = 30_000;

/** A Magic evening with fake dice, played on the pages: issue "Rule 706 whole", shown by 7. */
describe.runIf(HERE)('the Magic table in Chromium, with fake dice', () => {
  let daemon: Daemon;
  let browser: Browser;
  let gm: Page;
  let ada: Page;
  let table: Page;
  const faults: string[] = [];

  const open = async (path: string, width: number): Promise<Page> => {
    // A window of its own: what lies behind another tab is drawn once a second.
    const page = await browser.newPage({ locale: 'it-IT', reducedMotion: 'reduce' });
    page.setDefaultTimeout(PATIENCE_MS);
    await page.setViewportSize({ width, height: 900 });
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (line) => {
      if (line.type() === 'error') faults.push(line.text());
    });
    await page.goto(`${daemon.url}${path}`);
    await page.locator('main .card, main .awaited').first().waitFor();
    return page;
  };
  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
  /** Faces as they fall, one after the other. */
  const roll = async (die: 'd20' | 'd6', ...naturals: number[]): Promise<void> => {
    for (const natural of naturals) {
      const { json } = await daemon.fake(`fake-godice-${die}`, 'roll', { natural });
      expect(json.signals).not.toEqual([]);
    }
  };
  const findCard = async (letters: string, name: string): Promise<void> => {
    const other = button(ada, 'Un’altra carta');
    if (await other.isVisible()) await other.click();
    await ada.getByRole('textbox', { name: 'Nome della carta' }).fill(letters);
    await button(ada, name).click();
  };
  const asked = (text: string) => ada.locator('.todo-what', { hasText: text }).waitFor();
  const told = (page: Page): Promise<string | null> => page.locator('.mg-report').textContent();
  const stands = (page: Page, text: string) => page.locator('.mg-report').getByText(text).first().waitFor();

  beforeAll(async () => {
    daemon = await Daemon.start();
    browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
    await daemon.command('prova', 'bind', { die: 'fake-godice-d6', seat: 'ada', duty: 'rolls' });
    [gm, ada, table] = [
      await open('/gm/prova', 1280),
      await open('/board/prova/ada', 360),
      await open('/table/prova', 1920),
    ];
  });

  afterAll(async () => {
    await browser?.close();
    await cleanUp();
  });

  test('the GM begins it, with a d6 in the place of the planar die', async () => {
    await gm.locator('details.fold', { hasText: 'Quale gioco' }).locator('summary').click();
    await gm.getByRole('combobox', { name: 'Quale gioco' }).selectOption('magic');
    await gm.getByRole('combobox', { name: 'Dado planare' }).selectOption('d6');
    await button(gm, 'Nuova partita').click();
    await button(gm, 'Comincia').click();
    for (const page of [gm, ada, table]) await page.getByText('Turno 1: Ada').waitFor();
  });

  test("Pixie Guide's extra die with a tie, and The Deck of Many Things with a negative result", async () => {
    await findCard('pixi', 'Pixie Guida · Pixie Guide');
    await button(ada, 'Entra in gioco').click();
    await ada.locator('.mg-cards').getByText('Pixie Guide').waitFor();
    await findCard('meraviglie MAZZO', 'Il Mazzo delle Meraviglie · The Deck of Many Things');
    await ada.getByRole('spinbutton', { name: 'Carte in mano' }).fill('7');
    await button(ada, 'Tira').click();
    await asked('Tira 2 × d20');
    await roll('d20', 3);
    await asked('Tira il d20');
    await roll('d20', 3);
    await ada.getByText('Pari merito per il più basso').waitFor();
    await button(ada, 'dado 2, che segna 3').click();
    for (const page of [ada, table]) await stands(page, 'Condizione ≤ 0: sì');
    expect(await told(table)).toContain('risultato: −4');
    expect(await told(table)).toContain('dado finto');
    await expect
      .poll(() => table.locator('.mg-report .rolled-die', { hasText: 'ignorato' }).count(), { timeout: PATIENCE_MS })
      .toBe(1);
    await expect.poll(() => table.locator('.mg-row-hit').count(), { timeout: PATIENCE_MS }).toBe(0);
  });

  test("Centaur of Attention's stored dice: five, of which two are thrown again", async () => {
    await ada.locator('.mg-cards').getByRole('button', { name: 'Togli' }).click();
    await ada.getByText('Nessuna.').waitFor();
    await findCard('centaur', 'Centaur of Attention');
    await button(ada, 'Tira').click();
    await asked('Tira 5 × d6');
    await roll('d6', 6, 2, 6, 1, 6);
    const stored = (page: Page) => page.locator('.mg-stored-die');
    await stored(ada).nth(4).waitFor();
    await stored(ada).nth(1).click();
    await stored(ada).nth(3).click();
    await button(ada, 'Rilancia 2 dadi').click();
    await asked('Tira 2 × d6');
    await roll('d6', 4, 6);
    await table.getByText('4 uguali').waitFor();
    expect(await stored(table).allTextContents()).toEqual(['6 d6', '4 d6', '6 d6', '6 d6', '6 d6']);
  });

  test('a Planechase turn: the planar die by a mapped d6, each time for 1 more, then the turn ends', async () => {
    await button(ada, 'Tira il dado planare (costo 0)').click();
    await asked('Tira il d6');
    await roll('d6', 6);
    await stands(table, 'Il caos si scatena.');
    await button(ada, 'Tira il dado planare (costo 1)').click();
    await button(ada, /Tira .* dal computer/).click();
    await stands(table, 'Costo pagato: 1');
    expect(await told(table)).toContain('tirato dal computer');
    await button(ada, 'Fine del turno').click();
    await table.getByText('Turno 2: Bea').waitFor();
    await expect.poll(() => ada.getByText('Tira il dado planare').count(), { timeout: PATIENCE_MS }).toBe(0);
  });

  test('a d20 that bears a set’s symbol in the place of its 20 counts 20', async () => {
    const die = gm.locator('[data-die="fake-godice-d20"]');
    await die.locator('summary').click();
    await die.getByRole('textbox', { name: 'Simbolo al posto del 20 (conta 20)' }).fill('Tarkir');
    await die.locator('form', { hasText: 'Simbolo' }).getByRole('button', { name: 'Salva' }).click();
    await button(ada, 'Notazione').click();
    await ada.getByRole('textbox', { name: 'Tiro' }).fill('un dado a venti facce + 1');
    await button(ada, 'Tira').click();
    await asked('Tira il d20');
    await roll('d20', 20);
    for (const page of [ada, table]) {
      await stands(page, 'risultato: 21');
      await page.locator('.mg-report figcaption', { hasText: 'Tarkir' }).waitFor();
    }
  });

  test('a die that nobody has, by agreement; the GM breaks a roll off', async () => {
    await button(ada, 'Notazione').click();
    await ada.getByRole('textbox', { name: 'Tiro' }).fill('d3');
    await button(ada, 'Tira').click();
    await button(ada, 'd6: la metà, per eccesso').click();
    await asked('Tira il d6');
    await roll('d6', 5);
    await stands(table, 'risultato naturale: 3');
    await table.locator('.mg-report figcaption', { hasText: 'd6: 5' }).waitFor();
    await button(ada, 'Notazione').click();
    await ada.getByRole('textbox', { name: 'Tiro' }).fill('4d20');
    await button(ada, 'Tira').click();
    await button(gm, 'Interrompi il tiro').click();
    await ada.getByText('Nessun tiro in corso').waitFor();
    expect(faults).toEqual([]);
  });

  test('a planar die that lies on the table, told by its face', async () => {
    await daemon.command('prova', 'game', { game: 'magic', options: {} });
    await button(ada, 'Tira il dado planare (costo 0)').click();
    await button(ada, 'caos').click();
    await stands(table, 'Il caos si scatena.');
    expect(await told(table)).toContain('scritto a mano');
  });

  test('in English too, and no wider than a phone', async () => {
    for (const page of [gm, ada, table]) {
      await button(page, 'English').click();
      await page.getByText('Cards in play that matter for rolls').waitFor();
      await page.setViewportSize({ width: 360, height: 900 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
      // biome-ignore lint/performance/useDomNodeTextContent: what is folded away is not read
      expect(await page.evaluate(() => document.body.innerText)).not.toMatch(
        /\b(tir[oiae]|dad[oi]|risultat[oi]|carta)\b/i,
      );
    }
    expect(faults).toEqual([]);
  });
});
