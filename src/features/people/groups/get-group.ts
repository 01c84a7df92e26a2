import { Type } from 'typebox';
import { MANAGE_USERS } from '../../../security/permissions.ts';
import { readBatch } from '../../../serializer/batch.ts';
import { defineService, ok } from '../../../services/service.ts';
import { groupJson, MEMBER_BATCH } from './group-json.ts';
import { Group } from './group-schemas.ts';
import { readGroup } from './read-group.ts';

/** GET `@groups/<id>`: one group with a batch of its members. */
export const getGroup = defineService({
  name: '@groups',
  method: 'GET',
  context: 'site',
  permission: MANAGE_USERS,
  summary: 'Represents a group with its members.',
  rest: ['{id}'],
  query: Type.Object({
    b_start: Type.Optional(Type.Integer({ description: 'Members to skip.' })),
    b_size: Type.Optional(Type.Integer({ description: 'Most members to list; 25 unless given.' })),
  }),
  responses: { 200: { description: 'The group.', schema: Group }, 404: { description: 'There is no such group.' } },
  async run({ db, base, rest, searchParams }) {
    const batch = readBatch(searchParams, MEMBER_BATCH);
    return ok(groupJson(base, await readGroup(db, rest[0] ?? '', batch), batch));
  },
});
