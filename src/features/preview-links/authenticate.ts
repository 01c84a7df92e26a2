import { type Authenticator, type AuthenticatorOf, accounts, contentPath, has, locate, VIEW } from '#core';
import { hashToken, newToken } from '#lib/text/random-token';
import { MINUTE_MS } from '#lib/time/milliseconds';
import { linkByHash, noteLinkUse } from './statements.ts';

/** The parameter of the query that brings a token. The other way is the header `Authorization: Bearer <token>`. */
export const TOKEN_PARAMETER = 'preview_token';

/** The prefix of all tokens, by which programs find leaked secrets. */
const PREFIX = 'preview_';
const TOKEN = /^preview_[A-Za-z0-9_-]{43}$/;
const BEARER = /^Bearer +(preview_[A-Za-z0-9_-]*) *$/i;

/** Milliseconds within which further uses of a link are not noted, so that requests need no write each. */
const NOTED_MS = 5 * MINUTE_MS;

/**
 * Services that a link opens: those of the content itself with its files, and those that a page of it is made of. They have no
 * search, and nothing of the site as a whole.
 */
const SHOWN_SERVICES = new Set([
  ...[
    '',
    '@breadcrumbs',
    '@navigation',
    '@contextnavigation',
    '@navroot',
    '@actions',
    '@translations',
    '@inherit',
    '@related',
  ],
  ...['@querystring-search', '@@images', '@@download', '@@display-file', '@@videos'],
]);

const READING = new Set(['GET', 'HEAD']);

/** Makes a token behind the prefix. */
export const newLinkToken = (): string => newToken(PREFIX);

/** The token of a request; undefined when it has none. */
const tokenOf = ({ authorization = '', parameter }: Parameters<Authenticator['authenticate']>[0]): string | undefined =>
  parameter(TOKEN_PARAMETER) ?? BEARER.exec(authorization)?.[1];

/**
 * Preview links. A token counts at the place of its content only; elsewhere it is as if there were none. It is read for each
 * request, and so is its creator, who must be able to view the content still: a link that was revoked shows nothing at once, on all
 * processes.
 */
export const previewLinks: AuthenticatorOf = ({ kernel, auth }): Authenticator => ({
  name: 'preview-links',
  parameters: [TOKEN_PARAMETER],
  async authenticate(request) {
    const token = tokenOf(request);
    // Other requests are treated as if there were no token: a user who is logged in may still write.
    if (token === undefined || !READING.has(request.method) || !SHOWN_SERVICES.has(request.service)) return undefined;
    const now = auth().now();
    const found = TOKEN.test(token) ? await linkByHash(kernel.db, hashToken(token), now) : undefined;
    if (!found) return undefined;
    const { id, creator, path, subtree, used } = found;
    if (subtree ? !contentPath.isAtOrBelow(request.path, path) : request.path !== path) return undefined;
    const account = await accounts.load(kernel.db, creator, now);
    const { site, resolved } = await locate(kernel, path);
    if (!account || !resolved || !has(site, account.caller, resolved, VIEW)) return undefined;
    const before = new Date(now.getTime() - NOTED_MS);
    if (used === null || used < before) await noteLinkUse(kernel.db, { link: id, used: now, before });
    return { user: creator, inPerson: false, shows: { path, subtree } };
  },
});
