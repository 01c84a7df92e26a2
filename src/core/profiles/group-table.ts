import { BadRequest } from '../../lib/errors.ts';
import { GROUP } from '../configuration/profiles/profile-schema.ts';
import type { ProfileTable } from '../kernel/profile-table.ts';
import {
  type GroupDefinition,
  removeGroupDefinitions,
  writeGroupDefinitions,
} from '../people/statements/group-rows.ts';
import { groupIds, groupsWithMembers, loadGroupDefinitions } from './statements/installed-profile.ts';

/** A group as a profile describes it. */
function groupOf(id: string, value: unknown): GroupDefinition {
  const { title = id, description = '', roles = [] } = value as Partial<GroupDefinition>;
  return { id, title, description, roles };
}

/** The groups that profiles bring. */
export const groupTable: ProfileTable = {
  kind: GROUP,
  noun: 'group',
  ids: groupIds,
  load: async (_kernel, db, ids) => (await loadGroupDefinitions(db, ids)).map((data) => ({ id: data.id, data })),
  complete: (_kernel, id, data) => groupOf(id, data),
  uses: async (db, ids) => new Map((await groupsWithMembers(db, ids)).map((id) => [id, 'it has members'])),
  async write({ tx, site }, pieces) {
    for (const { id, file, data } of pieces) {
      const role = groupOf(id, data).roles.find((name) => !site.roles.some((one) => one.id === name));
      if (role !== undefined)
        throw new BadRequest(`${file}: The group "${id}" names the role "${role}", which this site does not have.`);
    }
    await writeGroupDefinitions(
      tx,
      pieces.map(({ id, data }) => groupOf(id, data)),
    );
    return [];
  },
  remove: ({ tx }, ids) => removeGroupDefinitions(tx, ids),
};
