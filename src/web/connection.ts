import { TableClient } from '../client/client.js';
import { CLOSE, type Socket } from '../client/socket.js';
import type { Envelope, Live, Snapshot } from '../wire/envelope.js';

/**
 * `lost`: trying again by itself. Otherwise the reader must do something first: `token` (no valid invitation),
 * `not_yours` (an invitation, but not for this page), `no_table`.
 */
export type LinkState = 'connecting' | 'live' | 'lost' | 'token' | 'not_yours' | 'no_table';

export interface Ears {
  state(state: LinkState): void;
  /** The daemon's version; one that changed means that these pages are old (F098). */
  version(version: string): void;
  snapshot(snapshot: Snapshot): void;
  envelope(envelope: Envelope, replayed: boolean): void;
  live(live: Live): void;
}

export interface Door {
  readonly table: string;
  readonly role: 'gm' | 'player' | 'overlay' | 'spectator';
  readonly seat?: string;
  readonly token: string | null;
}

const ANSWER_WITHIN_MS = 12_000;
const PULSE_EVERY_MS = 10_000;
const PULSE_WITHIN_MS = 5_000;
/** A page on a wall shows the daemon again within five seconds of its return (F021). */
const LONGEST_WAIT_MS = 3_000;

/** Opens a table for a page: the small client, told apart for readers, with a look whether the daemon still lives. */
export function connect(door: Door, ears: Ears): { client: TableClient; close: () => void } {
  let was: LinkState = 'connecting';
  const tell = (state: LinkState): void => {
    was = state;
    ears.state(state);
  };
  const client = new TableClient({
    url: location.origin,
    table: door.table,
    role: door.role,
    ...(door.seat === undefined ? {} : { seat: door.seat }),
    ...(door.token === null ? {} : { token: door.token }),
    open: (url, protocols) => new WebSocket(url, protocols) as Socket,
    answerTimeoutMs: ANSWER_WITHIN_MS,
    backoff: (attempt) => Math.min(LONGEST_WAIT_MS, 250 * 2 ** Math.min(attempt, 5)) * (0.6 + Math.random() * 0.4),
    onState: (state) => {
      if (state.link === 'live') {
        ears.version(state.hello.version);
        tell('live');
      } else if (state.link === 'connecting') tell(was === 'connecting' && state.attempt === 1 ? 'connecting' : 'lost');
      else if (state.code === CLOSE.version) location.reload();
      else if (state.code !== null) tell(state.code === CLOSE.noTable ? 'no_table' : 'token');
    },
    onSnapshot: ears.snapshot,
    onEnvelope: ears.envelope,
    onLive: ears.live,
  });
  const pulse = setInterval(() => {
    if (was === 'live') void look(client);
  }, PULSE_EVERY_MS);
  const woke = (): void => {
    if (document.visibilityState === 'visible' && was === 'live') void look(client);
  };
  document.addEventListener('visibilitychange', woke);
  return {
    client,
    close: () => {
      clearInterval(pulse);
      document.removeEventListener('visibilitychange', woke);
      client.close();
    },
  };
}

/** A socket can stay "open" for minutes after the other side is gone; a page must not call that live. */
async function look(client: TableClient): Promise<void> {
  try {
    await fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(PULSE_WITHIN_MS) });
  } catch {
    client.refresh();
  }
}
