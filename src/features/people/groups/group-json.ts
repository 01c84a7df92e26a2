import type { JsonObject } from '../../../lib/json-object.ts';
import { AUTHENTICATED_USERS } from '../../../security/caller.ts';
import { type BatchRequest, batchLinks } from '../../../serializer/batch.ts';
import type { Group } from '../statements/people-groups.ts';

/** Members that a group is shown with unless `b_size` says otherwise (plone.restapi §6.1). */
export const MEMBER_BATCH = 25;

/** Address of a group. */
export const groupUrl = (base: string, id: string): string => `${base}/@groups/${encodeURIComponent(id)}`;

/** The group that every user is in, with the roles that all were given; it has no stored members. */
export const everybody = (ownRoles: string[]): Group => ({
  id: AUTHENTICATED_USERS,
  title: 'Authenticated Users (Virtual Group)',
  description: 'Automatic Group Provider',
  email: '',
  ownRoles,
  members: [],
  membersTotal: 0,
});

/** A group without its members. All members are logged in, so they have the role of that besides. */
export const groupSummary = (base: string, { id, title, description, email, ownRoles }: Group): JsonObject => ({
  '@id': groupUrl(base, id),
  id,
  groupname: id,
  title: title || id,
  description,
  email,
  roles: id === AUTHENTICATED_USERS ? ownRoles : [...ownRoles, 'Authenticated'],
});

/** A group with one batch of its members. */
export function groupJson(base: string, group: Group, batch: BatchRequest): JsonObject {
  const url = groupUrl(base, group.id);
  const members = {
    '@id': url,
    items: group.members,
    items_total: group.membersTotal,
    ...batchLinks(url, batch, group.membersTotal),
  };
  return { ...groupSummary(base, group), members };
}
