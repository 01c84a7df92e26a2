import type * as gettext from 'gettext-parser';
import { lazyPackage } from '../../lib/process/lazy-package.ts';
import { MessageTemplate, placeholdersOf } from './message-template.ts';

const parser = lazyPackage<typeof gettext>('gettext-parser');

/** Translations by their English texts. */
export type Translations = Readonly<Record<string, string>>;

/** Placeholders whose values are messages themselves, so that the values are translated as well. */
export const NESTED: ReadonlySet<string> = new Set(['message', 'problem', 'reason']);

/**
 * The translations in a PO file. Entries that are empty or marked as fuzzy count as missing, as in msgfmt.
 * @throws Error when it is no PO file.
 */
export function parseTranslations(file: Buffer | string): Translations {
  const translations: Record<string, string> = Object.create(null);
  // Contexts and plural forms are not used: a message is known by its English text alone.
  for (const [id, { msgstr, comments }] of Object.entries(parser().po.parse(file).translations[''] ?? {})) {
    const [text = ''] = msgstr;
    if (id !== '' && text !== '' && !comments?.flag?.includes('fuzzy')) translations[id] = text;
  }
  return translations;
}

/** The translations into one language, from the program and all features. */
export class Catalogue {
  readonly #texts = new Map<string, string>();
  readonly #templates: MessageTemplate[] = [];

  /** Adds translations. A text that has a translation already keeps it. */
  add(translations: Translations): void {
    for (const [id, text] of Object.entries(translations)) {
      if (this.#texts.has(id)) continue;
      this.#texts.set(id, text);
      if (placeholdersOf(id).length > 0) this.#templates.push(new MessageTemplate(id));
    }
    this.#templates.sort((a, b) => b.fixedLength - a.fixedLength);
  }

  /** The translation of an English text; undefined if it does not exist. */
  find(id: string): string | undefined {
    return this.#texts.get(id);
  }

  /** The template from which a text was made, with the values in the text. If several templates fit, the one with the most fixed text counts. */
  recognize(text: string): { id: string; values: ReadonlyMap<string, string> } | undefined {
    for (const template of this.#templates) {
      const values = template.match(text);
      if (values) return { id: template.id, values };
    }
    return undefined;
  }
}
