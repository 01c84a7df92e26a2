import { contentPath, defineComponent, has, speaksPlone } from '#core';
import { MANAGE_CONTEXT_ALIASES, MANAGE_PORTAL_ALIASES } from './add.ts';
import { Aliases, aliasBatch, everyAlias } from './list.ts';

/** Aliases in a representation. The others have an address of their own. */
const BATCH = { start: 0, size: 25 };

/**
 * The aliases of content, on the root those of the site, in its representation: for callers whom `@aliases` serves them. The
 * components that the specification lists do not have it, those of Plone do.
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
