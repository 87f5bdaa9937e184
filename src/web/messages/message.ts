/** A sentence with `{placeholders}`, or one sentence per plural category of its `{n}` (Intl.PluralRules). */
export type Message = string | { readonly one: string; readonly other: string };
