import type { Awaited } from '../../wire/envelope.js';
import { say } from '../language.js';
import { useDeed } from '../parts/deed.js';
import type { Room } from '../room.js';
import { dieWord } from '../wording.js';

const HOWS = ['halves', 'parity', 'modulo', 'discard'] as const;

/** Dice at hand that may stand for a kind nobody has here, agreed before the throw (706.1b). */
export function Substitutes({ room, call, asGm }: { room: Room; call: Awaited; asGm: boolean }) {
  const deed = useDeed(room);
  const offered = call.substitutes ?? [];
  if (offered.length === 0 || call.seat === null) return null;
  const args = asGm ? { seat: 'gm', player: call.seat } : { seat: call.seat };
  return (
    <div class="mg-substitutes">
      {[...new Set(offered.map((one) => one.for))].map((missing) => (
        <div key={missing}>
          <p class="quiet">{say('mg.missing', { die: dieWord('magic', missing) })}</p>
          <div class="row">
            {offered
              .filter((one) => one.for === missing)
              .map(({ by, how }) => (
                <button
                  key={by}
                  type="button"
                  class="button"
                  disabled={deed.busy}
                  onClick={() => deed.run('choose', { ...args, action: 'substitute', die: missing, by })}
                >
                  {howWord(dieWord('magic', by), missing, how)}
                </button>
              ))}
          </div>
        </div>
      ))}
      {deed.note}
    </div>
  );
}

function howWord(by: string, missing: string, how: string): string {
  const known = HOWS.find((one) => one === how);
  return known === undefined ? by : say(`mg.missing.${known}`, { by, target: missing.slice(1) });
}
