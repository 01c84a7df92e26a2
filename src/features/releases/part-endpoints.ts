import { Type } from 'typebox';
import { created, defineService, noContent, notFoundHere, ok, type Service, schemas } from '#core';
import { MAX_BODY_BYTES } from './endpoints.ts';
import { emitChange } from './events.ts';
import { requireChangeable, requireRelease } from './found-release.ts';
import { PartBody, Requests, storeParts } from './parts.ts';
import { addressOf, WholeRelease, wholeJson } from './release-json.ts';
import { common } from './rights.ts';
import { deletePart } from './statements/parts.ts';
import { touchRelease } from './statements/releases.ts';

const EXAMPLE = { method: 'PATCH', path: '/prices', body: { description: 'Valid until July' } };

const REFUSED = {
  404: { description: 'There is no such release, or no such part that you may view.' },
  409: { description: 'It is published, or waits for its time; or an earlier part does not work any more.' },
} as const;

const Number_ = Type.Object({
  number: schemas.Text({ description: 'The number of the part.', pattern: '^\\d{1,3}$', message: 'must be a number' }),
});

/** POST `@releases/<id>/parts`: more parts. */
const postParts = defineService({
  ...common,
  method: 'POST',
  together: true,
  summary: 'Adds parts to a release. They are rehearsed behind the others, and what cannot work is refused.',
  rest: ['{id}/parts'],
  bodyLimit: MAX_BODY_BYTES,
  body: Type.Object({ parts: Requests }, { examples: [{ parts: [EXAMPLE] }] }),
  responses: {
    201: {
      description: 'The release, with the numbers of its new parts.',
      schema: Type.Object({ ...WholeRelease.properties, added: Type.Array(Type.Integer()) }),
      headers: { Location: { description: 'The address of the release.' } },
    },
    ...REFUSED,
  },
  async run(context) {
    const { params, body, base } = context;
    const added = await storeParts(context, await requireChangeable(context, params.id), { requests: body.parts });
    const json = wholeJson(context, await requireRelease(context, params.id));
    return created({ ...json, added }, { Location: addressOf(base, params.id) });
  },
});

/** PATCH `@releases/<id>/parts/<number>`: another request in the place of a part. */
const patchPart = defineService({
  ...common,
  method: 'PATCH',
  together: true,
  summary: 'Puts another request in the place of a part. It is rehearsed, and begins from the present state.',
  rest: ['{id}/parts/{number}'],
  params: Number_,
  bodyLimit: MAX_BODY_BYTES,
  body: Type.Object(PartBody.properties, { examples: [EXAMPLE] }),
  responses: { 200: { description: 'The release.', schema: WholeRelease }, ...REFUSED },
  async run(context) {
    const { params, body } = context;
    const found = await requireChangeable(context, params.id);
    const number = Number(params.number);
    if (!found.reader.seesPart(number)) throw notFoundHere(context, '@releases');
    await storeParts(context, found, { requests: [body], number });
    return ok(wholeJson(context, await requireRelease(context, params.id)));
  },
});

/** DELETE `@releases/<id>/parts/<number>`: one part less. */
const removePart = defineService({
  ...common,
  method: 'DELETE',
  together: true,
  summary: 'Takes a part out of a release. The other parts keep their numbers.',
  rest: ['{id}/parts/{number}'],
  params: Number_,
  responses: { 204: { description: 'The part is gone.' }, ...REFUSED },
  async run(context) {
    const { kernel, params, auth } = context;
    const { release, reader } = await requireChangeable(context, params.id);
    const number = Number(params.number);
    if (!reader.seesPart(number)) throw notFoundHere(context, '@releases');
    await kernel.db.transaction(async (tx) => {
      await deletePart(tx, release.id, number);
      await touchRelease(tx, { ...release, now: auth.now() });
      await emitChange(context, tx, release, 'edited');
    });
    return noContent();
  },
});

export const partServices: Service[] = [postParts, patchPart, removePart];
