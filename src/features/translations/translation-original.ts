import type { LookupResult } from '../../content/locate.ts';
import { requirePermission } from '../../content/permissions.ts';
import { relationEnds } from '../../content/relation-ends.ts';
import { BadRequest, Conflict } from '../../lib/errors.ts';
import type { Caller } from '../../security/caller.ts';
import type { Kernel } from '../../site/kernel.ts';
import type { ResolvedNode } from '../../storage/content-row.ts';
import type { Queryable, Transaction } from '../../storage/database.ts';
import type { ContentType } from '../../types/content-type.ts';
import { joinGroup } from './translation-group.ts';
import { MANAGE_TRANSLATIONS, requireTranslatable } from './translation-rights.ts';

/** Content that other content is to be a translation of. */
export type Original = { path: string; uid: string };

/** What `translation_of` of new content names by path, address or UID; undefined without. Throws BadRequest when the caller sees no such content. */
export async function findOriginal(
  db: Queryable,
  caller: Caller,
  { input, bases }: { input: Record<string, unknown>; bases: readonly string[] },
): Promise<Original | undefined> {
  const reference = input.translation_of ?? '';
  if (reference === '') return undefined;
  const found =
    typeof reference === 'string'
      ? (await relationEnds(db, caller, { references: [reference], bases }))(reference)
      : undefined;
  if (!found) throw new BadRequest('"translation_of" must be the path, the address or the UID of content.');
  return found;
}

/** The held original. Throws Conflict when it is not there any longer, Unauthorized or Forbidden. */
function requireOriginal({ site, resolved }: LookupResult, caller: Caller, { uid }: Original): ResolvedNode {
  if (resolved?.object.uid !== uid) throw new Conflict('The content of "translation_of" is being moved. Try again.');
  requirePermission(site, caller, resolved, MANAGE_TRANSLATIONS);
  return resolved;
}

/**
 * Makes new content a translation of the original, which is held. Needs the right to manage the translations of that. Throws
 * BadRequest when one of them cannot be translated, or there is a translation in that language already.
 */
export async function joinOriginal(
  kernel: Pick<Kernel, 'events'>,
  tx: Transaction,
  caller: Caller,
  {
    original,
    lookup,
    made,
  }: {
    original: Original;
    lookup: LookupResult;
    made: { oid: number; type: ContentType; language: string | null };
  },
): Promise<void> {
  const { object } = requireOriginal(lookup, caller, original);
  requireTranslatable(lookup.site, object, object.path);
  const { oid, type, language } = made;
  if (!type.behaviorNames.has('plone.translatable') || language === null)
    throw new BadRequest(`A ${type.id} cannot be a translation.`);
  await joinGroup(kernel, tx, caller, { object, other: { oid, language, translationGroup: null } });
}
