import { Type } from 'typebox';
import { defineService, ok } from '../../../services/service.ts';
import { OVERVIEW } from '../../../site/panel.ts';
import { countTypes } from '../../../storage/statements/type-use.ts';
import { typeAddress } from './type-json.ts';

/** GET `@controlpanels/dexterity-types`: the content types. */
export const getTypes = defineService({
  name: '@controlpanels',
  tag: 'dexterity-types',
  method: 'GET',
  context: 'site',
  permission: OVERVIEW,
  summary: 'Lists the content types, each with the number of its objects.',
  rest: ['dexterity-types'],
  responses: {
    200: {
      description: 'The types by title.',
      schema: Type.Object(
        {
          '@id': Type.String({ format: 'uri' }),
          title: Type.String(),
          group: Type.String(),
          items: Type.Array(
            Type.Object({
              '@id': Type.String(),
              '@type': Type.String(),
              id: Type.String(),
              title: Type.String(),
              description: Type.String(),
              meta_type: Type.String(),
              count: Type.Integer(),
            }),
          ),
        },
        { additionalProperties: true },
      ),
    },
  },
  async run({ site, base, db }) {
    const counts = new Map((await countTypes(db)).map(({ type, count }) => [type, count]));
    const types = [...site.types.values()].sort(
      (a, b) => a.title.localeCompare(b.title, 'en') || a.id.localeCompare(b.id, 'en'),
    );
    return ok({
      '@id': `${base}/@controlpanels/dexterity-types`,
      title: 'Content Types',
      group: 'Content',
      schema: { type: 'object', fieldsets: [], properties: {}, required: [] },
      data: {},
      items: types.map(({ id, title, description = '' }) => ({
        '@id': typeAddress(base, id),
        '@type': id,
        id,
        title,
        description,
        meta_type: id,
        count: counts.get(id) ?? 0,
      })),
    });
  },
});
