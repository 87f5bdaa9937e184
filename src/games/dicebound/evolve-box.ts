import { field } from '../awaited.js';
import { BOX_KINDS, type BoxKind } from './box.js';
import type { GameData } from './data.js';
import type { EventOf } from './events.js';
import type { DiceboundState } from './state.js';

function changed<K extends BoxKind>(data: GameData, event: EventOf<'boxed'>, kind: K): GameData[K] {
  const gone: readonly string[] = field(event.remove, kind) ?? [];
  const kept = Object.entries(data[kind]).filter(([id]) => !gone.includes(id));
  return Object.fromEntries([...kept, ...Object.entries(event.add[kind] ?? {})]) as GameData[K];
}

/** The box with what was entered and without what was taken out. */
export function boxed(state: DiceboundState, event: EventOf<'boxed'>): DiceboundState {
  const touched = BOX_KINDS.filter((kind) => event.add[kind] !== undefined || event.remove[kind] !== undefined);
  const tables = Object.fromEntries(touched.map((kind) => [kind, changed(state.data, event, kind)]));
  return { ...state, data: { ...state.data, ...tables }, edits: state.edits + 1 };
}
