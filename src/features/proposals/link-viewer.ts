import { accounts, type Caller, callers, type RequestContext, requestLimits } from '#core';
import { NotFound, TooManyRequests } from '#lib/errors';
import { hashToken, newToken } from '#lib/text/random-token';
import { MINUTE_MS } from '#lib/time/milliseconds';
import { readerOf } from './found-proposal.ts';
import { addressOf } from './proposal-json.ts';
import { linkByHash, type ProposalLink } from './statements/links.ts';
import { findProposal, type StoredProposal } from './statements/proposals.ts';

/** The parameter of the query that brings the token of a link. */
export const LINK_PARAMETER = 'preview_token';

/** The prefix of all tokens, by which programs find leaked secrets. */
const PREFIX = 'proposal_';
const TOKEN = /^proposal_[A-Za-z0-9_-]{43}$/;

/** Views of one link in a minute: each does the writes of the proposal and undoes them. */
const MAX_VIEWS_PER_MINUTE = 30;

/** Links to one proposal that one user has at most. */
export const MAX_LINKS = 20;

/** The address of the preview of a path, of the first page unless given. */
export function previewAddress(
  base: string,
  id: string,
  { path, token }: { path?: string; token?: string | undefined },
): string {
  const query = new URLSearchParams();
  if (path !== undefined) query.set('path', path);
  if (token !== undefined) query.set(LINK_PARAMETER, token);
  return `${addressOf(base, id)}/preview${query.size === 0 ? '' : `?${query}`}`;
}

/** Makes a token behind the prefix. */
export const newLinkToken = (): string => newToken(PREFIX);

/** The token of a link in a request; undefined without one. */
export const linkTokenOf = ({ searchParams }: Pick<RequestContext, 'searchParams'>): string | undefined =>
  searchParams.get(LINK_PARAMETER) ?? undefined;

/** A proposal that a link shows, and the user who has made the link. */
export type LinkView = { proposal: StoredProposal; maker: Caller };

/** The link of a request by its token; undefined for a wrong or expired one. */
async function linkOf(
  { kernel, auth }: Pick<RequestContext, 'kernel' | 'auth'>,
  id: string,
  token: string,
): Promise<ProposalLink | undefined> {
  if (!TOKEN.test(token) || id.includes('\0')) return undefined;
  return linkByHash(kernel.db, id, { hash: hashToken(token), now: auth.now() });
}

/**
 * Counts a view of a link, whatever becomes of it.
 * @throws TooManyRequests
 */
export async function countView(context: RequestContext, id: string, token: string): Promise<void> {
  const link = await linkOf(context, id, token);
  if (!link) return;
  const at = context.auth.now();
  const view = { kind: 'proposal-preview', sender: link.id, at, since: new Date(at.getTime() - MINUTE_MS) };
  if (!(await context.kernel.db.transaction((tx) => requestLimits.record(tx, view, MAX_VIEWS_PER_MINUTE))))
    throw new TooManyRequests(`This link was used more than ${MAX_VIEWS_PER_MINUTE} times in a minute. Wait.`, 60);
}

/**
 * The proposal that a link shows. The right of its maker to do the writes is looked up anew, so that a link ends with it.
 * @throws NotFound for a wrong or expired token
 */
export async function requireLink(context: RequestContext, id: string, token: string): Promise<LinkView> {
  const { kernel, site, auth } = context;
  const link = await linkOf(context, id, token);
  const gone = new NotFound(`/@proposals/${id}`);
  if (!link) throw gone;
  const account = await accounts.load(kernel.db, link.creator, auth.now());
  const proposal = await findProposal(kernel.db, id);
  if (!account || !proposal) throw gone;
  const reader = await readerOf({ kernel, site, caller: account.caller }, [proposal]);
  if (!reader.sees(proposal) || !reader.mayDo(proposal)) throw gone;
  return { proposal, maker: account.caller };
}

/** Somebody with a link, who sees what is at a path as far as its maker may view it. */
export const visitorAt = (maker: Caller, path: string): Caller => callers.viewing(maker, { path, subtree: false });
