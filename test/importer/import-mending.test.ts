import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { languagePanel } from '../../src/core/configuration/panels/languages.ts';
import { panelSettings } from '../../src/core/configuration/panels/panel.ts';
import type { ImportSummary } from '../../src/features/import/import-summary.ts';
import { describeQuickestEngine } from '../support/database.ts';
import { freshSite, messages, run, stored } from './import-helpers.ts';
import { page, site, writeExport } from './readers/helpers.ts';

/** The lines about one reason, each with its path and key. */
const linesAbout = ({ problems }: ImportSummary, wanted: string) =>
  problems.flatMap(({ reason, path: where, key, message }) => (reason === wanted ? [[where, key, message]] : []));

const fileValue = (blob: string) => ({ blob_path: blob, filename: 'a.txt', 'content-type': 'text/plain' });

describeQuickestEngine('what an import says and mends', (engine) => {
  it('The languages of the content become languages of the site, which is multilingual when there are folders for them.', async () => {
    const { kernel } = await freshSite(engine, { profile: 'plone' });
    const folder = (language: string) => page(`/Plone/${language}`, { '@type': 'LRF', language });
    const directory = await writeExport({
      '1.json': site('/Plone'),
      '2.json': folder('de'),
      '3.json': folder('pt-br'),
      '4.json': page('/Plone/de/a', { language: 'de' }),
      '5.json': page('/Plone/b', { language: 'no-such-language' }),
    });
    const summary = await run(kernel, directory, { dryRun: true });
    expect(panelSettings(await kernel.sites.current(), languagePanel).multilingual).toBe(false);
    expect(linesAbout(summary, 'added').map(([, key]) => key)).toEqual(
      expect.arrayContaining(['available_languages', 'multilingual']),
    );
    const real = await run(kernel, directory);
    expect(linesAbout(real, 'added')).toContainEqual([
      '/',
      'available_languages',
      expect.stringContaining('Content is in de, pt-br: added to the languages of the site.'),
    ]);
    expect(linesAbout(real, 'doubtful')).toContainEqual([
      '/',
      'available_languages',
      expect.stringContaining('Content is in no-such-language, which'),
    ]);
    expect(panelSettings(await kernel.sites.current(), languagePanel)).toMatchObject({
      available_languages: expect.arrayContaining(['en', 'de', 'pt-br']),
      default_language: 'en',
      multilingual: true,
    });
    expect(linesAbout(await run(kernel, directory), 'added')).toEqual([]);
  });

  it('A site of one language stays one when content of another language comes.', async () => {
    const { kernel } = await freshSite(engine);
    await run(
      kernel,
      await writeExport({ '1.json': page('/a', { language: 'de' }), '2.json': page('/b', { language: 'en' }) }),
    );
    expect(panelSettings(await kernel.sites.current(), languagePanel)).toMatchObject({
      available_languages: expect.arrayContaining(['en', 'de']),
      multilingual: false,
    });
  });

  it('A link by UID that leads nowhere is reported, in blocks as in texts; others are stored by UID, also in lists of JSON.', async () => {
    const { kernel } = await freshSite(engine);
    const directory = await writeExport({
      '1.json': page('/a', {
        UID: 'target',
        blocks: { x: { '@type': 'teaser', href: [{ '@id': '../resolveuid/gone' }] } },
        blocks_layout: { items: ['x'] },
        text: { data: '<p><a href="resolveuid/lost">x</a></p>', 'content-type': 'text/html' },
      }),
      '2.json': page('/b', { logos: [{ logo: [{ '@id': 'resolveuid/target' }], to: [{ url: '/a#part' }] }, null] }),
    });
    const summary = await run(kernel, directory);
    expect(linesAbout(summary, 'link')).toEqual(
      expect.arrayContaining([
        ['/a', 'blocks', 'Field blocks has a link to the UID gone, which nothing has. It stays as it is.'],
        ['/a', 'text', 'Field text has a link to the UID lost, which nothing has. It stays as it is.'],
      ]),
    );
    expect(linesAbout(summary, 'link')).toHaveLength(2);
    expect((await stored(kernel)).get('/b')?.fields.logos).toEqual([
      { logo: [{ '@id': '../resolveuid/target' }], to: [{ url: '../resolveuid/target#part' }] },
      null,
    ]);
  });

  it('Links to a host that has the paths of the export are counted, with the option that makes links of the site of them.', async () => {
    const { kernel } = await freshSite(engine);
    const directory = await writeExport({
      '1.json': site('/Plone'),
      '2.json': page('/Plone/a', {
        text: {
          data: '<p><a href="http://localhost:8080/Plone/b">x</a> <a href="http://localhost:8080/Plone/a">y</a></p>',
          'content-type': 'text/html',
        },
      }),
      '3.json': page('/Plone/b', { description: 'See https://example.org/elsewhere and https://old.example.org/a' }),
    });
    const told = linesAbout(await run(kernel, directory), 'doubtful').map(([, , message]) => message);
    expect(told).toEqual(
      expect.arrayContaining([
        expect.stringMatching(
          /^2 links lead to http:\/\/localhost:8080\/Plone, .*--site-root=http:\/\/localhost:8080\/Plone /,
        ),
        expect.stringMatching(/^1 link leads to https:\/\/old\.example\.org, /),
      ]),
    );
    expect(told.join('\n')).not.toContain('https://example.org');
  });

  it('Objects that Mosaic or EasyForm draws are counted, with what shows of them.', async () => {
    const { kernel } = await freshSite(engine);
    const directory = await writeExport({
      '1.json': page('/a', { layout: 'layout_view', customContentLayout: '<html></html>' }),
      '2.json': page('/b', { layout: 'layout_view' }),
      '3.json': page('/c', { '@type': 'EasyForm', fields_model: '<model/>' }),
    });
    const summary = await run(kernel, directory);
    const told = linesAbout(summary, 'unsupported').map(([, , message]) => message);
    expect(told).toEqual([
      expect.stringMatching(/^It is drawn by Mosaic, which Canopy does not have: .* \(2 objects; this is the first\)$/),
      expect.stringMatching(/^It is drawn by EasyForm, which Canopy does not have: .*$/),
    ]);
    expect(summary.reasons.unsupported).toBe(3);
  });

  it('The portlets that every Plone has in its root are no loss; changed ones and those elsewhere are.', async () => {
    const { kernel } = await freshSite(engine);
    const portlet = (type: string, assignment: object) => ({ type: `portlets.${type}`, visible: true, assignment });
    const usual = {
      'plone.footerportlets': [
        portlet('Classic', { macro: '', template: '@@footer' }),
        portlet('Actions', { category: 'site_actions' }),
        portlet('Classic', { macro: null, template: 'colophon' }),
      ],
      'plone.leftcolumn': [portlet('Navigation', { name: '', root_uid: null, topLevel: 1, includeTop: false })],
      'plone.rightcolumn': [portlet('News', { count: 5 }), portlet('Events', { count: 5, state: null })],
    };
    const withPortlets = (value: object) =>
      writeExport({
        '1.json': { ...site('http://nohost/Plone'), title: 'Old' },
        '2.json': page('http://nohost/Plone/a'),
        'export_portlets.json': [value],
      });
    const root = { '@id': 'http://nohost/Plone', uuid: 'plone_site_root' };
    expect(await run(kernel, await withPortlets({ ...root, portlets: usual }), { strict: true })).toMatchObject({
      refused: false,
    });
    const changed = { 'plone.rightcolumn': [portlet('News', { count: 7 })] };
    const lost = await run(kernel, await withPortlets({ ...root, portlets: changed }));
    expect(linesAbout(lost, 'unsupported')).toEqual([['/', 'portlets.plone.rightcolumn.0', expect.any(String)]]);
    const elsewhere = { '@id': 'http://nohost/Plone/a', UID: 'u', blocked_status: [{ status: 'block' }] };
    expect(linesAbout(await run(kernel, await withPortlets(elsewhere)), 'unsupported')).toEqual([
      ['/a', 'blocked_status', expect.any(String)],
    ]);
  });

  it('A missing file is reported once, and comes with the next run when the export has it; a file of the site stays.', async () => {
    const { kernel } = await freshSite(engine);
    const file = (name: string) => page(`/${name}`, { '@type': 'File', file: fileValue(`blobs/${name}`) });
    const directory = await writeExport({ '1.json': file('one'), '2.json': file('two'), '3.json': file('three') });
    const first = await run(kernel, directory);
    expect(first.reasons.file).toBe(3);
    expect(messages(first).filter((line) => line.startsWith('/one ') && line.includes('file'))).toHaveLength(1);
    const own = { hash: 'a'.repeat(64), size: 1, filename: 'own.txt', 'content-type': 'text/plain' };
    await kernel.db.query({
      text: `update content set fields = jsonb_set(fields, '{file}', $1::jsonb) where path = '/two'`,
      values: [JSON.stringify(own)],
    });
    await mkdir(path.join(directory, 'blobs'));
    for (const name of ['one', 'two']) await writeFile(path.join(directory, 'blobs', name), `bytes of ${name}`);
    const before = await stored(kernel);
    const second = await run(kernel, directory);
    expect(second.objects).toEqual({ created: 0, skipped: 3, failed: 0 });
    expect(second.files).toMatchObject({ created: 1, skipped: 1 });
    expect(linesAbout(second, 'added')).toEqual([['/one', 'file', 'Field file got the file that was missing before.']]);
    expect(linesAbout(second, 'kept')).toEqual([['/two', 'file', 'Field file has a file of the site, which stays.']]);
    expect(linesAbout(second, 'file')).toEqual([['/three', 'file', expect.stringContaining('is missing')]]);
    const after = await stored(kernel);
    expect(after.get('/one')?.fields.file).toMatchObject({ filename: 'a.txt', size: 'bytes of one'.length });
    expect(after.get('/two')?.fields.file).toEqual(own);
    expect(after.get('/one')?.modified).toEqual(before.get('/one')?.modified);
    const third = await run(kernel, directory);
    expect([third.files.created, third.reasons.file, third.reasons.added]).toEqual([0, 1, undefined]);
  });

  it('Objects in UTF-16 are read, which is said; lists in it are named.', async () => {
    const { kernel } = await freshSite(engine);
    const directory = await writeExport({ '2.json': page('/b') });
    const wide = (value: unknown) => Buffer.from(`\ufeff${JSON.stringify(value)}`, 'utf16le');
    await writeFile(path.join(directory, '1.json'), wide(page('/a', { title: 'Ä' })));
    await writeFile(path.join(directory, 'relations.json'), wide([]));
    const summary = await run(kernel, directory);
    expect((await stored(kernel)).get('/a')?.fields.title).toBe('Ä');
    expect(messages(summary)).toContainEqual(expect.stringContaining('The text is UTF-16, not UTF-8'));
    expect(messages(summary)).toContainEqual(expect.stringContaining('The list is in UTF-16. Save the file as UTF-8.'));
  });
});
