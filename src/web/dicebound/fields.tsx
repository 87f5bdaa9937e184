import type { Signal } from '@preact/signals';
import { Field } from '../parts/deed.js';
import { WholeField } from '../parts/whole-field.js';

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

/** Keeps what a form holds, once it has a name. */
export function SaveButton({ text, busy, name }: { text: string; busy: boolean; name: Signal<string> }) {
  return (
    <button type="submit" class="button button-main" disabled={busy || name.value.trim() === ''}>
      {text}
    </button>
  );
}

interface StepProps {
  readonly label: string;
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly set: (value: number) => void;
}

/** A number by thumbs: one less, one more, or typed. */
export function Step({ label, value, low, high, set }: StepProps) {
  const put = (wanted: number): void => set(Math.max(low, Math.min(high, Math.round(wanted) || 0)));
  return (
    <div class="db-step">
      <WholeField label={label} value={value} min={low} max={high} onInput={(text) => put(Number(text))} />
      <button type="button" class="button" aria-label={`${label} −1`} onClick={() => put(value - 1)}>
        −
      </button>
      <button type="button" class="button" aria-label={`${label} +1`} onClick={() => put(value + 1)}>
        +
      </button>
    </div>
  );
}
