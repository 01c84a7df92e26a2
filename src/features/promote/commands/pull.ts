import type { Command } from '#core';
import { writeFolder } from '../folder/write-folder.ts';
import { openPlace, PLACES } from '../places/open-place.ts';
import { SCOPE_OPTIONS, scopeOf, setupOf, TOKEN_OPTION, tokensFor } from './options.ts';

/** Writes a site as a folder for git. */
export const pullCommand: Command = {
  name: 'pull',
  summary: 'write the content and the set-up of a site as files that merge well in git',
  operands: [
    { name: 'site', description: `The site: ${PLACES}.`, completes: 'file' },
    {
      name: 'folder',
      description: 'A new or empty folder, or with --replace one of an earlier pull.',
      completes: 'folder',
    },
  ],
  options: {
    ...SCOPE_OPTIONS,
    ...TOKEN_OPTION,
    replace: { type: 'boolean', description: 'Brings an earlier copy in the folder up to date.' },
  },
  example: 'pull https://dev.example.org ./site --token-file=dev.token --replace',
  json: '`folder`, `objects`, `files`, `pieces`, `removed` and `notes`.',
  async run(context, { operands: [name = '', folder = ''], options }) {
    const scope = scopeOf(options);
    const setup = setupOf(options);
    const token = tokensFor([name], options).get(name);
    const place = await openPlace(context, name, token);
    try {
      const written = await writeFolder(place, {
        ...{ folder, scope, withSetup: setup !== false, replace: options.replace === true },
      });
      const { objects, files, pieces, removed, notes } = written;
      const gone = removed > 0 ? ` ${removed} files that are gone were removed.` : '';
      return {
        lines: [
          ...notes,
          `Wrote ${objects} objects, ${files} files and ${pieces} files of the set-up to ${folder}.${gone}`,
        ],
        data: { folder, ...written },
      };
    } finally {
      await place.close();
    }
  },
};
