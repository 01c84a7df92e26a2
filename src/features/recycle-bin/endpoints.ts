import { Type } from 'typebox';
import { batching, defineService, noContent, ok, requests, schemas, urlOf } from '#core';
import { binView, emptyBin, purgeEntry, requireRecycled } from './access.ts';
import { Entry, EntryItem, entryJson, entryUrl, itemJson } from './entry-json.ts';
import { filterOf, RecyclebinQuery, sortOf } from './filter.ts';
import { restoreContent } from './restore.ts';
import { listRecycled, recycledItems } from './statements/entries.ts';

/** A text of a body; null and an empty text count as absent. */
const OptionalText = (description: string) =>
  Type.Optional(schemas.Nullable(Type.String({ description }), { message: 'must be a string' }));

/** GET `@recyclebin`: the deleted content. */
export const getRecyclebin = defineService({
  name: '@recyclebin',
  method: 'GET',
  context: 'site',
  permission: null,
  checkPermission: requests.isLoggedIn,
  summary: 'Lists deleted content: managers see all of it, other users what they deleted themselves.',
  query: RecyclebinQuery,
  responses: {
    200: {
      description: 'A batch of the entries.',
      schema: batching.BatchOf(Entry),
    },
  },
  async run({ kernel, db, caller, base, query, searchParams }) {
    const view = await binView(kernel, db, caller);
    const batch = batching.of(query, searchParams);
    const { items, total } = await listRecycled(
      db,
      { ...filterOf(query), view },
      { sort: sortOf(query), limit: batch.size, offset: batch.start },
    );
    const url = `${base}/@recyclebin`;
    return ok({
      '@id': url,
      items: items.map((entry) => entryJson(base, entry)),
      items_total: total,
      ...batching.linksOf(url, batch, total),
    });
  },
});

/** GET `@recyclebin/<id>`: one deletion with the objects that were below the deleted object. */
export const getEntry = defineService({
  name: '@recyclebin',
  method: 'GET',
  context: 'site',
  permission: null,
  checkPermission: requests.isLoggedIn,
  summary: 'An entry of the recycle bin with everything that was below the deleted object.',
  rest: ['{recycle_id}'],
  query: Type.Object(batching.Query('objects below', { size: 100 })),
  responses: {
    200: {
      description: 'The entry.',
      schema: Type.Intersect([
        Entry,
        Type.Object({
          items: Type.Array(EntryItem),
          items_total: Type.Integer(),
          ...batching.Links.properties,
        }),
      ]),
    },
    404: { description: 'There is no such entry.' },
  },
  async run({ kernel, db, caller, base, params: { recycle_id: id }, query, searchParams }) {
    const { entry, view } = await requireRecycled(kernel, db, caller, { id });
    const batch = batching.of(query, searchParams);
    const items = await recycledItems(db, entry, { view, limit: batch.size, offset: batch.start });
    const total = entry.objects - 1;
    return ok({
      ...entryJson(base, entry),
      items: items.map((item) => itemJson(base, entry, item)),
      items_total: total,
      ...batching.linksOf(entryUrl(base, id), batch, total),
    });
  },
});

/** POST `@recyclebin/<id>/restore`: restores deleted content. */
export const postRestore = defineService({
  name: '@recyclebin',
  method: 'POST',
  context: 'site',
  permission: null,
  checkPermission: requests.isLoggedIn,
  summary: 'Restores deleted content with everything below it. It gets another id when its own is taken meanwhile.',
  rest: ['{recycle_id}/restore'],
  body: Type.Object(
    {
      target_path: OptionalText('Path of the folder to restore to; where it was unless given.'),
      restore_id: OptionalText('What to restore alone, from the items of the entry; needs `target_path`.'),
    },
    { examples: [{ target_path: '/news' }] },
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
    400: { description: 'The folder is gone, there is no folder at the path, or a UID is in use again.' },
    404: { description: 'There is no such entry.' },
  },
  async run(context) {
    const { kernel, caller, base, params, body } = context;
    const { path, name, type, title } = await restoreContent(kernel, {
      caller,
      id: params.recycle_id,
      target: body.target_path || undefined,
      restoreId: body.restore_id || undefined,
      bases: requests.basesOf(context),
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
  checkPermission: requests.isLoggedIn,
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
  checkPermission: requests.isLoggedIn,
  summary: 'Removes an entry of the recycle bin for good.',
  rest: ['{recycle_id}'],
  responses: { 204: { description: 'Removed for good.' }, 404: { description: 'There is no such entry.' } },
  async run({ kernel, caller, params }) {
    await purgeEntry(kernel, caller, params.recycle_id);
    return noContent();
  },
});
