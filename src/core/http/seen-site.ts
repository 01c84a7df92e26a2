import type { Site } from '../configuration/site/site.ts';
import type { LookupResult } from '../content/locate.ts';
import { securityNode } from '../content/permissions.ts';
import type { Authentication } from '../people/authenticate.ts';
import type { Caller } from '../security/caller.ts';
import { can } from '../security/can.ts';
import { VIEW } from '../security/permissions.ts';
import { urlOf } from '../serializer/render-context.ts';
import type { ServiceResponse } from '../services/response.ts';
import type { Service } from '../services/service.ts';

/** The caller of a request, as the log and the header `Server-Timing` need it. */
export type Reader = {
  /** Id of the user; null for somebody who is not logged in. */
  user: string | null;
  /** True for a Manager, who may see the duration of the work. */
  seesTiming: boolean;
};

/** The reader for a caller. */
export const readerOf = ({ id, roles }: Caller): Reader => ({ user: id, seesTiming: roles.includes('Manager') });

/**
 * The facts about a request, each set as soon as it is known: an error response has the language of the site, the headers of the service and the
 * place of the error.
 */
export type SeenSite = {
  site?: Site;
  /** The language that the caller has chosen; null for none. */
  language?: string | null;
  service?: Service;
  /** The name of the service in the address. */
  serviceName?: string;
  /** A cached response, or a new response that could have been cached. */
  cache?: 'hit' | 'miss';
  reader?: Reader;
  /** The address of the nearest content at or above the requested path that the caller may view; null for none. */
  nearest?: () => string | null;
  /** Gets the response to an error before it is sent. */
  onRefusal?: (response: ServiceResponse) => Promise<void>;
};

/** The facts about a request once its path is looked up. */
export const seenAt = (lookup: LookupResult, { account, caller }: Authentication, base: string): SeenSite => ({
  site: lookup.site,
  language: account?.language ?? null,
  nearest: () => nearestOf(lookup, caller, base),
  reader: readerOf(caller),
});

function nearestOf({ site, nodes }: LookupResult, caller: Caller, base: string): string | null {
  const chain = nodes.map((node) => securityNode(site, node));
  const at = nodes.findIndex((_node, i) => can(VIEW, caller, chain.slice(i), site.roleMap));
  const nearest = nodes[at];
  return nearest ? urlOf(base, nearest.path) : null;
}
