import type { SettingFault } from '../../wire/settings.js';
import { keyOf, say } from '../language.js';

const typeWord = (word: string): string => say(keyOf(`settings.type.${word}`) ?? 'settings.type.other');

/** Sentences of the daemon that have a translation; the rest, mostly of the YAML reader, is shown in its own words. */
const SENTENCES: readonly (readonly [RegExp, (found: RegExpExecArray) => string])[] = [
  [/^unknown key$/, () => say('settings.reason.unknown')],
  [/^did you mean "(.*)"\?$/, ([, word = '']) => say('settings.reason.meant', { word })],
  [/^known here: (.*)$/, ([, words = '']) => say('settings.reason.known', { words })],
  [/^not allowed as a key$/, () => say('settings.reason.forbidden')],
  [/^Map keys must be unique/, () => say('settings.reason.twice')],
  [/^for example (.*)$/, ([, text = '']) => say('settings.reason.example', { text })],
  [/^compare with config/, () => say('settings.reason.usual')],
  [
    /^Invalid input: expected (\w+), received (\w+)$/,
    ([, expected = '', received = '']) =>
      say('settings.reason.type', { expected: typeWord(expected), received: typeWord(received) }),
  ],
];

function translated(text: string): string {
  for (const [pattern, word] of SENTENCES) {
    const found = pattern.exec(text);
    if (found !== null) return word(found);
  }
  return text;
}

interface Props {
  readonly faults: readonly SettingFault[];
  /** Leads to the place in the text. */
  readonly show: (line: number, column: number) => void;
}

/** Every fault with its place, which can be pressed, its reason and its remedy. */
export function SettingFaults({ faults, show }: Props) {
  return (
    <ul class="settings-faults">
      {faults.map((fault, index) => (
        <li key={`${index}-${fault.key}`} class="settings-fault">
          <p>
            <Place fault={fault} show={show} /> {fault.key === '' ? null : <code>{fault.key}</code>}
          </p>
          <p>{translated(fault.reason)}</p>
          <p class="quiet">{translated(fault.remedy)}</p>
        </li>
      ))}
    </ul>
  );
}

function Place({ fault, show }: { fault: SettingFault; show: Props['show'] }) {
  const { line, column = 1, file } = fault;
  if (line === undefined) return <strong>{file}</strong>;
  return (
    <button type="button" class="button button-small" onClick={() => show(line, column)}>
      {say('settings.place', { line, column })}
    </button>
  );
}
