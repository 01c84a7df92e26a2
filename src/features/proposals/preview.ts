import { Type } from 'typebox';
import { defineService, ok, type RequestContext, rehearsing, type ServiceResponse, schemas } from '#core';
import { BadRequest, Conflict, Forbidden } from '#lib/errors';
import { isJsonObject, type JsonObject } from '#lib/json-object';
import { performApproved } from './approval.ts';
import { common } from './endpoints.ts';
import { requireProposal } from './found-proposal.ts';

/** The JSON of a response: an object or a list. Throws BadRequest for another one. */
function jsonOf({ status, body, stream, headers }: ServiceResponse): JsonObject | unknown[] {
  stream?.destroy();
  if (status >= 300)
    throw new BadRequest(`The content would be at another address: ${String(headers?.Location ?? 'somewhere else')}`);
  if (isJsonObject(body) || Array.isArray(body)) return body;
  throw new BadRequest('A preview has responses of JSON only.');
}

/** Returns the response to a GET of the caller where the proposal is approved; all of it is rolled back. */
async function seenApproved(context: RequestContext, id: string, target: string): Promise<JsonObject | unknown[]> {
  const { proposal, reader } = await requireProposal(context, id);
  if (proposal.state !== 'pending') throw new Conflict('The proposal is decided already.');
  // Others would see what the rehearsed writes open to them, such as what is moved to where they may view more.
  if (!reader.mayDo(proposal)) throw new Forbidden('You may not do all writes of this proposal.');
  const { result } = await rehearsing.run(context, async (shared) => {
    const { performPart } = shared;
    if (!performPart) throw new Error('A preview is made in a transaction');
    await performApproved(shared, proposal, { passesLocks: true });
    return jsonOf(await performPart({ method: 'GET', target, headers: {} }, { within: shared }));
  });
  return result;
}

/** GET `@proposals/<id>/preview`: the site as it would be. */
export const getPreview = defineService({
  ...common,
  method: 'GET',
  together: true,
  always: { 'Cache-Control': 'no-store' },
  summary: 'The response to a GET as it would be if the proposal were approved now, navigation and search included.',
  rest: ['{id}/preview'],
  query: Type.Object({
    path: schemas.Text({
      description: 'Path and query from the root of the site, such as `/news/@navigation?expand.navigation.depth=2`.',
      pattern: '^/',
      maxLength: 8000,
      default: '/',
      message: 'must be a path that begins with /',
    }),
  }),
  responses: {
    200: {
      description: 'The response of JSON that the path would have.',
      schema: Type.Union([schemas.AnyObject(), Type.Array(Type.Unknown())]),
    },
    400: { description: 'The response would be no JSON, or a redirect.' },
    404: { description: 'There is no such proposal, or you may not see it; or nothing would be at the path.' },
    409: { description: 'It is decided already, or others have changed the same.' },
  },
  run: async (context) => ok(await seenApproved(context, context.params.id, context.query.path)),
});
