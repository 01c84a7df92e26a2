import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Catalogue, NESTED, parseTranslations, type Translations } from './catalogue.ts';
import { fillMessage } from './message-template.ts';

/**
 * The translations of a feature: a folder with a file `<language>.po` for each language, as a path or a `file:` URL, or the translations themselves
 * by language.
 */
export type MessageSource = string | URL | Readonly<Record<string, Translations>>;

/** Marks a text that is translated at another place; `npm run messages` finds the text by this call. */
export const message = (text: string): string => text;

/** Translations by language, which are loaded when the language is first used. */
type Loaders = ReadonlyMap<string, () => Translations>;

/** Maximum length in characters of a text that is compared with messages with placeholders. */
const MAX_TEXT_LENGTH = 5000;

/** `pt_BR`, the usual form for folders, and `pt-BR` are the same language. */
const tagOf = (name: string): string => name.toLowerCase().replaceAll('_', '-');

/** The catalogues `<folder>/<language>/LC_MESSAGES/<domain>.po`, in the usual layout of gettext. */
export const localeFiles = (folder: string, domain: string): Loaders =>
  new Map(
    readdirSync(folder)
      .map((language) => [language, join(folder, language, 'LC_MESSAGES', `${domain}.po`)] as const)
      .filter(([, path]) => existsSync(path))
      .map(([language, path]) => [tagOf(language), () => parseTranslations(readFileSync(path))]),
  );

/** Loads the translations of a feature at once, so that a broken file stops the start and not a request. */
function loadSource(source: MessageSource): Loaders {
  const loaded = new Map<string, () => Translations>();
  const set = (language: string, translations: Translations) => loaded.set(tagOf(language), () => translations);
  if (typeof source !== 'string' && !(source instanceof URL)) {
    for (const [language, translations] of Object.entries(source)) set(language, translations);
    return loaded;
  }
  const folder = source instanceof URL ? fileURLToPath(source) : source;
  for (const name of readdirSync(folder).filter((entry) => entry.endsWith('.po'))) {
    const path = join(folder, name);
    try {
      set(name.slice(0, -'.po'.length), parseTranslations(readFileSync(path)));
    } catch (error) {
      throw new Error(`The messages in ${path} cannot be loaded`, { cause: error });
    }
  }
  return loaded;
}

/** The translations of the server's texts, which are written in English. */
export class Messages {
  readonly #loaders: readonly Loaders[];
  readonly #languages: ReadonlySet<string>;
  /** The first language of a region for each language (`pt-br` for `pt`). */
  readonly #regions: ReadonlyMap<string, string>;
  readonly #catalogues = new Map<string, Catalogue>();

  /**
   * `own` are the translations of the program, `sources` those of features. If several translate the same text, the first one counts, so that a
   * feature does not change the words of others.
   * @throws Error when a folder or a file of a feature cannot be loaded.
   */
  constructor(own: Loaders, sources: readonly MessageSource[] = []) {
    this.#loaders = [own, ...sources.map(loadSource)];
    this.#languages = new Set(this.#loaders.flatMap((loaders) => [...loaders.keys()]));
    const ofRegions = this.languages().filter((one) => one.includes('-'));
    this.#regions = new Map(ofRegions.reverse().map((one) => [one.split('-', 1)[0] ?? '', one]));
  }

  /** The languages that have translations, in lower case. */
  languages(): string[] {
    return [...this.#languages].sort();
  }

  /**
   * The language of the translations for readers of a language: this language, else that of its first subtag (`nl` for `nl-be`), else the language of
   * a region (`pt-br` for `pt`). Undefined for English and for languages without translations.
   */
  languageFor(language: string): string | undefined {
    const tag = tagOf(language);
    const [first = ''] = tag.split('-', 1);
    return [tag, first].find((one) => one !== '' && this.#languages.has(one)) ?? this.#regions.get(tag);
  }

  /**
   * Translates an English text into a language, also a text that was made from a message with placeholders. A text without a translation, such as a
   * title of the site itself, stays unchanged.
   */
  translate(text: string, language: string): string {
    const name = this.languageFor(language);
    return name === undefined ? text : this.#say(text, this.#catalogue(name));
  }

  /**
   * Returns the text to store for a text that a client sent: the stored one if the client sent back its translation into some
   * language. Forms send back the texts that they got.
   */
  matchedText(sent: string, stored: string | undefined): string {
    if (stored === undefined || sent === stored) return sent;
    return this.languages().some((language) => this.translate(stored, language) === sent) ? stored : sent;
  }

  #say(text: string, catalogue: Catalogue): string {
    const whole = catalogue.find(text);
    if (whole !== undefined || text.length > MAX_TEXT_LENGTH) return whole ?? text;
    const recognized = catalogue.recognize(text);
    if (!recognized) return text;
    const values = [...recognized.values].map(([name, value]): [string, string] => [
      name,
      NESTED.has(name) ? this.#say(value, catalogue) : value,
    ]);
    return fillMessage(catalogue.find(recognized.id) ?? text, new Map(values));
  }

  #catalogue(language: string): Catalogue {
    const present = this.#catalogues.get(language);
    if (present) return present;
    const catalogue = new Catalogue();
    for (const loaders of this.#loaders) {
      const load = loaders.get(language);
      if (load) catalogue.add(load());
    }
    this.#catalogues.set(language, catalogue);
    return catalogue;
  }
}
