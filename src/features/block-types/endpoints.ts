import { posix } from 'node:path';
import { Type } from 'typebox';
import { batching, contentPath, defineService, MANAGE_PORTAL, ok, publishing, schemas, urlOf } from '#core';
import { contentWithBlocks, countBlockTypes } from './statements.ts';

/** GET `@blocktypes`: the number of blocks of each type. */
export const getBlockTypes = defineService({
  name: '@blocktypes',
  method: 'GET',
  context: 'site',
  permission: MANAGE_PORTAL,
  summary: 'The number of blocks of each type in all content of the site.',
  responses: {
    200: { description: 'Numbers by type.', schema: Type.Record(Type.String(), Type.Integer()) },
  },
  run: async ({ db, site, caller }) =>
    ok(
      Object.fromEntries(
        (await countBlockTypes(db, publishing.viewersOf(site, caller))).map(({ type, count }) => [type, count]),
      ),
    ),
});

/** GET `@blocktypes/<type>`: the content that uses a type of block. */
export const getBlockType = defineService({
  name: '@blocktypes',
  method: 'GET',
  context: 'site',
  permission: MANAGE_PORTAL,
  summary: 'The content that has blocks of a type, with their number.',
  rest: ['{type}'],
  query: Type.Object({
    path: schemas.Text({ description: 'Only content at or below this path.', default: '/' }),
    ...batching.Query('objects', { size: 1000 }),
  }),
  responses: {
    200: {
      description: 'The content by path; empty for a type that nothing has.',
      schema: Type.Array(
        Type.Object({ '@id': Type.String({ format: 'uri' }), title: Type.String(), count: Type.Integer() }),
      ),
      headers: { Link: { description: 'Address of the next objects, as `rel="next"`, where there may be more.' } },
    },
  },
  async run({ db, site, caller, base, params, query, searchParams }) {
    const { b_start: start, b_size: size } = query;
    const path = posix.resolve(
      contentPath.ROOT,
      query.path.startsWith(`${base}/`) ? query.path.slice(base.length) : query.path,
    );
    const found = await contentWithBlocks(db, {
      ...publishing.viewersOf(site, caller),
      type: params.type,
      path,
      start,
      size,
    });
    const url = `${base}/@blocktypes/${encodeURIComponent(params.type)}`;
    return {
      status: 200,
      headers: found.length < size ? {} : batching.nextLink(url, searchParams, { limit: size, offset: start }),
      body: found.map(({ path: at, title, count }) => ({ '@id': urlOf(base, at), title, count })),
    };
  },
});
