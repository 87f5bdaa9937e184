import { type ReadonlySignal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { read } from '../daemon.js';
import { seatIdFor } from '../parts/posts.js';
import type { Room } from '../room.js';
import { type Box, readDicebound } from './game.js';

/** Where the box of a table is, for this page's reader. */
export const boxAddress = ({ table, role, seat }: Room['door']): string =>
  `/api/v1/tables/${table}/box?role=${role}${seat === undefined ? '' : `&seat=${seat}`}`;

/** The whole box of the table, fetched again when it was changed; null until it is there. */
export function useBox(room: Room): ReadonlySignal<Box | null> {
  const box = useSignal<Box | null>(null);
  const view = room.view.value;
  const edits = view?.game.id === 'dicebound' ? readDicebound(view).box.edits : -1;
  useEffect(() => {
    let wanted = true;
    if (edits < 0) return;
    void read<Box>(boxAddress(room.door)).then((answer) => {
      if (wanted && answer.ok) box.value = answer.value;
    });
    return () => {
      wanted = false;
    };
  }, [edits, room, box]);
  return box;
}

/** Ids of what is bought get a number behind them. */
const MAX_KIND = 26;

/** An id for a new monster, trap or event of this name: what is bought has one name among all of them (G2). */
export function boughtId(box: Box | null, name: string): string {
  const { monsters, traps, environments } = box ?? {};
  const taken = [monsters, traps, environments].flatMap((table) => Object.keys(table ?? {}));
  return seatIdFor(name, new Set(taken)).slice(0, MAX_KIND);
}
