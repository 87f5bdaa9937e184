import type { ComponentChildren } from 'preact';

/** Buttons that stand together. */
export const Options = ({ children }: { children: ComponentChildren }) => <div class="options">{children}</div>;

/** A button that a thumb finds. */
export function Big({
  children,
  onClick,
  main = false,
  disabled = false,
}: {
  children: ComponentChildren;
  onClick: () => void;
  main?: boolean;
  disabled?: boolean;
}) {
  return (
    <button
      type="button"
      class={main ? 'button button-big button-main' : 'button button-big'}
      disabled={disabled}
      onClick={onClick}
    >
      {children}
    </button>
  );
}
