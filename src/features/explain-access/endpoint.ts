import { Type } from 'typebox';
import {
  ADD,
  access,
  DELETE,
  defineService,
  has,
  MODIFY,
  message,
  ok,
  permissions,
  type RequestContext,
  references,
  reject,
  requests,
  type Service,
  schemas,
  sitePieces,
  urlOf,
  VIEW,
} from '#core';
import { BadRequest } from '#lib/errors';
import { findAccessToken } from '../access-tokens/statements.ts';
import { Explanation, explain, type TokenLimits } from './explanation.ts';
import { loadSubject, VISITOR } from './subject.ts';
import { viewpointOf } from './viewpoint.ts';

const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] as const;

/** The methods that use permissions of content, for requests that name no method. */
const USUAL_METHODS = new Map<string, string>([
  [VIEW, 'GET'],
  [ADD, 'POST'],
  [MODIFY, 'PATCH'],
  [DELETE, 'DELETE'],
]);

/** Throws BadRequest for a permission that nothing on the site uses. */
export function requireKnownPermission({ site }: Pick<RequestContext, 'site'>, permission: string): void {
  if (!sitePieces.knownPermissions(site).includes(permission))
    throw new BadRequest(`There is no permission "${permission.slice(0, 200)}".`);
}

/** The id of the user that a request asks about; null for visitors. Throws unless the caller may ask about others here. */
function askedUser({ site, caller, resolved }: RequestContext, user: string | undefined): string | null {
  const asked = user === undefined ? caller.id : user === VISITOR ? null : user;
  if (asked !== caller.id && !has(site, caller, resolved, permissions.DELEGATE_ROLES))
    reject(caller, 'You may ask about yourself here. About others may ask who may share the content.');
  return asked;
}

/** The limits of a token of the user. Throws BadRequest when the user has no such token. */
async function limitsOfToken({ db, auth }: RequestContext, user: string | null, id: string): Promise<TokenLimits> {
  const found = user === null ? undefined : await findAccessToken(db, user, id);
  if (!found) throw new BadRequest(`You have no access token "${id.slice(0, 100)}".`);
  const { methods, subtrees, scopes, expires } = found;
  const paths = subtrees && [...(await references.pathsOfUids(db, subtrees)).values()];
  return { methods, subtrees: paths, scopes, hasExpired: expires !== null && expires <= auth.now() };
}

/** The limits of the credentials that a request asks about: of the token that it names, or of its own credentials. */
async function limitsOf(
  context: RequestContext,
  user: string | null,
  token: string | undefined,
): Promise<TokenLimits | null> {
  const { caller, authentication } = context;
  if (user !== caller.id) {
    if (token !== undefined) throw new BadRequest('You may ask about your own access tokens only.');
    return null;
  }
  if (token !== undefined) return limitsOfToken(context, user, token);
  const { methods = null, paths = null, scopes = null } = authentication.limits ?? {};
  return methods || paths || scopes ? { methods, subtrees: paths, scopes, hasExpired: false } : null;
}

/** Returns the reason why credentials with limits are not valid for a request; undefined when they are. */
function problemOf(limits: TokenLimits | null, request: { method: string | undefined; path: string }) {
  if (!limits) return undefined;
  if (limits.hasExpired) return message('The token has expired.');
  const { methods, subtrees, scopes } = limits;
  return requests.limitProblem(
    { methods: methods ?? undefined, paths: subtrees ?? undefined, scopes: scopes ?? undefined },
    // The scope of a method of content itself; services declare their own.
    { ...request, scope: request.method === undefined ? undefined : request.method === 'GET' ? 'read' : 'write' },
  );
}

/** GET `@explain-access`: why a user may do something, or may not. */
const getExplanation = defineService({
  name: '@explain-access',
  method: 'GET',
  context: 'content',
  permission: VIEW,
  summary: 'Explains why a user has a permission on content or lacks it, and which single changes turn that.',
  query: Type.Object({
    user: Type.Optional(
      schemas.Text({
        description: 'Id of a user, or Anonymous for visitors. The caller unless given.',
        maxLength: 254,
      }),
    ),
    permission: schemas.Text({ description: 'Name of a permission.', default: VIEW, maxLength: 1000 }),
    method: Type.Optional(
      schemas.Choice([...METHODS], {
        description: 'The method of the request that is meant, for credentials with limits.',
      }),
    ),
    token: Type.Optional(
      schemas.Text({ description: 'Id of an access token of the caller, whose limits count.', maxLength: 100 }),
    ),
  }),
  responses: {
    200: { description: 'The decision with everything that it is made of.', schema: Explanation },
    400: { description: 'There is no such user, permission or token.' },
  },
  async run(context) {
    const { db, auth, site, base, resolved, query } = context;
    const { permission, method = USUAL_METHODS.get(permission) } = query;
    const user = askedUser(context, query.user);
    requireKnownPermission(context, permission);
    const limits = await limitsOf(context, user, query.token);
    const subject = await loadSubject(db, user);
    const { path } = resolved.object;
    const view = viewpointOf({ site, caller: context.caller, base, resolved, subject });
    const question = {
      permission,
      caller: subject.caller,
      chain: access.chain(site, resolved),
      roleMap: site.roleMap,
      limit: problemOf(limits, { method, path }),
    };
    const url = new URL(`${urlOf(base, path)}/@explain-access`);
    for (const [name, value] of Object.entries({ ...query, permission }))
      if (value !== undefined) url.searchParams.set(name, value);
    return ok(explain(view, question, { url: url.href, method, limits, now: auth.now() }));
  },
});

export const explanationServices: Service[] = [getExplanation];
