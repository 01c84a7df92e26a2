import { isJsonObject } from '../../../lib/json-object.ts';
import type { ImportRedirect, ImportRelation, ImportTranslationGroup } from '../import-source.ts';
import { memberOf, stringOrNull } from './json-values.ts';
import type { ProblemLog } from './problem-log.ts';
import type { SiteAddress } from './site-address.ts';

/** Reads `{old path: new path}`, both as in the object database, so with the site's own id in front. */
export function* readRedirects(
  value: unknown,
  site: SiteAddress,
  file: string,
  problems: ProblemLog,
): Generator<ImportRedirect> {
  for (const [old, target] of isJsonObject(value) ? Object.entries(value) : []) {
    const from = site.databasePath(site.link(old));
    const to = typeof target === 'string' ? readTarget(target, site) : null;
    if (from === null || from === '/' || to === null || from === to) {
      problems.add({ file, path: from, message: `The redirect of ${old} is not valid and is left out.` });
      continue;
    }
    yield { from, to };
  }
}

function readTarget(target: string, site: SiteAddress): string | null {
  const link = site.link(target);
  return /^https?:\/\//i.test(link) ? link : site.databasePath(link);
}

/**
 * Reads one group of translations. A group of one language says nothing, and the exporters write one for each
 * object that has no translation: so it is not reported either.
 */
export function readTranslationGroup(value: unknown): ImportTranslationGroup | null {
  const pairs: [string, string][] = [];
  for (const [language, uid] of isJsonObject(value) ? Object.entries(value) : []) {
    if (language !== '' && typeof uid === 'string' && uid !== '') pairs.push([language, uid]);
  }
  return pairs.length >= 2 ? Object.fromEntries(pairs) : null;
}

/** Reads one relation; an incomplete one is reported. */
export function readRelation(value: unknown, file: string, problems: ProblemLog): ImportRelation | null {
  const from = stringOrNull(memberOf(value, 'from_uuid'));
  const to = stringOrNull(memberOf(value, 'to_uuid'));
  const relation = stringOrNull(memberOf(value, 'relationship')) ?? stringOrNull(memberOf(value, 'from_attribute'));
  if (from !== null && to !== null && relation !== null) return { from_uuid: from, to_uuid: to, relation };
  problems.add({ file, message: `A relation is incomplete and is left out: ${JSON.stringify(value).slice(0, 200)}` });
  return null;
}
