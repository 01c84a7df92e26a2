import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { createMarkdownRenderer } from 'vitepress';
import { describe, expect, it } from 'vitest';
import config from '../../docs/.vitepress/config.ts';
import { anchorOf, pageOf, siteLink } from '../../docs/.vitepress/links.ts';
import { type Entry, readingPath } from '../../docs/.vitepress/reading-path.ts';
import { llmsText, textCopy } from '../../docs/.vitepress/text-copies.ts';
import { packageFolder } from '../../src/lib/process/process.ts';
import { documents } from './documents.ts';

const DOCS = packageFolder('docs');
const pages = documents()
  .filter(({ path }) => path.startsWith('docs/'))
  .map(({ path }) => posix.relative('docs', path));

type Item = { text?: string; link?: string; items?: Item[] };
const linksIn = ({ link, items = [] }: Item): string[] => [
  ...(link === undefined ? [] : [link]),
  ...items.flatMap(linksIn),
];
const withItems = (entry: Entry): Entry[] => [entry, ...entry.items.flatMap(withItems)];

describe('the site of the documentation', () => {
  it('its sidebar leads to each page once, except the first one', () => {
    const links = config.themeConfig.sidebar.flatMap(linksIn).filter((link) => !link.startsWith('https:'));
    const expected = pages.filter((path) => path !== 'README.md').map((path) => `/${pageOf(path)}`);
    expect(links.sort()).toEqual(expected.sort());
  });

  it('its sections lead from tutorials to reference, and notes about the making come last', () => {
    const groups = readingPath(DOCS);
    expect(groups.map(({ title }) => title)).toEqual([
      ...['Tutorials', 'Coming from another system', 'How to run a site', 'How to build on it'],
      ...['Reference', 'Explanation', 'How it is made'],
    ]);
    const notes = groups.at(-1)?.items.map(({ path }) => path) ?? [];
    expect(notes).toEqual(expect.arrayContaining(['speed.md', 'caching-inside.md', 'decisions/README.md']));
  });

  it('each entry of docs/README.md has a description', () => {
    const entries = readingPath(DOCS).flatMap(({ items }) => items);
    expect(entries.length).toBeGreaterThan(50);
    expect(entries.filter(({ description }) => description === '')).toEqual([]);
  });

  it('entries of decisions have the titles of their pages', () => {
    const decisions = readingPath(DOCS)
      .flatMap(({ items }) => items.flatMap(withItems))
      .filter(({ path }) => /^decisions\/\d/.test(path));
    for (const { path, title } of decisions)
      expect(readFileSync(join(DOCS, path), 'utf8').split('\n')[0], path).toBe(`# ${title}`);
  });

  it('links that leave the folder lead to the repository, all others to pages of the site', () => {
    expect(siteLink('install.md', '../CHANGELOG.md')).toMatch(/^https:.*\/blob\/main\/CHANGELOG\.md$/);
    expect(siteLink('decisions/0001-layers.md', '../../src')).toMatch(/^https:.*\/tree\/main\/src$/);
    expect(siteLink('reference/face.md', '../add-ons.md#code')).toBe('../add-ons.md#code');
    expect(siteLink('search.md', 'decisions/README.md')).toBe('decisions/index.md');
    expect(siteLink('speed.md', 'pictures/day.svg')).toMatch(/^https:.*\/blob\/main\/docs\/pictures\/day\.svg$/);
    for (const link of ['#code', 'https://example.org/a', 'mailto:a@example.org'])
      expect(siteLink('a.md', link)).toBe(link);
  });

  it('braces in code are shown, not computed by Vue', async () => {
    const { render } = await createMarkdownRenderer(DOCS, { ...config.markdown, highlight: (code) => code });
    expect(render('See `{{< figure >}}`.', { relativePath: 'a.md' })).toContain(
      '<code v-pre="">{{&lt; figure &gt;}}</code>',
    );
  });

  it('anchors are those of GitHub', () => {
    expect(anchorOf('What a feature brings')).toBe('what-a-feature-brings');
    expect(anchorOf('GET /{path}/@comments')).toBe('get-pathcomments');
    expect(anchorOf('An `ETag`, and what for?')).toBe('an-etag-and-what-for');
  });

  it('the Markdown of a page has the links of the site, and unchanged code', () => {
    const text = 'See [it](../LICENSE) and [all](README.md).\n```sh\na [b](../c)\n```\n';
    expect(textCopy('a.md', text)).toMatch(
      /^See \[it\]\(https:.*LICENSE\) and \[all\]\(index\.md\)\.\n```sh\na \[b\]\(\.\.\/c\)\n```\n$/,
    );
  });

  it('llms.txt names each page in the order of the reading path', () => {
    const text = llmsText(readingPath(DOCS));
    expect(text).toMatch(/^# Canopy\n\n> .+\n\n## Tutorials\n\n- \[A site with Volto\]\(tutorials\/volto\.md\): /);
    const missing = pages.filter((path) => path !== 'README.md' && !text.includes(`](${pageOf(path)})`));
    expect(missing).toEqual([]);
  });
});
