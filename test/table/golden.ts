import { finalState } from '../../src/cli/replay.js';
import type { Json } from '../../src/dice/json.js';
import type { TableState } from '../../src/table/state.js';

/** What a table has come to, as the golden journals keep it: the end as the GM sees it, and what is asked and blocked. */
export function folded(state: TableState): Json {
  const { bindings, blocked, trackers, notices, offers } = state;
  const all = {
    ...finalState(state),
    dice: [...bindings.values()],
    blocked: [...blocked],
    trackers: [...trackers.values()],
    notices: notices.map(({ notice }) => notice),
    offers: offers.map(({ roll, taken }) => ({ roll, taken: taken?.stands === true })),
  };
  return JSON.parse(JSON.stringify(all)) as Json;
}
