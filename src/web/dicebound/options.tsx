import type { Signal } from '@preact/signals';
import { keyOf, say } from '../language.js';
import { Field, Select } from '../parts/deed.js';
import { WholeField } from '../parts/whole-field.js';
import type { Room } from '../room.js';
import { type StartingTiles, StartTiles } from './start-tiles.js';

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
export interface DiceboundOptions {
  readonly startingTiles?: StartingTiles;
  readonly [option: string]: string | number | StartingTiles | undefined;
}

/** What a new game is begun with where nothing is chosen. */
export const USUAL_OPTIONS: DiceboundOptions = { mode: 'story', campaign: 'medium', level: 1 };

/** The options as the game takes them: starting tiles of those who sit there and have some (T7). */
export function diceboundOptions(options: DiceboundOptions, seats: readonly string[]): DiceboundOptions {
  const { startingTiles, ...others } = options;
  const lists = Object.entries(startingTiles ?? {}).filter(([seat, list]) => seats.includes(seat) && list.length > 0);
  return lists.length === 0 ? others : { ...others, startingTiles: Object.fromEntries(lists) };
}

interface OptionsProps {
  readonly options: Signal<DiceboundOptions>;
}

interface PickProps extends OptionsProps {
  readonly option: string;
  readonly label: string;
  readonly choices: ReadonlyArray<readonly [string, string]>;
}

function Pick({ options, option, label, choices }: PickProps) {
  return (
    <Field label={label}>
      <Select
        value={String(options.value[option] ?? choices[0]?.[0])}
        choices={choices}
        onChoose={(one) => {
          options.value = { ...options.value, [option]: option === 'level' ? Number(one) : one };
        }}
      />
    </Field>
  );
}

/** Story or arena, how long the campaign is, at which level, who begins with tiles, and the house rules. */
export function DiceboundOptionFields({ room, options }: OptionsProps & { readonly room: Room }) {
  const modes = MODES.map((mode) => [mode, say(`db.mode.${mode}`)] as const);
  const campaigns = CAMPAIGNS.map((one) => [one, say(`db.campaign.${one}`)] as const);
  const levels = LEVELS.map((level) => [level, level] as const);
  return (
    <>
      <Pick options={options} option="mode" label={say('db.mode')} choices={modes} />
      {options.value.mode === 'arena' ? null : (
        <Pick options={options} option="campaign" label={say('db.campaign')} choices={campaigns} />
      )}
      <Pick options={options} option="level" label={say('db.startLevel')} choices={levels} />
      <StartTiles
        room={room}
        tiles={options.value.startingTiles ?? {}}
        put={(startingTiles) => {
          options.value = { ...options.value, startingTiles };
        }}
      />
      <HouseRules options={options} />
      <p class="quiet">{say('db.startHint')}</p>
    </>
  );
}

const USUAL_PERCENT = 25;

function HouseRules({ options }: OptionsProps) {
  return (
    <details class="more">
      <summary>{say('db.house')}</summary>
      {HOUSE_RULES.map((rule) => (
        <Pick
          key={rule}
          options={options}
          option={rule}
          label={say(`db.house.${rule}`)}
          choices={HOUSE[rule].map((word) => [word, wordOf(`db.house.${rule}.${word}`)] as const)}
        />
      ))}
      <WholeField
        label={say('db.house.ambushPercent')}
        value={Number(options.value.ambushPercent ?? USUAL_PERCENT)}
        min={0}
        max={100}
        onInput={(text) => {
          options.value = { ...options.value, ambushPercent: Number(text) };
        }}
      />
    </details>
  );
}
