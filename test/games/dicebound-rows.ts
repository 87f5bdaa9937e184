import { BOARD_ROWS, type Row } from './dicebound-rows-board.js';
import { CAMP_ROWS, ROOM_ROWS } from './dicebound-rows-camp.js';
import { COMMON_ROWS } from './dicebound-rows-common.js';
import { ATTACK_ROWS, END_ROWS, ORDER_ROWS } from './dicebound-rows-fight.js';

/** Every case of every rule of Dicebound. */
export const ROWS: readonly Row[] = [
  ...BOARD_ROWS,
  ...CAMP_ROWS,
  ...ORDER_ROWS,
  ...ATTACK_ROWS,
  ...END_ROWS,
  ...ROOM_ROWS,
  ...COMMON_ROWS,
];
