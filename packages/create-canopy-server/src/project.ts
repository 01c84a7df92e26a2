import { basename } from 'node:path';
import type { Choices } from './ask.ts';
import { FRONT_ENDS, type FrontEnd, NONE } from './front-ends.ts';
import { addonFolderName } from './write-addon.ts';

/** A project to be made. */
export type Project = {
  /** The absolute path of its folder. */
  folder: string;
  /** The name of its package. */
  name: string;
  /** The version of canopy-server, or the place of its tarball. */
  server: string;
  frontEnd: (FrontEnd & { id: string }) | undefined;
  /** The name of the package of the add-on, and its folder below the project. */
  addOn: { name: string; folder: string } | undefined;
  /** The name of the configuration file: TypeScript if this Node runs it. */
  configFile: 'canopy.config.ts' | 'canopy.config.mjs';
};

/** A package name for a folder: its letters, digits and hyphens in lower case. */
const packageNameFor = (folder: string): string =>
  basename(folder)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 80) || 'site';

/** Returns the project for choices. Its package never has the name of an installed package. */
export function planProject(choices: Choices, folder: string, server: string): Project {
  const frontEnd = FRONT_ENDS[choices.frontEnd];
  const name = packageNameFor(folder);
  return {
    folder,
    name: ['canopy-server', choices.addOn].includes(name) ? `${name}-site` : name,
    server,
    frontEnd: frontEnd && { ...frontEnd, id: choices.frontEnd },
    addOn:
      choices.addOn === NONE ? undefined : { name: choices.addOn, folder: `add-ons/${addonFolderName(choices.addOn)}` },
    configFile: Reflect.get(process.features, 'typescript') ? 'canopy.config.ts' : 'canopy.config.mjs',
  };
}
