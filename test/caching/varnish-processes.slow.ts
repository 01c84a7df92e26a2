import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requestTo } from '../../src/app/test-client.ts';
import { isBuilt, Program } from '../start/program.ts';
import { createTestDatabase, engines } from '../support/database.ts';
import { freePort, hasVarnish, startVarnish } from '../support/varnish.ts';

/** Milliseconds after a write within which Varnish must have nothing old any more, and the same when a process was killed after it. */
const BOUND_MS = 5000;
const KILLED_BOUND_MS = 25_000;
const ROUNDS = Number(process.env.VARNISH_ROUNDS ?? 6);
const PATHS = [
  '/',
  '/@navigation',
  '/a',
  '/a/x',
  '/a/x?expand=breadcrumbs,navigation',
  '/@search?SearchableText=title',
];

const isThere = hasVarnish() && isBuilt() && engines().includes('postgresql');
if (!isThere) console.log('Processes behind Varnish are not tested: they need Varnish, PostgreSQL and a build.');

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe.skipIf(!isThere).each(['xkey', 'ban'])(
  'two processes on one PostgreSQL behind Varnish, purged by %s',
  (method) => {
    let database: Awaited<ReturnType<typeof createTestDatabase>>;
    let varnish: Awaited<ReturnType<typeof startVarnish>>;
    let dataDir: string;
    const running = new Map<number, Program>();

    /** Starts a process of the site at a port, and returns what sends requests to it. */
    async function start(port: number) {
      const program = new Program(['start'], {
        ...{ DATABASE_URL: database.url ?? '', DATA_DIR: dataDir, PORT: String(port), HOST: '127.0.0.1' },
        ...{ ADMIN_PASSWORD: 'admin', WEBHOOK_PRIVATE_ADDRESSES: '1', PUBLIC_URL: 'http://site.example' },
      });
      running.set(port, program);
      await program.address();
      return requestTo(`http://127.0.0.1:${port}`);
    }

    /** Ends a process without any warning. */
    async function kill(port: number): Promise<void> {
      const program = running.get(port);
      running.delete(port);
      program?.process.kill('SIGKILL');
      await program?.ended();
    }

    let ports: [number, number];
    let first: ReturnType<typeof requestTo>;
    let second: ReturnType<typeof requestTo>;
    let written = 0;

    beforeAll(async () => {
      database = await createTestDatabase('postgresql');
      dataDir = await mkdtemp(join(tmpdir(), 'canopy-varnish-'));
      ports = [await freePort(), await freePort()];
      first = await start(ports[0]);
      second = await start(ports[1]);
      const must = async (verb: string, path: string, json: object) => {
        const { status, text } = await first(verb, path, { json });
        expect(status, `${verb} ${path}: ${text}`).toBeLessThan(300);
      };
      await must('POST', '/', { '@type': 'Folder', id: 'a', title: 'A' });
      await must('POST', '/a/@workflow/publish', {});
      await must('POST', '/a', { '@type': 'Page', id: 'x', title: 'X' });
      await must('POST', '/a/x/@workflow/publish', {});
      varnish = await startVarnish(`http://127.0.0.1:${ports[0]}`);
      await must('PATCH', '/@controlpanels/caching', {
        ...{ enabled: true, terse_smaxage: 3600, terse_maxage: 3600, tag_header: 'Surrogate-Key' },
        ...{ purge_method: method, caching_proxies: [varnish.url] },
      });
      await sleep(500);
    });
    afterAll(async () => {
      await varnish?.close();
      for (const port of running.keys()) await kill(port);
      await database?.drop();
      await rm(dataDir, { recursive: true, force: true });
    });

    /** Fills Varnish, and writes by one of the processes. Returns when the write was acknowledged. */
    async function write(by: ReturnType<typeof requestTo>): Promise<number> {
      for (const path of PATHS) await varnish.get(path);
      written += 1;
      const { status } = await by('PATCH', '/a/x', { json: { title: `Title ${written}` } });
      expect(status).toBe(204);
      return Date.now();
    }

    /** Milliseconds from a time until Varnish responds like the first process everywhere. Fails when that is later than a bound. */
    async function untilFresh(from: number, bound: number): Promise<number> {
      for (;;) {
        const old: string[] = [];
        for (const path of PATHS) {
          const [cached, fresh] = [await varnish.get(path), await first('GET', path, { as: 'anonymous' })];
          if (cached.status !== fresh.status || cached.text !== fresh.text) old.push(path);
        }
        if (old.length === 0) return Date.now() - from;
        expect(Date.now() - from, `old at ${old.join(', ')}`).toBeLessThan(bound);
        await sleep(20);
      }
    }

    it('a write of either process reaches all readers within the bound', { timeout: 300_000 }, async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        await untilFresh(await write(round % 2 === 0 ? first : second), BOUND_MS);
      }
    });

    it('another process tells Varnish what one that was killed has written', { timeout: 600_000 }, async () => {
      const delays: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const acknowledged = await write(second);
        await sleep(Math.random() * 40);
        await kill(ports[1]);
        delays.push(await untilFresh(acknowledged, KILLED_BOUND_MS));
        second = await start(ports[1]);
      }
      console.log(`${method}: killed after the write: old for ${delays.sort((a, b) => a - b).join(', ')} ms`);
    });

    it('the only process tells Varnish after its restart what it had written before it was killed', {
      timeout: 600_000,
    }, async () => {
      await kill(ports[1]);
      const delays: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        await write(first);
        await sleep(Math.random() * 40);
        await kill(ports[0]);
        first = await start(ports[0]);
        delays.push(await untilFresh(Date.now(), KILLED_BOUND_MS));
      }
      console.log(`${method}: after the restart: old for ${delays.sort((a, b) => a - b).join(', ')} ms`);
    });
  },
);
