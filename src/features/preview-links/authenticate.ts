import { type Authenticator, type AuthenticatorOf, accounts, contentPath, has, locate, VIEW } from '#core';
import { hashToken, newToken } from '#lib/text/random-token';
import { MINUTE_MS } from '#lib/time/milliseconds';
import { linkByHash, noteLinkUse } from './statements.ts';

/** The query parameter with a token. A token may also stand in the header `Authorization: Bearer <token>`. */
export const TOKEN_PARAMETER = 'preview_token';

/** The prefix of all tokens, by which programs find leaked secrets. */
const PREFIX = 'preview_';
const TOKEN = /^preview_[A-Za-z0-9_-]{43}$/;
const BEARER = /^Bearer +(preview_[A-Za-z0-9_-]*) *$/i;

/** Milliseconds within which further uses of a link are not noted, so that requests need no write each. */
const NOTED_MS = 5 * MINUTE_MS;

/** Services that a link opens: the content with its files, and the services that its page needs; no search, and nothing of the whole site. */
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
 * Preview links. A token is valid only at the path of its content and ignored elsewhere. The link and its creator, who must still be able to view the
 * content, are loaded for each request, so that a revoked link ends at once on all processes.
 */
export const previewLinks: AuthenticatorOf = ({ kernel, auth }): Authenticator => ({
  name: 'preview-links',
  parameters: [TOKEN_PARAMETER],
  async authenticate(request) {
    const token = tokenOf(request);
    // The token is ignored in other requests, so that a user who is logged in may still write.
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
