import {
  callers,
  coreComponents,
  defineService,
  has,
  markdown,
  panelSettings,
  panels,
  type RequestContext,
  type Service,
  say,
  VIEW,
} from '#core';
import { NotFound } from '#lib/errors';
import { listAt, textAt } from '#lib/json-members';
import type { JsonObject } from '#lib/json-object';

/** Levels of the menu: sections, and the content right in them. */
const LEVELS = 2;

/** Maximum number of links under one heading: the page of a container links to the rest of its content. */
const MAX_LINKS = 50;

/** The address of the Markdown of content that is listed. */
const asMarkdown = (item: JsonObject): JsonObject => ({ ...item, '@id': `${textAt(item, '@id')}/@markdown` });

/** Entries under a heading. */
type Section = { title: string; items: readonly JsonObject[] };

/** The menu in sections: first the pages without content of their own, then each container with its content. */
function sectionsOf({ site }: RequestContext, menu: readonly JsonObject[]): Section[] {
  const below = (item: JsonObject): JsonObject[] => listAt(item, 'items');
  return [
    { title: say(site, 'Pages'), items: menu.filter((item) => below(item).length === 0).map(asMarkdown) },
    ...menu.flatMap((item) =>
      below(item).length === 0 ? [] : [{ title: textAt(item, 'title'), items: [item, ...below(item)].map(asMarkdown) }],
    ),
  ];
}

/**
 * The overview of the site for programs that read Markdown (https://llmstxt.org): its title and description, and the menu for visitors, the same for
 * every caller. The links of each heading are limited.
 */
async function overview(context: RequestContext): Promise<string> {
  const [{ linkList }, { writeMarkdown }] = await Promise.all([
    import('./content-markdown.ts'),
    import('./markdown-writer.ts'),
  ]);
  const { site, base, resolved } = context;
  const caller = callers.ANONYMOUS;
  const menu = await coreComponents.navigationContent({ ...context, caller }, resolved, LEVELS);
  const sitemap = {
    '@id': `${base}/sitemap.xml`,
    title: say(site, 'Sitemap'),
    description: say(site, 'The addresses of all pages.'),
  };
  const paragraph = (text: string): markdown.BlockContent[] => markdown.paragraph(markdown.inlineText(text));
  const description = has(site, caller, resolved, VIEW) ? paragraph(resolved.object.description) : [];
  return writeMarkdown([
    ...markdown.heading(1, markdown.inlineText(panelSettings(site, panels.site).site_title)),
    ...(description.length === 0 ? [] : [{ type: 'blockquote', children: description } as const]),
    ...paragraph(
      say(site, 'Each page has a Markdown form: add /@markdown to its address, or send Accept: text/markdown.'),
    ),
    ...[...sectionsOf(context, menu), { title: 'Optional', items: [sitemap] }].flatMap(({ title, items }) =>
      items.length === 0
        ? []
        : [...markdown.heading(2, markdown.inlineText(title)), ...linkList(items.slice(0, MAX_LINKS))],
    ),
  ]);
}

/** GET `llms.txt`: the site in short. */
const getOverview = defineService({
  name: 'llms.txt',
  method: 'GET',
  cacheable: true,
  ignoresOtherParameters: true,
  context: 'site',
  permission: null,
  tag: 'site',
  summary: 'The menu of the site as Markdown, for programs that read it, as visitors see it, for every caller.',
  responses: {
    200: { description: 'The site in short, in the form of llms.txt.', contentType: 'text/markdown' },
    404: { description: 'The site has no sitemap (setting `site.enable_sitemap`).' },
  },
  async run(context) {
    if (!panelSettings(context.site, panels.site).enable_sitemap) throw new NotFound('/llms.txt');
    return { status: 200, contentType: 'text/markdown; charset=utf-8', bytes: Buffer.from(await overview(context)) };
  },
});

export const llmsServices: Service[] = [getOverview];
