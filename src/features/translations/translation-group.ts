import { randomUUID } from 'node:crypto';
import {
  type Caller,
  type ContentObject,
  contentPath,
  contentRows,
  type Kernel,
  type Site,
  type Transaction,
  type TreeNode,
} from '#core';
import { BadRequest } from '#lib/errors';
import { groupMembers } from './statements.ts';

/** The permission to link content as translations, in Plone's spelling. */
export const MANAGE_TRANSLATIONS = 'Manage translations';

/** True for a language root: a navigation root in the site root that is named after its language. */
export const isLanguageRoot = (site: Site, node: Pick<TreeNode, 'path' | 'type' | 'language'>): boolean =>
  node.language !== null &&
  node.path === `/${node.language}` &&
  (site.types.get(node.type)?.behaviorNames.has('navigation_root') ?? false);

/** Returns the language of translatable content. Throws BadRequest for other content; `name` stands for the object in the message. */
export function requireTranslatable(site: Site, object: ContentObject, name: string): string {
  if (contentPath.isRoot(object) || !site.types.get(object.type)?.behaviorNames.has('plone.translatable'))
    throw new BadRequest(`${name} cannot have translations: its type is ${object.type}.`);
  if (object.workingCopyOf !== null)
    throw new BadRequest(`${name} is a working copy. Link the content that it is a copy of.`);
  if (object.language === null) throw new BadRequest(`${name} has no language. Give it one first.`);
  return object.language;
}

type Events = Pick<Kernel, 'events'>;

/** The properties of an object that matter for its group. */
type Member = Pick<ContentObject, 'oid' | 'language' | 'translationGroup'>;

/**
 * The group for two objects, a new one if neither has one. Throws BadRequest when one of them has another translation
 * already.
 */
async function sharedGroup(tx: Transaction, object: Member, other: Member): Promise<string> {
  if (object.translationGroup !== null) {
    const members = await groupMembers(tx, object.translationGroup);
    if (members.some(({ language }) => language === other.language))
      throw new BadRequest(`There is a translation in "${other.language}" already. Unlink it first.`);
  }
  if (other.translationGroup !== null) {
    const members = await groupMembers(tx, other.translationGroup);
    if (members.some(({ oid }) => oid !== other.oid))
      throw new BadRequest('The other content has translations already. Unlink it from them first.');
  }
  return object.translationGroup ?? other.translationGroup ?? randomUUID();
}

/** Puts a locked object into a group or, with null, removes it from its group. Its modification date stays. */
export async function setGroup(
  kernel: Events,
  tx: Transaction,
  caller: Caller,
  { object, group }: { object: Member; group: string | null },
): Promise<void> {
  if (object.translationGroup === group) return;
  await contentRows.update(tx, object.oid, { translationGroup: group });
  const { oid, translationGroup: before } = object;
  await kernel.events.emit('content.translated', { oid, before, after: group }, { tx, caller });
}

/**
 * Adds `other` to the translations of `object`; both are locked. Throws BadRequest when they have the same language, when
 * `object` has a translation in the language of `other`, or when `other` is a translation of something else.
 */
export async function joinGroup(
  kernel: Events,
  tx: Transaction,
  caller: Caller,
  { object, other }: { object: Member; other: Member },
): Promise<void> {
  if (object.language === other.language)
    throw new BadRequest(`Both are in "${object.language}". A translation is in another language.`);
  const group = await sharedGroup(tx, object, other);
  await setGroup(kernel, tx, caller, { object, group });
  await setGroup(kernel, tx, caller, { object: other, group });
}

/**
 * Puts a locked object into the group `before`, or into none. Throws BadRequest unless the object is in the group `after`, and when the group
 * `before` has content in its language by now.
 */
export async function restoreGroup(
  kernel: Events,
  tx: Transaction,
  caller: Caller,
  { object, before, after }: { object: ContentObject; before: string | null; after: string | null },
): Promise<void> {
  if (object.translationGroup !== after)
    throw new BadRequest(`The translations of ${object.path} have been changed since.`);
  if (before !== null && (await groupMembers(tx, before)).some(({ language }) => language === object.language))
    throw new BadRequest(`There is a translation in "${object.language}" already. Unlink it first.`);
  await setGroup(kernel, tx, caller, { object, group: before });
}
