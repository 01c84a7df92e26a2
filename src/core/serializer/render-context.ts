import type { CacheTags } from '../../database/cache-tags.ts';
import type { Queryable } from '../../database/database.ts';
import type { Site } from '../configuration/site/site.ts';
import { securityNode } from '../content/permissions.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { Caller } from '../security/caller.ts';
import { can } from '../security/can.ts';
import { VIEW } from '../security/permissions.ts';
import type { TreeNode } from '../types/content-row.ts';

/** Context of every representation: the caller, the base of all addresses, and the state of the site. */
export type RenderContext = {
  kernel: Kernel;
  /** The database to load from: the pool, or the transaction of the request. */
  db: Queryable;
  site: Site;
  caller: Caller;
  /** Address of the site root, without a slash at its end. All addresses of a response begin with it. */
  base: string;
  /** Names of the components to expand. */
  expand: ReadonlySet<string>;
  /** Options of components: `expand.<component>.<option>` to its values. */
  expandOptions: ReadonlyMap<string, string[]>;
  /** Catalog columns that summaries and items get in addition; `_all` for all. */
  metadataFields: readonly string[];
  /** Keeps the response out of the cache, for content that depends on the time beyond `effective`, `expires` and locks. */
  noCache?: () => void;
  /** Adds the tags of a kept value that the response is made of. Without it, no kept value is used that no statement reads. */
  madeOf?: ((tags: CacheTags) => void) | undefined;
  /** Says that the response repeats the whole query of the request, as links to other batches do. */
  repeatsQuery?: () => void;
};

/** Paths that need no encoding in addresses. Most paths need none, and to encode each segment takes several times as long as this test. */
const PLAIN_PATH = /^[\w.~/-]+$/;

/** Absolute address of the object at `path`; each segment is percent-encoded. The root has no slash at its end. */
export function urlOf(base: string, path: string): string {
  if (path === '/') return base;
  return base + (PLAIN_PATH.test(path) ? path : path.split('/').map(encodeURIComponent).join('/'));
}

/** Says if the caller may view the first object of `chain`, which is followed by its containers up to the root. */
export const mayView = ({ site, caller }: RenderContext, chain: readonly TreeNode[]): boolean =>
  can(
    VIEW,
    caller,
    chain.map((node) => securityNode(site, node)),
    site.roleMap,
  );
