/** Ids of tables, seats, dice, devices and counters (contracts, first paragraph): they enter topics and paths as they are. */
export const ID_PATTERN = /^[a-z0-9][a-z0-9_-]{0,31}$/;

/** Ids of calls and rolls are opaque, at most this many characters. */
export const MAX_OPAQUE_ID = 64;

/** `gm` is the Game Master, `table` is what all players agree on: no player may take them. */
export const RESERVED_SEATS = ['gm', 'table'] as const;

/** True if `text` may be the id of a table, seat, die, device or counter. */
export const isId = (text: string): boolean => ID_PATTERN.test(text);

/** True if `text` may be the id of a player's seat: an id, and not a reserved one. */
export const isSeatId = (text: string): boolean => isId(text) && text !== 'gm' && text !== 'table';

/** True if `text` may be the id of a call or a roll: 1 to 64 printable characters. */
export const isOpaqueId = (text: string): boolean => /^[!-~]{1,64}$/.test(text);
