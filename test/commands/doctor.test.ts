import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseProbes } from '../../src/app/doctor/database-probes.ts';
import { runProbe, Secrets } from '../../src/app/doctor/probe.ts';
import type { Database, Statement } from '../../src/database/database.ts';
import { forward } from '../../src/database/forward.ts';
import { openDatabase } from '../../src/database/open.ts';
import { fails, startModelStub } from '../ai/model-stub.ts';
import { s3Server } from '../blobs/s3-server.ts';
import { createTestDatabase, engines } from '../support/database.ts';
import { startOpenidProvider } from '../support/openid-provider.ts';
import { makeSite, runCanopy } from '../support/run-canopy.ts';
import type { Json } from '../support/site.ts';
import { startTestSite } from '../support/site.ts';
import { startSmtpSink } from '../support/smtp-sink.ts';

const SECRETS = {
  SMTP: 'geheim-und-lang',
  LLM: 'sk-a-key-of-a-model',
  OPENID: 'a-secret-of-the-client',
  S3: 'a-secret-access-key',
  DATABASE: 'a-password-of-the-database',
};
/** Nothing listens there. */
const REFUSING = '127.0.0.1:1';

/** A server that takes connections and says nothing. */
async function startSilent() {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => void sockets.add(socket.on('error', () => {})));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    host: `127.0.0.1:${port}`,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A folder without a site: outside services are tried by the settings alone. */
const NO_SITE = { DATA_DIR: join(tmpdir(), 'canopy-doctor-without-a-site') };

/** Settings for all outside services at one host. */
const settingsAt = (host: string): Record<string, string> => ({
  ...NO_SITE,
  SMTP_URL: `smtp://user:${SECRETS.SMTP}@${host}`,
  LLM_URL: `http://${host}/v1`,
  ...{ LLM_MODEL: 'small', EMBEDDING_MODEL: 'vectors', LLM_API_KEY: SECRETS.LLM },
  ...{ OPENID_ISSUER: `http://${host}`, OPENID_CLIENT_ID: 'canopy', OPENID_CLIENT_SECRET: SECRETS.OPENID },
  ...{ S3_ENDPOINT: `http://${host}`, S3_BUCKET: 'files', S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: SECRETS.S3 },
  PUBLIC_URL: `http://${host}`,
});

const OUTSIDE = ['storage', 'language model', 'embeddings', 'address', 'mail', 'login provider'];

describe('canopy doctor', () => {
  let folder: string;
  let dataDir: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'canopy-doctor-test-'));
    dataDir = join(folder, 'data');
    await makeSite({ DATA_DIR: dataDir, ADMIN_PASSWORD: 'admin' });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** Runs the command. Returns the exit code and the reports by their names. */
  async function doctor(settings: Record<string, string>, ...args: string[]) {
    const { code, out, err } = await runCanopy(['doctor', '--json', '--quiet', ...args], {
      DATA_DIR: dataDir,
      ...settings,
    });
    for (const secret of Object.values(SECRETS)) expect(out + err).not.toContain(secret);
    const { status, probes } = JSON.parse(out || '{}');
    expect(code).toBe({ ok: 0, warning: 3, failed: 1 }[status as string]);
    const by: Record<string, Json> = Object.fromEntries((probes as Json[]).map((probe) => [probe.name, probe]));
    return { code, by, statuses: Object.fromEntries((probes as Json[]).map(({ name, status }) => [name, status])) };
  }

  it('a site without outside services is well, and what is not set is skipped', async () => {
    const { code, statuses, by } = await doctor({});
    expect(code).toBe(0);
    expect(statuses).toMatchObject({
      ...{
        settings: 'ok',
        node: 'ok',
        disk: 'ok',
        database: 'ok',
        clock: 'ok',
        schema: 'ok',
        storage: 'ok',
        upgrade: 'ok',
      },
      ...{ mail: 'skipped', address: 'skipped', 'language model': 'skipped', 'login provider': 'skipped' },
      'jobs:waiting': 'ok',
    });
    expect(by.database?.message).toMatch(/^The embedded PostgreSQL \d+\.\d+ answers in/);
    const people = await runCanopy(['doctor'], { DATA_DIR: dataDir });
    expect(people.out).toMatch(/^ok {7}settings: They can be used\. Database: embedded in /);
  });

  it('services that are there are really used, and no mail is sent unless it is asked for', {
    timeout: 120_000,
  }, async () => {
    const [sink, model, provider] = [await startSmtpSink(), await startModelStub(), await startOpenidProvider({})];
    const site = await startTestSite(undefined, {});
    provider.serve('http://localhost/back');
    const settings = {
      ...NO_SITE,
      ...{ SMTP_URL: sink.url, LLM_URL: model.url, LLM_MODEL: 'small', LLM_API_KEY: SECRETS.LLM },
      ...{ OPENID_ISSUER: provider.issuer, OPENID_CLIENT_ID: 'canopy', OPENID_CLIENT_SECRET: SECRETS.OPENID },
      PUBLIC_URL: site.url,
    };
    try {
      const { statuses, by } = await doctor(settings);
      expect(statuses).toMatchObject({ mail: 'ok', 'language model': 'ok', 'login provider': 'ok' });
      // The address is not that of HOST and PORT, and nobody is trusted.
      expect(by.address).toMatchObject({ status: 'warning', advice: expect.stringContaining('Set TRUST_PROXY') });
      expect([sink.mails.length, model.asked.length]).toEqual([0, 1]);
      expect((await doctor({ ...settings, TRUST_PROXY: 'loopback' }, '--send-to', 'me@example.org')).code).toBe(0);
      expect((await sink.arrived('me@example.org'))[0]?.subject).toBe('A mail to try the mail server');
      model.reply = fails(401);
      expect((await doctor(settings)).by['language model']).toMatchObject({
        status: 'failed',
        message: 'The service of the language model does not accept the key of this site.',
      });
    } finally {
      await Promise.all([sink.close(), model.close(), provider.close(), site.close()]);
    }
  });

  it('a bucket is written to and read, and one that is not there fails', { timeout: 120_000 }, async (test) => {
    const s3 = await s3Server();
    if (!s3) return test.skip();
    const at = {
      ...NO_SITE,
      S3_ENDPOINT: s3.endpoint,
      S3_BUCKET: 'doctor',
      S3_ACCESS_KEY_ID: 'id',
      S3_SECRET_ACCESS_KEY: SECRETS.S3,
    };
    try {
      expect((await doctor(at)).statuses.storage).toBe('failed');
      await fetch(`${s3.endpoint}/doctor`, { method: 'PUT' });
      expect((await doctor(at)).statuses.storage).toBe('ok');
    } finally {
      s3.stop();
    }
  });

  it('services that refuse fail at once, each with what to do', { timeout: 120_000 }, async () => {
    const { code, by } = await doctor(settingsAt(REFUSING));
    expect(code).toBe(1);
    for (const name of OUTSIDE)
      expect(by[name], name).toMatchObject({ status: 'failed', advice: expect.stringMatching(/^(Check|Let) /) });
  });

  it('services that say nothing fail when their time is over', { timeout: 120_000 }, async () => {
    const silent = await startSilent();
    try {
      const start = performance.now();
      const { by } = await doctor(settingsAt(silent.host), '--timeout', '1');
      for (const name of OUTSIDE)
        expect(by[name], name).toMatchObject({ status: 'failed', advice: expect.any(String) });
      expect(performance.now() - start).toBeLessThan(30_000);
      const database = await doctor(
        { DATABASE_URL: `postgres://me:${SECRETS.DATABASE}@${silent.host}/db` },
        '--timeout',
        '1',
      );
      expect(database.by.database).toMatchObject({ status: 'failed' });
    } finally {
      await silent.close();
    }
  });

  it('an address that leads somewhere else is said, and so is a database that refuses', {
    timeout: 120_000,
  }, async () => {
    const front = createHttpServer((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>A front end</p>');
    });
    await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = front.address() as AddressInfo;
      expect((await doctor({ ...NO_SITE, PUBLIC_URL: `http://127.0.0.1:${port}` })).by.address).toMatchObject({
        status: 'failed',
        message: expect.stringContaining('does not lead to Canopy: /++api++/@health is answered with 200 text/html'),
      });
    } finally {
      front.closeAllConnections();
      front.close();
    }
    const { by } = await doctor({ DATABASE_URL: `postgres://me:${SECRETS.DATABASE}@${REFUSING}/db` });
    expect(by.database).toMatchObject({ status: 'failed', advice: expect.stringMatching(/^Check DATABASE_URL/) });
  });

  it('a folder that a server uses is no failure, and one without a site is left as it is', async () => {
    const db = await openDatabase({ dataDir, log() {} });
    try {
      expect((await doctor({})).by.database).toMatchObject({
        status: 'skipped',
        message: expect.stringContaining('Another process uses'),
      });
    } finally {
      await db.close();
    }
    const empty = join(folder, 'empty');
    await mkdir(empty);
    expect((await doctor({ DATA_DIR: join(empty, 'data') })).statuses).toMatchObject({
      database: 'skipped',
      storage: 'skipped',
    });
    expect(await readdir(empty)).toEqual([]);
  });

  it('migrations that wait are a warning, and are not applied', async () => {
    const db = await openDatabase({ dataDir, log() {} });
    const [last] = await db.query<{ id: number }>({
      text: 'delete from schema_migration where id = (select max(id) from schema_migration) returning id',
    });
    await db.close();
    const { code, by } = await doctor({});
    expect([code, by.schema?.status]).toEqual([3, 'warning']);
    expect(by.schema?.message).toMatch(new RegExp(`^1 migrations wait, the first is 0*${last?.id}_`));
    expect((await doctor({})).by.schema?.status).toBe('warning');
  });

  it.runIf(engines().includes('postgresql'))('a PostgreSQL shows its version, connections and clock', async () => {
    const { database, url = '', drop } = await createTestDatabase('postgresql');
    try {
      const { by } = await doctor({ DATABASE_URL: url });
      expect(by.database).toMatchObject({ status: 'ok', message: expect.stringMatching(/on PostgreSQL \d+/) });
      expect(by.connections?.message).toMatch(/^\d+ of \d+ connections are free\.$/);
      expect(by.schema).toMatchObject({ status: 'skipped' });
      await expectSkew(database);
    } finally {
      await drop();
    }
  });

  /** A clock of the database that is wrong is a warning, and a very wrong one a failure. */
  async function expectSkew(db: Database): Promise<void> {
    const off = (milliseconds: number) =>
      forward(db, {
        async query<R extends object>(statement: Statement): Promise<R[]> {
          const rows = await db.query<R>(statement);
          const isClock = statement.text.includes('clock_timestamp');
          return isClock ? rows.map((row) => ({ ...row, now: new Date(Date.now() + milliseconds) })) : rows;
        },
      });
    const status = async (milliseconds: number) => {
      const probe = databaseProbes(off(milliseconds), { db, isCurrent: false }).find(({ name }) => name === 'clock');
      if (!probe) throw new Error('There is no probe of the clock');
      return (await runProbe(probe, { timeoutMs: 5000, secrets: new Secrets() })).status;
    };
    expect([await status(500), await status(-5_000), await status(60_000)]).toEqual(['ok', 'warning', 'failed']);
  }

  it.each([
    [['--timeout', '0'], '--timeout must be a number of seconds from 1 to 120.'],
    [['--send-to', 'nobody'], '--send-to must be an e-mail address.'],
  ])('doctor %s is wrong use', async (args, message) => {
    const { code, err } = await runCanopy(['doctor', ...args], { DATA_DIR: dataDir });
    expect([code, err]).toEqual([2, `canopy: ${message}\n`]);
  });
});
