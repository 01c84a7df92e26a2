import { createHash } from 'node:crypto';
import type { AuthenticatorOf } from 'canopy';

/** The digest of the number of a badge, so that the numbers themselves stand nowhere. */
const digestOf = (badge: string): string => createHash('sha256').update(badge).digest('hex');

/** Whose badges there are, by the digests of their numbers. An add-on for real use keeps them in a table. */
const USERS = new Map([[digestOf('badge-0001'), 'admin']]);

/** A badge in the header `X-Example-Badge` may look at things: it is a program that sends it, which reads only. */
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
