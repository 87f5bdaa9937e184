import type { Binding } from '../table/record.js';
import type { NewTable } from '../table/tables.js';
import { FAKE_TRAY, FIRST_FAKES } from './device-set.js';

/** The table of a first start (contracts G). */
export const FIRST_TABLE = 'prova';

/** The table of a first start with its seats; with the simulated dice, where there are any, in their hands. */
export function firstTable(fakes: boolean): NewTable {
  const tray: Binding = { die: FAKE_TRAY, device: FAKE_TRAY, model: 'tray', seat: null, duty: 'rolls', fake: true };
  const dice = FIRST_FAKES.map(({ id, ...fake }): Binding => {
    const what = { ...fake, die: id, device: id, fake: true } as const;
    return 'counter' in fake ? { ...what, duty: 'counts' } : { ...what, duty: 'rolls' };
  });
  const seats = [
    { id: 'ada', name: 'Ada' },
    { id: 'bea', name: 'Bea' },
  ];
  return { id: FIRST_TABLE, name: 'Prova', game: 'free', seats, bindings: fakes ? [...dice, tray] : [] };
}
