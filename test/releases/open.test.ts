import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageFolder } from '../../src/lib/process/process.ts';
import { jsonProblems } from '../docs/match-answer.ts';
import { file, mustOf } from '../site-export/furnish.ts';
import { createTestDatabase, engines, type TestDatabase } from '../support/database.ts';
import type { TestSite } from '../support/site.ts';
import { type Answer, answersFrom, MEMBER_PASSWORD } from './answers.ts';
import { answersOf, archiveOf, restoreDatabase, startRelease, unpackSite } from './release.ts';

const RELEASES = await readdir(join(packageFolder('test'), 'fixtures/releases'));
const CASES = RELEASES.flatMap((release) => engines().map((engine) => ({ release, engine })));

it('there is a site of the first release', () => {
  expect(RELEASES).toContain('0.1.0');
});

describe.each(CASES)('a site that $release made on $engine', ({ release, engine }) => {
  let folder: string;
  let database: TestDatabase | undefined;
  let site: TestSite;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'canopy-release-'));
    await unpackSite(archiveOf(release, engine), folder);
    if (engine === 'postgresql') {
      database = await createTestDatabase(engine, { migrated: false });
      await restoreDatabase(database.url ?? '', folder);
    }
    site = await startRelease(folder, database?.url, false);
  });
  afterAll(async () => {
    await site?.close();
    await database?.drop();
    await rm(folder, { recursive: true, force: true });
  });

  it('is opened by this program, and answers as recorded', async () => {
    const recorded: Answer[] = JSON.parse(await readFile(answersOf(release, engine), 'utf8'));
    expect(recorded.length).toBeGreaterThan(40);
    const now = new Map((await answersFrom(site)).map((answer) => [`${answer.as} ${answer.path}`, answer]));
    // Objects may have more members than they had.
    const problems = recorded.flatMap((answer) => {
      const name = `${answer.as} ${answer.path}`;
      return jsonProblems(answer, now.get(name)).map((problem) => `${name}: ${problem}`);
    });
    expect(problems).toEqual([]);
  });

  it('is written to, searched, and gives back what was deleted before', async () => {
    const must = mustOf(site);
    await must('POST', '/news', { '@type': 'Page', id: 'later', title: 'Chrysanthemum' });
    await must('PATCH', '/en/welcome', { title: 'Welcome, edited once more' });
    const found = async (words: string) =>
      (await must('GET', `/@search?SearchableText=${words}`)).items.map((item: { title: string }) => item.title);
    expect(await found('chrysanthemum')).toEqual(['Chrysanthemum']);
    expect(await found('edited+once+more')).toEqual(['Welcome, edited once more']);
    const { items } = await must('GET', '/@recyclebin');
    await must('POST', `${new URL(items[0]['@id']).pathname}/restore`, {});
    expect((await site.request('GET', '/gone/attic/@@download/file')).text).toBe('in the bin');
    await must('POST', '/news', { '@type': 'File', id: 'more', file: file('more.txt', 'more bytes') });
    expect((await site.request('GET', '/news/more/@@download/file')).text).toBe('more bytes');
    await must('POST', '/instructions/bake/@example-rating', { stars: 2 });
    const login = { json: { login: 'mia', password: MEMBER_PASSWORD }, as: 'anonymous' } as const;
    expect((await site.request('POST', '/@login', login)).status).toBe(200);
    const history = await must('GET', '/news/a/@history');
    expect(history[0]).toMatchObject({ action: expect.anything() });
  });
});
