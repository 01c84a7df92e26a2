import type { Queryable } from '../../database/database.ts';
import { ValidationFailed } from '../../lib/errors.ts';
import { panelSettings } from '../configuration/panels/panel.ts';
import { sitePanel } from '../configuration/panels/site.ts';
import type { Site } from '../configuration/site/site.ts';
import type { Caller } from '../security/caller.ts';
import type { ResolvedNode } from '../types/content-row.ts';
import { rolesAt } from './permissions.ts';
import { findTags } from './vocabularies.ts';

const tagsIn = (values: Record<string, unknown>): string[] =>
  Array.isArray(values.subjects) ? values.subjects.filter((tag) => typeof tag === 'string') : [];

/**
 * Throws ValidationFailed for tags that no content visible to the caller has, unless one of the caller's roles at `resolved` may add tags (setting
 * `roles_allowed_to_add_keywords`). The present tags of the content are allowed.
 */
export async function rejectNewTags(
  db: Queryable,
  { site, caller, resolved }: { site: Site; caller: Caller; resolved: ResolvedNode },
  values: Record<string, unknown>,
  current: Record<string, unknown> = {},
): Promise<void> {
  const before = new Set(tagsIn(current));
  const added = tagsIn(values).filter((tag) => !before.has(tag));
  if (added.length === 0) return;
  const roles = rolesAt(site, caller, resolved);
  if (panelSettings(site, sitePanel).roles_allowed_to_add_keywords.some((role) => roles.has(role))) return;
  const { items } = await findTags({ site, db, caller, resolved }, { tokens: added, start: 0, size: added.length });
  const known = new Set(items.map(({ token }) => token));
  const fresh = added.filter((tag) => !known.has(tag));
  if (fresh.length === 0) return;
  const message = `You may not add tags. Nothing has the tag "${fresh[0]}" yet: choose another one.`;
  throw new ValidationFailed([{ field: 'subjects', message }]);
}
