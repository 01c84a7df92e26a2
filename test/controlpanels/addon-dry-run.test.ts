import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { configurationVersion } from '../../src/core/configuration/statements/configuration.ts';
import { describeEachEngine } from '../support/database.ts';
import { type Json, startTestSite, type TestSite } from '../support/site.ts';
import { type AddonFolder, addonFolder, typeFile, workflowFile } from './addon-files.ts';

const FIELDS = (title: string, more: Json = {}): Json => ({
  id: 'rung',
  title: 'Rung',
  fieldsets: [{ id: 'default', title: 'Default', fields: ['bell', ...Object.keys(more)] }],
  properties: { bell: { title, type: 'string', factory: 'Text line (String)' }, ...more },
  required: [],
});

const FIRST = {
  'types/Bell.json': typeFile('Bell', { behaviors: ['basic', 'short_name', 'rung'], workflow: 'bell_workflow' }),
  'behaviors/rung.json': FIELDS('Bell'),
  'workflows/bell_workflow.json': workflowFile('bell_workflow'),
  'permissions.json': { 'Bells: Ring': ['Manager'] },
  'settings.json': { site: { site_title: 'With bells' }, navigation: { show_excluded_items: true } },
};
const SECOND = {
  ...FIRST,
  'types/Bell.json': typeFile('Bell', {
    ...{ title: 'Church bell', description: 'Rings' },
    ...{ behaviors: ['basic', 'short_name', 'rung'], workflow: 'simple_publication_workflow' },
  }),
  'behaviors/rung.json': FIELDS('Which bell', {
    weight: { title: 'Weight', type: 'integer', factory: 'Integer', index: 'number' },
  }),
  'permissions.json': { 'Bells: Ring': ['Manager', 'Editor'], 'Bells: Cast': ['Manager'] },
  'settings.json': { site: { site_title: 'With more bells' }, navigation: { show_excluded_items: false } },
};

describeEachEngine('a dry run of the upgrade of an add-on', (engine) => {
  let site: TestSite;
  let addons: AddonFolder;
  beforeAll(async () => {
    addons = await addonFolder();
    site = await startTestSite(engine, { environment: { ADDONS_DIR: addons.folder } });
    await addons.write('bells', FIRST);
    await ask(204, 'POST', '/@addons/bells/install');
    await ask(201, 'POST', '/', { '@type': 'Bell', id: 'big', title: 'Big', bell: 'The big one' });
  });
  afterAll(async () => {
    await site?.close();
    await rm(addons.folder, { recursive: true, force: true });
  });

  async function ask(expected: number, method: string, path: string, json?: Json): Promise<Json> {
    const { status, body, text } = await site.request(method, path, json === undefined ? {} : { json });
    expect(status, `${method} ${path}: ${text}`).toBe(expected);
    return body;
  }
  const dryRun = async (): Promise<string[]> => {
    const { dry_run, report } = await ask(200, 'POST', '/@addons/bells/upgrade', { dry_run: true });
    expect(dry_run).toBe(true);
    return report.split('\n');
  };
  const state = async (): Promise<Json> => ({
    version: await configurationVersion(site.kernel.db),
    addon: await ask(200, 'GET', '/@addons/bells'),
    type: await ask(200, 'GET', '/@types/Bell'),
    big: await ask(200, 'GET', '/big'),
    title: await ask(200, 'GET', '/@registry/plone.site_title'),
    jobs: (await ask(200, 'GET', '/@jobs')).length,
  });

  it('a dry run of an add-on upgrade lists what would change and what stays, and changes nothing', async () => {
    await ask(204, 'PATCH', '/@registry', { 'plone.site_title': 'My own title' });
    await addons.write('bells', SECOND, '2');
    const before = await state();
    const dry = await dryRun();
    expect(await state()).toEqual(before);
    expect(await dryRun()).toEqual(dry);
    expect([dry[0], dry[1], dry.at(-1)]).toEqual([
      'Dry run selected.',
      'Upgrading the add-on "bells" from version 1 to 2.',
      'Dry run: transaction aborted.',
    ]);
    for (const line of [
      'Changed types/Bell.json, title: "Bell" becomes "Church bell".',
      'Changed types/Bell.json, workflow: "bell_workflow" becomes "simple_publication_workflow".',
      'Changed behaviors/rung.json, properties.bell.title: "Bell" becomes "Which bell".',
      'Added permissions.json, Bells: Cast.',
      'Changed settings.json, navigation.show_excluded_items: it becomes false.',
      'Kept settings.json, site.site_title: the site has changed it.',
    ])
      expect(dry).toContain(line);
    expect(dry.join('\n')).toMatch(
      /A job brings content up to date: \d+ objects of .*; states of their workflow for Bell\./,
    );

    const { report } = (
      await site.request('POST', '/@addons/bells/upgrade', { headers: { Prefer: 'return=representation' } })
    ).body;
    expect(report.split('\n')).toEqual(dry.slice(1, -1));
    const after = await state();
    expect(after.addon.upgrade_info.installedVersion).toBe('2');
    expect([after.type.title, after.title, after.jobs]).toEqual(['Church bell', 'My own title', before.jobs + 1]);
  });

  it('a dry run of an add-on upgrade is rejected when the upgrade fails, has nothing to do or is not allowed', async () => {
    expect((await ask(400, 'POST', '/@addons/bells/upgrade', { dry_run: true })).message).toContain('the newest one');
    await addons.write(
      'bells',
      { ...SECOND, 'types/Bell.json': typeFile('Bell', { behaviors: ['basic', 'nothing'] }) },
      '3',
    );
    const before = await state();
    const [dry, real] = [
      await ask(400, 'POST', '/@addons/bells/upgrade', { dry_run: true }),
      await ask(400, 'POST', '/@addons/bells/upgrade', {}),
    ];
    expect(dry.message).toContain('names the behavior "nothing"');
    expect(dry).toEqual(real);
    expect(await state()).toEqual(before);
    const visitor = await site.request('POST', '/@addons/bells/upgrade', { as: 'anonymous', json: { dry_run: true } });
    expect(visitor.status).toBe(401);
    await ask(400, 'POST', '/@addons/bells/upgrade', { dry_run: 'yes' });
  });
});
