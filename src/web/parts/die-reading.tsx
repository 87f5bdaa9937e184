import { useSignal } from '@preact/signals';
import type { DieView } from '../../wire/view.js';
import { say } from '../language.js';
import { shellWord } from './claim.js';
import { type Deed, Field, Select } from './deed.js';

const SHELLS = ['d6', 'd4', 'd8', 'd10', 'd10x', 'd12', 'd20'] as const;
const KINDS = ['d4', 'd6', 'd8', 'd10', 'd00', 'd12', 'd20', 'fudge'] as const;

/** How a Bluetooth die is read: which shell a GoDice wears, what a Pixels is where it does not say so. */
export function DieReading({ die, deed }: { die: DieView; deed: Deed }) {
  if (die.fake) return null;
  if (die.model === 'GoDice') {
    return (
      <Field label={say('die.shell')}>
        <Select
          value={die.shell ?? 'd6'}
          choices={SHELLS.map((shell) => [shell, shellWord(shell)] as const)}
          onChoose={(shell) => void deed.run('enrol', { die: die.id, shell })}
        />
      </Field>
    );
  }
  if (die.model !== 'Pixels') return null;
  return (
    <Field label={say('die.kind')}>
      <Select
        value={die.kind ?? ''}
        choices={[
          ['', say('die.kindOwn')] as const,
          ...KINDS.map(
            (kind) =>
              [kind, kind === 'd00' ? 'D%' : kind === 'fudge' ? say('dice.fudge') : kind.toUpperCase()] as const,
          ),
        ]}
        onChoose={(kind) => void deed.run('enrol', { die: die.id, kind: kind === '' ? null : kind })}
      />
    </Field>
  );
}

/** The highest face as it is printed; undefined for a die without numbers, and for tens. */
function highest(type: string | null): number | undefined {
  const sides = Number(/^d([1-9]\d*)$/.exec(type ?? '')?.[1] ?? 0);
  return sides === 0 ? undefined : sides === 10 ? 0 : sides;
}

/** What the highest face bears in the place of its number: a set's symbol (magic R14). It counts the number. */
export function FaceName({ die, deed }: { die: DieView; deed: Deed }) {
  const face = highest(die.type);
  const name = useSignal(die.names?.find(([named]) => named === face)?.[1] ?? '');
  if (face === undefined) return null;
  const save = (event: Event): void => {
    event.preventDefault();
    const others = (die.names ?? []).filter(([named]) => named !== face);
    const own = name.value.trim();
    void deed.run('enrol', { die: die.id, names: own === '' ? others : [...others, [face, own]] });
  };
  return (
    <form class="row" onSubmit={save}>
      <Field label={say('die.symbol', { face })}>
        <input
          maxLength={40}
          value={name.value}
          onInput={(event) => {
            name.value = event.currentTarget.value;
          }}
        />
      </Field>
      <button type="submit" class="button" disabled={deed.busy}>
        {say('app.save')}
      </button>
    </form>
  );
}
