import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type CommandContext, ConfigError, databases } from '#core';
import { openOwnExport } from '../../site-export/restore/own-export.ts';
import { MARK_FILE } from '../folder/folder-names.ts';
import { folderPlace } from '../folder/folder-place.ts';
import { exportPlace } from './export-place.ts';
import type { Place } from './place.ts';
import { remotePlace } from './remote-place.ts';
import { sitePlace } from './site-place.ts';

/** The forms of a place, for messages and help. */
export const PLACES =
  'a folder of "canopy pull", an export, the data folder of a site, the address of a database, or the address of a site';

/**
 * Opens a place by its name. `token` is that of a site at an address. Throws ConfigError for a name that is no place; DatabaseUnavailable.
 */
export async function openPlace(
  context: Pick<CommandContext, 'open'>,
  name: string,
  token: string | undefined,
): Promise<Place> {
  if (/^https?:\/\//i.test(name)) return remotePlace({ address: name.replace(/\/+$/, ''), token });
  if (/^postgres(?:ql)?:\/\//i.test(name))
    return sitePlace(await context.open({ at: { databaseUrl: name } }), new URL(name).pathname.slice(1));
  const folder = resolve(name);
  if (!existsSync(folder)) throw new ConfigError(`${name} is not there. Name ${PLACES}.`);
  if (existsSync(join(folder, MARK_FILE))) return folderPlace(folder);
  if (/\.zip$/i.test(name)) return exportPlace(context, folder);
  if (await openOwnExport(folder)) return exportPlace(context, folder);
  if (databases.hasEmbedded(folder)) return sitePlace(await context.open({ at: { dataDir: folder } }), name);
  throw new ConfigError(`${name} is not a place that can be compared. Name ${PLACES}.`);
}
