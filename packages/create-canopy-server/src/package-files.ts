import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Returns the folders above this file that have a package.json, the nearest first. */
function packageFolders(): string[] {
  const found: string[] = [];
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) found.push(folder);
    if (folder === dirname(folder)) return found;
  }
}

/** Returns the folder of a template: in a packed package in `templates`, else in `examples` of the repository. Throws when it is missing. */
export function templateFolder(name: string): string {
  const places = packageFolders().flatMap((folder) => [
    join(folder, 'templates', name),
    join(folder, 'examples', name),
  ]);
  const place = places.find((path) => existsSync(path));
  if (place === undefined) throw new Error(`The template "${name}" is missing from this package.`);
  return place;
}

/** Loads the version of this package, which is that of canopy-server, too. */
export function loadVersion(): string {
  const [folder = ''] = packageFolders();
  const manifest: { version: string } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return manifest.version;
}
