export const PARTS = ['rolls', 'counters', 'awaited'] as const;
export type OverlayPart = (typeof PARTS)[number];

export const THEMES = ['dark', 'light', 'bare'] as const;
export const CORNERS = ['bottom-left', 'bottom-right', 'top-left', 'top-right'] as const;

/** How an overlay looks and what it shows: all of it stands in its address, so that OBS keeps it with the source. */
export interface Parameters {
  readonly show: ReadonlySet<OverlayPart>;
  /** Whose rolls, counters and turns; empty: everybody's. */
  readonly seats: ReadonlySet<string>;
  readonly theme: (typeof THEMES)[number];
  readonly corner: (typeof CORNERS)[number];
  /** How long a roll stays, milliseconds; 0: until newer ones push it out. */
  readonly hideAfterMs: number;
  /** How many rolls are shown at once. */
  readonly last: number;
  /** Beside the fit to the source's own size. */
  readonly scale: number;
  /** How much later than the table everything is shown, milliseconds: as late as the camera's picture. */
  readonly delayMs: number;
  readonly sound: boolean;
}

/** Reads an overlay's parameters; what is missing, unknown or out of range is as if it were not there. */
export function parametersOf(search: string): Parameters {
  const given = new URLSearchParams(search);
  const parts = words(given.get('show')).filter((word) => PARTS.some((part) => part === word)) as OverlayPart[];
  return {
    show: new Set(parts.length === 0 ? PARTS : parts),
    seats: new Set(words(given.get('seat'))),
    theme: THEMES.find((theme) => theme === given.get('theme')) ?? 'dark',
    corner: CORNERS.find((corner) => corner === given.get('corner')) ?? 'bottom-left',
    hideAfterMs: number(given.get('hide-after'), 0, 3600, 0) * 1000,
    last: Math.round(number(given.get('last'), 1, 10, 3)),
    scale: number(given.get('scale'), 0.25, 4, 1),
    delayMs: number(given.get('delay'), 0, 60_000, 0),
    sound: given.get('sound') === '1',
  };
}

const words = (text: string | null): string[] =>
  (text ?? '')
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');

function number(text: string | null, least: number, most: number, fallback: number): number {
  const value = text === null || text.trim() === '' ? Number.NaN : Number(text);
  return value >= least && value <= most ? value : fallback;
}
