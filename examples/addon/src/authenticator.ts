import { createHash } from 'node:crypto';
import type { AuthenticatorOf } from 'canopy-server';

/** The digest of a badge number, so that the numbers themselves are not stored. */
const digestOf = (badge: string): string => createHash('sha256').update(badge).digest('hex');

/** The users of the badges, by the digests of their numbers. A real add-on would keep them in a table. */
const USERS = new Map([[digestOf('badge-0001'), 'admin']]);

/** Authenticates requests with a badge number in the header `X-Example-Badge`. Badges are for reading only. */
export const badges: AuthenticatorOf = () => ({
  name: 'example-badge',
  headers: ['x-example-badge'],
  async authenticate({ header }) {
    const badge = header('x-example-badge');
    if (badge === undefined) return undefined;
    const user = USERS.get(digestOf(badge));
    return user === undefined ? null : { user, inPerson: false, limits: { methods: ['GET'] } };
  },
});
