import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Type } from 'typebox';
import { defineService, panelSettings, panels, type Service } from '#core';
import { NotFound } from '#lib/errors';
import { IntegerParameter } from '#lib/schema/parameters';
import { sitemap } from './sitemap.ts';

/** GET `robots.txt`: the rules for crawlers (panel `site`). */
const getRobots = defineService({
  name: 'robots.txt',
  method: 'GET',
  context: 'site',
  permission: null,
  withoutApiPermission: true,
  tag: 'site',
  summary: 'What the site tells search engines.',
  responses: { 200: { description: 'The text of the setting `site.robots_txt`.', contentType: 'text/plain' } },
  run: async ({ site, base }) => ({
    status: 200,
    headers: { 'Cache-Control': 'no-cache' },
    contentType: 'text/plain; charset=utf-8',
    text: panelSettings(site, panels.site).robots_txt.replaceAll('{portal_url}', base),
  }),
});

/** Maximum number of pages of a sitemap: as many as the counter of the database allows. */
const MAX_PAGE = 400_000;

/** A form of the sitemap: its name, its media type and how its text is sent. */
type SitemapForm = { name: string; contentType: string; encoded(xml: string): Buffer | Promise<Buffer> };

/** Declares a sitemap: the addresses of everything that anybody may view. */
const defineSitemap = ({ name, contentType, encoded }: SitemapForm): Service =>
  defineService({
    name,
    method: 'GET',
    cacheable: true,
    ignoresOtherParameters: true,
    context: 'site',
    permission: null,
    tag: 'site',
    summary: 'The addresses of all content that anybody may view, for search engines, for every caller.',
    query: Type.Object({
      page: Type.Optional(IntegerParameter('page', { description: 'Which 5,000 of them, from 1.' })),
    }),
    responses: {
      200: { description: 'The addresses; of a long sitemap the list of its pages.', contentType },
      404: { description: 'The site has no sitemap (setting `site.enable_sitemap`), or not so many pages.' },
    },
    async run(context) {
      const { page } = context.query;
      const isPage = page === undefined || (page >= 1 && page <= MAX_PAGE);
      if (!isPage || !panelSettings(context.site, panels.site).enable_sitemap) throw new NotFound(`/${name}`);
      return { status: 200, contentType, bytes: await encoded(await sitemap(context, { name, page })) };
    },
  });

const sitemaps: readonly SitemapForm[] = [
  { name: 'sitemap.xml', contentType: 'application/xml', encoded: (xml) => Buffer.from(xml) },
  { name: 'sitemap.xml.gz', contentType: 'application/gzip', encoded: promisify(gzip) },
];

export const siteFileServices: Service[] = [getRobots, ...sitemaps.map(defineSitemap)];
