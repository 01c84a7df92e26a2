import { accounts, has, locate, requestsWithin } from '#core';
import { ClientError, Conflict, Forbidden } from '#lib/errors';
import { hashToken } from '#lib/text/random-token';
import { TOKEN_PARAMETER } from '../preview-links/authenticate.ts';
import { performParts } from './publish.ts';
import { PUBLISH } from './rights.ts';
import { linkByHash } from './statements/links.ts';
import { findRelease } from './statements/releases.ts';

/** The prefix of all tokens, by which programs find leaked secrets. */
export const TOKEN_PREFIX = 'release_';
const TOKEN = /^release_[A-Za-z0-9_-]{43}$/;
const BEARER = /^Bearer +(release_[A-Za-z0-9_-]*) *$/i;

const ENDED = 'This preview link is not good any more.';

/**
 * Previews of releases. The token says which release is done before the response, with the rights of its creator; who asks, and what that caller
 * may view, is decided as without it. So a visitor sees what visitors will see, and a user who is logged in what that user will see.
 */
export const releasePreview: requestsWithin.SitePreview = {
  parameters: [TOKEN_PARAMETER],
  async find(kernel, { authorization = '', parameter }, now) {
    const sent = parameter(TOKEN_PARAMETER) ?? BEARER.exec(authorization)?.[1];
    if (sent === undefined || !sent.startsWith(TOKEN_PREFIX)) return undefined;
    const link = TOKEN.test(sent) ? await linkByHash(kernel.db, hashToken(sent), now) : undefined;
    const release = link && (await findRelease(kernel.db, link.release));
    const account = link && (await accounts.load(kernel.db, link.creator, now));
    if (!release || !account || release.state === 'undone') throw new Forbidden(ENDED);
    // The site is as the preview was.
    if (release.state === 'published') return null;
    const { site, resolved } = await locate(kernel, '/');
    if (!resolved || !has(site, account.caller, resolved, PUBLISH)) throw new Forbidden(ENDED);
    return async (sender) => {
      try {
        const authentication = requestsWithin.onBehalfOf(account);
        await performParts(sender, authentication, { release, prefer: 'mine', passesLocks: true });
      } catch (error) {
        if (!(error instanceof ClientError) || error.status >= 500) throw error;
        // The reason may name what the visitor must not know.
        throw new Conflict('The release cannot be shown: one of its parts does not work now. Its check says which.');
      }
    };
  },
};
