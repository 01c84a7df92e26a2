import { resolve } from 'node:path';
import type { Config } from '../../core/configuration/environment/config.ts';
import { hasSite } from '../../core/people/statements/accounts.ts';
import { type Database, loadFigures } from '../../database/database.ts';
import { pendingMigrations } from '../../database/migrate.ts';
import { hasEmbedded, openDatabase } from '../../database/open.ts';
import { holdFolder } from '../../database/pglite/data-lock.ts';
import { connectionFigures, databaseTime } from '../../database/statements/server-figures.ts';
import { sizeText } from '../../features/monitoring/database.ts';
import { pingDatabase } from '../../features/monitoring/statements.ts';
import { packageFolder } from '../../lib/process/process.ts';
import { ok, type Probe, type ProbeResult, skipped } from './probe.ts';

/** Milliseconds of one statement above which pages get slow: each page needs several statements, one after another. */
const SLOW_MS = 20;
const PINGS = 5;
/** Number of connections that a process uses. */
const WANTED_CONNECTIONS = 12;
/** Differences of clocks in milliseconds: from the first on dates of publication act late, from the second on tokens and codes are rejected. */
const SKEW_WARNING_MS = 2_000;
const SKEW_FAILURE_MS = 30_000;

/** A database that a probe has opened; undefined if it could not. `isCurrent` says that it has a site with the present schema. */
export type ProbedDatabase = { db: Database | undefined; isCurrent: boolean };

/** Opens the database and reports its response time. The caller closes the database, even if it opens after the timeout. */
export function openingProbe({ databaseUrl, databaseDirectUrl, dataDir }: Config, probed: ProbedDatabase): Probe {
  return {
    name: 'database',
    advice:
      databaseUrl === undefined
        ? 'End the process that uses the folder, or name another one with DATA_DIR.'
        : 'Check DATABASE_URL, that the server runs, and that it takes connections of this user from this machine.',
    async run(signal) {
      if (databaseUrl === undefined && !hasEmbedded(dataDir))
        return skipped(`There is no embedded database in ${resolve(dataDir)} yet: canopy start makes it.`);
      const lock = databaseUrl === undefined ? await holdFolder(resolve(dataDir)) : undefined;
      if (databaseUrl === undefined && !lock)
        return skipped(`Another process uses ${resolve(dataDir)}. If that is the server, its @health says how it is.`);
      await lock?.release();
      const db = await openDatabase({ databaseUrl, directUrl: databaseDirectUrl, dataDir, log() {} });
      if (signal.aborted) {
        await db.close();
        return skipped('It was opened too late.');
      }
      probed.db = db;
      const { engine, version, name, bytes } = await loadFigures(db);
      const times: number[] = [];
      for (let ping = 0; ping < PINGS; ping += 1) {
        const start = performance.now();
        await pingDatabase(db);
        times.push(performance.now() - start);
      }
      const median = times.sort((a, b) => a - b)[Math.floor(PINGS / 2)] ?? 0;
      const what = engine === 'pglite' ? 'The embedded PostgreSQL' : `"${name}" on PostgreSQL`;
      const message = `${what} ${version} answers in ${median.toFixed(1)} ms, ${sizeText(bytes)}; no extension is needed.`;
      if (median <= SLOW_MS) return ok(message);
      return {
        status: 'warning',
        message,
        advice: 'Run the server nearer to the database: a page takes several statements.',
      };
    },
  };
}

const ADVICE = 'See the log of the database.';

const connectionsProbe = (db: Database): Probe => ({
  name: 'connections',
  advice: ADVICE,
  async run() {
    if (db.engine === 'pglite') return skipped('The embedded database has one connection.');
    const { most, used } = await connectionFigures(db);
    const free = most - used;
    const message = `${free} of ${most} connections are free.`;
    if (free >= WANTED_CONNECTIONS) return ok(message);
    return {
      status: free > 0 ? 'warning' : 'failed',
      message,
      advice: `A process takes up to ${WANTED_CONNECTIONS}: raise max_connections, or put a pooler in between.`,
    };
  },
});

const clockProbe = (db: Database): Probe => ({
  name: 'clock',
  advice: ADVICE,
  async run() {
    const before = Date.now();
    const there = await databaseTime(db);
    const skew = there.getTime() - (before + Date.now()) / 2;
    const message = `The clock of the database is ${(Math.abs(skew) / 1000).toFixed(1)} seconds ${skew < 0 ? 'behind' : 'ahead'}.`;
    if (Math.abs(skew) <= SKEW_WARNING_MS) return ok(message);
    return {
      status: Math.abs(skew) > SKEW_FAILURE_MS ? 'failed' : 'warning',
      message,
      advice: 'Set both clocks by NTP: tokens, codes and dates of publication depend on them.',
    };
  },
});

/** Reports the changes that the next start would make. */
const schemaProbe = (db: Database, probed: ProbedDatabase): Probe => ({
  name: 'schema',
  advice: 'Use the version of Canopy that the database was used with last, or a newer one.',
  async run(): Promise<ProbeResult> {
    if (!(await hasSite(db))) return skipped('There is no site in the database yet: canopy start makes it.');
    const pending = await pendingMigrations(db, packageFolder('migrations'));
    if (pending.length > 0)
      return {
        status: 'warning',
        message: `${pending.length} migrations wait, the first is ${pending[0]}.`,
        advice: 'Make a backup, and start this version: it applies them.',
      };
    probed.isCurrent = true;
    return ok('It is up to date.');
  },
});

/** Probes of an open database. */
export const databaseProbes = (db: Database, probed: ProbedDatabase): Probe[] => [
  connectionsProbe(db),
  clockProbe(db),
  schemaProbe(db, probed),
];
