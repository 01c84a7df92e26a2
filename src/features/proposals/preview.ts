import { Type } from 'typebox';
import { type Caller, defineService, ok, type RequestContext, rehearsing, type ServiceResponse, schemas } from '#core';
import { BadRequest, Conflict, Forbidden, NotFound } from '#lib/errors';
import { isJsonObject, type JsonObject } from '#lib/json-object';
import { performApproved } from './approval.ts';
import { common, mayVisit } from './endpoints.ts';
import { requireProposal } from './found-proposal.ts';
import { countView, LINK_PARAMETER, linkTokenOf, previewAddress, requireLink, visitorAt } from './link-viewer.ts';
import { addressOf } from './proposal-json.ts';
import { pagesOf, placeOf } from './shown-pages.ts';
import type { StoredProposal } from './statements/proposals.ts';

/** The JSON of a response: an object or a list. Throws BadRequest for another one. */
function jsonOf({ status, body, stream, headers }: ServiceResponse): JsonObject | unknown[] {
  stream?.destroy();
  if (status >= 300)
    throw new BadRequest(`The content would be at another address: ${String(headers?.Location ?? 'somewhere else')}`);
  if (isJsonObject(body) || Array.isArray(body)) return body;
  throw new BadRequest('A preview has responses of JSON only.');
}

/** A proposal with those who look at it: who does its writes, and by the token of a link a visitor, who sees one page. */
type View = { proposal: StoredProposal; doer: Caller; token: string | undefined };

async function requireView(context: RequestContext, id: string): Promise<View> {
  const token = linkTokenOf(context);
  if (token !== undefined) {
    const { proposal, maker } = await requireLink(context, id, token);
    return { proposal, doer: maker, token };
  }
  const { proposal, reader } = await requireProposal(context, id);
  // Others would see what the rehearsed writes open to them, such as what is moved to where they may view more.
  if (proposal.state === 'pending' && !reader.mayDo(proposal))
    throw new Forbidden('You may not do all writes of this proposal.');
  return { proposal, doer: context.caller, token };
}

/** A path as it stands in addresses. */
const encoded = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

/** Parameters of the preview itself. The others are those of the path. */
const OWN = new Set(['path', LINK_PARAMETER]);

/** The target of the inner request: the path that is asked for, or the first page, with the other parameters of the request. */
function targetOf({ searchParams }: RequestContext, asked: string | undefined, pages: readonly string[]): string {
  const [first] = pages;
  if (asked === undefined && first === undefined)
    throw new NotFound('/', 'The proposal leaves no page that could be shown. Name one in "path".');
  const path = asked ?? encoded(first ?? '/');
  const passed = new URLSearchParams([...searchParams].filter(([name]) => !OWN.has(name)));
  return passed.size === 0 ? path : `${path}${path.includes('?') ? '&' : '?'}${passed}`;
}

/** The proposal of a page, as a component of its JSON: its pages with the addresses of their previews. */
const componentOf = ({ base }: RequestContext, { proposal, token }: View, pages: readonly string[]): JsonObject => ({
  '@id': addressOf(base, proposal.id),
  title: proposal.title,
  creator: proposal.creator,
  pages: pages.map((path) => ({ '@id': previewAddress(base, proposal.id, { path: encoded(path), token }), path })),
});

/** Returns the response to a GET where the proposal is approved; all of it is rolled back. */
async function seenApproved(context: RequestContext, view: View, asked: string | undefined) {
  const { proposal, doer, token } = view;
  if (proposal.state !== 'pending') throw new Conflict('The proposal is decided already.');
  const as = (shared: RequestContext, caller: Caller): RequestContext => ({
    ...shared,
    caller,
    authentication: { ...shared.authentication, caller, ...(token === undefined ? {} : { inPerson: false }) },
  });
  const { result } = await rehearsing.run(as(context, doer), async (shared) => {
    const { performPart } = shared;
    if (!performPart) throw new Error('A preview is made in a transaction');
    const { made } = await performApproved(shared, proposal, { passesLocks: true });
    const pages = await pagesOf(shared, proposal, made);
    const target = targetOf(shared, asked, pages);
    const { path, service } = placeOf(target);
    if (token !== undefined && (service !== '' || !pages.includes(path)))
      throw new NotFound(path, 'This link shows the pages of the proposal only.');
    const within = token === undefined ? shared : as(shared, visitorAt(doer, path));
    const json = jsonOf(await performPart({ method: 'GET', target, headers: {} }, { within }));
    const components = isJsonObject(json) && json['@components'];
    if (service !== '' || !isJsonObject(components)) return json;
    return { ...json, '@components': { ...components, proposal: componentOf(shared, view, pages) } };
  });
  return result;
}

/** Headers of a response that nobody keeps, that passes its address on to nobody, and that no search engine lists. */
const KEPT_NOWHERE = {
  'Cache-Control': 'private, no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
} as const;

/** GET `@proposals/<id>/preview`: the site as it would be. */
export const getPreview = defineService({
  ...common,
  method: 'GET',
  together: true,
  async checkPermission(context) {
    const token = linkTokenOf(context);
    if (token === undefined) return mayVisit(context);
    // Outside of the transaction of the view, which is rolled back where the view fails.
    await countView(context, context.rest[0] ?? '', token);
    return true;
  },
  always: KEPT_NOWHERE,
  summary: 'The response to a GET as it would be if the proposal were approved now, navigation and search included.',
  rest: ['{id}/preview'],
  query: Type.Object({
    path: Type.Optional(
      schemas.Text({
        description:
          'Path and query from the root of the site, such as `/news/@navigation?expand.navigation.depth=2`. Unless given that of the first page that the proposal changes or makes. Further parameters go to it.',
        pattern: '^/',
        maxLength: 8000,
        message: 'must be a path that begins with /',
      }),
    ),
    [LINK_PARAMETER]: Type.Optional(
      schemas.Text({
        description: 'The token of a link, for those who are not logged in: it shows the pages of the proposal.',
        maxLength: 200,
      }),
    ),
  }),
  responses: {
    200: {
      description: 'The response of JSON that the path would have.',
      schema: Type.Union([schemas.AnyObject(), Type.Array(Type.Unknown())]),
    },
    400: { description: 'The response would be no JSON, or a redirect.' },
    404: {
      description:
        'There is no such proposal, or you may not see it; or nothing would be at the path; or the link was revoked, has expired, or does not show the path.',
    },
    409: { description: 'It is decided already, or others have changed the same.' },
    429: { description: 'The link was used too often.' },
  },
  async run(context) {
    const view = await requireView(context, context.params.id);
    return ok(await seenApproved(context, view, context.query.path), KEPT_NOWHERE);
  },
});
