import { Type } from 'typebox';
import { BadRequest, NotFound } from '../../lib/errors.ts';
import { batchLinks, readBatch } from '../../serializer/batch.ts';
import { urlOf } from '../../serializer/render-context.ts';
import { basesOf } from '../../services/content/represent-path.ts';
import { documented, documentedQuery } from '../../services/openapi/documented.ts';
import { defineService, noContent, ok, type RequestContext } from '../../services/service.ts';
import { emptyBin, purgeEntry, recycleOwner, requireRecycled } from './access.ts';
import { Entry, EntryItem, entryJson, entryUrl, itemJson } from './entry-json.ts';
import { parseFilter, parseSort, SORT_NAMES } from './filter.ts';
import { restoreContent } from './restore.ts';
import { findRecycled, listRecycled, recycledItems } from './statements/entries.ts';

/** Default of `b_size`. */
const DEFAULT_SIZE = 100;

/** What users see in the bin depends on who they are, but not on a permission. */
const isLoggedIn = ({ caller }: RequestContext): boolean => caller.id !== null;

/** GET `@recyclebin`: the deleted content. */
export const getRecyclebin = defineService({
  name: '@recyclebin',
  method: 'GET',
  context: 'site',
  permission: null,
  checkPermission: isLoggedIn,
  summary: 'Lists deleted content: managers see all of it, other users what they deleted themselves.',
  query: documentedQuery(
    Type.Object({
      title: Type.Optional(Type.String({ description: 'Part of the title, in any case.' })),
      path: Type.Optional(Type.String({ description: 'Part of the path that the content had.' })),
      portal_type: Type.Optional(Type.String({ description: 'Name of the type.' })),
      date_from: Type.Optional(Type.String({ description: 'Date, or date and time, of the earliest deletion.' })),
      date_to: Type.Optional(Type.String({ description: 'Date, or date and time, of the latest deletion.' })),
      deleted_by: Type.Optional(Type.String({ description: 'Id of the user who deleted it.' })),
      has_subitems: Type.Optional(Type.Boolean({ description: 'Whether there was other content below it.' })),
      language: Type.Optional(Type.String({ description: 'Its language.' })),
      review_state: Type.Optional(Type.String({ description: 'The state of its workflow.' })),
      sort_on: Type.Optional(
        Type.String({ description: `One of ${SORT_NAMES.join(', ')}.`, default: 'deletion_date' }),
      ),
      sort_order: Type.Optional(Type.String({ description: '`ascending` or `descending`.' })),
      b_start: Type.Optional(Type.Integer({ description: 'Entries to skip.', default: 0 })),
      b_size: Type.Optional(
        Type.Integer({ description: 'Largest number of entries in the response.', default: DEFAULT_SIZE }),
      ),
    }),
  ),
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
      { ...parseFilter(searchParams), owner },
      { sort: parseSort(searchParams), limit: batch.size, offset: batch.start },
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

/** GET `@recyclebin/<id>`: one deletion with the objects that were below the deleted one. */
export const getEntry = defineService({
  name: '@recyclebin',
  method: 'GET',
  context: 'site',
  permission: null,
  checkPermission: isLoggedIn,
  summary: 'An entry of the recycle bin with everything that was below the deleted object.',
  rest: ['{recycle_id}'],
  query: documentedQuery(
    Type.Object({
      b_start: Type.Optional(Type.Integer({ description: 'Objects below to skip.', default: 0 })),
      b_size: Type.Optional(
        Type.Integer({ description: 'Largest number of objects below in the response.', default: DEFAULT_SIZE }),
      ),
    }),
  ),
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

/** A text of the body; undefined when it is absent, null or empty. Throws BadRequest for other values. */
function textOf(body: Record<string, unknown>, name: string): string | undefined {
  const value = body[name];
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string') throw new BadRequest(`"${name}" must be a string.`);
  return value;
}

/** POST `@recyclebin/<id>/restore`: restores deleted content. */
export const postRestore = defineService({
  name: '@recyclebin',
  method: 'POST',
  context: 'site',
  permission: null,
  checkPermission: isLoggedIn,
  summary: 'Restores deleted content with everything below it. It gets another id when its own is taken meanwhile.',
  rest: ['{recycle_id}/restore'],
  body: Type.Object(
    {
      target_path: Type.Optional(
        documented(Type.String({ description: 'Path of the folder to restore to; where it was unless given.' })),
      ),
      restore_id: Type.Optional(
        documented(
          Type.String({ description: 'What to restore alone, from the items of the entry; needs `target_path`.' }),
        ),
      ),
    },
    { additionalProperties: true, examples: [{ target_path: '/news' }] },
  ),
  responses: {
    200: {
      description: 'Restored.',
      schema: Type.Object({
        message: Type.String(),
        restored_item: Type.Object({
          '@id': Type.String({ format: 'uri' }),
          '@type': Type.String(),
          id: Type.String(),
          title: Type.String(),
        }),
        status: Type.Literal('success'),
      }),
    },
    400: { description: 'The folder is gone, there is none at the path, or a UID is in use again.' },
    404: { description: 'There is no such entry.' },
  },
  async run(context) {
    const { kernel, caller, base, body } = context;
    const [id = '', action] = context.rest;
    if (action !== 'restore') throw new NotFound(`/@recyclebin/${context.rest.join('/')}`);
    const { path, name, type, title } = await restoreContent(kernel, {
      caller,
      id,
      target: textOf(body, 'target_path'),
      restoreId: textOf(body, 'restore_id'),
      bases: basesOf(context),
    });
    return ok({
      message: `Document ${title} restored successfully`,
      restored_item: { '@id': urlOf(base, path), '@type': type, id: name, title },
      status: 'success',
    });
  },
});

/** DELETE `@recyclebin`: empties the bin. */
export const deleteRecyclebin = defineService({
  name: '@recyclebin',
  method: 'DELETE',
  context: 'site',
  permission: null,
  checkPermission: isLoggedIn,
  summary: 'Removes deleted content for good: for managers all of it, for other users what they deleted themselves.',
  responses: { 204: { description: 'Removed for good.' } },
  async run({ kernel, caller }) {
    await emptyBin(kernel, caller);
    return noContent();
  },
});

/** DELETE `@recyclebin/<id>`: removes one deletion for good. */
export const deleteEntry = defineService({
  name: '@recyclebin',
  method: 'DELETE',
  context: 'site',
  permission: null,
  checkPermission: isLoggedIn,
  summary: 'Removes an entry of the recycle bin for good.',
  rest: ['{recycle_id}'],
  responses: { 204: { description: 'Removed for good.' }, 404: { description: 'There is no such entry.' } },
  async run({ kernel, caller, rest: [id = ''] }) {
    await purgeEntry(kernel, caller, id);
    return noContent();
  },
});
