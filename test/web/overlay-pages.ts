import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { CHROMIUM, FLAGS } from './chromium.js';

/** Where screenshots go, if anybody wants to look: a folder outside the project. */
const SHOTS = process.env.TIRO_SHOTS;

/** What a page under test counts by itself, from its first script on. */
interface Counted {
  readonly arrivals: [roll: string | null, animation: string][];
  readonly sockets: WebSocket[];
  readonly audio: { count: number };
  readonly rejected: string[];
}
declare global {
  interface Window {
    counted: Counted;
    seenAs?: 'visible' | 'hidden';
  }
}

function countInPage(): void {
  const counted: Counted = { arrivals: [], sockets: [], audio: { count: 0 }, rejected: [] };
  window.counted = counted;
  document.addEventListener('animationstart', (event) => {
    const roll = (event.target as Element).closest('[data-roll]')?.getAttribute('data-roll') ?? null;
    counted.arrivals.push([roll, event.animationName]);
  });
  addEventListener('unhandledrejection', (event) => counted.rejected.push(String(event.reason)));
  const Socket = window.WebSocket;
  window.WebSocket = class extends Socket {
    constructor(url: string | URL, protocols?: string | string[]) {
      super(url, protocols);
      counted.sockets.push(this);
    }
  };
  const Audio = window.AudioContext;
  window.AudioContext = class extends Audio {
    constructor() {
      super();
      counted.audio.count += 1;
    }
  };
  Object.defineProperty(document, 'visibilityState', { get: () => window.seenAs ?? 'visible' });
}

/** Where a picture has something of the overlay in it: the share of see-through pixels, and the alpha of single ones. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  /** Alpha 0…255 at a point. */
  alpha(x: number, y: number): number;
}

/** Overlays in Chromium, as OBS shows them. */
export class OverlayPages {
  readonly browser: Browser;
  readonly faults: string[] = [];
  readonly #contexts: BrowserContext[] = [];

  private constructor(browser: Browser) {
    this.browser = browser;
  }

  static async launch(flags: readonly string[] = []): Promise<OverlayPages> {
    if (SHOTS !== undefined) mkdirSync(SHOTS, { recursive: true });
    return new OverlayPages(await chromium.launch({ executablePath: CHROMIUM, args: [...FLAGS, ...flags] }));
  }

  async context(options: BrowserContextOptions = {}): Promise<BrowserContext> {
    const context = await this.browser.newContext({
      locale: 'it-IT',
      viewport: { width: 1920, height: 1080 },
      ...options,
    });
    await context.addInitScript(countInPage);
    this.#contexts.push(context);
    return context;
  }

  /** Opens an address in a context of its own, or in one that is there. */
  async open(url: string, context?: BrowserContext): Promise<Page> {
    const page = await (context ?? (await this.context())).newPage();
    page.on('pageerror', (error) => this.faults.push(error.message));
    await page.goto(url);
    return page;
  }

  /** Ends all pages. @returns what went wrong in them */
  async clear(): Promise<readonly string[]> {
    for (const context of this.#contexts.splice(0)) await context.close();
    return this.faults.splice(0);
  }

  async close(): Promise<void> {
    await this.clear();
    await this.browser.close();
  }

  /** Looks at a page without any ground under it, and reads the pixels. */
  async picture(page: Page): Promise<Picture> {
    const png = (await page.screenshot({ omitBackground: true })).toString('base64');
    const reader = await (await this.browser.newContext()).newPage();
    const { width, height, alphas } = await reader.evaluate(async (data) => {
      const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob());
      const canvas = new OffscreenCanvas(image.width, image.height);
      const drawing = canvas.getContext('2d');
      drawing?.drawImage(image, 0, 0);
      const pixels = drawing?.getImageData(0, 0, image.width, image.height).data ?? [];
      let text = '';
      for (let i = 3; i < pixels.length; i += 4) text += String.fromCharCode(pixels[i] ?? 0);
      return { width: image.width, height: image.height, alphas: text };
    }, png);
    await reader.context().close();
    return { width, height, alpha: (x, y) => alphas.charCodeAt(y * width + x) };
  }

  /** Puts a picture under the page, as OBS does, and keeps a screenshot where somebody wants to look. */
  async shoot(page: Page, name: string): Promise<void> {
    if (SHOTS === undefined) return;
    await page.evaluate((table) => {
      document.documentElement.style.setProperty(
        'background',
        `center / 100vw 100vh no-repeat url("${table}")`,
        'important',
      );
    }, TABLETOP);
    await page.screenshot({ path: join(SHOTS, `${name}.png`) });
    await page.evaluate(() => document.documentElement.style.removeProperty('background'));
  }
}

/** A wooden table from above with a board, a card and a box on it. */
const TABLETOP = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1920 1080"><defs><radialGradient id="g" cx=".5" cy=".45">' +
    '<stop offset="0" stop-color="#d9a066"/><stop offset="1" stop-color="#4a2e1a"/></radialGradient></defs>' +
    '<rect width="1920" height="1080" fill="url(#g)"/><circle cx="960" cy="500" r="260" fill="#2c5a3a"/>' +
    '<rect x="90" y="640" width="420" height="300" rx="20" fill="#f2ead8" transform="rotate(-6 300 790)"/>' +
    '<rect x="1350" y="700" width="420" height="300" rx="20" fill="#b8443c" transform="rotate(9 1500 850)"/></svg>',
)}`;

/** Rolls whose arrival was played, in order; an id stands as often as it was played. */
export const played = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => window.counted.arrivals.flatMap(([roll]) => (roll === null ? [] : [roll])));

/** Ids of the rolls that are shown, the newest first. */
export const shown = (page: Page): Promise<readonly string[]> =>
  page.locator('[data-roll]').evaluateAll((cards) => cards.map((card) => card.getAttribute('data-roll') ?? ''));
