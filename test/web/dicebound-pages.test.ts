import { type Browser, chromium, type Locator, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cleanUp, Daemon } from '../daemon/daemon.js';
import { CHROMIUM, FLAGS, HERE } from './chromium.js';

/** Longest wait for what a page should show; the machine may be busy with other tests. */
const PATIENCE_MS = 20_000;

const SEATS = ['ada', 'bea', 'carlo', 'dario'] as const;
type Player = (typeof SEATS)[number];
/** Agilità of each: the highest acts first. The classes' dice are D8, D10, D12, D8. */
const INITIATIVE = { ada: 8, bea: 5, carlo: 4, dario: 3 } as const;

const ITALIAN = /\b(tir[oiae]|dad[oi]|giocator[ei]|serata|tocca|perché|tesserin[ae]|mostr[io]|stanza|Attacco)\b/i;
const ENGLISH = /\b(the|rolls?|players?|evening|why|turn|tiles?|monsters?|room|Attack)\b/i;

describe.runIf(HERE)('Dicebound from four boards and the GM screen at once', () => {
  let daemon: Daemon;
  let browser: Browser;
  let gm: Page;
  const boards = new Map<Player, Page>();
  const faults: string[] = [];

  const board = (seat: Player): Page => {
    const page = boards.get(seat);
    if (page === undefined) throw new Error(`${seat} has no page`);
    return page;
  };

  const open = async (path: string): Promise<Page> => {
    // A window of its own: what lies behind another tab is drawn once a second.
    const page = await browser.newPage({
      locale: 'it-IT',
      viewport: { width: 360, height: 740 },
      reducedMotion: 'reduce',
    });
    page.setDefaultTimeout(PATIENCE_MS);
    page.on('pageerror', (error) => faults.push(error.message));
    await page.goto(`${daemon.url}${path}`);
    await page.locator('main .card').first().waitFor();
    return page;
  };

  const command = async (verb: string, args: Record<string, unknown>): Promise<void> => {
    const answer = await daemon.command('prova', verb, args);
    expect(answer.status, JSON.stringify(answer.json)).toBe(200);
  };

  beforeAll(async () => {
    daemon = await Daemon.start();
    browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
    for (const seat of ['carlo', 'dario'])
      await command('seat', { id: seat, name: seat === 'carlo' ? 'Gian Carlo' : 'Dario' });
    const classes = ['baluardo', 'cantarune', 'ombralama', 'spaccarocce'];
    const seats = SEATS.map((id, at) => ({ id, class: classes[at] }));
    await command('game', { game: 'dicebound', options: { seats, startingTiles: { bea: ['881'] } } });
    gm = await open('/gm/prova');
    await Promise.all(SEATS.map(async (seat) => boards.set(seat, await open(`/board/prova/${seat}`))));
  });

  afterAll(async () => {
    await browser?.close();
    await cleanUp();
  });

  /** Types a number into the field of a roll that is awaited on this page, and notes it. */
  const type = async (page: Page, number: number): Promise<void> => {
    const mine = page.locator('.now-mine');
    const field = mine.getByLabel('Numero uscito').first();
    await field.fill(String(number));
    await expect
      .poll(() => mine.getByRole('button', { name: 'Segna il tiro' }).first().isEnabled(), { timeout: PATIENCE_MS })
      .toBe(true);
    // By the keyboard: what others roll meanwhile may move the buttons under a finger.
    await field.press('Enter');
  };

  /** The box on the GM's screen, opened if it is not. */
  const openBox = async (): Promise<Locator> => {
    const box = gm.locator('details.fold', { has: gm.locator('summary', { hasText: 'La scatola' }) });
    if ((await box.getAttribute('open')) === null) await box.locator('summary').first().click();
    await box.getByRole('button', { name: 'Tesserina', exact: true }).waitFor();
    return box;
  };

  test('the GM buys within the budget, and everybody rolls initiative at the same time', async () => {
    await gm.getByRole('button', { name: 'Uno in più: Ratto cieco (esempio)' }).click();
    await gm.getByText('Budget di Minaccia: 2 di 20').waitFor();
    await gm.getByRole('button', { name: 'Apri la stanza (1 acquisto, 2 punti)' }).click();
    await gm.getByRole('button', { name: 'Comincia lo scontro' }).click();
    await Promise.all([type(gm, 1), ...SEATS.map((seat) => type(board(seat), INITIATIVE[seat]))]);
    await board('ada').getByText('Attacca, oppure chiudi il turno').waitFor();
    for (const seat of SEATS) {
      const order = board(seat).locator('.db-fighters-ordered [data-fighter]');
      await expect
        .poll(() => order.evaluateAll((all) => all.map((one) => one.getAttribute('data-fighter'))))
        .toEqual([...SEATS, 'ratto-cieco-1']);
      await expect
        .poll(() => board(seat).locator('[data-fighter="ratto-cieco-1"]').textContent(), { timeout: PATIENCE_MS })
        .toContain('illeso');
      expect(await board(seat).locator('[data-fighter="ratto-cieco-1"]').textContent()).not.toMatch(/PV/);
    }
    await expect
      .poll(() => gm.locator('[data-monster="ratto-cieco-1"]').textContent(), { timeout: PATIENCE_MS })
      .toContain('PV 6');
  });

  test('every refusal is seen by the one who caused it, with its reason, and changes nothing', async () => {
    await daemon.fake('fake-pixels-d20', 'roll', { natural: 7 });
    await board('bea').locator('[data-refused]').getByText('Non vale: non tocca a questo giocatore').waitFor();
    await daemon.fake('fake-godice-d20', 'roll', { natural: 9 });
    const mine = board('ada').locator('[data-refused]');
    await mine.getByText('Non vale: non è il dado giusto').waitFor();
    await mine.locator('summary').click();
    await expect.poll(() => mine.locator('code').textContent(), { timeout: PATIENCE_MS }).toBe('dicebound:C7');
    await daemon.fake('fake-godice-d6', 'set', { face: 3 });
    await board('ada').getByText('Il D6 segna 3: giralo su 6').waitFor();
    await daemon.fake('fake-godice-d6', 'set', { face: 6 });
    await board('ada').getByText('Il D6 segna 3: giralo su 6').waitFor({ state: 'detached' });
    const box = await openBox();
    for (const digit of '881') await box.getByRole('button', { name: digit, exact: true }).click();
    await box.getByRole('button', { name: 'rosso, leggendario' }).click();
    await box.getByText('Non vale: è su una plancia o nella stanza: adesso resta com’è').waitFor();
    for (const seat of ['carlo', 'dario'] as const)
      await expect.poll(() => board(seat).locator('.refusal').count(), { timeout: PATIENCE_MS }).toBe(0);
    await expect
      .poll(() => board('ada').locator('[data-fighter="ada"]').textContent(), { timeout: PATIENCE_MS })
      .toContain('6');
  });

  test('an attack goes from board to GM screen and back; two steps back show who must set which die', async () => {
    const ada = board('ada');
    await ada.getByRole('button', { name: 'Attacca Ratto cieco' }).click();
    await ada.getByText('Gira il D6 (PA) su 5').waitFor();
    await type(ada, 4);
    for (const page of [gm, ...boards.values()]) await page.getByText('Danno In Arrivo: 4').waitFor();
    await gm.getByRole('button', { name: /Torna indietro/ }).click();
    await ada.getByText('Danno In Arrivo: 4').waitFor({ state: 'detached' });
    await gm.getByRole('button', { name: /Torna indietro/ }).click();
    for (const page of [gm, ada]) {
      const back = page.locator('[data-back="ada.pa"]');
      await back.waitFor();
      await expect.poll(() => back.textContent(), { timeout: PATIENCE_MS }).toBe('Ada: gira il D6 (PA) su 6');
    }
    await expect.poll(() => board('bea').locator('[data-back]').count(), { timeout: PATIENCE_MS }).toBe(0);
    await ada.getByText('Attacca, oppure chiudi il turno').waitFor();
    await ada.locator('.db-back').getByRole('button', { name: 'Fatto' }).click();
    await ada.locator('.db-back').waitFor({ state: 'detached' });
  });

  test("a throw with another's die is offered to both and the GM, and counts by one touch", async () => {
    const wrong = await daemon.command('prova', 'type', { seat: 'bea', sides: 10, natural: 6 });
    expect(wrong.status).toBe(409);
    for (const page of [gm, board('ada'), board('bea')])
      await page.locator('[data-borrowed]').getByRole('button', { name: 'Conta per Ada' }).waitFor();
    await expect.poll(() => board('carlo').locator('[data-borrowed]').count(), { timeout: PATIENCE_MS }).toBe(0);
    await board('ada').locator('[data-borrowed]').getByRole('button', { name: 'Conta per Ada' }).click();
    for (const page of [gm, ...boards.values()]) await page.getByText('Danno In Arrivo: 6').waitFor();
    await gm.getByRole('button', { name: /Torna indietro/ }).click();
    await board('ada').getByText('Danno In Arrivo: 6').waitFor({ state: 'detached' });
  });

  test('the last monster falls, and every board hears what the room brought', async () => {
    await board('ada').getByRole('button', { name: 'Attacca Ratto cieco' }).click();
    await type(board('ada'), 10);
    await gm.getByText('Tira il D4 sul tavolo (Difesa)').waitFor();
    await type(gm, 1);
    await gm.getByRole('button', { name: 'Incasso' }).click();
    for (const page of [gm, ...boards.values()]) {
      await page.getByText('Stanza superata: +20 XP per il gruppo').waitFor();
      await page.getByText('20 di 80 XP').waitFor();
    }
    expect(faults).toEqual([]);
  });

  test('how a check ended is said to everybody', async () => {
    const check = { seat: 'gm', action: 'check', who: 'ada', stat: 'agility' };
    await command('choose', { ...check, difficulty: 5 });
    await type(board('ada'), 6);
    for (const page of [gm, ...boards.values()]) await page.getByText('Prova riuscita: Ada').waitFor();
    await command('choose', { ...check, difficulty: 5 });
    await board('ada').getByText('Prova riuscita: Ada').waitFor({ state: 'detached' });
    await type(board('ada'), 1);
    await board('ada').getByRole('button', { name: 'Basta così: fallita' }).click();
    for (const page of [gm, ...boards.values()]) await page.getByText('Prova fallita: Ada').waitFor();
    expect(faults).toEqual([]);
  });

  test('a tile is entered on a phone in six touches and is known by its number on every page', async () => {
    const bea = board('bea');
    await bea.getByText('La tua scatola: classe e tesserine').click();
    let touches = 0;
    const touch = async (name: string | RegExp, exact = true): Promise<void> => {
      await bea.locator('.db-entry[data-step]').getByRole('button', { name, exact }).first().click();
      touches += 1;
    };
    for (const digit of '231') await touch(digit);
    await bea.locator('[data-slot="cantarune.magic"]').click();
    touches += 1;
    await touch('3 PA');
    await touch('D8');
    await bea.getByText('Tenuta: d’ora in poi basta il numero.').waitFor();
    expect(touches).toBeLessThanOrEqual(6);
    const kept = await daemon.get('/api/v1/tables/prova/box?role=player&seat=carlo');
    expect(kept.json.tiles['231']).toMatchObject({ slot: 'magic', class: 'cantarune', cost: 3, die: 8 });
    expect(kept.json).not.toHaveProperty('monsters');
  });

  test('perks of a class and a trap are entered, changed and taken out by touches', async () => {
    const box = await openBox();
    const touch = (name: string): Promise<void> => box.getByRole('button', { name, exact: true }).click();
    const kept = async (part: string): Promise<unknown> => {
      const answer = await daemon.get('/api/v1/tables/prova/box');
      return answer.json[part];
    };
    const becomes = (part: string, id: string, entry: unknown): Promise<void> =>
      expect
        .poll(async () => ((await kept(part)) as Record<string, unknown>)[id], { timeout: PATIENCE_MS })
        .toEqual(entry);
    await box.getByRole('button', { name: 'Vantaggi', exact: true }).click();
    await touch('Ombralama');
    const before = (await kept('perks')) as Record<string, Record<string, unknown>>;
    const economy = { kind: 'economy' };
    expect(before.ombralama?.['2']).toEqual([economy]);
    for (const name of ['2', 'Maestria: +n', 'Agilità', '+3']) await touch(name);
    const mastery = { kind: 'mastery', stat: 'agility', amount: 3 };
    await becomes('perks', 'ombralama', { ...before.ombralama, '2': [economy, mastery] });
    await box.getByRole('button', { name: 'Cambia: Livello 2' }).nth(1).click();
    for (const name of ['Vantaggio: tira 2', 'Difesa', 'Anche nelle prove']) await touch(name);
    const advantage = { kind: 'advantage', stat: 'defence', checks: true };
    await becomes('perks', 'ombralama', { ...before.ombralama, '2': [economy, advantage] });
    await box.getByRole('button', { name: 'Togli: Livello 2' }).nth(1).click();
    await becomes('perks', 'ombralama', before.ombralama);

    await touch('Trappola');
    await box.getByLabel('Nome della trappola').fill('Fossa');
    for (const name of ['tutti', 'Costo +1', 'Danni fissi +1', 'D8', 'Sì', 'Tieni la trappola']) await touch(name);
    const damage = { dice: 1, sides: 8, flat: 1 };
    const name = { it: 'Fossa', en: 'Fossa' };
    await becomes('traps', 'fossa', { name, cost: 4, who: 'all', pa: 2, damage, defence: true });
    await box.getByText('Nella scatola: 7 voci').click();
    await touch('Togli: Fossa');
    await becomes('traps', 'fossa', undefined);
  });

  test('the file of the box is imported, or its faults are told with line, field and remedy', async () => {
    const file = (cost: number) => ({
      name: 'mia.json',
      mimeType: 'application/json',
      buffer: Buffer.from(
        `{"format":"tiro-dicebound-box",\n"version":1,\n"tiles":{\n"301":{"slot":"armour","flat":2,"cost":${cost}}\n}}`,
      ),
    });
    const box = await openBox();
    await box.getByRole('button', { name: 'File', exact: true }).click();
    const input = box.locator('input[type=file]');
    await input.setInputFiles(file(99));
    const fault = box.locator('.db-fault');
    await fault.waitFor();
    for (const part of ['mia.json, riga 4', 'tiles.301.cost', 'è 99', 'un numero intero, da 0 a 20'])
      await expect.poll(() => fault.textContent(), { timeout: PATIENCE_MS }).toContain(part);
    await input.setInputFiles(file(0));
    await box.getByText('Presi dal file: 1 tesserina').waitFor();
  });

  test('another campaign at the same table keeps the box, and boards begin with tiles of it', async () => {
    await gm.locator('details.fold > summary', { hasText: 'Gioco' }).click();
    const form = gm.locator('.new-game');
    await form.getByLabel('Quale gioco').selectOption('dicebound');
    await form.getByLabel('Lunghezza della Campagna').selectOption('epic');
    await form.getByText('Tesserine di partenza').click();
    const start = async (seat: string, number: string): Promise<void> => {
      const row = form.locator(`[data-start="${seat}"]`);
      await row.locator('input').fill(number);
      await row.getByRole('button', { name: 'Aggiungi' }).click();
    };
    await start('ada', '301');
    await start('ada', '801');
    await start('bea', '231');
    // One that is printed in the box and not entered yet is entered here.
    await form.locator('[data-start="carlo"] input').fill('402');
    for (const name of ['Armatura', '+3'])
      await form.locator('[data-start="carlo"]').getByRole('button', { name, exact: true }).first().click();
    await form.getByText('Tesserine di partenza (4)').waitFor();
    await form.getByRole('button', { name: 'Nuova partita' }).click();
    await form.getByRole('button', { name: 'Comincia' }).click();
    await gm.getByText('0 di 160 XP').waitFor();
    for (const [seat, slot, tile] of [
      ['ada', 'armour', '301'],
      ['bea', 'magic', '231'],
      ['carlo', 'armour', '402'],
    ] as const) {
      const { view } = (await daemon.get('/api/v1/tables/prova')).json;
      expect(view.game.state.seats[seat].slots[slot], seat).toBe(tile);
    }
    await expect
      .poll(async () => (await daemon.get('/api/v1/tables/prova/box')).json.tiles, { timeout: PATIENCE_MS })
      .toMatchObject({ '231': { cost: 3 }, '301': { flat: 2 }, '402': { flat: 3 } });
  });

  test('a throw that opened an attack with a weapon is meant as a base attack by one touch', async () => {
    await command('choose', { seat: 'gm', action: 'openRoom', buy: ['ratto-cieco'] });
    await command('choose', { seat: 'gm', action: 'startFight' });
    for (const [at, seat] of SEATS.entries()) await command('type', { seat, sides: 8, natural: 8 - at });
    await command('type', { seat: 'gm', sides: 6, natural: 1 });
    await type(board('ada'), 7);
    await board('ada').getByText('Danno In Arrivo: 8').waitFor();
    await board('ada').getByRole('button', { name: 'È un Attacco Base' }).click();
    await board('ada').getByText('Danno In Arrivo: 7').waitFor();
    await board('ada').getByRole('button', { name: 'È un Attacco Fisico' }).waitFor();
  });

  /** What is open on this page stands in one language, whole, and within the width of a phone. */
  const standsWhole = async (page: Page, lang: 'it' | 'en', where: string): Promise<void> => {
    await page.locator('details.more > summary, details.fold > summary').evaluateAll((all) => {
      for (const one of all) one.parentElement?.setAttribute('open', '');
    });
    // biome-ignore lint/performance/useDomNodeTextContent: what is hidden must not count here
    const text = await page.evaluate(() => document.body.innerText);
    expect(text, `${where}: a placeholder without its value`).not.toMatch(/\{\w+\}/);
    expect(text, `${where}: something that is nothing`).not.toMatch(/undefined|NaN|\[object/);
    expect(text, where).not.toMatch(lang === 'it' ? ENGLISH : ITALIAN);
    expect(await page.evaluate(() => document.documentElement.scrollWidth), where).toBeLessThanOrEqual(360);
  };

  test.each(['it', 'en'] as const)('its pages stand whole in %s at 360 pixels, in one language', async (lang) => {
    const page = board('bea');
    for (const path of ['/board/prova/bea', '/table/prova', '/gm/prova']) {
      await page.goto(`${daemon.url}${path}?lang=${lang}`);
      await page.locator('[data-fighter="dario"]').waitFor();
      await standsWhole(page, lang, path);
    }
    const tabs = page.locator('.db-tabs').filter({ hasText: 'File' }).getByRole('button');
    for (const tab of await tabs.all()) {
      await tab.click();
      await expect.poll(() => tab.getAttribute('aria-pressed'), { timeout: PATIENCE_MS }).toBe('true');
      await standsWhole(page, lang, `the box, ${await tab.textContent()}`);
    }
    expect(faults).toEqual([]);
  });
});
