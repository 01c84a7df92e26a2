import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { KINDS } from '../../src/core/configuration/site/site.ts';
import { loadState, writeConfiguration, writeState } from '../../src/core/configuration/statements/configuration.ts';
import { type UpgradeStep, UpgradeSteps } from '../../src/core/kernel/upgrade-steps.ts';
import { VERSION_STATE } from '../../src/core/profiles/install-site.ts';
import { describeEachEngine } from '../support/database.ts';
import { type Exchange, startTestSite, type TestSite } from '../support/site.ts';
import { copyProfile, type ProfileCopy } from './profile-copy.ts';

const step = (id: string, from: string, to: string, run: UpgradeStep['run'] = async () => {}): UpgradeStep => ({
  id,
  title: `Step ${id}`,
  from,
  to,
  run,
});

describe('upgrade steps', () => {
  it('upgrade steps run in the order of their versions, and those of one version as they were registered', () => {
    const steps = new UpgradeSteps();
    for (const one of [
      step('c', '1000', '1001'),
      step('b', '999', '1000'),
      step('a', '9', '10'),
      step('d', '1000', '1001'),
    ])
      steps.register(one);
    expect(steps.between('9', '1001').map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
    expect(steps.between('10', '1000').map(({ id }) => id)).toEqual(['b']);
    expect(steps.between('1001', '1001')).toEqual([]);
  });

  it('upgrade steps must lead forward and have names of their own', () => {
    const steps = new UpgradeSteps();
    steps.register(step('a', '1', '2'));
    expect(() => steps.register(step('a', '2', '3'))).toThrow(/two upgrade steps a/);
    expect(() => steps.register(step('b', '2', '2'))).toThrow(/does not lead forward/);
    expect(() => steps.register(step('c', '10', '9'))).toThrow(/does not lead forward/);
  });
});

describeEachEngine('upgrading the site', (engine) => {
  let site: TestSite;
  let profile: ProfileCopy;
  let fails = false;

  const upgrade = (json: Record<string, unknown> = {}): Promise<Exchange> =>
    site.request('POST', '/@upgrade', { json });
  const written = async () => ({
    version: await loadState(site.kernel.db, VERSION_STATE),
    mark: await loadState(site.kernel.db, 'mark'),
    titled: (await site.request('GET', '/')).body.type_title,
    language: (await site.kernel.sites.current()).settings.get('language')?.default_language,
  });
  const OLD = { version: '998', mark: undefined, language: 'en', titled: 'Site' };
  const NEW = { version: '1000', mark: 'ab', language: 'nl', titled: 'Site' };

  beforeEach(async () => {
    fails = false;
    if (!site) {
      profile = await copyProfile();
      site = await startTestSite(engine, { profile: 'village', profiles: profile.profiles });
      const { upgradeSteps } = site.kernel;
      upgradeSteps.register(
        step('b', '999', '1000', async (tx) => {
          await writeState(tx, 'mark', `${await loadState(tx, 'mark')}b`);
          if (fails) throw new Error('the secret cause');
        }),
      );
      upgradeSteps.register(
        step('a', '998', '999', async (tx, report) => {
          await writeState(tx, 'mark', 'a');
          await writeConfiguration(tx, [
            { kind: KINDS.setting, id: 'language', position: 0, data: { default_language: 'nl' } },
          ]);
          report('The language is Dutch now.');
        }),
      );
      upgradeSteps.register(step('too-old', '997', '998', () => Promise.reject(new Error('must not run'))));
      upgradeSteps.register(step('too-new', '1000', '1001', () => Promise.reject(new Error('must not run'))));
    }
    await writeState(site.kernel.db, VERSION_STATE, '998');
    await site.kernel.db.query({ text: `delete from site_state where name = 'mark'` });
    await writeConfiguration(site.kernel.db, [
      { kind: KINDS.setting, id: 'language', position: 0, data: { default_language: 'en' } },
    ]);
  });
  afterAll(async () => {
    await site?.close();
    await profile?.close();
  });

  it('GET @upgrade lists the steps by the versions that they lead over', async () => {
    expect((await site.request('GET', '/@upgrade')).body).toEqual({
      '@id': `${site.url}/@upgrade`,
      versions: { fs: '1000', instance: '998' },
      upgrade_steps: { '998-999': [{ id: 'a', title: 'Step a' }], '999-1000': [{ id: 'b', title: 'Step b' }] },
    });
  });

  it('a dry run of an upgrade reports what would be done and keeps nothing of it', async () => {
    const { status, body } = await upgrade({ dry_run: true });
    const lines = body.report.split('\n');
    expect([status, body.dry_run, body.upgraded, body.versions]).toEqual([
      200,
      true,
      false,
      { fs: '1000', instance: '998' },
    ]);
    expect(lines[0]).toMatch(/dry run/i);
    expect(lines.at(-1)).toMatch(/aborted/i);
    expect(body.report).toMatch(/Step a[\s\S]*The language is Dutch now\.[\s\S]*Step b/);
    expect(await written()).toEqual(OLD);
  });

  it('a real upgrade is committed, and the next one has nothing to do', async () => {
    const { status, body } = await upgrade({ dry_run: false });
    expect([status, body.dry_run, body.upgraded, body.versions]).toEqual([
      200,
      false,
      true,
      { fs: '1000', instance: '1000' },
    ]);
    expect(body.report.split('\n').at(-1)).toMatch(/up to date/i);
    expect(await written()).toEqual(NEW);
    expect((await site.request('GET', '/@upgrade')).body.upgrade_steps).toEqual({});
    expect((await upgrade()).body.report).not.toContain('Step');
    expect(await written()).toEqual(NEW);
  });

  it('an upgrade without dry_run is real, and dryRun of Volto counts as well', async () => {
    expect((await upgrade({ dryRun: true })).body).toMatchObject({ dry_run: true, upgraded: false });
    expect((await upgrade()).body).toMatchObject({ dry_run: false, upgraded: true });
  });

  it.each([true, false])(
    'a failing upgrade step rolls back all of them (dry_run %s), and its cause is not revealed',
    async (dry_run) => {
      fails = true;
      const { status, text } = await upgrade({ dry_run });
      expect(status).toBe(500);
      expect(text).not.toContain('secret cause');
      expect(await written()).toEqual(OLD);
      fails = false;
      expect((await upgrade()).body.upgraded).toBe(true);
      expect(await written()).toEqual(NEW);
    },
  );

  it('three managers that upgrade at once run each step once', async () => {
    const answers = await Promise.all([upgrade(), upgrade(), upgrade()]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(answers.filter(({ body }) => body.report.includes('Step a'))).toHaveLength(1);
    expect(await written()).toEqual(NEW);
  });

  it.each(['yes', 1, null, {}])('dry_run %j of an upgrade is rejected, and nothing is done', async (dry_run) => {
    expect((await upgrade({ dry_run })).status).toBe(dry_run === null ? 200 : 400);
    expect((await written()).version).toBe(dry_run === null ? '1000' : '998');
  });

  it('a site that is newer than the program stays at its version', async () => {
    await writeState(site.kernel.db, VERSION_STATE, '1001');
    expect((await upgrade()).status).toBe(400);
    expect((await written()).version).toBe('1001');
  });
});
