import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { batching, created, defineService, noContent, ok, type Service, schemas } from '#core';
import { BadRequest, Conflict } from '#lib/errors';
import { emitChange } from './events.ts';
import { readersOf, requireChangeable, requireRelease } from './found-release.ts';
import { Requests, storeParts } from './parts.ts';
import { addressOf, Release, releaseJson, WholeRelease, wholeJson } from './release-json.ts';
import { common } from './rights.ts';
import {
  countOpen,
  countReleases,
  deleteRelease,
  insertRelease,
  listReleases,
  lockMaking,
  STATES,
  touchRelease,
} from './statements/releases.ts';

const MAX_TITLE = 200;
const MAX_DESCRIPTION = 10_000;
/** Releases of a site that are not published. */
const MAX_OPEN = 200;
/** Bytes of a request with parts. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024;

const Title = Type.Refine(
  schemas.Text({ description: 'Its name.', maxLength: MAX_TITLE, message: { required: 'Give it a title.' } }),
  (title) => title.trim() !== '',
  () => 'Give it a title.',
);
const Description = schemas.Text({ description: 'What it is about.', maxLength: MAX_DESCRIPTION, default: '' });

const NOT_FOUND = { description: 'There is no such release.' };

/** GET `@releases`: the releases. */
const getReleases = defineService({
  ...common,
  method: 'GET',
  summary: 'Lists the releases of the site, the newest first.',
  query: Type.Object({
    ...batching.Query('releases', { size: 25, most: 100 }),
    state: schemas.Choice([...STATES, 'all'], { description: 'How they stand.', default: 'all' }),
  }),
  responses: { 200: { description: 'The releases, without their parts.', schema: batching.BatchOf(Release) } },
  async run(context) {
    const { base, db, query, searchParams } = context;
    const state = query.state === 'all' ? undefined : query.state;
    const part = batching.of(query, searchParams);
    const found = await listReleases(db, state, { limit: part.size, offset: part.start });
    const readers = await readersOf(
      context,
      found.map(({ id }) => id),
    );
    const total = found[0]?.total ?? (await countReleases(db, state));
    const url = `${base}/@releases`;
    return ok({
      '@id': url,
      items: found.flatMap((release) => {
        const reader = readers.get(release.id)?.reader;
        return reader ? [releaseJson(base, release, reader)] : [];
      }),
      items_total: total,
      ...batching.linksOf(url, part, total),
    });
  },
});

/** GET `@releases/<id>`: one release. */
const getRelease = defineService({
  ...common,
  method: 'GET',
  summary: 'A release with those of its parts that you may view.',
  rest: ['{id}'],
  responses: { 200: { description: 'The release.', schema: WholeRelease }, 404: NOT_FOUND },
  run: async (context) => ok(wholeJson(context, await requireRelease(context, context.params.id))),
});

/** POST `@releases`: a new release. */
const postRelease = defineService({
  ...common,
  method: 'POST',
  together: true,
  summary: 'Makes a release. Its parts are rehearsed, and what cannot work is refused.',
  bodyLimit: MAX_BODY_BYTES,
  body: Type.Object(
    { title: Title, description: Description, parts: Type.Optional(Requests) },
    {
      examples: [
        { title: 'Summer', parts: [{ method: 'PATCH', path: '/prices', body: { description: 'Valid until July' } }] },
      ],
    },
  ),
  responses: {
    201: { description: 'The release.', schema: WholeRelease, headers: { Location: { description: 'Its address.' } } },
    400: { description: 'A part cannot work, or is not possible in a release, or too many releases wait.' },
  },
  async run(context) {
    const { kernel, caller, body, auth, base } = context;
    const id = randomUUID();
    const words = { id, title: body.title.trim(), description: body.description };
    await kernel.db.transaction(async (tx) => {
      await lockMaking(tx);
      if ((await countOpen(tx)) >= MAX_OPEN)
        throw new BadRequest(`The site has ${MAX_OPEN} releases that are not published: publish or remove some first.`);
      await insertRelease(tx, { ...words, creator: caller.id, now: auth.now() });
      await emitChange(context, tx, words, 'created');
    });
    if (body.parts) await storeParts(context, await requireRelease(context, id), { requests: body.parts });
    return created(wholeJson(context, await requireRelease(context, id)), { Location: addressOf(base, id) });
  },
});

/** PATCH `@releases/<id>`: other words. */
const patchRelease = defineService({
  ...common,
  method: 'PATCH',
  together: true,
  summary: 'Changes the title or the description of a release that is not published.',
  rest: ['{id}'],
  body: schemas.Changes(Type.Object({ title: Title, description: Description }), { examples: [{ title: 'Summer' }] }),
  responses: {
    200: { description: 'The release.', schema: WholeRelease },
    404: NOT_FOUND,
    409: { description: 'It is published, or waits for its time.' },
  },
  async run(context) {
    const { kernel, params, body, auth } = context;
    const { release } = await requireChangeable(context, params.id);
    const words = {
      ...release,
      title: body.title?.trim() ?? release.title,
      description: body.description ?? release.description,
    };
    await kernel.db.transaction(async (tx) => {
      await touchRelease(tx, { ...words, now: auth.now() });
      await emitChange(context, tx, words, 'edited');
    });
    return ok(wholeJson(context, await requireRelease(context, params.id)));
  },
});

/** DELETE `@releases/<id>`: the end of a release. */
const removeRelease = defineService({
  ...common,
  method: 'DELETE',
  together: true,
  summary: 'Removes a release. What it has published stays.',
  rest: ['{id}'],
  responses: {
    204: { description: 'Removed.' },
    404: NOT_FOUND,
    409: { description: 'It waits for its time.' },
  },
  async run(context) {
    const { kernel, params } = context;
    const { release } = await requireRelease(context, params.id, { isLocked: true });
    if (release.state === 'scheduled')
      throw new Conflict('The release waits for its time. Take it from the schedule before you remove it.');
    await kernel.db.transaction(async (tx) => {
      await deleteRelease(tx, release.id);
      await emitChange(context, tx, release, 'removed');
    });
    return noContent();
  },
});

export const releaseServices: Service[] = [getReleases, getRelease, postRelease, patchRelease, removeRelease];
