import type { Signal } from '@preact/signals';
import { say } from '../language.js';
import { Field, Select } from '../parts/deed.js';

/** How a Magic table is set up. `planarDie`: the faces of the d6 that are Planeswalker and chaos, or none. */
export interface MagicOptions {
  readonly percentile: string;
  readonly planarDie: { readonly planeswalker: string; readonly chaos: string } | null;
}

export const USUAL_MAGIC: MagicOptions = { percentile: 'zero', planarDie: null };

const FACES = ['1', '2', '3', '4', '5', '6'] as const;

/** The options as the game reads them; one face twice is refused there. */
export function magicOptions({ percentile, planarDie }: MagicOptions): object {
  if (planarDie === null) return { percentile };
  const { planeswalker, chaos } = planarDie;
  const faces = FACES.map((face) => (face === planeswalker ? 'planeswalker' : face === chaos ? 'chaos' : 'blank'));
  return { percentile, planarDie: faces };
}

/** The table's own habits: how a d100 is read, and what stands for the planar die. */
export function MagicOptionFields({ options }: { options: Signal<MagicOptions> }) {
  const { percentile, planarDie } = options.value;
  const change = (more: Partial<MagicOptions>): void => {
    options.value = { ...options.value, ...more };
  };
  const faces = FACES.map((face) => [face, face] as const);
  return (
    <>
      <Field label={say('mg.percentile')}>
        <Select
          value={percentile}
          choices={[['zero', say('mg.percentile.zero')] as const, ['ten', say('mg.percentile.ten')] as const]}
          onChoose={(chosen) => change({ percentile: chosen })}
        />
      </Field>
      <Field label={say('mg.planarDie')}>
        <Select
          value={planarDie === null ? 'real' : 'd6'}
          choices={[['real', say('mg.planarDie.real')] as const, ['d6', say('mg.planarDie.d6')] as const]}
          onChoose={(chosen) => change({ planarDie: chosen === 'd6' ? { planeswalker: '1', chaos: '6' } : null })}
        />
      </Field>
      {planarDie === null
        ? null
        : (['planeswalker', 'chaos'] as const).map((symbol) => (
            <Field key={symbol} label={say(`mg.planarDie.${symbol}`)}>
              <Select
                value={planarDie[symbol]}
                choices={faces}
                onChoose={(face) => change({ planarDie: { ...planarDie, [symbol]: face } })}
              />
            </Field>
          ))}
    </>
  );
}
