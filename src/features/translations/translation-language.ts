import { ValidationFailed } from '../../lib/errors.ts';
import type { ContentObject } from '../../storage/content-row.ts';
import type { Queryable } from '../../storage/database.ts';
import { groupMembers } from '../../storage/statements/translation-groups.ts';
import type { ContentChange } from '../../storage/statements/update-content.ts';

/**
 * What a new language of an object changes beside: without one it is a translation of nothing. Throws ValidationFailed
 * when its group has a translation in that language.
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
