import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A document for users; `path` is relative to the root of the project. */
export type Document = { path: string; location: string; text: string };

/** README.md and everything directly in docs/. */
export function documents(): Document[] {
  const inDocs = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md'));
  return ['README.md', ...inDocs.sort().map((name) => `docs/${name}`)].map((path) => {
    const location = join(ROOT, path);
    return { path, location, text: readFileSync(location, 'utf8') };
  });
}
