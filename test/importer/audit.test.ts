import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { describeQuickestEngine } from '../support/database.ts';
import { startTestSite } from '../support/site.ts';
import { audit } from './audit.ts';
import { reportOf, run } from './import-helpers.ts';
import { fixture, page, site as root, writeExport } from './readers/helpers.ts';

/** Folder with exports of real sites, which are not part of this repository; without it these tests are skipped. */
const EXPORTS = process.env.TEST_EXPORTS ?? '';

describeQuickestEngine('every value of an export', (engine) => {
  const audited = async (directory: string, { profile = 'default', siteRoot = '/Plone' } = {}) => {
    const site = await startTestSite(engine, { profile });
    try {
      const problems = await reportOf(site.kernel, directory);
      return await audit(site, { directory, root: siteRoot, problems });
    } finally {
      await site.close();
    }
  };

  it.skipIf(!existsSync(`${EXPORTS}/ploneconf-2024`)).each(['default', 'plone'])(
    'is served or reported: the conference site, in the profile %s.',
    async (profile) => {
      expect(await audited(`${EXPORTS}/ploneconf-2024`, { profile })).toEqual([]);
    },
  );

  it.skipIf(!existsSync(`${EXPORTS}/plone-exportimport`)).each(['default', 'plone'])(
    'is served or reported: the small site, in the profile %s.',
    async (profile) => {
      expect(await audited(`${EXPORTS}/plone-exportimport`, { profile, siteRoot: '' })).toEqual([]);
    },
  );

  it('every value of the fixtures of both formats is served or reported', async () => {
    expect(await audited(fixture('collective'))).toEqual([]);
    expect(await audited(fixture('plone'))).toEqual([]);
  });

  it('every exported value is served or reported, of whatever kind it is and whatever its name is', async () => {
    const values = {
      ...{ line: 'a', text: 'two\nlines', number: 3, decimal: 2.5, yes: true, no: false, zero: 0, many: ['a', 'b'] },
      ...{ day: '2020-01-02', instant: '2020-01-02T03:04:05', json: { deep: [{ a: 1 }, null] }, table: [[1, 2], [3]] },
      ...{ html: { data: '<p>x<script>y</script></p>', 'content-type': 'text/html', encoding: 'utf-8' } },
      ...{ markdown: { data: '# x', 'content-type': 'text/x-web-markdown', encoding: 'utf-8' } },
      ...{ choice: { token: 'a', title: 'A' }, choices: [{ token: 'a', title: 'A' }], mixed: [1, 'a', null] },
      ...{ relation: { '@id': '/Plone/b', UID: 'b', title: 'B' }, lost: [{ '@id': '/Plone/x', UID: 'x' }] },
      ...{
        link: 'http://localhost/Plone/b',
        'with-hyphen': 1,
        'with.dot': 2,
        'with space': 3,
        _private: 4,
        owner: 'me',
      },
      ...{ items: [], ordering: 'x', version: 'old', nothing: null, empty: '', constructor: 'x', toString: 'y' },
      ...{ start: { not: 'a date' }, location: { latitude: 1 }, exclude_from_nav: 'yes', subjects: [' a', 'a', 'b'] },
      ...{ changeNote: 'why', changeActor: 'me', 'exportimport.unknown': 1, '@unknown': { a: 1 }, effective: 'soon' },
      ...{ blocks: { a: { '@type': 'html', html: '<b>x</b><script>y</script>' } }, blocks_layout: { items: ['a'] } },
    };
    const directory = await writeExport({
      '1.json': root('/Plone'),
      '2.json': page('/Plone/a', { UID: 'a', title: 'A', ...values }),
      '3.json': page('/Plone/b', { UID: 'b', title: 'B', line: 'b', choice: { token: 'b', title: 'B' } }),
      '4.json': page('/Plone/t', { '@type': 'Thing', UID: 't', title: 'T', ...values }),
    });
    expect(await audited(directory)).toEqual([]);
    expect(await audited(directory, { profile: 'plone' })).toEqual([]);
  });

  it('every value of an export with names and settings of Archetypes is served or reported', async () => {
    const old = {
      ...{
        excludeFromNav: true,
        subject: ['a'],
        effectiveDate: '2010-01-02T03:04:05',
        creation_date: '2010-01-01T00:00:00',
      },
      ...{
        constrainTypesMode: -1,
        locallyAllowedTypes: ['Document'],
        immediatelyAddableTypes: ['Document'],
        id: 'other',
      },
    };
    const directory = await writeExport({
      '1.json': root('/Plone'),
      '2.json': page('/Plone/a', { UID: 'a', title: 'A', ...old }),
      '3.json': page('/Plone/b', { UID: 'b', title: 'B', ...old, constrainTypesMode: '1', id: 'b' }),
    });
    expect(await audited(directory)).toEqual([]);
  });

  it('the comparison finds a value that is missing on the site', async () => {
    const site = await startTestSite(engine);
    try {
      const imported = await writeExport({
        '1.json': page('/a', { title: 'A', colour: 'red', review_state: 'private' }),
      });
      const { problems } = await run(site.kernel, imported);
      const directory = await writeExport({
        '1.json': page('/a', { title: 'Other', colour: 'blue', shape: 'round', review_state: 'private' }),
        '2.json': page('/b', {}),
      });
      const found = await audit(site, { directory, root: '', problems });
      expect(found.map(({ path, key }) => [path, key])).toEqual([
        ['/a', 'title'],
        ['/a', 'colour'],
        ['/a', 'shape'],
        ['/b', ''],
      ]);
    } finally {
      await site.close();
    }
  });
});
