import { callers, panelSettings, panels, publishing, type RenderContext, type Site, urlOf } from '#core';
import { xmlText } from './rss.ts';
import { sitemapCount, sitemapRows } from './statements/feed-rows.ts';

/** Addresses in one file, as in Plone; the protocol allows 50,000. */
const SITEMAP_SIZE = 5000;

const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
const HEAD = '<?xml version="1.0" encoding="utf-8"?>\n';

const typesOf = ({ types, ...site }: Site): string[] => {
  const hidden = new Set(panelSettings(site, panels.search).types_not_searched);
  return [...types.keys()].filter((id) => !hidden.has(id));
};

async function addresses({ db, site, base }: RenderContext, page: number): Promise<string> {
  const rows = await sitemapRows(db, {
    ...publishing.viewersOf(site, callers.ANONYMOUS),
    types: typesOf(site),
    limit: SITEMAP_SIZE,
    offset: (page - 1) * SITEMAP_SIZE,
  });
  const urls = rows.map(
    ({ path, modified }) =>
      `  <url>\n    <loc>${xmlText(urlOf(base, path))}</loc>\n    <lastmod>${modified.toISOString()}</lastmod>\n  </url>\n`,
  );
  return `${HEAD}<urlset ${NAMESPACE}>\n${urls.join('')}</urlset>\n`;
}

function index(file: string, pages: number): string {
  const files = Array.from(
    { length: pages },
    (_, i) => `  <sitemap>\n    <loc>${xmlText(`${file}?page=${i + 1}`)}</loc>\n  </sitemap>\n`,
  );
  return `${HEAD}<sitemapindex ${NAMESPACE}>\n${files.join('')}</sitemapindex>\n`;
}

/**
 * The sitemap of everything that anonymous visitors may view (https://www.sitemaps.org/protocol.html), the same for every caller: one page; without
 * `page` the whole sitemap, or the list of its pages as files `name` if there are several. Types that are not searched are left out.
 */
export async function sitemap(
  context: RenderContext,
  { name, page }: { name: string; page: number | undefined },
): Promise<string> {
  const { db, site, base } = context;
  const count =
    page === undefined ? await sitemapCount(db, publishing.viewersOf(site, callers.ANONYMOUS), typesOf(site)) : 0;
  return count > SITEMAP_SIZE
    ? index(`${base}/${name}`, Math.ceil(count / SITEMAP_SIZE))
    : addresses(context, page ?? 1);
}
