import { Type } from 'typebox';
import { VIEW } from '../../security/permissions.ts';
import { defineService, ok } from '../../services/service.ts';
import { related } from './related.ts';

const Related = Type.Object({
  '@id': Type.String({ format: 'uri' }),
  items: Type.Array(Type.Object({ similarity: Type.Number() }, { additionalProperties: true })),
});

/** GET `@related`: content with similar words. */
export const getRelated = defineService({
  name: '@related',
  method: 'GET',
  context: 'content',
  permission: VIEW,
  summary: 'Up to five content objects whose words are most like those of this one.',
  responses: { 200: { description: 'The objects with their similarity, from 0 to 1.', schema: Related } },
  run: async (context) => ok(await related.expand(context, context.resolved)),
});
