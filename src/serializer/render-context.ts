import type { Kernel } from '../kernel/kernel.ts';
import type { Caller } from '../security/caller.ts';
import type { Site } from '../site/site.ts';
import type { Queryable } from '../storage/database.ts';

/** What every representation depends on: who asks, under which address, at which state of the site. */
export type RenderContext = {
  kernel: Kernel;
  /** Where to read: the pool, or the transaction of the caller. */
  db: Queryable;
  site: Site;
  caller: Caller;
  /** Address of the site root, without a slash at its end. All addresses of an answer begin with it. */
  base: string;
  /** Names of the components to expand. */
  expand: ReadonlySet<string>;
  /** Options of components: `expand.<component>.<option>` to its values. */
  expandOptions: ReadonlyMap<string, string[]>;
  /** Catalog columns that summaries and items get in addition; `_all` for all. */
  metadataFields: readonly string[];
  /** To be called by whatever depends on the time otherwise than by `effective`, `expires` and locks: it is not kept for others. */
  noCache?: () => void;
};

/** Absolute address of what lies at `path`; each segment is percent-encoded. The root has no slash at its end. */
export function urlOf(base: string, path: string): string {
  return path === '/' ? base : base + path.split('/').map(encodeURIComponent).join('/');
}
