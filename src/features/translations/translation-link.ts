import {
  type Caller,
  findContent,
  has,
  type Kernel,
  locate,
  locateAllForWrite,
  locks,
  MODIFY,
  publishing,
  type ResolvedNode,
  references,
  requirePermission,
  type Site,
  type Transaction,
  VIEW,
} from '#core';
import { BadRequest, Conflict, NotFound } from '#lib/errors';
import { takeShared } from './shared-fields.ts';
import { groupMembers } from './statements.ts';
import { isLanguageRoot, joinGroup, MANAGE_TRANSLATIONS, requireTranslatable, setGroup } from './translation-group.ts';

/** The object whose translations change. `lockToken` is the value of the header `Lock-Token`. */
type Request = { caller: Caller; path: string; lockToken: string | undefined };

/** The object at the path and the other one, both locked. */
type Pair = { site: Site; here: ResolvedNode; there: ResolvedNode };

const moved = () => new Conflict('Other requests are changing the same translations. Try again.');

/**
 * Locks both sides in the database. The caller needs the permission to modify the object, and to manage translations on
 * both sides. Throws when a client has locked one of them, and for language roots, which are never linked (plone.restapi, L03).
 */
async function lockPair(
  kernel: Kernel,
  tx: Transaction,
  { caller, path, lockToken }: Request,
  other: { path: string; uid: string },
): Promise<Pair> {
  const [one, two] = await locateAllForWrite(kernel, tx, [
    { path, lockMode: 'change' },
    { path: other.path, lockMode: 'change' },
  ]);
  if (!one?.resolved) throw new NotFound(path);
  if (two?.resolved?.object.uid !== other.uid) throw moved();
  const { site } = one;
  const [here, there] = [one.resolved, two.resolved];
  requirePermission(site, caller, here, MODIFY);
  for (const side of [here, there]) {
    requirePermission(site, caller, side, MANAGE_TRANSLATIONS);
    locks.requireUnlocked(side.object, lockToken);
    if (isLanguageRoot(site, side.object))
      throw new BadRequest(
        `The content in "${side.object.language}" begins at ${side.object.path}: it is neither linked nor unlinked.`,
      );
  }
  return { site, here, there };
}

/**
 * Links existing content as a translation, in one transaction with its events. `reference` is its path, its address or
 * its UID. Throws BadRequest when the caller can view no such content, or when one side is not translatable or has another
 * translation already; NotFound, Unauthorized or Forbidden.
 */
export async function linkTranslation(
  kernel: Kernel,
  request: Request & { site: Site; reference: string; bases: readonly string[] },
): Promise<void> {
  const { caller, reference, bases } = request;
  const viewer = { rule: publishing.viewRuleOf(request.site), caller };
  await kernel.db.transaction(async (tx) => {
    const target = (await references.visibleEnds(tx, viewer, { references: [reference], bases }))(reference);
    if (!target)
      throw new BadRequest(`There is no content "${reference}". Give the path, the address or the UID of the other.`);
    const { site, here, there } = await lockPair(kernel, tx, request, target);
    requireTranslatable(site, here.object, here.object.path);
    requireTranslatable(site, there.object, there.object.path);
    await joinGroup(kernel, tx, caller, { object: here.object, other: there.object });
    await takeShared(kernel, tx, { site, caller, from: here.object, to: there.object });
  });
}

/** The member of the group in a language. Throws BadRequest when the group has no such member that the caller may view. */
async function requireMember(
  kernel: Kernel,
  tx: Transaction,
  { caller, path, language }: { caller: Caller; path: string; language: string },
): Promise<{ path: string; uid: string; group: string }> {
  const resolved = await findContent(kernel, path, tx);
  if (!resolved) throw new NotFound(path);
  const group = resolved.object.translationGroup;
  const members = group === null ? [] : await groupMembers(tx, group);
  const member = members.length > 1 ? members.find((each) => each.language === language) : undefined;
  const found = member && (await locate(kernel, member.path, tx));
  if (group === null || !member || !found?.resolved || !has(found.site, caller, found.resolved, VIEW))
    throw new BadRequest(`There is no translation in "${language}".`);
  return { path: member.path, uid: member.uid, group };
}

/**
 * Removes the translation in a language from the group, in one transaction with its events; the content stays. For the
 * language of the object itself, the object leaves the group. Throws BadRequest when there is no translation that the
 * caller may view, NotFound, Unauthorized or Forbidden.
 */
export async function unlinkTranslation(kernel: Kernel, request: Request & { language: string }): Promise<void> {
  const { caller } = request;
  await kernel.db.transaction(async (tx) => {
    const member = await requireMember(kernel, tx, request);
    const { here, there } = await lockPair(kernel, tx, request, member);
    if ([here, there].some(({ object }) => object.translationGroup !== member.group)) throw moved();
    await setGroup(kernel, tx, caller, { object: there.object, group: null });
  });
}
