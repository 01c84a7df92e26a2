import { afterAll, beforeAll, expect, it } from 'vitest';
import { askAll } from '../security/matrix/ask-all.ts';
import { ROWS } from '../security/matrix/rows.ts';
import { type Scene, startScene } from '../security/matrix/scene.ts';
import { describeEachEngine } from '../support/database.ts';
import type { Json } from '../support/site.ts';
import { valuesAfter, valuesBefore } from './reported-changes.ts';
import { differing, PASSED_OVER, type StoredRows, storedRows } from './stored-rows.ts';

const WRITES = ROWS.filter(({ ask }) => !ask.startsWith('GET ') && !/@(?:querystring-)?search/.test(ask));

type Exception = { write: RegExp; table: string; reason: string };

/** Tables that a report need not name although the write changes them. */
const UNREPORTED: readonly Exception[] = [
  { write: /^/, table: 'site_change', reason: 'it says which cached responses are out of date' },
  {
    write: /^DELETE \/@users\//,
    table: 'announced_content',
    reason: 'the feed compares who sees what after the commit',
  },
  { write: /^DELETE \/@users\//, table: 'content_event', reason: 'the feed compares who sees what after the commit' },
];

/** Tables that a report names although nothing in them differs afterwards: the database counts rows that are written as they are. */
const UNCHANGED: readonly Exception[] = [
  { write: /^POST \/@upgrade$/, table: 'site_state', reason: 'it rehearses the upgrade by itself' },
  { write: /^POST \/@addons\/[^/]+\/import\//, table: 'configuration', reason: 'the profile sets what is set' },
  { write: /^PATCH \/private-page$/, table: 'reference', reason: 'the links of a page are written anew' },
  { write: /^POST \/@promotion$/, table: 'reference', reason: 'the links of a page are written anew' },
  { write: /^(?:PATCH|DELETE) \/@lock$/, table: 'content', reason: 'without a lock none is written' },
  { write: /^PATCH \/@groups\//, table: 'principal_group', reason: 'the members alone are others' },
  { write: /\/@provider-accounts$/, table: 'account', reason: 'the roles are those that it had' },
  { write: /^PATCH \/@users\//, table: 'account', reason: 'the values are those that it had' },
];

const isException = (exceptions: readonly Exception[], what: string, name: string): boolean =>
  exceptions.some(({ write, table }) => table === name && write.test(what));

describeEachEngine('a dry run of every write of the permission matrix', (engine) => {
  let scene: Scene;
  const problems: string[] = [];
  const [dry, alone] = [new Set<string>(), new Set<string>()];

  beforeAll(async () => {
    const plain = await startScene(engine);
    const { db, config } = plain.site.kernel;
    const stored: StoredRows = await storedRows(db, config.dataDir);
    const { token = '' } = plain.callers.find(({ name }) => name === 'Manager') ?? {};
    const read = async (path: string): Promise<Json | undefined> => {
      const address = path === '/' ? '/' : path.split('/').map(encodeURIComponent).join('/');
      const { status, text } = await plain.send({ method: 'GET', address, token });
      return status === 200 ? JSON.parse(text) : undefined;
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
        const [before, waiting, files] = [await stored.digests(), await stored.queued(), await stored.files()];
        const rehearsed = await plain.send({ ...request, address });
        for (const table of differing(before, await stored.digests()))
          problems.push(`The dry run of ${what} changed rows of ${table}`);
        if ([...(await stored.queued()).keys()].some((id) => !waiting.has(id)))
          problems.push(`The dry run of ${what} queued work`);
        if ((await stored.files()) !== files) problems.push(`The dry run of ${what} left files`);
        const report: Json = rehearsed.status < 400 ? JSON.parse(rehearsed.text) : { changes: [] };
        const changes: Json[] = report.changes ?? [];
        problems.push(...(await valuesBefore(changes, read)).map((problem) => `${what}: ${problem}`));
        const recorded = (await steps()).length;
        const [unwritten, queuedBefore] = [await stored.digests(), await stored.queued()];
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
        if (report.dry_run !== true) problems.push(`${what} does not say that it is a dry run`);
        const actions = changes.filter(({ type }) => type === 'content' || type === 'site');
        const done = (await steps())
          .slice(recorded)
          .map(({ action, path, content }) => nameOf({ action, path, isContent: content !== null }));
        const planned = actions.map(({ action, path, type }: Json) =>
          nameOf({ action, path, isContent: type === 'content' }),
        );
        // Several edits of one object are one step of a transaction.
        if (JSON.stringify([...new Set(planned)].sort()) !== JSON.stringify([...new Set(done)].sort()))
          problems.push(`${what}: the report has ${planned}, the write did ${done}`);
        const reported = changes.filter(({ type }) => type === 'rows').map(({ table }) => table);
        const noted = await db.query<{ name: string }>({ text: 'select distinct name from noted_row' });
        const different = differing(unwritten, await stored.digests());
        const written = new Set([...noted.map(({ name }) => name), ...different]);
        for (const name of written)
          if (!reported.includes(name) && !isException(UNREPORTED, what, name))
            problems.push(`${what}: the report of ${reported} lacks ${name}`);
        for (const name of reported)
          if (!written.has(name) && !isException(UNCHANGED, what, name) && !PASSED_OVER.has(name))
            problems.push(`${what}: the report names ${name}, the write of ${[...written]} leaves it as it was`);
        problems.push(...(await valuesAfter(changes, { read, db })).map((problem) => `${what}: ${problem}`));
        const leaving = changes.filter(({ type }) => type === 'outgoing').map(({ kind }) => kind);
        const begun = [...(await stored.queued())].filter(([id]) => !queuedBefore.has(id)).map(([, kind]) => kind);
        // Mails that nobody is to get are gone by now.
        if (leaving.length > 0 !== written.has('queue_item') || begun.some((kind) => !leaving.includes(kind)))
          problems.push(`${what}: the report has ${leaving} leave, the write has queued ${begun}`);
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
