import { Type } from 'typebox';
import { VIEW } from '../../security/permissions.ts';
import { inherit } from '../../serializer/components/ancestors.ts';
import { documentedQuery } from '../openapi/documented.ts';
import { defineService, ok } from '../service.ts';

/** GET `@inherit`: values of behaviors from the nearest container that has them. */
export const getInherit = defineService({
  name: '@inherit',
  method: 'GET',
  cacheable: true,
  context: 'content',
  permission: VIEW,
  summary: 'Values of behaviors from the nearest object at or above the content that has them.',
  query: documentedQuery(
    Type.Object({
      'expand.inherit.behaviors': Type.Optional(
        Type.String({ description: 'Ids or other names of behaviors, separated by commas or repeated.' }),
      ),
    }),
  ),
  responses: { 200: { description: 'For each behavior: where it comes from, and its fields.' } },
  run: async (context) => ok(await inherit.expand(context, context.resolved)),
});
