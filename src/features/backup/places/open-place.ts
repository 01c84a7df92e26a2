import { join, resolve } from 'node:path';
import type { Config } from '#core';
import { BackupRefused } from '../format.ts';
import { openFolderPlace } from './folder-place.ts';
import type { Place } from './place.ts';
import { openS3Place } from './s3-place.ts';

const S3 = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/;

/** Says if a target is an archive, a single file. */
export const isArchive = (name: string): boolean => /\.tar$/i.test(name);

/**
 * Opens the folder or the bucket of backups. Writing to it needs the folder `work`, where files wait until they are sent to a bucket. Throws
 * BackupRefused for a place that cannot be used.
 */
export async function openPlace(name: string, config: Config, work?: string): Promise<Place> {
  if (/\.(?:tgz|tar\.\w+|zip)$/i.test(name))
    throw new BackupRefused(`${name}: An archive ends with .tar. Its parts are compressed already.`);
  if (!name.startsWith('s3:')) {
    if (work !== undefined) requireOutside(name, config);
    return openFolderPlace(name, { write: work !== undefined });
  }
  const [, bucket, prefix = ''] = S3.exec(name) ?? [];
  if (bucket === undefined) throw new BackupRefused(`${name} must look like s3://bucket/prefix.`);
  const { s3 } = config.backup;
  if (!s3)
    throw new BackupRefused(
      `${name} needs the settings of an S3 service: S3_ENDPOINT and its keys, or BACKUP_S3_ENDPOINT, BACKUP_S3_ACCESS_KEY_ID and BACKUP_S3_SECRET_ACCESS_KEY.`,
    );
  return openS3Place({ ...s3, bucket, prefix }, work);
}

/** Throws BackupRefused for a place inside the data folder, because backups there would be lost with the data. */
export function requireOutside(name: string, { dataDir }: Config): void {
  const [place, data] = [resolve(name), resolve(dataDir)];
  if (place === data || place.startsWith(join(data, '/')))
    throw new BackupRefused(
      `${name} is inside of the data folder ${data}, and would be lost with it. Name another place.`,
    );
}
