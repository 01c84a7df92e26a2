import { catalogues, keys } from 'virtual:catalogues';
import { createStore } from './store.ts';
import { KEY_LENGTH, textKey } from './text-key.mjs';

/** The languages of the page with their own names. */
export const LANGUAGES: readonly { tag: string; title: string }[] = [
  { tag: 'en', title: 'English' },
  { tag: 'de', title: 'Deutsch' },
  { tag: 'es', title: 'Español' },
  { tag: 'fr', title: 'Français' },
  { tag: 'it', title: 'Italiano' },
  { tag: 'nl', title: 'Nederlands' },
  { tag: 'pt-br', title: 'Português (Brasil)' },
  { tag: 'sv', title: 'Svenska' },
];

const STORED_AT = 'canopy.language';
/** Translations by the keys of the English texts. */
let catalogue: ReadonlyMap<string, string> = new Map();

/** The translations of a file of the build: its lines are in the order of the keys. */
const catalogueOf = (lines: string): ReadonlyMap<string, string> =>
  new Map(
    lines
      .split('\n')
      .flatMap((line, at) => (line === '' ? [] : [[keys.slice(at * KEY_LENGTH, (at + 1) * KEY_LENGTH), line]])),
  );

/** The language of the page. */
export const language = createStore('en');

/** The text in the language of the page. `{name}` in it is replaced by the value of this name. */
export function say(text: string, values: Readonly<Record<string, string | number>> = {}): string {
  return (catalogue.get(textKey(text)) ?? text).replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    return value === undefined ? whole : typeof value === 'number' ? value.toLocaleString(language.get()) : value;
  });
}

/** Marks a text that is translated where it is shown, by `say`. */
export const message = (text: string): string => text;

/** The language of the page that a tag of a browser names. */
function knownLanguage(tag: string): string | undefined {
  const lower = tag.toLowerCase();
  const exact = LANGUAGES.find((known) => known.tag === lower);
  return (exact ?? LANGUAGES.find((known) => known.tag.split('-')[0] === lower.split('-')[0]))?.tag;
}

/** The language that the reader has chosen, else the first of the browser that the page speaks. */
function preferredLanguage(): string {
  const chosen = localStorage.getItem(STORED_AT);
  const tags = [...(chosen === null ? [] : [chosen]), ...navigator.languages];
  for (const tag of tags) {
    const known = knownLanguage(tag);
    if (known !== undefined) return known;
  }
  return 'en';
}

/** Turns the page into a language: that of the reader unless one is given, which is remembered then. */
export async function speak(tag?: string): Promise<void> {
  const wanted = tag ?? preferredLanguage();
  if (tag !== undefined) localStorage.setItem(STORED_AT, tag);
  const loaded = await catalogues[wanted]?.();
  catalogue = loaded ? catalogueOf(loaded.default) : new Map();
  document.documentElement.lang = wanted;
  language.set(wanted);
}
