import { access, constants, statfs } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Config } from '../../core/configuration/environment/config.ts';
import { sizeText } from '../../features/monitoring/database.ts';
import { spaceStatus } from '../../features/monitoring/health-checks.ts';
import { placeOf } from '../open-site.ts';
import { ok, type Probe, skipped } from './probe.ts';

/** The oldest version of Node.js that runs the program. */
const MIN_NODE: readonly [major: number, minor: number] = [20, 19];

const nodeProbe: Probe = {
  name: 'node',
  advice: 'Install a newer Node.js.',
  async run() {
    const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
    const isOld = major < MIN_NODE[0] || (major === MIN_NODE[0] && minor < MIN_NODE[1]);
    if (isOld)
      return {
        status: 'failed',
        message: `Node.js ${process.version} is too old.`,
        advice: `Install ${MIN_NODE.join('.')} or newer.`,
      };
    return ok(`Node.js ${process.version} on ${process.platform} ${process.arch}.`);
  },
};

/** Reports the effect of the settings, without secrets. */
function settingsProbe({ databaseUrl, dataDir, s3, publicUrl, profile }: Config): Probe {
  return {
    name: 'settings',
    advice: 'See docs/settings.md.',
    run: async () => {
      const database = databaseUrl === undefined ? `embedded in ${resolve(dataDir)}` : placeOf(databaseUrl);
      const files = s3 ? `in the bucket ${s3.bucket} at ${s3.endpoint}` : `in ${resolve(dataDir)}`;
      return ok(
        `They can be used. Database: ${database}; files: ${files}; address: ${publicUrl ?? 'that of the requests'}; profile: ${profile}.`,
      );
    },
  };
}

function diskProbe({ dataDir }: Config): Probe {
  const folder = resolve(dataDir);
  return {
    name: 'disk',
    advice: `Make ${folder}, or name another folder with DATA_DIR; the user of the server must be able to write into it.`,
    async run() {
      try {
        await access(folder, constants.W_OK | constants.X_OK);
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
          return skipped(`There is no folder ${folder} yet: canopy start makes it.`);
        throw error;
      }
      const { bavail, bsize } = await statfs(folder);
      const free = bavail * bsize;
      const status = spaceStatus(free);
      const message = `${sizeText(free)} are free at ${folder}.`;
      if (status === 'pass') return ok(message);
      const advice = 'Make room on the disk: without it writes fail.';
      return { status: status === 'warn' ? 'warning' : 'failed', message, advice };
    },
  };
}

/** Probes of the settings and the machine. */
export const machineProbes = (config: Config): Probe[] => [settingsProbe(config), nodeProbe, diskProbe(config)];
