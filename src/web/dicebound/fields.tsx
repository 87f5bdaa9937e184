import type { Signal } from '@preact/signals';
import { Field } from '../parts/deed.js';

const MAX_NAME = 60;

/** A field for a name. */
export function NameField({
  label,
  text,
  required = false,
}: {
  label: string;
  text: Signal<string>;
  required?: boolean;
}) {
  return (
    <Field label={label}>
      <input
        required={required}
        maxLength={MAX_NAME}
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value;
        }}
      />
    </Field>
  );
}

interface KeysProps<T> {
  readonly title: string;
  readonly values: readonly T[];
  readonly text: (value: T) => string;
  readonly chosen?: (value: T) => boolean;
  readonly choose: (value: T) => void;
  /** Small square keys; otherwise buttons that hold words. */
  readonly square?: boolean;
}

/** A titled group of keys, one touch each. */
export function Keys<T>({ title, values, text, chosen, choose, square = true }: KeysProps<T>) {
  return (
    <fieldset class="db-owner">
      <legend>{title}</legend>
      <div class="db-keys">
        {values.map((value) => (
          <button
            key={JSON.stringify(value)}
            type="button"
            class={square ? 'button db-key' : 'button'}
            {...(chosen === undefined ? {} : { 'aria-pressed': chosen(value) })}
            onClick={() => choose(value)}
          >
            {text(value)}
          </button>
        ))}
      </div>
    </fieldset>
  );
}
