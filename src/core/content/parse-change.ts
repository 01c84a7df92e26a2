import type { Queryable } from '../../database/database.ts';
import type { SanitizeHtml } from '../../lib/text/sanitize-html.ts';
import type { Site } from '../configuration/site/site.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { Caller } from '../security/caller.ts';
import type { ResolvedNode } from '../types/content-row.ts';
import type { ContentType } from '../types/content-type.ts';
import { has } from './permissions.ts';
import { resolverFor } from './references.ts';
import { joinColumns, linksIn, parseValues } from './values.ts';

/**
 * Parses a client's change of an object: the values of the fields that `input` names, in their stored form. `bases` are addresses of the site root
 * that links may begin with, `sanitize` cleans HTML (see `prepareHtml`). Throws ValidationFailed, and Forbidden for a field that the caller may not
 * write.
 */
export async function parseChange(
  { fieldKinds }: Pick<Kernel, 'fieldKinds'>,
  db: Queryable,
  { site, resolved, caller, type }: { site: Site; resolved: ResolvedNode; caller: Caller; type: ContentType },
  {
    input,
    bases,
    sanitize,
  }: { input: Record<string, unknown>; bases: readonly string[]; sanitize?: SanitizeHtml | undefined },
): Promise<Record<string, unknown>> {
  return parseValues(fieldKinds, {
    ...{ type, input, site, sanitize },
    resolver: await resolverFor(db, linksIn(fieldKinds, type, input, sanitize), bases),
    current: joinColumns(resolved.object),
    timeZone: caller.timeZone,
    mayWrite: (permission) => has(site, caller, resolved, permission),
  });
}
