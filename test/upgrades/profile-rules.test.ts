import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AddonFolder, addonFolder } from '../controlpanels/addon-files.ts';
import { describeEachEngine } from '../support/database.ts';
import { createTestKernel, type Json, startTestSite, type TestSite } from '../support/site.ts';
import { copyProfile, type ProfileCopy } from './profile-copy.ts';

const PANEL = '/@controlpanels/content-rules';
const PUBLISH = { type: 'transition_workflow', transition: 'publish' };

const RULES = [
  {
    id: 'publish-pages',
    title: 'Publish pages',
    event: 'onAfterAdd',
    conditions: [{ type: 'content_type', check_types: ['Page'] }],
    actions: [PUBLISH],
    assignments: { '/': { bubbles: true } },
  },
  {
    id: 'asleep',
    title: 'Asleep',
    event: 'Object modified',
    enabled: false,
    actions: [{ type: 'logger', message: 'changed' }],
  },
  {
    id: 'archive',
    title: 'Archive',
    event: 'onAfterDelete',
    actions: [{ type: 'copy_item', target_folder: '/' }],
  },
];

describeEachEngine('content rules of profiles and add-ons', (engine) => {
  let profile: ProfileCopy;
  let addons: AddonFolder;
  let site: TestSite;

  const ask = async (expected: number, method: string, path: string, json?: Json): Promise<Json> => {
    const { status, body, text } = await site.request(method, path, json === undefined ? {} : { json });
    expect(status, text).toBe(expected);
    return body;
  };
  const rule = (id: string) => ask(200, 'GET', `${PANEL}/${id}`);
  const stateOfNew = async (type: string, container = '/'): Promise<string> =>
    (await ask(201, 'POST', container, { '@type': type, title: 'New' })).review_state;
  const upgrade = async (dry_run: boolean): Promise<string[]> =>
    (await ask(200, 'POST', '/@upgrade', { dry_run })).report.split('\n');
  const lines = (report: readonly string[]) => report.filter((line) => /^(?:Added|Removed|Changed|Kept) /.test(line));

  beforeAll(async () => {
    profile = await copyProfile();
    addons = await addonFolder();
    await profile.write('rules.json', RULES);
    const environment = { ADDONS_DIR: addons.folder };
    site = await startTestSite(engine, { profile: 'village', profiles: profile.profiles, environment });
  });
  afterAll(async () => {
    await site?.close();
    await profile?.close();
    await rm(addons.folder, { recursive: true, force: true });
  });

  it('a new site has the rules of its profile with their folders, on or off, and they run', async () => {
    expect(await rule('publish-pages')).toMatchObject({
      ...{ title: 'Publish pages', event: 'onAfterAdd', enabled: true, stop: false, cascading: false },
      conditions: [{ type: 'content_type' }],
      actions: [{ type: 'transition_workflow' }],
      assignments: [{ url: site.url, enabled: true, bubbles: true }],
    });
    expect(await rule('asleep')).toMatchObject({ event: 'onAfterModified', enabled: false, assignments: [] });
    expect([await stateOfNew('Page'), await stateOfNew('Folder')]).toEqual(['published', 'private']);
  });

  it('an upgrade changes the rules that the site has left alone, and keeps and reports what it has changed', async () => {
    const folder = new URL((await ask(201, 'POST', '/', { '@type': 'Folder', title: 'News' }))['@id']).pathname;
    await ask(201, 'POST', `${folder}/@content-rules/asleep`);
    await ask(204, 'PATCH', `${PANEL}/publish-pages`, { title: 'Publish at once' });
    await profile.write('rules.json', [
      { ...RULES[0], title: 'Publish pages and files', conditions: [], assignments: { '/': { bubbles: false } } },
      { ...RULES[1], enabled: true, stop: true, assignments: { '/nowhere': {} } },
      { id: 'new', title: 'New', event: 'onAfterMove', actions: [{ type: 'logger', message: 'moved' }] },
    ]);
    await profile.release('1001');
    const dry = await upgrade(true);
    expect(lines(dry)).toEqual([
      'Removed rules.json, archive.',
      'Kept rules.json, publish-pages.title: the site has "Publish at once", the profile wants "Publish pages and files".',
      'Kept rules.json, asleep.assignments./nowhere: the site has nothing, the profile wants {"enabled":true,"bubbles":false} (there is nothing at this path).',
      'Changed rules.json, publish-pages.conditions: [{"type":"content_type","check_types":["Page"]}] becomes [].',
      'Changed rules.json, publish-pages.assignments./.bubbles: true becomes false.',
      'Changed rules.json, asleep.enabled: false becomes true.',
      'Changed rules.json, asleep.stop: false becomes true.',
      'Added rules.json, new.',
    ]);
    expect(await rule('asleep')).toMatchObject({ enabled: false });
    expect(lines(await upgrade(false))).toEqual(lines(dry));
    expect(await rule('asleep')).toMatchObject({
      ...{ enabled: true, stop: true },
      assignments: [{ url: `${site.url}${folder}`, enabled: true }],
    });
    expect(await rule('publish-pages')).toMatchObject({ title: 'Publish at once', conditions: [] });
    await ask(404, 'GET', `${PANEL}/archive`);
    expect([await stateOfNew('Folder'), await stateOfNew('Page', folder)]).toEqual(['published', 'private']);
  });

  it('a step of an upgrade says only what changes of a rule, or takes it away', async () => {
    await profile.write('upgrades/1002/rules.json', [
      { id: 'publish-pages', description: 'By a step', assignments: { '/': null } },
      { id: 'new', remove: true },
    ]);
    await profile.release('1002');
    expect(lines(await upgrade(false))).toEqual([
      'Removed rules.json, publish-pages.assignments./: {"enabled":true,"bubbles":false}.',
      'Removed rules.json, new.',
      'Changed rules.json, publish-pages.description: "" becomes "By a step".',
    ]);
    expect(await rule('publish-pages')).toMatchObject({ description: 'By a step', assignments: [] });
    expect(await stateOfNew('Page')).toBe('private');
  });

  it.each<[string, Json, RegExp]>([
    ['an unknown key', { evnt: 'x' }, /rules\.json: "evnt" is no key/],
    ['an unknown key of a folder', { assignments: { '/': { below: true } } }, /"below" is no key.*assignments/],
    ['an unknown event', { event: 'onFullMoon' }, /rules\.json, broken\.event: There is no event "onFullMoon"/],
    ['an unknown condition', { conditions: [{ type: 'moon' }] }, /broken\.conditions\.0: There is no type "moon"/],
    ['an unknown value', { actions: [{ ...PUBLISH, to: 'x' }] }, /broken\.actions\.0: "to": Is no value of/],
    ['a value that is missing', { actions: [{ type: 'webhook' }] }, /broken\.actions\.0: "url": Required/],
  ])('%s in a rule is rejected by name, and nothing is changed', async (_what, more, message) => {
    await addons.write('broken', {
      'rules.json': [{ id: 'broken', title: 'Broken', event: 'onAfterAdd', ...more }],
    });
    const { status, body } = await site.request('POST', '/@addons/broken/install');
    // A folder that does not fit the schema is left out, and the log says why.
    if (status === 400) expect(body.message).toMatch(message);
    else expect(status).toBe(404);
    await ask(404, 'GET', `${PANEL}/broken`);
    await profile.write('upgrades/1003/rules.json', [{ id: 'broken', title: 'Broken', event: 'onAfterAdd', ...more }]);
    await profile.release('1003');
    const upgraded = await site.request('POST', '/@upgrade', { json: { dry_run: false } });
    await profile.removeFile('upgrades/1003/rules.json');
    await profile.release('1002');
    expect([upgraded.status, upgraded.body.message]).toEqual([400, expect.stringMatching(message)]);
    await ask(404, 'GET', `${PANEL}/broken`);
    await addons.remove('broken');
  });

  it('a site cannot be made of a profile whose rules cannot be, and the message names the rule', async () => {
    await profile.write('rules.json', [
      { id: 'far', title: 'Far', event: 'onAfterAdd', assignments: { '/nowhere': {} } },
    ]);
    await expect(createTestKernel(engine, { profile: 'village', profiles: profile.profiles })).rejects.toThrow(
      /"far", assignments\.\/nowhere: there is nothing at this path/,
    );
  });

  describe('of an add-on', () => {
    const welcome = (more: Json = {}) => ({
      id: 'welcome',
      title: 'Welcome',
      event: 'onAfterAdd',
      actions: [PUBLISH],
      assignments: { '/guests': {} },
      ...more,
    });
    const content = [{ '@type': 'Folder', id: 'guests', title: 'Guests' }];

    it('rules of an add-on are assigned to its folders, upgraded and removed with it', async () => {
      await addons.write('guests', { 'rules.json': [welcome()], 'content.json': content });
      await ask(204, 'POST', '/@addons/guests/install');
      expect(await stateOfNew('Page', '/guests')).toBe('published');
      await addons.write('guests', { 'rules.json': [welcome({ enabled: false })] }, '2');
      const { report } = await ask(200, 'POST', '/@addons/guests/upgrade', { dry_run: true });
      expect(report.split('\n')).toEqual([
        'Dry run selected.',
        'Upgrading the add-on "guests" from version 1 to 2.',
        'Running upgrade step: Changes of the profile files (1 to 2)',
        'Changed rules.json, welcome.enabled: true becomes false.',
        'The add-on "guests" is at version 2 now.',
        'Dry run: transaction aborted.',
      ]);
      expect(await stateOfNew('Page', '/guests')).toBe('published');
      await ask(204, 'POST', '/@addons/guests/upgrade');
      expect(await stateOfNew('Page', '/guests')).toBe('private');
      await ask(204, 'POST', '/@addons/guests/uninstall');
      await ask(404, 'GET', `${PANEL}/welcome`);
    });

    it('an add-on is rejected when the site has a rule with the name of one of its rules, or not its folder', async () => {
      await addons.write('guests', { 'rules.json': [welcome({ id: 'asleep' })] });
      expect((await ask(400, 'POST', '/@addons/guests/install')).message).toContain('a content rule "asleep" already');
      await addons.write('guests', { 'rules.json': [welcome({ assignments: { '/moon': {} } })] });
      expect((await ask(400, 'POST', '/@addons/guests/install')).message).toBe(
        'The content rule "welcome" cannot be installed, assignments./moon: there is nothing at this path.',
      );
      await ask(404, 'GET', `${PANEL}/welcome`);
    });
  });
});
