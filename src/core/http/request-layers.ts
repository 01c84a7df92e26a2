import type { TagCollector } from '../../database/cache-tags.ts';
import type { Database } from '../../database/database.ts';
import type { ServiceResponse } from '../services/response.ts';
import type { RequestAddress } from './request-address.ts';
import type { RequestCache } from './request-cache.ts';
import type { RequestEnd } from './request-end.ts';
import type { SeenSite } from './seen-site.ts';
import type { WireRequest } from './wire-request.ts';
import type { WorkPlaces } from './work.ts';

/** A request that has its place, with the means of its work. */
export type RequestInWork = {
  request: WireRequest;
  address: RequestAddress;
  cached: RequestCache;
  places: WorkPlaces;
  seen: SeenSite;
  /** The database that is read: the primary or a replica. Logins use it directly. */
  source: Database;
  /** The database of the service: `source` with what the layers add. */
  db: Database;
  /** The tags of everything that was read for the response until now. */
  made: TagCollector;
};

/** A request that others are parts of, as far as these need it. */
export type PartInWork = Pick<RequestInWork, 'address'> & {
  request: Omit<WireRequest, 'ask' | 'end'> & { end: () => Pick<RequestEnd, 'signal'> };
  cached: Pick<RequestCache, 'bypass' | 'useWholeTarget'>;
  made?: TagCollector;
};

/** Does the work of a request. */
export type Perform = (work: RequestInWork) => Promise<ServiceResponse>;

/** Wraps the work of every request. Layers are put together once, where the server is made. */
export type RequestLayer = (perform: Perform) => Perform;

/** The work within layers; the first layer is the outermost. */
export const withLayers = (perform: Perform, layers: readonly RequestLayer[]): Perform =>
  layers.reduceRight((inner, layer) => layer(inner), perform);
