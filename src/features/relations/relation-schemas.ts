import { Type } from 'typebox';

/** Relations in one request. */
export const MOST_ITEMS = 1000;

export const Relation = Type.Object({
  source: Type.String({ minLength: 1, description: 'Path or UID of the content that has the relation.' }),
  target: Type.String({ minLength: 1, description: 'Path or UID of the content that it leads to.' }),
  relation: Type.String({ minLength: 1, description: 'Name of the relation field of the source.' }),
});

/** The answer to a change of which a part was not possible. */
export const Unprocessable = Type.Object({
  error: Type.Object({
    type: Type.Literal('Unprocessable Content'),
    message: Type.String(),
    failed: Type.Array(Type.Array(Type.Unknown()), { description: 'Pairs of a relation and why it was not possible.' }),
  }),
});
