import { type Static, Type } from 'typebox';
import { Address, Extensible, Nullable } from '../../lib/schema/shapes.ts';
import { Batching } from './batch.ts';

/** An object in results, with these members unless the request names other ones. */
const Found = Extensible({
  '@id': Address,
  '@type': Type.Optional(Type.String()),
  title: Type.Optional(Nullable(Type.String())),
  description: Type.Optional(Nullable(Type.String())),
  review_state: Type.Optional(Nullable(Type.String())),
});

/** The results of a search in a response, without its address. */
const FoundPage = Type.Object({
  items: Type.Array(Found),
  items_total: Type.Integer({ description: 'Number of all results that the caller may view.' }),
  ...Batching.properties,
  facets: Type.Optional(
    Type.Record(
      Type.String(),
      Type.Array(Type.Object({ value: Type.String(), title: Type.String(), count: Type.Integer() })),
      { description: 'How many of all results have which values, by index.' },
    ),
  ),
  did_you_mean: Type.Optional(
    Nullable(Type.String(), { description: 'The search text in another spelling; null where none is known.' }),
  ),
});
export type FoundPage = Static<typeof FoundPage>;

/** A page of results. */
export const Results = Type.Object({ '@id': Address, ...FoundPage.properties });
export type Results = Static<typeof Results>;
