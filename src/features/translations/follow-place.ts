import {
  type Caller,
  contentPath,
  indexing,
  type Kernel,
  panelSettings,
  panels,
  type Site,
  type Transaction,
} from '#core';
import { BadRequest } from '#lib/errors';
import { isMultilingual } from './language-roots.ts';
import { contentInOtherLanguages } from './statements.ts';
import { setGroup } from './translation-group.ts';

/** Maximum number of objects whose language changes at once: each is indexed again, because words are stemmed by language. */
const MAX_OBJECTS = 2000;

/** The language in whose folder a path lies; undefined on a site in one language, and outside of these folders. */
function languageAt(site: Site, path: string): string | undefined {
  const [first = ''] = contentPath.names(path);
  return isMultilingual(site) && panelSettings(site, panels.language).available_languages.includes(first)
    ? first
    : undefined;
}

/**
 * Gives content that was moved into the folder of another language this language, with everything below it (plone.app.multilingual). Content leaves
 * its group of translations if the group has content in the language already. Throws BadRequest for more objects than one transaction can index
 * again.
 */
export async function followPlace(
  kernel: Kernel,
  { from, to, site }: { from: string; to: string; site: Site },
  { tx, caller }: { tx: Transaction; caller: Caller },
): Promise<void> {
  const language = languageAt(site, to);
  if (language === undefined || language === languageAt(site, from)) return;
  const found = await contentInOtherLanguages(tx, { path: to, language, limit: MAX_OBJECTS + 1 });
  if (found.length === 0) return;
  if (found.length > MAX_OBJECTS)
    throw new BadRequest(
      `More than ${MAX_OBJECTS} objects would get the language "${language}" at once. Move or copy them in parts.`,
    );
  const groups = new Set<string>();
  for (const object of found) {
    const { translationGroup: group, isTaken } = object;
    if (group === null) continue;
    if (isTaken || groups.has(group)) await setGroup(kernel, tx, caller, { object, group: null });
    groups.add(group);
  }
  await indexing.setLanguage(kernel, tx, found, language);
}
