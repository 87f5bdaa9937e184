import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { Field } from './deed.js';

/** A name may be this long, in characters. */
const MAX_NAME = 60;

interface NameFormProps {
  readonly label: string;
  /** What the button says. */
  readonly action: string;
  readonly busy?: boolean;
  /** The name as it is now. */
  readonly first?: string;
  /** Gives the name; true where it was taken and the field is to be empty again. */
  readonly onName: (name: string) => Promise<boolean>;
  /** Further buttons. */
  readonly children?: ComponentChildren;
}

/** One line for a name and the button that gives it. */
export function NameForm({ label, action, busy = false, first = '', onName, children }: NameFormProps) {
  const name = useSignal(first);
  const submit = (event: Event): void => {
    event.preventDefault();
    void onName(name.value.trim()).then((taken) => {
      if (taken) name.value = '';
    });
  };
  return (
    <form class="row" onSubmit={submit}>
      <Field label={label}>
        <input
          required
          maxLength={MAX_NAME}
          value={name.value}
          onInput={(event) => {
            name.value = event.currentTarget.value;
          }}
        />
      </Field>
      <button type="submit" class="button" disabled={busy || name.value.trim() === ''}>
        {action}
      </button>
      {children}
    </form>
  );
}
