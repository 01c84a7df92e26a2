import { contentPath, defineComponent, has, speaksPlone } from '#core';
import { MANAGE_CONTEXT_ALIASES, MANAGE_PORTAL_ALIASES } from './add.ts';
import { Aliases, aliasBatch, everyAlias } from './list.ts';

/** Aliases in a representation. `@aliases` serves the others. */
const BATCH = { start: 0, size: 25 };

/**
 * The aliases of content, or on the root of the site, in its representation, for callers who may use `@aliases`. Plone has this component; the
 * specification does not list it.
 */
export const aliasesComponent = defineComponent({
  name: 'aliases',
  schema: Aliases,
  isLinked: speaksPlone,
  mayExpand: ({ site, caller }, resolved) =>
    has(site, caller, resolved, contentPath.isRoot(resolved.object) ? MANAGE_PORTAL_ALIASES : MANAGE_CONTEXT_ALIASES),
  expand: (context, resolved) =>
    aliasBatch(
      context,
      resolved,
      everyAlias(context, contentPath.isRoot(resolved.object) ? null : resolved.object.oid),
      {
        ...BATCH,
        query: new URLSearchParams(),
      },
    ),
});
