import {
  type CatalogQuery,
  constraint,
  contentPath,
  defineService,
  panelSettings,
  panels,
  type RequestContext,
  type Service,
  searchResults,
  VIEW,
} from '#core';
import { NotFound } from '#lib/errors';
import type { JsonObject } from '#lib/json-object';
import { feedBodies } from './feed-bodies.ts';
import { channelOf, itemOf, renderRss } from './rss.ts';
import { syndicationPanel } from './syndication-panel.ts';

const NEWEST_FIRST = [
  { on: 'effective', descending: true },
  { on: 'created', descending: true },
];

/** The newest content right in a container, without the types that are not searched. */
function newestIn({ site, resolved }: RequestContext): CatalogQuery {
  const hidden = panelSettings(site, panels.search).types_not_searched;
  return {
    constraints: [{ index: 'portal_type', constraint: constraint([], { not: hidden }) }],
    paths: [{ path: resolved.object.path, depth: 1 }],
    sort: NEWEST_FIRST,
  };
}

const isContainer = ({ site, resolved }: RequestContext): boolean =>
  site.types.get(resolved.object.type)?.folderish === true;

/** The ids or names in the field `creators` of content, if everybody may read it. */
function creatorsOf(
  { site }: RequestContext,
  { type, fields: { creators } }: { type: string; fields: JsonObject },
): string[] {
  const closed = site.types.get(type)?.fieldByName.get('creators')?.read_permission !== undefined;
  return closed || !Array.isArray(creators) ? [] : creators.filter((name) => typeof name === 'string');
}

/** True if the site serves feeds of this kind (panel `syndication`). */
function hasFeeds({ site }: RequestContext): boolean {
  const { allowed, default_enabled: enabled, allowed_feed_types: kinds } = panelSettings(site, syndicationPanel);
  return allowed && enabled && kinds.some((kind) => kind.startsWith('RSS|'));
}

/** GET `RSS`: the feed of the content of a container, or of the results of a collection. */
const getFeed = defineService({
  name: 'RSS',
  method: 'GET',
  cacheable: true,
  context: 'content',
  permission: VIEW,
  tag: 'rss-view',
  summary: 'An RSS 2.0 document of the newest content of a container, or of the first that a collection finds.',
  responses: {
    200: { description: 'The feed.', contentType: 'application/rss+xml' },
    404: { description: 'The content is no container and no collection, or the site has no feeds.' },
  },
  async run(context) {
    const { resolved } = context;
    const { path } = resolved.object;
    const offered = hasFeeds(context);
    const stored = offered ? await searchResults.storedQuery(context, resolved) : null;
    if (!offered || (stored === null && !isContainer(context))) throw new NotFound(contentPath.child(path, 'RSS'));
    const query = stored === null ? newestIn(context) : stored;
    const {
      max_items: size,
      show_author_info: authors,
      render_body: whole,
    } = panelSettings(context.site, syndicationPanel);
    const items = query ? (await searchResults.find(context, resolved, query, { start: 0, size })).items : [];
    const bodies = whole ? await feedBodies({ ...context, metadataFields: [] }, items) : undefined;
    const newest = items.map(({ modified }) => modified.getTime());
    const channel = channelOf(context, resolved, new Date(Math.max(resolved.object.modified.getTime(), ...newest)));
    return {
      status: 200,
      contentType: 'application/rss+xml; charset=utf-8',
      bytes: Buffer.from(
        renderRss(
          channel,
          items.map((row) => ({
            ...itemOf(context.base, row),
            creators: authors ? creatorsOf(context, row) : [],
            body: bodies?.get(row.oid) ?? '',
          })),
        ),
      ),
    };
  },
});

export const containerFeedServices: Service[] = [getFeed];
