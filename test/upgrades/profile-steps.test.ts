import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { writeState } from '../../src/core/configuration/statements/configuration.ts';
import { VERSION_STATE } from '../../src/core/profiles/install-site.ts';
import { defineFeature } from '../../src/core/services/feature.ts';
import { describeEachEngine } from '../support/database.ts';
import { type Json, startTestSite, type TestSite } from '../support/site.ts';
import { copyProfile, type ProfileCopy } from './profile-copy.ts';

let fails = false;

const feature = defineFeature({
  name: 'village-code',
  upgradeSteps: [
    {
      id: 'village-1001',
      title: 'Ring the bell',
      from: '1000',
      to: '1001',
      async run(tx, report) {
        await writeState(tx, 'bell', 'rung');
        report('The bell rang.');
        if (fails) throw new Error('the secret cause');
      },
    },
  ],
});

describeEachEngine('an upgrade by the steps of the profile', (engine) => {
  let profile: ProfileCopy;
  let site: TestSite;

  const upgrade = (json: Json = {}) => site.request('POST', '/@upgrade', { json });
  const get = async (path: string): Promise<Json> => (await site.request('GET', path)).body;
  const step = (path: string, data: Json) => profile.write(`upgrades/1001/${path}`, data);

  beforeAll(async () => {
    profile = await copyProfile();
    site = await startTestSite(engine, { profile: 'village', profiles: profile.profiles, features: [feature] });
    await profile.release('1001');
  });
  afterAll(async () => {
    await site?.close();
    await profile?.close();
  });
  beforeEach(() => {
    fails = false;
  });

  describe('steps that cannot be', () => {
    it.each<[string, string, Json, RegExp]>([
      [
        'an unknown key of a type',
        'types/Page.json',
        { id: 'Page', titel: 'x' },
        /upgrades\/1001\/types\/Page\.json: "titel" is no key/,
      ],
      [
        'an unknown key of a field',
        'types/Page.json',
        { id: 'Page', properties: { a: { title: 'A', type: 'string', factory: 'Text', lenght: 3 } } },
        /Page\.json: "lenght" is no key.*properties\.a/,
      ],
      [
        'an unknown key of a workflow',
        'workflows/one_state_workflow.json',
        { id: 'one_state_workflow', first: 'x' },
        /one_state_workflow\.json: "first"/,
      ],
      [
        'an unknown key of an action',
        'actions.json',
        { user: [{ id: 'x', title: 'X', link: '/' }] },
        /actions\.json: "link"/,
      ],
      ['an unknown key of a group', 'groups.json', [{ id: 'Reviewers', role: [] }], /groups\.json: "role"/],
      ['an unknown panel', 'settings.json', { nothing: { a: 1 } }, /no control panel "nothing"/],
      ['an unknown setting', 'settings.json', { site: { nothing: 1 } }, /no setting "site\.nothing"/],
      ['an unknown file', 'colours.json', {}, /upgrades\/1001\/colours\.json: Canopy knows no such file/],
      ['an unknown key of the catalog', 'catalog.json', { indices: [] }, /catalog\.json: "indices"/],
      ['an unknown key of the step', 'metadata.json', { name: 'x' }, /metadata\.json: "name"/],
      [
        'a type that names no behavior',
        'types/Page.json',
        { id: 'Page', behaviors: { add: ['nothing'] } },
        /names the behavior "nothing"/,
      ],
      ['a role that nobody has', 'permissions.json', { View: { add: ['Captain'] } }, /names the role "Captain"/],
      ['no JSON', 'types/Page.json', '{', /upgrades\/1001\/types\/Page\.json: .*JSON/],
      [
        'a field of another kind',
        'types/Page.json',
        { id: 'Page', properties: { subjects: { title: 'A', type: 'string', factory: 'Text' } } },
        /"subjects" of the content type "Page" cannot become another kind/,
      ],
    ])('%s is rejected by name, and nothing is changed', async (_what, path, data, message) => {
      await site.request('POST', '/', { json: { '@type': 'Page', title: 'A page' } });
      await step(path, data);
      try {
        const before = await get('/@types/Page');
        const { status, body } = await upgrade({ dry_run: false });
        expect([status, body.message]).toEqual([400, expect.stringMatching(message)]);
        expect(await get('/@types/Page')).toEqual(before);
      } finally {
        await profile.removeFile(`upgrades/1001/${path}`);
      }
    });
  });

  it('a step of code that fails is named without its cause, and the data of the version is not applied either', async () => {
    await step('types/Page.json', {
      id: 'Page',
      description: 'Words',
      behaviors: { add: ['plone.eventcontact'], remove: ['plone.tableofcontents'] },
    });
    fails = true;
    for (const dry_run of [true, false]) {
      const { status, body, text } = await upgrade({ dry_run });
      expect([status, body.message]).toEqual([
        500,
        'The upgrade step "Ring the bell" failed, and nothing is changed. The log has the cause.',
      ]);
      expect(text).not.toContain('secret');
    }
    expect((await get('/@upgrade')).versions.instance).toBe('1000');
    expect((await get('/@controlpanels/dexterity-types/Page')).description).not.toBe('Words');
  });

  it('parts of types, workflows, settings, permissions, actions, groups and vocabularies are added, changed and removed', async () => {
    await step('metadata.json', { title: 'A bell for the village' });
    await step('types/Bell.json', {
      ...{ id: 'Bell', title: 'Bell', behaviors: ['basic'], global_allow: true, filter_content_types: true },
      ...{ allowed_content_types: [], workflow: null, layouts: ['view'] },
    });
    await step('types/LIF.json', { id: 'LIF', remove: true });
    await step('types/Link.json', { id: 'Link', workflow: null });
    await step('settings.json', {
      navigation: { displayed_types: { add: ['Bell'], remove: ['Collection'] } },
      site: { robots_txt: '' },
    });
    await step('permissions.json', { 'Village: Ring': ['Manager'], 'List folder contents': { add: ['Reader'] } });
    await step('workflows/simple_publication_workflow.json', {
      id: 'simple_publication_workflow',
      states: { pending: { title: 'In the queue' } },
      transitions: { submit: { title: 'Hand in' } },
    });
    await step('actions.json', {
      object: [
        { id: 'view', title: 'Look' },
        { id: 'history', remove: true },
      ],
    });
    await step('groups.json', [{ id: 'Reviewers', title: 'Readers of drafts', roles: { add: ['Reader'] } }]);
    await step('roles.json', [{ id: 'Ringer', title: 'Ringer', description: '' }]);
    await step('vocabularies/bells.json', { id: 'bells', title: 'Bells', items: [{ token: 'big', title: 'Big' }] });
    // Parts of the files that no step names are only for new sites.
    await profile.edit('types/Event.json', (event) => {
      event.title = 'Festival';
    });
    expect((await get('/@upgrade')).upgrade_steps).toEqual({
      '1000-1001': [
        { id: 'profile-1001', title: 'A bell for the village' },
        { id: 'village-1001', title: 'Ring the bell' },
      ],
    });
    const changes = (report: string) => report.split('\n').slice(1, -1);
    const dry = (await upgrade({ dry_run: true })).body;
    const { status, body } = await upgrade({ dry_run: false });
    expect([status, body.message]).toEqual([200, undefined]);
    expect(changes(body.report)).toEqual(changes(dry.report));
    expect(body.report.split('\n')).toEqual(
      expect.arrayContaining([
        'Running upgrade step: A bell for the village (1000 to 1001)',
        'Added types/Bell.json.',
        'Removed types/LIF.json.',
        'Changed types/Link.json, workflow: "simple_publication_workflow" becomes null.',
        'Added types/Page.json, behaviors: "plone.eventcontact".',
        'Removed types/Page.json, behaviors: "plone.tableofcontents".',
        'Added settings.json, navigation.displayed_types: "Bell".',
        'Removed settings.json, navigation.displayed_types: "Collection".',
        'Added permissions.json, Village: Ring.',
        'Changed groups.json, Reviewers.title: "Reviewers" becomes "Readers of drafts".',
        'Added groups.json, Reviewers.roles: "Reader".',
        'Added roles.json, Ringer.',
        'Added vocabularies/bells.json.',
        'Running upgrade step: Ring the bell (1000 to 1001)',
        'The bell rang.',
        'Left as it is: types/Event.json has more than the steps of this version apply.',
      ]),
    );
    expect((await get('/@types/Event')).title).toBe('Event');
    expect((await get('/@controlpanels/dexterity-types/Page')).description).toBe('Words');
    expect((await get('/@groups/Reviewers')).roles).toEqual(expect.arrayContaining(['Reader', 'Reviewer']));
    expect((await site.request('POST', '/', { json: { '@type': 'Bell', title: 'Bell' } })).status).toBe(201);
  });

  it('two processes that upgrade at once, and writers meanwhile, block each other as little as possible', async () => {
    await profile.write('upgrades/1002/types/Page.json', { id: 'Page', description: 'More words' });
    await profile.release('1002');
    const answers = await Promise.all([
      upgrade(),
      site.request('POST', '/', { json: { '@type': 'Page', title: 'Meanwhile' } }),
      upgrade(),
      site.request('PATCH', '/@controlpanels/dexterity-types/Event', { json: { title: 'My event' } }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 201, 200, 204]);
    const reports = [answers[0]?.body.report, answers[2]?.body.report];
    expect(reports.filter((report) => report.includes('becomes "More words"'))).toHaveLength(1);
    expect((await get('/@controlpanels/dexterity-types/Page')).description).toBe('More words');
    expect((await get('/@types/Event')).title).toBe('My event');
  });

  it('on a site of which nobody knows what was installed, steps are applied, and other differences are kept and reported', async () => {
    await site.kernel.db.query({ text: 'delete from installed_profile' });
    await writeState(site.kernel.db, VERSION_STATE, '1001');
    await profile.write('upgrades/1002/types/Page.json', { id: 'Page', description: 'Other words' });
    await profile.release('1003');
    const { status, body } = await upgrade({ dry_run: false });
    expect([status, body.message]).toEqual([200, undefined]);
    expect(body.report).toContain('Changed types/Page.json, description: "More words" becomes "Other words".');
    expect(body.report).toContain(
      'Kept types/Event.json, title: the site has "My event", the profile wants "Festival".',
    );
    expect((await get('/@types/Event')).title).toBe('My event');
  });
});
