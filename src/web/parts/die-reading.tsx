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
