import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { askAll } from '../security/matrix/ask-all.ts';
import { OF_THE_FEED } from '../security/matrix/note-writes.ts';
import { ROWS } from '../security/matrix/rows.ts';
import { type Scene, startScene } from '../security/matrix/scene.ts';
import { describeEachEngine } from '../support/database.ts';
import type { Json } from '../support/site.ts';

const WRITES = ROWS.filter(({ ask }) => !ask.startsWith('GET ') && !/@(?:querystring-)?search/.test(ask));

/** Tables that background work and rejected requests write to as well, and that of the test. */
const PASSED_OVER = ['account_login', 'login_failure', 'noted_row', 'queue_item', 'visitor_request', ...OF_THE_FEED];

describeEachEngine('a dry run of every write of the permission matrix', (engine) => {
  let scene: Scene;
  const problems: string[] = [];
  const [dry, alone] = [new Set<string>(), new Set<string>()];

  beforeAll(async () => {
    const plain = await startScene(engine);
    const { db, config } = plain.site.kernel;
    const tables = await db.query<{ name: string }>({
      text: 'select tablename as name from pg_tables where schemaname = current_schema() and tablename <> all($1) order by 1',
      values: [PASSED_OVER],
    });
    /** The numbers of queued work. Mails that wait are tried meanwhile, and go when their time is over. */
    const queued = async (): Promise<Set<unknown>> =>
      new Set((await db.query({ text: 'select id from queue_item' })).map(({ id }) => id));
    /** A digest of every row of every table. */
    const rows = async (): Promise<Map<string, string>> => {
      const parts = tables.map(
        ({ name }) =>
          `select '${name}' as name, md5(coalesce(string_agg(md5(t::text), '' order by md5(t::text)), '')) as rows from ${name} t`,
      );
      const digests = await db.query<{ name: string; rows: string }>({ text: parts.join(' union all '), reads: true });
      return new Map(digests.map((one) => [one.name, one.rows]));
    };
    /** A digest of every file of the data directory, the embedded database apart. */
    const files = async (): Promise<string> => {
      const entries = await readdir(config.dataDir, { recursive: true, withFileTypes: true });
      const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
      const own = paths.filter((path) => !path.startsWith(join(config.dataDir, 'pgdata'))).sort();
      const digest = async (path: string) =>
        createHash('sha256')
          .update(await readFile(path))
          .digest('hex');
      return JSON.stringify(await Promise.all(own.map(async (path) => [path, await digest(path)])));
    };
    const steps = async (): Promise<Json[]> =>
      db.query({
        text: 'select transaction, number, action, content, path from site_transaction_step order by transaction, number',
      });
    /** A change by its action, and by its object where it is of content. */
    const nameOf = ({ action, path, isContent }: { action: string; path: string; isContent: boolean }): string =>
      isContent ? `${action} ${path}` : action;
    scene = {
      ...plain,
      callers: plain.callers.filter(({ name }) => name === 'Manager'),
      async send(request) {
        if (request.method === 'GET') return plain.send(request);
        const what = `${request.method} ${request.address}`;
        const address = `${request.address}${request.address.includes('?') ? '&' : '?'}dry_run=1`;
        const [before, waiting, stored] = [await rows(), await queued(), await files()];
        const rehearsed = await plain.send({ ...request, address });
        for (const [table, digest] of await rows())
          if (before.get(table) !== digest) problems.push(`The dry run of ${what} changed rows of ${table}`);
        if ([...(await queued())].some((id) => !waiting.has(id))) problems.push(`The dry run of ${what} queued work`);
        if ((await files()) !== stored) problems.push(`The dry run of ${what} left files`);
        const recorded = (await steps()).length;
        await plain.written();
        const real = await plain.send(request);
        if (rehearsed.text.includes('A dry run is not possible here.')) {
          alone.add(what);
          return real;
        }
        dry.add(what);
        const status = real.status === 204 ? 200 : real.status;
        if (rehearsed.status !== status)
          problems.push(`${what}: ${rehearsed.status} ${rehearsed.text}, then ${real.status} ${real.text}`);
        if (real.status >= 400) return real;
        const report: Json = JSON.parse(rehearsed.text);
        if (report.dry_run !== true) problems.push(`${what} does not say that it is a dry run`);
        const actions = report.changes.filter(({ type }: Json) => type === 'content' || type === 'site');
        const done = (await steps())
          .slice(recorded)
          .map(({ action, path, content }) => nameOf({ action, path, isContent: content !== null }));
        const planned = actions.map(({ action, path, type }: Json) =>
          nameOf({ action, path, isContent: type === 'content' }),
        );
        // Several edits of one object are one step of a transaction.
        if (JSON.stringify([...new Set(planned)].sort()) !== JSON.stringify([...new Set(done)].sort()))
          problems.push(`${what}: the report has ${planned}, the write did ${done}`);
        const reported = report.changes.filter(({ type }: Json) => type === 'rows').map(({ table }: Json) => table);
        const written = await scene.site.kernel.db.query<{ name: string }>({
          text: 'select distinct name from noted_row',
        });
        for (const { name } of written)
          if (!reported.includes(name)) problems.push(`${what}: the report of ${reported} lacks ${name}`);
        return real;
      },
    };
    await scene.enter('private');
  });
  afterAll(() => scene?.close());

  it.each(WRITES)('$ask $with $query $json', async (row) => {
    expect(await askAll(scene, row, 'private')).toEqual([]);
    expect(problems.splice(0)).toEqual([]);
  });

  it('most writes can be rehearsed', () => {
    expect(dry.size).toBeGreaterThan(100);
    expect(alone.size).toBeGreaterThan(5);
  });
});
