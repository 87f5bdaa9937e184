import { type ReadonlySignal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { read } from '../daemon.js';
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
