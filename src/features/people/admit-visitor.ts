import { clientNetwork } from '../../auth/client-address.ts';
import { TooManyRequests } from '../../lib/errors.ts';
import type { Queryable } from '../../storage/database.ts';
import { admitVisitor as countVisitor } from './statements/people-visitors.ts';

const WINDOW = 60 * 60_000;

/** How many requests of a kind one network has in an hour: more than an office needs, less than an attacker wants. */
const LIMITS = { 'reset-password': 60, register: 30, comment: 30 };

/**
 * Counts a request of somebody whom nobody knows. What was asked for plays no part in it, so that nobody learns who
 * exists. Throws TooManyRequests when the network has had its share of the hour.
 */
export async function admitVisitor(db: Queryable, kind: keyof typeof LIMITS, address: string): Promise<void> {
  const at = new Date();
  const since = new Date(at.getTime() - WINDOW);
  const admitted = await countVisitor(db, { kind, address: clientNetwork(address), at, since }, LIMITS[kind]);
  if (!admitted) throw new TooManyRequests('Too many requests from your network. Try again in an hour.', WINDOW / 1000);
}
