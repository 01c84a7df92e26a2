import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/** A page of the documentation; `path` is relative to docs/. `items` are pages that the page itself lists. */
export type Entry = { title: string; path: string; description: string; items: Entry[] };

/** A section of docs/README.md. */
export type Group = { title: string; items: Entry[] };

const ENTRY = /^- \[([^\]]+)\]\(([^)]+)\)(?:: (.*))?$/gm;

function entriesIn(docs: string, path: string, text: string): Entry[] {
  return [...text.matchAll(ENTRY)].map(([, title = '', target = '', description = '']) => {
    const page = posix.join(posix.dirname(path), target);
    const isList = posix.basename(page) === 'README.md' && !page.startsWith('../');
    const items = isList ? entriesIn(docs, page, readFileSync(join(docs, page), 'utf8')) : [];
    return { title, path: page, description, items };
  });
}

/** Reads the order of the pages, which stands in docs/README.md and in the README.md of the folders that it links. */
export function readingPath(docs: string): Group[] {
  const [, ...sections] = readFileSync(join(docs, 'README.md'), 'utf8').split(/^## /m);
  return sections
    .map((section) => ({
      title: section.slice(0, section.indexOf('\n')),
      items: entriesIn(docs, 'README.md', section),
    }))
    .filter(({ items }) => items.length > 0);
}
