import { expect, it } from 'vitest';
import { setUpSite } from '../../src/app/set-up-site.ts';
import { VERSION_STATE } from '../../src/content/install-site.ts';
import { loadProfile, loadReleased, profilesIn } from '../../src/site/profile.ts';
import { removeConfiguration, writeConfiguration, writeState } from '../../src/storage/statements/configuration.ts';
import { loadInstalledProfile } from '../../src/storage/statements/installed-profile.ts';
import { describeEachEngine } from '../support/database.ts';
import { useTestSite } from '../support/use-site.ts';

const FOLDERS = profilesIn(new URL('../../profiles/', import.meta.url).pathname);

describeEachEngine('a site of an earlier release', (engine) => {
  const site = useTestSite(engine, () => ({ profile: 'plone' }));

  it('an upgrade brings a site of an earlier release to the present profile, and keeps its own changes', async () => {
    const { db } = site.kernel;
    const released = loadReleased('plone', '1000', FOLDERS) ?? [];
    expect(released.length).toBeGreaterThan(100);
    // A site of that release, which did not record what was installed.
    await db.transaction(async (tx) => {
      await removeConfiguration(tx, await loadInstalledProfile(tx));
      await tx.query({ text: 'delete from installed_profile' });
      await writeConfiguration(
        tx,
        released.filter(({ kind }) => kind !== 'group'),
      );
      await writeState(tx, VERSION_STATE, '1000');
    });
    const json = { title: 'My document' };
    expect((await site.request('PATCH', '/@controlpanels/dexterity-types/Document', { json })).status).toBe(204);
    await setUpSite(site.kernel);
    const upgrade = async (dry_run: boolean) => (await site.request('POST', '/@upgrade', { json: { dry_run } })).body;
    const dry = await upgrade(true);
    const run = await upgrade(false);
    expect(dry.report.split('\n').slice(1, -1)).toEqual(run.report.split('\n').slice(1, -1));
    expect(run.report).toContain('Changes of the profile files (1000 to 1001)');
    expect(run.report).not.toContain('Kept');
    const { types } = await site.kernel.sites.current();
    expect(types.get('Document')?.title).toBe('My document');
    const wanted = loadProfile('plone', FOLDERS).rows.filter(({ kind }) => kind === 'type');
    for (const { id, data } of wanted)
      if (id !== 'Document')
        expect(types.get(id), id).toMatchObject({ behaviors: (data as { behaviors: string[] }).behaviors });
  });
});
