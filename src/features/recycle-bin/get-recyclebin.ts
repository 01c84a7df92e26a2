import { Type } from 'typebox';
import { batchLinks, readBatch } from '../../serializer/batch.ts';
import { defineService, ok } from '../../services/service.ts';
import { Entry, entryJson } from './entry-json.ts';
import { readFilter, readSort, SORT_NAMES } from './read-filter.ts';
import { recycleOwner } from './recycle-access.ts';
import { listRecycled } from './statements/recycle-entries.ts';

const DEFAULT_SIZE = 100;

/** GET `@recyclebin`: what was deleted. */
export const getRecyclebin = defineService({
  name: '@recyclebin',
  method: 'GET',
  context: 'site',
  permission: null,
  checkPermission: ({ caller }) => caller.id !== null,
  summary: 'Lists deleted content: managers see all of it, other users what they deleted themselves.',
  query: Type.Object({
    title: Type.Optional(Type.String({ description: 'Part of the title, in any case.' })),
    path: Type.Optional(Type.String({ description: 'Part of the path that the content had.' })),
    portal_type: Type.Optional(Type.String({ description: 'Name of the type.' })),
    date_from: Type.Optional(Type.String({ description: 'Date, or date and time, of the earliest deletion.' })),
    date_to: Type.Optional(Type.String({ description: 'Date, or date and time, of the latest deletion.' })),
    deleted_by: Type.Optional(Type.String({ description: 'Id of the user who deleted it.' })),
    has_subitems: Type.Optional(Type.Boolean({ description: 'Whether there was other content below it.' })),
    language: Type.Optional(Type.String({ description: 'Its language.' })),
    review_state: Type.Optional(Type.String({ description: 'The state of its workflow.' })),
    sort_on: Type.Optional(Type.String({ description: `One of ${SORT_NAMES.join(', ')}.`, default: 'deletion_date' })),
    sort_order: Type.Optional(Type.String({ description: '`ascending` or `descending`.' })),
    b_start: Type.Optional(Type.Integer({ description: 'Entries to skip.', default: 0 })),
    b_size: Type.Optional(Type.Integer({ description: 'Most entries in the answer.', default: DEFAULT_SIZE })),
  }),
  responses: {
    200: {
      description: 'A batch of the entries.',
      schema: Type.Object({
        '@id': Type.String({ format: 'uri' }),
        items: Type.Array(Entry),
        items_total: Type.Integer(),
        batching: Type.Optional(Type.Record(Type.String(), Type.String({ format: 'uri' }))),
      }),
    },
  },
  async run({ kernel, db, caller, base, searchParams }) {
    const owner = await recycleOwner(kernel, db, caller);
    const batch = readBatch(searchParams, DEFAULT_SIZE);
    const { items, total } = await listRecycled(
      db,
      { ...readFilter(searchParams), owner },
      { sort: readSort(searchParams), limit: batch.size, offset: batch.start },
    );
    const url = `${base}/@recyclebin`;
    return ok({
      '@id': url,
      items: items.map((entry) => entryJson(base, entry)),
      items_total: total,
      ...batchLinks(url, batch, total),
    });
  },
});
