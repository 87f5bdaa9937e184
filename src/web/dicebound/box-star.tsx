import { useSignal } from '@preact/signals';
import { say } from '../language.js';
import { Keys, NameField, Step } from './fields.js';
import type { Star, Tile } from './game.js';
import { dieName, named } from './words.js';

const NUMBERS = ['damage', 'heal', 'pa', 'limit'] as const;
const MOST = 100;
const DICE = [0, 4, 6, 8, 10, 12] as const;
const SPANS = ['turn', 'fight', 'rest'] as const;

interface StarFormProps {
  readonly tile: Tile;
  readonly busy: boolean;
  readonly save: (part: Partial<Tile>) => void;
}

/** A star whose effect is known is counted by the rules; any other the GM applies by a correction (T5). */
export function StarForm({ tile, busy, save }: StarFormProps) {
  const star = useSignal<Star>(tile.star === undefined || tile.star === true ? {} : tile.star);
  const { value } = star;
  const words = useSignal(named(value.text, ''));
  const put = (part: Partial<Star>): void => {
    star.value = { ...star.value, ...part };
  };
  const keep = (): void => {
    const { text: before, ...effects } = star.value;
    const told = words.value.trim();
    const text = named(before, '') === told ? before : { it: told, en: told };
    save({ star: told === '' || text === undefined ? effects : { ...effects, text } });
  };
  const withDie = (die: number): void => {
    const { die: _, ...others } = star.value;
    star.value = die === 0 ? others : { ...others, die };
  };
  return (
    <details class="more">
      <summary>{say('db.star.what')}</summary>
      <div class="db-entry">
        <StarSteps star={value} put={put} />
        <Keys
          title={say('db.star.field.die')}
          values={DICE}
          text={(die) => (die === 0 ? '–' : dieName(die))}
          chosen={(die) => (value.die ?? 0) === die}
          choose={withDie}
        />
        <Keys
          title={say('db.star.field.per')}
          values={SPANS}
          text={(per) => say(`db.star.per.${per}`)}
          chosen={(per) => (value.per ?? 'turn') === per}
          choose={(per) => put({ per })}
          square={false}
        />
        <NameField label={say('db.star.text')} text={words} />
        <div class="row">
          <button type="button" class="button" disabled={busy} onClick={keep}>
            {say('app.save')}
          </button>
        </div>
      </div>
    </details>
  );
}

interface StepsProps {
  readonly star: Star;
  readonly put: (part: Partial<Star>) => void;
}

function StarSteps({ star, put }: StepsProps) {
  return (
    <div class="db-steps">
      {NUMBERS.map((field) => (
        <Step
          key={field}
          label={say(`db.star.field.${field}`)}
          value={star[field] ?? 0}
          low={0}
          high={MOST}
          set={(n) => put({ [field]: n })}
        />
      ))}
      <Step
        label={say('db.star.field.cost')}
        value={star.cost ?? 0}
        low={-20}
        high={20}
        set={(cost) => put({ cost })}
      />
    </div>
  );
}
