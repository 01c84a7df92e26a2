import { Type } from 'typebox';
import { LIST_OF_REQUESTS, PART_HEADERS, PartBody, PartPath, performRequests } from './batch-requests.ts';
import { ok } from './response.ts';
import { defineService, isLoggedIn, type Service } from './service.ts';

/** Bytes of the JSON of a batch. */
const MAX_BATCH_BYTES = 4 * 1024 * 1024;

const Part = Type.Object({
  method: Type.Union(
    ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'].map((method) => Type.Literal(method)),
    { message: 'must be GET, POST, PATCH, PUT or DELETE' },
  ),
  path: PartPath,
  headers: Type.Optional(
    Type.Record(Type.String(), Type.String({ maxLength: 8000 }), {
      description: `Of these: ${[...PART_HEADERS].join(', ')}.`,
    }),
  ),
  body: Type.Optional(PartBody),
});

/** POST `@batch`: several requests in one transaction. */
const postBatch = defineService({
  name: '@batch',
  method: 'POST',
  context: 'content',
  permission: null,
  // A visitor could otherwise hold one transaction for a hundred searches.
  checkPermission: isLoggedIn,
  together: true,
  summary: 'Does several requests in one transaction: all of them, or none.',
  bodyLimit: MAX_BATCH_BYTES,
  body: Type.Object(
    { requests: Type.Array(Part, LIST_OF_REQUESTS) },
    { examples: [{ requests: [{ method: 'GET', path: '/' }] }] },
  ),
  responses: {
    200: {
      description: 'The responses, in the order of the requests.',
      schema: Type.Object({
        responses: Type.Array(
          Type.Object({
            status: Type.Integer(),
            headers: Type.Record(Type.String(), Type.Unknown()),
            body: Type.Optional(Type.Unknown()),
          }),
        ),
      }),
    },
    401: { description: 'The caller is not logged in.' },
    412: { description: 'A condition of a request is not met: nothing was done.' },
  },
  async run({ base, body: { requests }, performPart }) {
    if (!performPart) throw new Error('A batch is done in a transaction');
    const responses = await performRequests(requests, { base, perform: (part) => performPart(part) });
    return ok({ responses: [...responses.values()] });
  },
});

export const batchServices: Service[] = [postBatch];
