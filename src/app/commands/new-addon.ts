import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { ConfigError } from '../../core/configuration/environment/config.ts';
import type { Command } from '../../core/kernel/command.ts';
import { packageFolder } from '../../lib/process/process.ts';

const NAME = /^(?:@[a-z0-9][a-z0-9-]*\/)?[a-z][a-z0-9-]{0,80}$/;
/** Folders of the template that only lie there when somebody works on it. */
const LEFT_OUT = ['node_modules', 'dist', 'package-lock.json'];

/** A package name without its scope and without what many begin with. */
const shortName = (name: string): string => name.replace(/^@[^/]*\//, '').replace(/^canopy-(?:addon-)?(?=[a-z])/, '');

/** The texts of the template that stand for names, the longest first, each with what takes its place. */
function replacements(name: string): [string, string][] {
  const words = shortName(name).split('-').filter(Boolean);
  return [
    ['canopy-addon-example', name],
    ['Example', words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')],
    ['example', words.join('_')],
  ];
}

const rename = (text: string, pairs: readonly [string, string][]): string =>
  pairs.reduce((result, [from, to]) => result.replaceAll(from, to), text);

/** Writes the files of a folder of the template with other names. */
function copyFolder(from: string, to: string, pairs: readonly [string, string][]): void {
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
 * Writes a package with a feature into a new folder of the working folder: the one of `examples/addon` under another name.
 * Throws ConfigError when the name is no package name, or the folder is there.
 */
export const newAddonCommand: Command = {
  name: 'new-addon',
  usage: '<name>',
  summary: 'make a package with a feature of your own, in a new folder',
  withoutSite: true,
  async run(_context, { operands: [name = ''] }) {
    if (!NAME.test(name))
      throw new ConfigError(`"${name}" cannot be the name of a package: small letters, digits and - only.`);
    const folder = resolve(name.replace(/^@[^/]*\//, ''));
    if (existsSync(folder)) throw new ConfigError(`There is a ${folder} already.`);
    const template = packageFolder('examples/addon');
    copyFolder(template, folder, replacements(name));
    const manifest = join(folder, 'package.json');
    const program = relative(folder, dirname(dirname(template)));
    writeFileSync(
      manifest,
      readFileSync(manifest, 'utf8').replace('file:../..', `file:${program.replaceAll('\\', '/')}`),
    );
    writeFileSync(join(folder, '.gitignore'), 'node_modules/\ndist/\n');
    process.stdout.write(
      `${folder} is a package now. Try it:\n\n  cd ${relative('.', folder)} && npm install && npm test\n\n` +
        `Then name it in "features" of canopy.config.mjs: './${relative('.', folder)}'\n`,
    );
    return 0;
  },
};
