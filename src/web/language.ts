import { effect, signal } from '@preact/signals';
import { en } from './messages/en.js';
import { it, type Message, type MessageKey } from './messages/it.js';

export const LANGUAGES = ['it', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

const KEPT = 'tiro.language';
const GLOSSARY: Record<Language, Record<MessageKey, Message>> = { it, en };

/** The language of the page: `?lang=`, then what was chosen before, then the browser's, then Italian. */
export const language = signal<Language>(firstLanguage());

effect(() => {
  document.documentElement.lang = language.value;
});

/** Changes the language and remembers it on this device. */
export function chooseLanguage(chosen: Language): void {
  language.value = chosen;
  try {
    localStorage.setItem(KEPT, chosen);
  } catch {
    // A browser that keeps nothing still shows the chosen language until the page closes.
  }
}

function firstLanguage(): Language {
  const asked = known(new URLSearchParams(location.search).get('lang'));
  if (asked !== undefined) return asked;
  let kept: string | null = null;
  try {
    kept = localStorage.getItem(KEPT);
  } catch {
    kept = null;
  }
  return known(kept) ?? navigator.languages.map((tag) => known(tag.slice(0, 2))).find((l) => l !== undefined) ?? 'it';
}

function known(tag: string | null): Language | undefined {
  return LANGUAGES.find((one) => one === tag);
}

/** Values for a sentence's placeholders; `n` also chooses the plural. */
export type Values = { readonly [name: string]: string | number };

/**
 * The sentence of this key in the chosen language. Values are put in as they are: what they hold is text to the browser,
 * never markup (F014). A placeholder without a value stays visible, so that its absence is noticed.
 */
export function say(key: MessageKey, values: Values = {}): string {
  const message = GLOSSARY[language.value][key];
  const text = typeof message === 'string' ? message : message[category(Number(values.n ?? 0))];
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) return whole;
    return typeof value === 'number' ? formatNumber(value) : value;
  });
}

const category = (n: number): 'one' | 'other' =>
  new Intl.PluralRules(language.value).select(n) === 'one' ? 'one' : 'other';

const formatNumber = (n: number): string => new Intl.NumberFormat(language.value).format(n);

/** The key if the glossary has it: for words that come from outside, such as a game's purposes. */
export function keyOf(key: string): MessageKey | undefined {
  return Object.hasOwn(it, key) ? (key as MessageKey) : undefined;
}

/** Several names as people say them: "Ada, Bea e Carlo". */
export const listOf = (names: readonly string[]): string =>
  new Intl.ListFormat(language.value, { type: 'conjunction' }).format(names);

/** Hour and minute of an instant, as the reader writes them. */
export const clockTime = (at: Date): string =>
  new Intl.DateTimeFormat(language.value, { hour: '2-digit', minute: '2-digit' }).format(at);
