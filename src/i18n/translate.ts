import { de } from './messages/de.ts';
import { es } from './messages/es.ts';
import { fr } from './messages/fr.ts';
import type { Messages } from './messages/messages.ts';
import { nl } from './messages/nl.ts';
import { sv } from './messages/sv.ts';

/** The languages that there are texts for, beside English. */
export const catalogs: ReadonlyMap<string, Messages> = new Map(Object.entries({ de, es, fr, nl, sv }));

/**
 * An English text in a language: that of its first subtag where the tag has none of its own. What nobody has translated,
 * such as a title that a site has chosen itself, stays as it is.
 */
export function translate(text: string, language: string): string {
  const tag = language.toLowerCase();
  const messages = catalogs.get(tag) ?? catalogs.get(tag.split('-', 1)[0] ?? '');
  return messages && Object.hasOwn(messages, text) ? (messages[text] ?? text) : text;
}

/**
 * What a client means that sends a text in place of the stored one: nothing new when it is the stored one in some
 * language, as it was served. Forms send back what they were given.
 */
export const matchedText = (sent: string, stored: string | undefined): string =>
  stored !== undefined &&
  [...catalogs.values()].some((messages) => Object.hasOwn(messages, stored) && messages[stored] === sent)
    ? stored
    : sent;
