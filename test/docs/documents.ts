import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A document for users; `path` is relative to the root of the project. */
export type Document = { path: string; location: string; text: string };

const load = (path: string): Document => {
  const location = join(ROOT, path);
  return { path, location, text: readFileSync(location, 'utf8') };
};

const pagesIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => `${folder}/${name}`);

/** README.md and all pages of the documentation. */
export const documents = (): Document[] => ['README.md', ...pagesIn('docs')].map(load);

/** Says if a document is a tutorial: its commands begin in an empty folder, without a site. */
export const isTutorial = ({ path }: Pick<Document, 'path'>): boolean => path.startsWith('docs/tutorials/');
