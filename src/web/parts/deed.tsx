import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { Answer, CommandName, Refused } from '../../wire/command.js';
import { say } from '../language.js';
import type { Room } from '../room.js';
import { reasonOf } from '../wording.js';
import { Why } from './roll.js';

export interface Deed {
  /** Gives the command; resolves with the answer, which is also shown where `note` stands. */
  run(verb: CommandName, args: Record<string, unknown>): Promise<Answer>;
  readonly busy: boolean;
  /** What became of the last command, for the one who gave it. */
  readonly note: ComponentChildren;
}

/** Commands of one part of a page: one at a time, the refusal shown right there. */
export function useDeed(room: Room): Deed {
  const busy = useSignal(false);
  const refused = useSignal<Refused | null>(null);
  const run = async (verb: CommandName, args: Record<string, unknown>): Promise<Answer> => {
    busy.value = true;
    refused.value = null;
    const answer = await room.command(verb, args);
    busy.value = false;
    if (answer.kind === 'refused') refused.value = answer;
    return answer;
  };
  return { run, busy: busy.value, note: <Refusal refused={refused.value} /> };
}

function Refusal({ refused }: { refused: Refused | null }) {
  return (
    <div class="refusal-place" aria-live="assertive">
      {refused === null ? null : (
        <p class="refusal">
          <span>{say('answer.refused', { reason: reasonOf(refused) })}</span>{' '}
          <Why rule={refused.rule} expected={refused.expected} />
        </p>
      )}
    </div>
  );
}

interface FieldProps {
  readonly label: string;
  readonly children: ComponentChildren;
}

/** A labelled field of a form. */
export function Field({ label, children }: FieldProps) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is the child this label wraps
    <label class="field">
      <span>{label}</span>
      {children}
    </label>
  );
}

/** A choice among few things, in a list that opens. `value` is the key of the chosen one. */
export function Select({
  value,
  choices,
  onChoose,
  label,
}: {
  value: string;
  /** Its name, where no field around it says it. */
  label?: string;
  choices: ReadonlyArray<readonly [key: string, text: string]>;
  onChoose: (key: string) => void;
}) {
  return (
    <select
      value={value}
      {...(label === undefined ? {} : { 'aria-label': label })}
      onChange={(event) => onChoose(event.currentTarget.value)}
    >
      {choices.map(([key, text]) => (
        <option key={key} value={key} selected={key === value}>
          {text}
        </option>
      ))}
    </select>
  );
}
