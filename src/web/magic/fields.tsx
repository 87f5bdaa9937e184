import type { Signal } from '@preact/signals';
import { Field } from '../parts/deed.js';
import type { Room } from '../room.js';

/** Who asks for a roll, and where. */
export interface InstructProps {
  readonly room: Room;
  /** Who rolls. */
  readonly seat: string;
  /** How the deed names who acts: the seat itself, or the GM for it. */
  readonly args: { readonly seat: string; readonly player?: string };
}

/** A line of text. */
export function TextField({ label, value }: { label: string; value: Signal<string> }) {
  return (
    <Field label={label}>
      <input
        type="text"
        maxLength={200}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        value={value.value}
        onInput={(event) => {
          value.value = event.currentTarget.value;
        }}
      />
    </Field>
  );
}
