import type { Signal } from '@preact/signals';
import { keyOf, say } from '../language.js';
import { Field, Select } from '../parts/deed.js';

const MODES = ['story', 'arena'] as const;
const CAMPAIGNS = ['fast', 'medium', 'epic'] as const;
const LEVELS = Array.from({ length: 10 }, (_, n) => String(n + 1));

/** House rules with two words each; the first is the book's. */
const HOUSE = {
  declare: ['after', 'before'],
  earlyAnswers: ['hold', 'refuse'],
  trackerAuthority: ['rules', 'dice'],
  gmInitiative: ['each', 'once'],
  ambushRoll: ['app', 'dice'],
  bag: ['physical', 'digital'],
} as const;
type HouseRule = keyof typeof HOUSE;
const HOUSE_RULES = Object.keys(HOUSE) as readonly HouseRule[];

const wordOf = (key: string): string => {
  const known = keyOf(key);
  return known === undefined ? key : say(known);
};

/** How a game of Dicebound begins, as the setup of its page has it (G6, G14, C10). */
export type DiceboundOptions = { readonly [option: string]: string | number };

/** What a new game is begun with where nothing is chosen. */
export const USUAL_OPTIONS: DiceboundOptions = { mode: 'story', campaign: 'medium', level: 1 };

/** Story or arena, how long the campaign is, at which level, and the house rules. */
export function DiceboundOptionFields({ options }: { options: Signal<DiceboundOptions> }) {
  const put = (option: string, value: string | number): void => {
    options.value = { ...options.value, [option]: value };
  };
  const pick = (option: string, label: string, choices: ReadonlyArray<readonly [string, string]>) => (
    <Field label={label}>
      <Select
        value={String(options.value[option] ?? choices[0]?.[0])}
        choices={choices}
        onChoose={(one) => put(option, one)}
      />
    </Field>
  );
  return (
    <>
      {pick(
        'mode',
        say('db.mode'),
        MODES.map((mode) => [mode, say(`db.mode.${mode}`)] as const),
      )}
      {options.value.mode === 'arena'
        ? null
        : pick(
            'campaign',
            say('db.campaign'),
            CAMPAIGNS.map((one) => [one, say(`db.campaign.${one}`)] as const),
          )}
      <Field label={say('db.startLevel')}>
        <Select
          value={String(options.value.level)}
          choices={LEVELS.map((level) => [level, level] as const)}
          onChoose={(level) => put('level', Number(level))}
        />
      </Field>
      <details class="more">
        <summary>{say('db.house')}</summary>
        {HOUSE_RULES.map((rule) => (
          <div key={rule}>
            {pick(
              rule,
              say(`db.house.${rule}`),
              HOUSE[rule].map((word) => [word, wordOf(`db.house.${rule}.${word}`)] as const),
            )}
          </div>
        ))}
        <Field label={say('db.house.ambushPercent')}>
          <input
            class="number"
            type="number"
            inputMode="numeric"
            min={0}
            max={100}
            value={options.value.ambushPercent ?? 25}
            onInput={(event) => put('ambushPercent', Number(event.currentTarget.value))}
          />
        </Field>
      </details>
      <p class="quiet">{say('db.startHint')}</p>
    </>
  );
}
