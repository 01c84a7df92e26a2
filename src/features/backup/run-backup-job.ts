import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import type { Config, JobAction } from '#core';
import { Conflict } from '#lib/errors';
import { isJsonObject } from '#lib/json-object';
import { packageFolder } from '#lib/process/process';
import { BACKUP_ACTION } from './schedule-backups.ts';

/** Maximum length of the reason of a failure, in characters. */
const MAX_REASON_LENGTH = 500;

/** The environment of the command: that of this process, with the places of the site from its config. */
function environmentOf({ dataDir, databaseUrl, databaseDirectUrl, s3 }: Config): NodeJS.ProcessEnv {
  return {
    ...process.env,
    DATA_DIR: dataDir,
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
    ...(databaseDirectUrl === undefined ? {} : { DATABASE_DIRECT_URL: databaseDirectUrl }),
    ...(s3 && {
      S3_ENDPOINT: s3.endpoint,
      S3_BUCKET: s3.bucket,
      S3_REGION: s3.region,
      S3_ACCESS_KEY_ID: s3.accessKeyId,
      S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
      S3_PREFIX: s3.prefix ?? '',
    }),
  };
}

/** The last line of the output of the command, which is the reason of its failure. */
const reasonOf = (said: string): string =>
  (said.trim().split('\n').at(-1) ?? '').replace(/^canopy: /, '').slice(0, MAX_REASON_LENGTH);

/**
 * Makes a backup by the command line, in a process of its own, so that requests do not wait for it. The place is a setting: a user
 * who may start jobs cannot have files written elsewhere on the server.
 */
export const backupAction: JobAction = {
  name: BACKUP_ACTION,
  title: 'Back up the site',
  description: 'Makes a backup of the whole site in BACKUP_TARGET, where the newest BACKUP_KEEP stay.',
  schema: { fieldsets: [{ id: 'default', title: 'Default', fields: [] }], properties: {}, required: [] },
  exclusive: true,
  async run({ kernel: { config }, signal }) {
    const { target, keep } = config.backup;
    if (target === undefined) throw new Conflict('The setting BACKUP_TARGET names no place for backups.');
    const args = ['backup', target, '--json', ...(keep === undefined ? [] : [`--keep=${keep}`])];
    const child = spawn(process.execPath, [packageFolder('dist/bin/canopy.js'), ...args], {
      env: environmentOf(config),
      stdio: ['ignore', 'pipe', 'pipe'],
      signal,
    });
    const ended = new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    const [code, out, said] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
    if (code !== 0) throw new Conflict(`The backup failed: ${reasonOf(said)}`);
    const summary: unknown = JSON.parse(out);
    return isJsonObject(summary) ? summary : undefined;
  },
};
