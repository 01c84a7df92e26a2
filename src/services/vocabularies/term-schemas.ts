import { Type } from 'typebox';
import type { HeaderDescription } from '../service.ts';

const Address = Type.String({ format: 'uri' });

/** One batch of terms. */
export const Terms = Type.Object({
  '@id': Address,
  items: Type.Array(Type.Object({ token: Type.String(), title: Type.String() })),
  items_total: Type.Integer({ description: 'Terms that fit, in all batches.' }),
  batching: Type.Optional(
    Type.Object({
      '@id': Address,
      first: Address,
      last: Address,
      next: Type.Optional(Address),
      prev: Type.Optional(Address),
    }),
  ),
});

/** The header that titles depend on. */
export const READER: Record<string, HeaderDescription> = {
  'Accept-Language': { description: 'Languages of the reader, for the titles of terms.' },
};
