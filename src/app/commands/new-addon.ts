import type { Command } from '../../site/command.ts';

export const newAddonCommand: Command = {
  name: 'new-addon',
  usage: '<name>',
  summary: 'make a package with a feature of your own',
  withoutSite: true,
  async run() {
    return 0;
  },
};
