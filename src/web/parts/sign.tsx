import type { TableView } from '../../wire/view.js';

const SHAPES = [
  <circle key="0" cx="16" cy="16" r="15" />,
  <rect key="1" x="2" y="2" width="28" height="28" rx="5" />,
  <path key="2" d="M16 1l15 15-15 15L1 16z" />,
  <path key="3" d="M9 2h14l8 14-8 14H9L1 16z" />,
  <path key="4" d="M16 1l15 11-6 18H7L1 12z" />,
];
const COLOURS = 10;

/** Colour and shape of a seat by its place at the table: two signs, so that colour is never alone. */
export const seatIndex = (view: TableView | null, id: string | null): number =>
  view?.seats.findIndex((seat) => seat.id === id) ?? -1;

/** The class that gives a part the colour of a seat. */
export const seatClass = (index: number): string => (index >= 0 ? `seat-colour-${index % COLOURS}` : 'seat-nobody');

/** The first two letters people would use for a name; the name itself stands beside it or in its label. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/u);
  const [first = '', second] = words;
  const letters =
    second === undefined ? [...first].slice(0, 2) : [...first].slice(0, 1).concat([...second].slice(0, 1));
  const [head = '', tail = ''] = letters;
  return `${head.toLocaleUpperCase()}${second === undefined ? tail.toLocaleLowerCase() : tail.toLocaleUpperCase()}`;
}

/** A seat's mark: its colour, its shape, its letters. Decoration: the name is always written too. */
export function Sign({ index, name, size = 32 }: { index: number; name: string; size?: number }) {
  const known = index >= 0;
  return (
    <svg
      class={known ? `sign ${seatClass(index)}` : 'sign sign-nobody'}
      viewBox="0 0 32 32"
      width={size}
      height={size}
      aria-hidden="true"
    >
      {known ? SHAPES[index % SHAPES.length] : SHAPES[0]}
      <text x="16" y="17" text-anchor="middle" dominant-baseline="central" font-size="13">
        {known ? initials(name) : '·'}
      </text>
    </svg>
  );
}
