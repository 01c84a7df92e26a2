import { hostileAddresses } from './hostile-addresses.ts';
import { hostileBodies } from './hostile-bodies.ts';
import { hostileDates } from './hostile-dates.ts';
import { hostileFields } from './hostile-fields.ts';
import { hostileHeaders } from './hostile-headers.ts';
import type { HostileGroup } from './hostile-request.ts';
import { hostileServices } from './hostile-services.ts';
import { hostileUploads } from './hostile-uploads.ts';
import { seededRandom } from './random.ts';

/** All groups of hostile requests; the same seed generates the same requests. */
export function hostileRequests(seed: number): HostileGroup[] {
  const random = seededRandom(seed);
  return [
    ...hostileBodies(random),
    ...hostileFields(random),
    ...hostileAddresses(),
    ...hostileHeaders(),
    ...hostileServices(),
    ...hostileUploads(),
    ...hostileDates(),
  ];
}
