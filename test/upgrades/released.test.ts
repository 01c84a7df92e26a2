import { expect, it } from 'vitest';
import { loadProfile, loadReleased, profilesIn } from '../../src/core/configuration/profiles/profile.ts';
import type { ProfileRow } from '../../src/core/configuration/profiles/profile-rows.ts';
import {
  removeConfiguration,
  writeConfiguration,
  writeState,
} from '../../src/core/configuration/statements/configuration.ts';
import { VERSION_STATE } from '../../src/core/profiles/install-site.ts';
import { loadInstalledProfile, writeInstalledProfile } from '../../src/core/profiles/statements/installed-profile.ts';
import { describeEachEngine } from '../support/database.ts';
import { useTestSite } from '../support/use-site.ts';

const FOLDERS = profilesIn(new URL('../../profiles/', import.meta.url).pathname);

const OLD = { '@type': 'Document', title: 'Old', id: 'old', preview_caption: 'A tower' };

describeEachEngine('a site of an earlier release', (engine) => {
  const site = useTestSite(engine, () => ({ profile: 'plone' }));

  it('an upgrade brings a site of an earlier release to the present profile, and keeps its own changes', async () => {
    const { db } = site.kernel;
    const released = loadReleased('plone', '1000', FOLDERS) ?? [];
    expect(released.length).toBeGreaterThan(100);
    await db.transaction(async (tx) => {
      await removeConfiguration(tx, await loadInstalledProfile(tx));
      await writeInstalledProfile(tx, released);
      await writeConfiguration(
        tx,
        released.filter(({ kind }) => kind !== 'group'),
      );
      await writeState(tx, VERSION_STATE, '1000');
    });
    const json = { title: 'My document' };
    expect((await site.request('PATCH', '/@controlpanels/dexterity-types/Document', { json })).status).toBe(204);
    const isOpen = async (path: string) => (await site.request('GET', path)).body.allow_discussion;
    expect((await site.request('POST', '/', { json: OLD })).status).toBe(201);
    expect((await site.request('GET', '/old')).body.preview_caption).toBe('A tower');
    // Comments were open where the object says nothing: it is the upgrade that closes them.
    expect(await isOpen('/old')).toBe(true);
    const upgrade = async (dry_run: boolean) => (await site.request('POST', '/@upgrade', { json: { dry_run } })).body;
    const dry = await upgrade(true);
    const run = await upgrade(false);
    expect(dry.report.split('\n').slice(1, -1)).toEqual(run.report.split('\n').slice(1, -1));
    expect(run.report).toContain('Changes of the profile files (1000 to 1001)');
    expect(run.report).toContain(
      'Limits, languages and forms of new sites, which this one does not get (1001 to 1002)',
    );
    expect(run.report).toContain('Left as it is: types/News-Item.json has more than the steps of this version apply.');
    const keptLines = (run.report as string).split('\n').filter((line) => line.startsWith('Kept'));
    expect(keptLines).toEqual([
      'Kept types/Page.json, behaviors: "volto.preview_image" stays, because 1 object has values in preview_caption: /old.',
    ]);
    expect((await site.request('GET', '/old')).body.preview_caption).toBe('A tower');
    expect(run.report).toContain('plone.allowdiscussion.json, properties.allow_discussion.default: null becomes false');
    expect(await isOpen('/old')).toBe(false);
    const { types } = await site.kernel.sites.current();
    expect(types.get('Document')?.title).toBe('My document');
    // New sites alone have other behaviors for these.
    const kept = ['Document', 'News Item'];
    const wanted = loadProfile('plone', FOLDERS).rows.filter(({ kind }) => kind === 'type');
    for (const { id, data } of wanted)
      if (!kept.includes(id))
        expect(types.get(id), id).toMatchObject({ behaviors: (data as { behaviors: string[] }).behaviors });
    expect(types.get('News Item')?.fieldByName.has('text')).toBe(true);
    expect(types.get('Video')?.global_allow).toBe(true);
    expect(types.get('Link')?.fieldByName.get('title')).toMatchObject({ maxLength: 1024 });
    const { available_languages: languages } = (await site.request('GET', '/@controlpanels/language')).body.data;
    expect(languages).toEqual(['en', 'nl', 'sv']);
    expect((await upgrade(true)).report).toContain('The site is at version 1002 already.');
  });

  it('a site whose files have changed under one version gets them before newer steps', async () => {
    const { db } = site.kernel;
    const installed = loadReleased('plone', '1001', FOLDERS) ?? [];
    const isOf = (id: string) => (row: { kind: string; id: string }) => row.kind === 'type' && row.id === id;
    const link = installed.find(isOf('Link'));
    if (!link) throw new Error('The release has no links.');
    const data = link.data as { layouts: string[] };
    const older: ProfileRow = { ...link, data: { ...data, layouts: ['old_view'] } };
    await db.transaction(async (tx) => {
      await writeInstalledProfile(tx, [...installed.filter((row) => !isOf('Link')(row)), older]);
      await writeConfiguration(tx, [older]);
      await writeState(tx, VERSION_STATE, '1001');
    });
    const { report } = (await site.request('POST', '/@upgrade', { json: {} })).body;
    expect(report).toContain('Running upgrade step: Changes of the profile files (1001 to 1001)');
    expect(report).toContain('Removed types/Link.json, layouts: "old_view".');
    const { types } = await site.kernel.sites.current();
    expect(types.get('Link')?.layouts).toEqual(data.layouts);
  });
});
