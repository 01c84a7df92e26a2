import { fileURLToPath } from 'node:url';
import type { DefaultTheme, UserConfig } from 'vitepress';
import { anchorOf, pageOf, REPOSITORY, siteLink, sourceAddress } from './links.ts';
import { type Entry, readingPath } from './reading-path.ts';
import { writeTextCopies } from './text-copies.ts';

const DOCS = fileURLToPath(new URL('..', import.meta.url));

/** The path of the site on its host, such as `/canopy/`. */
const BASE = process.env.DOCS_BASE ?? '/';

function sidebarItem({ title, path, items }: Entry): DefaultTheme.SidebarItem {
  const link = path.startsWith('../') ? sourceAddress(path) : `/${pageOf(path)}`;
  return { text: title, link, ...(items.length > 0 && { items: items.map(sidebarItem), collapsed: true }) };
}

/** The site of the documentation: `npm run docs` builds it into `.cache/docs`, `npm run docs:dev` serves it while somebody writes. */
export default {
  title: 'Canopy',
  description: 'A content server that speaks the REST API of Plone',
  lang: 'en',
  base: BASE,
  outDir: '../.cache/docs',
  cacheDir: '../.cache/vitepress',
  rewrites: pageOf,
  // Addresses of a site on the reader's machine.
  ignoreDeadLinks: 'localhostLinks',
  markdown: {
    anchor: { slugify: anchorOf },
    // Braces in headings are parts of addresses, not attributes.
    attrs: { disable: true },
    config(md) {
      md.core.ruler.push('links and code of the site', ({ tokens, env }) => {
        for (const token of tokens.flatMap(({ children }) => children ?? [])) {
          const link = token.type === 'link_open' ? token.attrGet('href') : null;
          if (link !== null) token.attrSet('href', siteLink(env.relativePath, link));
          // Otherwise Vue computes what stands in braces. VitePress marks blocks of code by itself, code in a line not.
          if (token.type === 'code_inline') token.attrSet('v-pre', '');
        }
      });
    },
  },
  transformHead: ({ pageData: { relativePath } }) => [
    ['link', { rel: 'alternate', type: 'text/markdown', href: BASE + relativePath }],
  ],
  buildEnd: ({ outDir, pages }) => writeTextCopies(DOCS, pages, outDir),
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    socialLinks: [{ icon: 'github', link: REPOSITORY }],
    editLink: { pattern: `${REPOSITORY}/edit/main/docs/:path`, text: 'Edit this page' },
    sidebar: readingPath(DOCS).map(({ title, items }) => ({ text: title, items: items.map(sidebarItem) })),
  },
} satisfies UserConfig<DefaultTheme.Config>;
