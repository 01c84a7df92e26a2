import { existsSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import {
  addonFolderName,
  addonNameProblem,
  writeAddon,
} from '../../../packages/create-canopy-server/src/write-addon.ts';
import { ConfigError } from '../../core/configuration/environment/setting-names.ts';
import type { Command } from '../../core/kernel/command.ts';
import { packageFolder } from '../../lib/process/process.ts';

/**
 * Writes a package with a feature into a new folder of the working folder: `examples/addon` under another name. Throws ConfigError when the name is
 * no package name, or the folder exists.
 */
export const newAddonCommand: Command = {
  name: 'new-addon',
  summary: 'make a package with a feature of your own, in a new folder',
  operands: [{ name: 'name', description: 'The name of the package, such as canopy-addon-shelf.' }],
  example: 'new-addon canopy-addon-shelf',
  json: '`name` and `folder` of the package.',
  withoutSite: true,
  async run(_context, { operands: [name = ''] }) {
    const problem = addonNameProblem(name);
    if (problem !== undefined) throw new ConfigError(problem);
    const folder = resolve(addonFolderName(name));
    if (existsSync(folder)) throw new ConfigError(`There is a ${folder} already.`);
    const template = packageFolder('examples/addon');
    const program = relative(folder, dirname(dirname(template)));
    writeAddon(template, folder, { name, server: `file:${program.replaceAll('\\', '/')}` });
    const path = relative('.', folder);
    return {
      lines: [
        `${folder} is a package now. Try it:`,
        `\n  cd ${path} && npm install && npm test\n`,
        `Then name it in "features" of canopy.config.mjs: './${path}'`,
      ],
      data: { name, folder },
    };
  },
};
