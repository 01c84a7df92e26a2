import { Type } from 'typebox';
import { type RequestContext, requestBatches } from '#core';
import { BadRequest } from '#lib/errors';
import { rehearseNewParts } from './adding.ts';
import { emitChange } from './events.ts';
import type { FoundRelease } from './found-release.ts';
import { sizeOf, writePart } from './statements/parts.ts';
import { touchRelease } from './statements/releases.ts';

/** Parts of a release, and the numbers that they have: each number is used once. */
const MAX_PARTS = 200;
const MAX_NUMBER = 999;
/** Bytes of the requests of a release. */
const MAX_BYTES = 8 * 1024 * 1024;

const METHODS = ['POST', 'PATCH', 'PUT', 'DELETE'];

/** A part as clients send it. */
export const PartBody = Type.Object({
  method: Type.Union(
    METHODS.map((method) => Type.Literal(method)),
    { message: 'must be POST, PATCH, PUT or DELETE' },
  ),
  path: requestBatches.Path,
  body: Type.Optional(requestBatches.Body),
});

/** Several parts. */
export const Requests = Type.Array(PartBody, requestBatches.LIST);

/**
 * Rehearses parts and stores them in a locked release, with new numbers, or in the place of the one with the `number`. Throws what the first
 * throws that cannot work.
 */
export async function storeParts(
  context: RequestContext,
  { release, parts }: FoundRelease,
  { requests, number }: { requests: readonly requestBatches.Request[]; number?: number },
): Promise<number[]> {
  const { kernel, caller, auth } = context;
  const first = number ?? release.nextPart;
  const size = await sizeOf(kernel.db, release.id, number ?? null);
  if (size.parts + requests.length > MAX_PARTS)
    throw new BadRequest(`A release has ${MAX_PARTS} parts at most: make several.`);
  if (first + requests.length - 1 > MAX_NUMBER)
    throw new BadRequest(`A release has ${MAX_NUMBER + 1} numbers for its parts, and all are used: make a new one.`);
  const sent = requests.map(({ method, path, body }, at) => ({
    ...{ number: first + at, method, path },
    ...(body === undefined ? {} : { body }),
  }));
  const others = parts.filter((part) => part.number !== number);
  const added = await rehearseNewParts(context, others, sent);
  const texts = added.map(({ request: { number: _number, ...request } }) => JSON.stringify(request));
  if (size.bytes + texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) > MAX_BYTES)
    throw new BadRequest('The parts of the release are too large: make several releases.');
  const now = auth.now();
  await kernel.db.transaction(async (tx) => {
    for (const [at, { request, isSetup, targets }] of added.entries())
      await writePart(tx, {
        ...{ release: release.id, number: request.number, request: texts[at] ?? '' },
        ...{ isSetup, author: caller.id, added: now, targets },
      });
    const nextPart = Math.max(release.nextPart, first + requests.length);
    await touchRelease(tx, { ...release, nextPart, now });
    await emitChange(context, tx, release, 'edited');
  });
  return sent.map((request) => request.number);
}
