import { has } from '../../content/permissions.ts';
import type { Caller } from '../../security/caller.ts';
import type { Site } from '../../site/site.ts';
import type { ResolvedNode } from '../../storage/content-row.ts';

/** What the roles of the core allow, in the words of Plone's sharing page. */
const TITLES: Record<string, string> = {
  Contributor: 'Can add',
  Editor: 'Can edit',
  Reader: 'Can view',
  Reviewer: 'Can review',
};

/** The roles that the caller may give and take on an object, by id: each has a permission of its own to delegate it. */
export function delegableRoles(site: Site, caller: Caller, resolved: ResolvedNode): { id: string; title: string }[] {
  return site.roles
    .filter(({ id }) => has(site, caller, resolved, `Sharing page: Delegate ${id} role`))
    .map(({ id, title }) => ({ id, title: TITLES[id] ?? title }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}
