import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pageOf, siteLink, sourceAddress } from './links.ts';
import { type Entry, type Group, readingPath } from './reading-path.ts';

/** Text for language models about the whole site. */
const SUMMARY =
  'A content server in TypeScript: a hypermedia JSON API over a tree of content that speaks the REST API of Plone. MIT licence.';

/** A page as Markdown for the site: the same text, with links that lead to pages of the site or to the repository. */
export function textCopy(path: string, text: string): string {
  let isCode = false;
  return text
    .split('\n')
    .map((line) => {
      if (line.startsWith('```')) isCode = !isCode;
      return isCode ? line : line.replace(/\]\(([^)\s]+)\)/g, (_, link: string) => `](${siteLink(path, link)})`);
    })
    .join('\n');
}

const lineOf = ({ title, path, description }: Entry): string => {
  const address = path.startsWith('../') ? sourceAddress(path) : pageOf(path);
  return `- [${title}](${address})${description === '' ? '' : `: ${description}`}`;
};

const withItems = (entry: Entry): Entry[] => [entry, ...entry.items.flatMap(withItems)];

/** The file llms.txt (llmstxt.org): all pages in the order of the reading path, as Markdown. */
export function llmsText(groups: readonly Group[]): string {
  const parts = groups.map(({ title, items }) => `## ${title}\n\n${items.flatMap(withItems).map(lineOf).join('\n')}`);
  return `# Canopy\n\n> ${SUMMARY}\n\n${parts.join('\n\n')}\n`;
}

/** Writes each page as Markdown beside its HTML, and llms.txt at the root. */
export function writeTextCopies(docs: string, pages: readonly string[], out: string): void {
  for (const path of pages) {
    const target = join(out, pageOf(path));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, textCopy(path, readFileSync(join(docs, path), 'utf8')));
  }
  writeFileSync(join(out, 'llms.txt'), llmsText(readingPath(docs)));
}
