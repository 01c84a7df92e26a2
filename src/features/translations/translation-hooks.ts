import {
  type Caller,
  type ContentChange,
  type ContentObject,
  type Kernel,
  publishing,
  type Queryable,
  type ResolvedNode,
  references,
  requirePermission,
  type Site,
  type Transaction,
} from '#core';
import { BadRequest, Conflict, ValidationFailed } from '#lib/errors';
import { beginWithShared } from './shared-fields.ts';
import { groupMembers } from './statements.ts';
import { joinGroup, MANAGE_TRANSLATIONS, requireTranslatable } from './translation-group.ts';

/**
 * The additional changes for a new language of an object: an object without a language leaves its group. Throws ValidationFailed when the group has a
 * translation in that language already.
 */
export async function changeLanguage(
  db: Queryable,
  { oid, translationGroup }: ContentObject,
  { language }: ContentChange,
): Promise<ContentChange> {
  if (language === undefined || translationGroup === null) return {};
  if (language === null) return { translationGroup: null };
  const members = await groupMembers(db, translationGroup);
  if (members.some((member) => member.language === language && member.oid !== oid))
    throw new ValidationFailed([
      { field: 'language', message: `There is a translation in "${language}" already. Unlink it first.` },
    ]);
  return {};
}

/** Takes part in a creation, see `hooks.creating`. */
type Creating = Kernel['hooks']['creating'][number];
type Creation = Parameters<Creating>[2];
type CreationPart = NonNullable<Awaited<ReturnType<Creating>>>;

/** The content that new content translates. */
type Original = { path: string; uid: string };

/**
 * The content that `translation_of` of new content names by path, address or UID; undefined without that key. Throws
 * BadRequest when the caller can view no such content.
 */
async function findOriginal(
  { sites }: Pick<Kernel, 'sites'>,
  db: Queryable,
  { caller, input, bases }: Creation,
): Promise<Original | undefined> {
  const reference = input.translation_of ?? '';
  if (reference === '') return undefined;
  const found =
    typeof reference === 'string'
      ? (
          await references.visibleEnds(
            db,
            { rule: publishing.lastViewRule(sites), caller },
            { references: [reference], bases },
          )
        )(reference)
      : undefined;
  if (!found) throw new BadRequest('"translation_of" must be the path, the address or the UID of content.');
  return found;
}

/** The locked original. Throws Conflict when it is no longer there, Unauthorized or Forbidden. */
function requireOriginal(
  { site, resolved }: { site: Site; resolved: ResolvedNode | undefined },
  caller: Caller,
  { uid }: Original,
): ResolvedNode {
  if (resolved?.object.uid !== uid) throw new Conflict('The content of "translation_of" is being moved. Try again.');
  requirePermission(site, caller, resolved, MANAGE_TRANSLATIONS);
  return resolved;
}

/**
 * Makes new content a translation of the locked original. Throws BadRequest when one of them is not translatable, or when
 * there is a translation in that language already.
 */
async function joinOriginal(
  kernel: Pick<Kernel, 'events' | 'hooks' | 'fieldKinds'>,
  tx: Transaction,
  caller: Caller,
  {
    locked,
    created,
  }: {
    locked: { site: Site; resolved: ResolvedNode };
    created: Parameters<CreationPart['complete']>[2];
  },
): Promise<void> {
  const { object } = locked.resolved;
  requireTranslatable(locked.site, object, object.path);
  const { oid, type, language } = created;
  if (!type.behaviorNames.has('plone.translatable') || language === null)
    throw new BadRequest(`A ${type.id} cannot be a translation.`);
  await joinGroup(kernel, tx, caller, { object, other: { oid, language, translationGroup: null } });
  await beginWithShared(kernel, tx, { site: locked.site, from: object, oid });
}

/** Takes part in a creation with `translation_of`: the new content joins the translations of the original. */
export async function translateOriginal(
  kernel: Pick<Kernel, 'events' | 'hooks' | 'fieldKinds' | 'sites'>,
  tx: Transaction,
  creation: Creation,
): Promise<CreationPart | undefined> {
  const original = await findOriginal(kernel, tx, creation);
  return (
    original && {
      path: original.path,
      async complete(within, { site, resolved }, created) {
        const found = requireOriginal({ site, resolved }, creation.caller, original);
        await joinOriginal(kernel, within, creation.caller, { locked: { site, resolved: found }, created });
      },
    }
  );
}
