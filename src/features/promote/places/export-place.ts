import { join } from 'node:path';
import { type CommandContext, ConfigError } from '#core';
import { noProgress } from '#lib/process/progress';
import { importOwnExport } from '../../site-export/restore/import-export.ts';
import { openOwnExport } from '../../site-export/restore/own-export.ts';
import { makePrivateFolder } from '../../site-export/restore/private-folder.ts';
import type { Place } from './place.ts';
import { sitePlace } from './site-place.ts';

/**
 * An export, brought into a site of its own in a folder for a while: so it is read by the same rules as a site. Throws ConfigError for the
 * export of a part of a site, whose containers it does not have.
 */
export async function exportPlace({ open }: Pick<CommandContext, 'open'>, name: string): Promise<Place> {
  const work = await makePrivateFolder();
  const unpacked = /\.zip$/i.test(name)
    ? await (await import('../../site-export/restore/unpack.ts')).unpack(name)
    : undefined;
  const remove = async () => {
    await unpacked?.remove();
    await work.remove();
  };
  try {
    const source = await openOwnExport(unpacked?.folder ?? name);
    if (!source) throw new ConfigError(`${name} is no export of Canopy.`);
    if (source.manifest.path !== '/')
      throw new ConfigError(`${name} is the export of ${source.manifest.path} alone: only whole ones can be compared.`);
    const kernel = await open({ create: true, at: { dataDir: join(work.folder, 'site'), ownFiles: true } });
    await importOwnExport(kernel, source, { progress: () => noProgress });
    const { apply: _apply, ...place } = sitePlace(kernel, name, remove);
    return place;
  } catch (error) {
    await remove();
    throw error;
  }
}
