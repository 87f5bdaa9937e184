import { useSignal } from '@preact/signals';
import { say } from '../language.js';
import { useDeed } from '../parts/deed.js';
import { WholeField } from '../parts/whole-field.js';
import type { Room } from '../room.js';

/** Highest values that a correction may give. */
interface Most {
  readonly pv: number;
  readonly pa: number;
}

/** A hero's trackers end at 20 and 6 (D2); a monster has none (G3). */
export const HERO_MOST: Most = { pv: 20, pa: 6 };
export const MONSTER_MOST: Most = { pv: 999, pa: 99 };

interface CorrectionProps {
  readonly room: Room;
  /** A seat or a monster. */
  readonly who: string;
  /** The values as they are. */
  readonly now: Most;
  readonly most: Most;
}

/** The GM's correction of PV and PA (D3): what is left empty stays. */
export function Correction({ room, who, now, most }: CorrectionProps) {
  const deed = useDeed(room);
  const values = useSignal({ pv: '', pa: '' });
  const given = Object.entries(values.value).filter(([, text]) => text !== '');
  const correct = (event: Event): void => {
    event.preventDefault();
    const told = Object.fromEntries(given.map(([counter, text]) => [counter, Number(text)]));
    void deed.run('choose', { seat: 'gm', action: 'adjust', who, ...told }).then((answer) => {
      if (answer.kind === 'ack') values.value = { pv: '', pa: '' };
    });
  };
  return (
    <form class="row" onSubmit={correct}>
      {(['pv', 'pa'] as const).map((counter) => (
        <WholeField
          key={counter}
          label={`${say(`counter.short.${counter}`)} (${now[counter]})`}
          value={values.value[counter]}
          min={0}
          max={most[counter]}
          onInput={(text) => {
            values.value = { ...values.value, [counter]: text };
          }}
        />
      ))}
      <button type="submit" class="button" disabled={deed.busy || given.length === 0}>
        {say('db.adjust')}
      </button>
      {deed.note}
    </form>
  );
}

const LAST_LEVEL = 10;

/** The GM's correction of the party's level (G14); every d% is then expected on it. */
export function LevelCorrection({ room, level }: { room: Room; level: number }) {
  const deed = useDeed(room);
  const wanted = useSignal(String(level));
  const correct = (event: Event): void => {
    event.preventDefault();
    void deed.run('choose', { seat: 'gm', action: 'adjust', level: Number(wanted.value) });
  };
  return (
    <details class="more">
      <summary>{say('db.adjustLevel')}</summary>
      <form class="row" onSubmit={correct}>
        <WholeField
          label={say('db.level', { n: level })}
          value={wanted.value}
          min={1}
          max={LAST_LEVEL}
          required
          onInput={(text) => {
            wanted.value = text;
          }}
        />
        <button type="submit" class="button" disabled={deed.busy || Number(wanted.value) === level}>
          {say('db.adjust')}
        </button>
        {deed.note}
      </form>
    </details>
  );
}
