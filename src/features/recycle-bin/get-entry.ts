import { Type } from 'typebox';
import { batchLinks, readBatch } from '../../serializer/batch.ts';
import { defineService, ok } from '../../services/service.ts';
import { Entry, EntryItem, entryJson, entryUrl, itemJson } from './entry-json.ts';
import { requireRecycled } from './recycle-access.ts';
import { findRecycled, recycledItems } from './statements/recycle-entries.ts';

const DEFAULT_SIZE = 100;

/** GET `@recyclebin/<id>`: one deletion with what was below the deleted object. */
export const getEntry = defineService({
  name: '@recyclebin',
  method: 'GET',
  context: 'site',
  permission: null,
  checkPermission: ({ caller }) => caller.id !== null,
  summary: 'An entry of the recycle bin with everything that was below the deleted object.',
  rest: ['{recycle_id}'],
  query: Type.Object({
    b_start: Type.Optional(Type.Integer({ description: 'Objects below to skip.', default: 0 })),
    b_size: Type.Optional(Type.Integer({ description: 'Most objects below in the answer.', default: DEFAULT_SIZE })),
  }),
  responses: {
    200: {
      description: 'The entry.',
      schema: Type.Intersect([
        Entry,
        Type.Object({
          items: Type.Array(EntryItem),
          items_total: Type.Integer(),
          batching: Type.Optional(Type.Record(Type.String(), Type.String({ format: 'uri' }))),
        }),
      ]),
    },
    404: { description: 'There is no such entry.' },
  },
  async run({ kernel, db, caller, base, searchParams, rest: [id = ''] }) {
    const entry = await requireRecycled(kernel, db, caller, { id, entry: await findRecycled(db, id) });
    const batch = readBatch(searchParams, DEFAULT_SIZE);
    const items = await recycledItems(db, entry, { limit: batch.size, offset: batch.start });
    const total = entry.objects - 1;
    return ok({
      ...entryJson(base, entry),
      items: items.map((item) => itemJson(base, entry, item)),
      items_total: total,
      ...batchLinks(entryUrl(base, id), batch, total),
    });
  },
});
