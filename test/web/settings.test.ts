import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cleanUp, Daemon } from '../daemon/daemon.js';
import { CHROMIUM, FLAGS, HERE } from './chromium.js';

describe.runIf(HERE)('the page of the configuration', () => {
  let daemon: Daemon;
  let browser: Browser;
  const faults: string[] = [];

  beforeAll(async () => {
    daemon = await Daemon.start();
    browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
  });

  afterAll(async () => {
    await browser?.close();
    await cleanUp();
  });

  const open = async (locale: string): Promise<Page> => {
    const context = await browser.newContext({ locale, viewport: { width: 380, height: 800 } });
    const page = await context.newPage();
    page.on('pageerror', (error) => faults.push(error.message));
    await page.goto(daemon.url);
    await page.getByRole('link', { name: locale === 'it-IT' ? 'Configurazione' : 'Configuration' }).click();
    await page.locator('textarea').waitFor();
    return page;
  };

  test('a wrong text is told with line and column, which lead into the text; a right one is applied and kept', async () => {
    const page = await open('it-IT');
    const text = page.locator('textarea');
    await text.fill('log:\n  levl: debug\nhttp:\n  port: molta\n');
    await page.getByRole('button', { name: 'Prova', exact: true }).click();
    await page.getByText('Ci sono 2 errori: non è cambiato nulla.').waitFor();
    expect(await page.locator('.settings-fault').allTextContents()).toEqual([
      'Riga 2, colonna 3 log.levlvoce sconosciutaforse «level»?',
      'Riga 4, colonna 9 http.portqui serve un numero, e c’è un testoper esempio port: 18706',
    ]);
    await page.getByRole('button', { name: 'Riga 4, colonna 9' }).click();
    expect(await text.evaluate((field: HTMLTextAreaElement) => field.value.slice(field.selectionStart))).toBe(
      'molta\n',
    );
    await text.fill('dice:\n  dwell:\n    godice: 950\nble:\n  enabled: "off"\n');
    await page.getByRole('button', { name: 'Salva e applica' }).click();
    await page.getByText('Cambia: dice.dwell.godice, ble.enabled').waitFor();
    await page.getByText('Dal prossimo avvio: ble.enabled').first().waitFor();
    expect(readFileSync(join(daemon.data, 'tiro.yaml'), 'utf8')).toContain('godice: 950');
    await expect
      .poll(() => page.locator('tr[data-differs="true"]').allTextContents())
      .toContainEqual(expect.stringContaining('950'));
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    expect(faults).toEqual([]);
  });

  test('speaks English too, and shows every setting with its default', async () => {
    const page = await open('en-GB');
    await page.getByRole('heading', { name: 'All settings' }).waitFor();
    const row = page.locator('tr', { hasText: 'dice.dwell.godice' });
    expect(await row.textContent()).toContain('A GoDice tracker is believed after lying still this long [ms]');
    expect(await row.locator('td').allTextContents()).toEqual(['950', '800', 'file']);
    expect(faults).toEqual([]);
  });
});
