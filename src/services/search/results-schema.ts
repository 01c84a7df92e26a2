import { Type } from 'typebox';

/** A page of results. */
export const Results = Type.Object({
  '@id': Type.String({ format: 'uri' }),
  items: Type.Array(Type.Object({ '@id': Type.String({ format: 'uri' }) }, { additionalProperties: true })),
  items_total: Type.Integer({ description: 'Number of all results that the caller may view.' }),
  batching: Type.Optional(Type.Object({ '@id': Type.String({ format: 'uri' }) }, { additionalProperties: true })),
});
