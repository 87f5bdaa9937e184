import { existsSync } from 'node:fs';

/** Debian's Chromium, or another one of the family. */
export const CHROMIUM = process.env.TIRO_CHROMIUM ?? '/usr/bin/chromium';

/** A browser that speaks to nobody but the page under test. */
export const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** False where there is no browser: then the page tests say so and are left out, but never in CI. */
export const HERE = existsSync(CHROMIUM);

if (!HERE && process.env.CI !== undefined) throw new Error(`no Chromium at ${CHROMIUM}: install it`);
if (!HERE) console.warn(`The pages are not tested: no Chromium at ${CHROMIUM} (apt-get install chromium).`);
