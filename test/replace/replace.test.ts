import { afterAll, beforeAll, expect, it } from 'vitest';
import { binOf } from '../recyclebin/recyclebin-site.ts';
import { describeEachEngine } from '../support/database.ts';
import { type Json, startTestSite, type TestSite, type Who } from '../support/site.ts';
import { whileMeasured } from '../support/standstill.ts';

describeEachEngine('replacing', (engine) => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startTestSite(engine);
  });
  afterAll(() => site.close());
  const { add, user, read, rows, request, fresh } = binOf(() => site);
  const replace = (path: string, json: Json, as: Who = 'admin') => request('POST', `${path}/@replace`, { as, json });
  const word = () => fresh('Qwerty');

  it('a replacement changes texts of fields and blocks, but no names, types, references or addresses', async () => {
    const from = word();
    const target = await add('/', 'Page', { id: from, title: 'Target' });
    const block = {
      '@type': 'slate',
      plaintext: `say ${from}`,
      className: from,
      [from]: 'key',
      value: [{ type: from, data: { url: target['@id'] }, children: [{ text: `A ${from}<b>` }] }],
      href: [{ '@id': target['@id'], title: from }],
      variation: from,
      cards: [{ cardTitle: from, custom: `several words ${from}` }],
    };
    const html = { '@type': 'html', html: `<p title="${from}">${from} &amp; co</p>` };
    const page = await add('/', 'News Item', {
      title: `${from}!`,
      text: `<p><a href="/${from}">${from} &amp; more</a></p>`,
      blocks: { a: block, b: html },
      blocks_layout: { items: ['a', 'b'] },
      subjects: [from],
    });
    const { status, body } = await replace('', { pattern: `${from}( & )?`, replacement: 'R&D <$1>' });
    expect(status, JSON.stringify(body)).toBe(200);
    const { fields, ...change } = body.changes.find(({ path }: Json) => path === page.path);
    expect(change).toEqual({ title: `${from}!`, path: page.path });
    expect(fields.sort()).toEqual(['blocks', 'text', 'title']);
    const now = await read(page.path);
    expect(now.title).toBe('R&D <>!');
    expect(now.text.data).toBe(`<p><a href="${target['@id']}">R&amp;D &lt; &amp; &gt;more</a></p>`);
    expect(now.blocks.a).toMatchObject({
      '@type': 'slate',
      plaintext: 'say R&D <>',
      className: from,
      [from]: 'key',
      value: [{ type: from, data: { url: target['@id'] }, children: [{ text: 'A R&D <><b>' }] }],
      variation: from,
      cards: [{ cardTitle: 'R&D <>', custom: 'several words R&D <>' }],
    });
    expect(now.blocks.b.html).toBe(`<p title="${from}">R&amp;D &lt; &amp; &gt;co</p>`);
    expect((await read(target.path)).UID).toBe(target.UID);
  });

  it('a replacement changes only content at or below the path that the caller may modify', async () => {
    const from = word();
    const folder = await add('/', 'Folder', { title: from });
    const twin = await add('/', 'Folder', { id: `${folder.id}-archive`, title: from });
    const who = await user(folder.path, { Reader: true });
    const own = await add(folder.path, 'Page', { title: from });
    await request('POST', `${own.path}/@sharing`, {
      json: { entries: [{ id: (who as { login: string }).login, type: 'user', roles: { Editor: true } }] },
    });
    expect((await replace(folder.path, { pattern: from, replacement: 'x' }, who)).status).toBe(403);
    expect((await replace(own.path, { pattern: from, replacement: 'Mine' }, who)).body.changes).toHaveLength(1);
    const { body } = await replace(folder.path, { pattern: from, replacement: 'Theirs' });
    expect(body.changes.map(({ path }: Json) => path)).toEqual([folder.path]);
    expect((await read(twin.path)).title).toBe(from);
    expect((await read(own.path)).title).toBe('Mine');
  });

  it('a replacement validates values, makes a version and updates the catalog, as every change does', async () => {
    const from = word();
    const page = await add('/', 'Page', { title: from });
    const link = await add('/', 'Link', { title: 'Link', description: from, remoteUrl: 'https://example.org' });
    await request('POST', `${link.path}/@lock`, { json: {} });
    const required = await add('/', 'Page', { title: `${from}x`, description: 'y' });
    const emptied = await replace('', { pattern: `^${from}x$`, replacement: '' });
    expect(emptied.body.changes).toEqual([]);
    expect(emptied.body.skipped).toMatchObject([{ path: required.path, reason: expect.stringContaining('title') }]);
    const { body } = await replace('', { pattern: `^${from}$`, replacement: 'Marimba' });
    expect(body.changes.map(({ path }: Json) => path)).toEqual([page.path]);
    expect(body.skipped).toEqual([{ title: 'Link', path: link.path, reason: 'Locked' }]);
    expect((await read('/@search?SearchableText=Marimba')).items_total).toBe(1);
    const [version] = await rows(
      'select note, fields from version where content = (select oid from content where uid = $1) order by number desc limit 1',
      [page.UID],
    );
    expect(version).toEqual({ note: `Replaced text from "^${from}$" to "Marimba".`, fields: ['title'] });
    expect((await read(page.path)).modified > page.modified).toBe(true);
  });

  it('a replacement has options for a dry run, literal text, ignoring case, and addresses', async () => {
    const from = word();
    const page = await add('/', 'Link', { title: `${from}.* (${from})`, remoteUrl: `https://example.org/${from}` });
    const tried = await replace('', { pattern: from, replacement: 'x', dry_run: true });
    expect(tried.body.changes).toEqual([{ title: page.title, path: page.path, fields: ['title'] }]);
    expect((await read(page.path)).title).toBe(page.title);
    await replace('', { pattern: `${from}.*`, replacement: '$& $1', regular_expression: false });
    expect((await read(page.path)).title).toBe(`$& $1 (${from})`);
    await replace('', { pattern: from.toUpperCase(), replacement: 'y', ignore_case: true, urls: true });
    expect(await read(page.path)).toMatchObject({ title: '$& $1 (y)', remoteUrl: 'https://example.org/y' });
  });

  it('a limited replacement continues after the path that the last response named', async () => {
    const from = word();
    const folder = await add('/', 'Folder');
    for (let n = 0; n < 5; n += 1) await add(folder.path, 'Page', { title: `${from} ${n}` });
    const seen: string[] = [];
    let after = '';
    for (let calls = 0; calls < 3; calls += 1) {
      const { body } = await replace(folder.path, { pattern: from, replacement: `${from} again`, limit: 2, after });
      seen.push(...body.changes.map(({ title }: Json) => title));
      after = body.next;
    }
    expect(after).toBeUndefined();
    expect(seen.sort()).toEqual([0, 1, 2, 3, 4].map((n) => `${from} ${n}`));
  });

  it('an invalid pattern is rejected, and a pattern with exponential backtracking elsewhere does not block the server', async () => {
    await add('/', 'Page', { title: 'a'.repeat(200), rights: `${'a'.repeat(50_000)}!` });
    const bad = { pattern: 'a', replacement: 'b' };
    for (const json of [
      { ...bad, pattern: '(' },
      { ...bad, pattern: '(?=a)' },
      { ...bad, pattern: '(a)\\1' },
      { ...bad, pattern: 'a{100000}' },
      { ...bad, pattern: 'x'.repeat(1001) },
      { ...bad, pattern: 7 },
      { ...bad, replacement: 'x'.repeat(10_001) },
      { ...bad, limit: 0 },
      { ...bad, dry_run: 'yes' },
      { ...bad, after: 5 },
    ])
      expect((await replace('', json)).status, JSON.stringify(json).slice(0, 80)).toBe(400);
    const start = performance.now();
    expect((await replace('', { pattern: '(a+)+$', replacement: 'b' })).status).toBe(200);
    expect((await replace('', { pattern: '(x+x+)+y|', replacement: 'b' })).body.changes).toEqual([]);
    expect(performance.now() - start).toBeLessThan(10_000);
    const grown = await replace('', { pattern: 'a', replacement: 'b'.repeat(9000), dry_run: true });
    expect(grown.body.skipped).toContainEqual(expect.objectContaining({ reason: expect.stringContaining('too long') }));
  });

  it('a pattern that takes too long skips the object or is rejected, and others are served meanwhile', async () => {
    const page = await add('/', 'Page', { title: 'Long', rights: 'a'.repeat(400_000) });
    const piece = '[a-z]{0,1000}';
    const large = await replace(page.path, { pattern: `${piece.repeat(36)}[!#]`, replacement: 'x' });
    expect(large.status).toBe(400);
    expect(large.body.message).toContain('repeat less');
    const { result, worst } = await whileMeasured(() =>
      replace(page.path, { pattern: `${piece.repeat(9)}[!#]`, replacement: 'x' }),
    );
    expect(result.body.skipped).toEqual([
      { title: 'Long', path: page.path, reason: 'The pattern takes too long here.' },
    ]);
    // The search would stop the process for as long as it takes: two seconds until it is ended.
    expect(worst).toBeLessThan(1500);
    expect((await replace(page.path, { pattern: 'a+', replacement: 'b' })).body.changes).toHaveLength(1);
    expect((await read(page.path)).rights).toBe('b');
  });

  it('more than two replacements at once are sent away until one of them has ended', async () => {
    const page = await add('/', 'Page', { rights: 'a'.repeat(400_000) });
    const slow = { pattern: `${'[a-z]{0,1000}'.repeat(9)}[!#]`, replacement: 'x' };
    const answers = await Promise.all([1, 2, 3].map(() => replace(page.path, slow)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 429]);
    expect(answers.find(({ status }) => status === 429)?.headers.get('retry-after')).toBe('20');
    expect((await replace(page.path, { pattern: 'b', replacement: 'x' })).status).toBe(200);
  });
});
