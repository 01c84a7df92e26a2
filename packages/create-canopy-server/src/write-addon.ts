import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const NAME = /^(?:@[a-z0-9][a-z0-9-]*\/)?[a-z][a-z0-9-]{0,80}$/;
/** Folders and files that exist only while the template is being developed. */
const LEFT_OUT = ['node_modules', 'dist', 'package-lock.json'];

/** Returns the problem of the name of an add-on, in one line; undefined for a valid package name. */
export const addonNameProblem = (name: string): string | undefined =>
  NAME.test(name) ? undefined : `"${name}" cannot be the name of a package: small letters, digits and - only.`;

/** The name of the folder of an add-on: the name of the package without its scope. */
export const addonFolderName = (name: string): string => name.replace(/^@[^/]*\//, '');

/** A package name without its scope and without common prefixes. */
const shortName = (name: string): string => addonFolderName(name).replace(/^canopy-(?:addon-)?(?=[a-z])/, '');

/** The placeholders for names in the template, the longest first, each with its replacement. */
function replacements(name: string): [text: string | RegExp, name: string][] {
  const words = shortName(name).split('-').filter(Boolean);
  return [
    ['canopy-addon-example', name],
    ['Example', words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')],
    // "example:" of a command is not the name.
    [/example(?!:)/g, words.join('_')],
  ];
}

const rename = (text: string, pairs: ReturnType<typeof replacements>): string =>
  pairs.reduce((result, [from, to]) => result.replaceAll(from, to), text);

/** Writes the files of a folder of the template with other names. */
function copyFolder(from: string, to: string, pairs: ReturnType<typeof replacements>): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (LEFT_OUT.includes(entry.name)) continue;
    const source = join(from, entry.name);
    const target = join(to, rename(entry.name, pairs));
    if (entry.isDirectory()) copyFolder(source, target, pairs);
    else writeFileSync(target, rename(readFileSync(source, 'utf8'), pairs));
  }
}

/**
 * Writes a package with a feature into a new folder: the template `examples/addon` under another name. `server` is the version, or the place, of
 * canopy-server among its `devDependencies`. The name must be a valid package name, see `addonNameProblem`.
 */
export function writeAddon(template: string, folder: string, { name, server }: { name: string; server: string }): void {
  copyFolder(template, folder, replacements(name));
  const manifest = join(folder, 'package.json');
  writeFileSync(
    manifest,
    readFileSync(manifest, 'utf8').replace('file:../..', () => server),
  );
  writeFileSync(join(folder, '.gitignore'), 'node_modules/\ndist/\n');
}
