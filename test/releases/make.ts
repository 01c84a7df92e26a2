import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { loadProgramVersion } from '../../src/features/monitoring/system.ts';
import { startWorker } from '../jobs/job-site.ts';
import { furnish, mustOf } from '../site-export/furnish.ts';
import type { Engine } from '../support/engines.ts';
import { startPostgres } from '../support/postgres-server.ts';
import type { TestSite } from '../support/site.ts';
import { answersFrom, MEMBER_PASSWORD } from './answers.ts';
import { answersOf, archiveOf, dumpDatabase, packSite, startRelease } from './release.ts';

/** Has something of everything on the site, beside that of exports: translations, the example add-on, jobs that are done. */
async function furnishRelease(site: TestSite): Promise<void> {
  const must = mustOf(site);
  await furnish(site);
  await must('POST', '/@users', { username: 'mia', email: 'mia@example.org', password: MEMBER_PASSWORD });
  await must('PATCH', '/@controlpanels/language', { available_languages: ['en', 'nl'], multilingual: true });
  for (const language of ['en', 'nl']) {
    await must('POST', '/', { '@type': 'Folder', id: language, title: language, language });
    await must('POST', `/${language}`, { '@type': 'Page', id: 'welcome', title: `Welcome ${language}`, language });
  }
  await must('POST', '/en/welcome/@translations', { id: '/nl/welcome' });
  await must('POST', '/', { '@type': 'Folder', id: 'instructions', title: 'Instructions' });
  await must('POST', '/instructions', {
    '@type': 'Example',
    id: 'bake',
    title: 'Bake',
    steps: 'Mix, then bake',
    effort: 'medium',
  });
  await must('POST', '/instructions/bake/@example-rating', { stars: 4 });
  await must('POST', '/instructions/@workflow/publish', {});
  await must('POST', '/@scheduled-jobs/weekly/start');
  const worker = await startWorker(site.kernel);
  const open = () => site.kernel.db.query({ text: 'select number from job where finished is null' });
  try {
    await expect.poll(open, { timeout: 240_000, interval: 500 }).toEqual([]);
  } finally {
    await worker.close();
  }
}

async function make(engine: Engine): Promise<void> {
  const version = loadProgramVersion();
  const folder = await mkdtemp(join(tmpdir(), 'canopy-release-'));
  // The database of its own server is empty, and in UTF-8.
  if (process.env.TEST_DATABASE_URL)
    throw new Error('Unset TEST_DATABASE_URL: the site is made on a server of its own.');
  const server = engine === 'postgresql' ? await startPostgres() : undefined;
  if (engine === 'postgresql' && server === undefined) throw new Error('There is no PostgreSQL here.');
  try {
    const site = await startRelease(folder, server?.url, true);
    await furnishRelease(site);
    const answers = await answersFrom(site);
    await site.kernel.db.script('vacuum full');
    await site.kernel.db.script('checkpoint');
    await site.close();
    if (server !== undefined) dumpDatabase(server.url, folder);
    const archive = archiveOf(version, engine);
    await mkdir(dirname(archive), { recursive: true });
    await packSite(folder, archive);
    await writeFile(answersOf(version, engine), `${JSON.stringify(answers, null, 1)}\n`);
    console.log(`${archive}: ${(await stat(archive)).size} bytes, ${answers.length} answers`);
  } finally {
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

it.each(['pglite', 'postgresql'] as const)('the site of this version on %s is stored', { timeout: 900_000 }, make);
