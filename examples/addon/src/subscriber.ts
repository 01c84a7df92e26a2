import type { Kernel } from 'canopy-server';
import { clearRatings } from './ratings.ts';

/** Content whose steps have changed loses its ratings. Subscribers run in the transaction of the change. */
export function subscribe({ events }: Kernel): void {
  events.on('content.modified', async ({ oid, fields }, { tx }) => {
    if (fields.includes('steps')) await clearRatings(tx, oid);
  });
}
