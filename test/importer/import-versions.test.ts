import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ImportSummary } from '../../src/features/import/import-summary.ts';
import { describeEachEngine } from '../support/database.ts';
import { startTestSite, type TestSite } from '../support/site.ts';
import { run } from './import-helpers.ts';
import { keepExport, page, site as root } from './readers/helpers.ts';

const SITE = 'https://old.example.org/Plone';

const text = (words: string) => ({ a: { '@type': 'slate', value: [{ type: 'p', children: [{ text: words }] }] } });
const day = (number: number) => `2020-01-0${number}T12:00:00+00:00`;
const file = (words: string) => ({
  data: Buffer.from(words).toString('base64'),
  encoding: 'base64',
  'content-type': 'text/plain',
  filename: 'notes.txt',
  size: words.length,
});

/** Versions as both exporters write them: each as the object was then, without the present one. */
const EXPORT = {
  '1.json': root(SITE),
  '2.json': page(`${SITE}/page`, {
    title: 'Third',
    description: 'As it is',
    subjects: ['one', 'two'],
    creators: ['jane'],
    created: day(1),
    modified: day(5),
    review_state: 'published',
    blocks: text('third'),
    blocks_layout: { items: ['a'] },
    changeNote: 'Last touches',
    changeActor: 'joe',
    'exportimport.versions': {
      10: {
        '@type': 'Document',
        title: 'Second',
        description: 'As it is',
        subjects: ['one', 'two'],
        modified: day(3),
        blocks: text('second'),
        blocks_layout: { items: ['a'] },
        changeNote: '',
        changeActor: 'jane',
        version: 10,
      },
      2: {
        '@type': 'Document',
        title: 'First',
        description: null,
        subject: ['one'],
        modified: day(2),
        blocks: text('first'),
        blocks_layout: { items: ['a'] },
        changeNote: 'Begun',
        changeActor: 'jane',
        version: 2,
      },
    },
  }),
  '3.json': page(`${SITE}/noted`, { title: 'Noted', created: day(1), modified: day(2), changeNote: 'Only a note' }),
  '4.json': page(`${SITE}/file`, {
    '@type': 'File',
    title: 'Notes',
    modified: day(4),
    file: file('newer'),
    'exportimport.versions': { 0: { title: 'Notes', modified: day(1), file: file('older'), changeActor: 'jane' } },
  }),
  '5.json': page(`${SITE}/odd`, {
    title: 'Odd',
    modified: day(4),
    'exportimport.versions': {
      x: { title: ['no', 'text'], shade: 'blue', modified: 'never' },
      y: 'nothing',
    },
  }),
  '6.json': page(`${SITE}/plain`, { title: 'Plain', modified: day(4), 'exportimport.versions': {} }),
  '7.json': page(`${SITE}/wrong`, { title: 'Wrong', modified: day(4), 'exportimport.versions': 'three' }),
};

describeEachEngine('older versions in an export', (engine) => {
  let site: TestSite;
  let summary: ImportSummary;
  let drop: () => Promise<void>;

  const get = async (path: string) => (await site.request('GET', path)).body;
  const history = async (path: string) =>
    (await get(`${path}/@history`)).filter(({ type }: { type: string }) => type === 'versioning');
  const reported = (path: string) =>
    summary.problems.filter((problem) => problem.path === path).map(({ reason, key }) => [reason, key]);

  beforeAll(async () => {
    site = await startTestSite(engine, { profile: 'plone' });
    const kept = await keepExport(EXPORT);
    drop = kept.drop;
    summary = await run(site.kernel, kept.directory);
  });
  afterAll(async () => {
    await drop();
    await site.close();
  });

  it('are the history of the object, with their authors, times, notes and numbers.', async () => {
    expect(await history('/page')).toMatchObject([
      { version: 11, actor: { id: 'joe' }, comments: 'Last touches', time: '2020-01-05T12:00:00.000Z' },
      { version: 10, actor: { id: 'jane' }, comments: '', time: '2020-01-03T12:00:00.000Z' },
      { version: 2, actor: { id: 'jane' }, comments: 'Begun', time: '2020-01-02T12:00:00.000Z' },
    ]);
    const [last, second] = await history('/page');
    expect(last.changed_fields.sort()).toEqual(['blocks', 'title']);
    expect(second.changed_fields.sort()).toEqual(['blocks', 'description', 'subjects', 'title']);
    expect(reported('/page')).toEqual([]);
  });

  it('have the values of their time.', async () => {
    const first = await get('/page/@history/2');
    expect(first).toMatchObject({ title: 'First', description: '', subjects: ['one'], blocks: text('first') });
    expect(await get('/page/@history/10')).toMatchObject({ title: 'Second', subjects: ['one', 'two'] });
    expect(await get('/page/@history/11')).toMatchObject({ title: 'Third', blocks: text('third') });
  });

  it('can be reverted to, and go on counting.', async () => {
    const reverted = await site.request('PATCH', '/page/@history', { json: { version: 2 } });
    expect(reverted.status).toBe(200);
    expect(await get('/page')).toMatchObject({ title: 'First', subjects: ['one'], blocks: text('first') });
    expect((await history('/page'))[0].version).toBe(12);
    expect(await get('/page/@history/11')).toMatchObject({ title: 'Third' });
  });

  it('A note without older versions is that of the first one.', async () => {
    expect(await history('/noted')).toMatchObject([
      { version: 0, comments: 'Only a note', time: '2020-01-02T12:00:00.000Z' },
    ]);
  });

  it('Files of older versions can be downloaded.', async () => {
    const { body } = await site.request('GET', '/file/@history/0');
    expect((await site.request('GET', body.file.download)).text).toBe('older');
    expect((await history('/file'))[0].changed_fields).toEqual(['file']);
  });

  it('What cannot be kept of them is reported value by value.', async () => {
    expect(reported('/odd').sort()).toEqual([
      ['field', 'exportimport.versions.0.shade'],
      ['value', 'exportimport.versions.0.title'],
      ['value', 'exportimport.versions.1'],
    ]);
    expect(reported('/wrong')).toEqual([['value', 'exportimport.versions']]);
    expect(reported('/plain')).toEqual([]);
    expect(await history('/odd')).toHaveLength(2);
  });
});
