import { afterAll, beforeAll, expect, it } from 'vitest';
import { startWorker } from '../jobs/job-site.ts';
import { describeEachEngine } from '../support/database.ts';
import { type Json, startTestSite, type TestSite } from '../support/site.ts';
import { copyProfile, type ProfileCopy } from './profile-copy.ts';

const typeFile = (id: string, more: Json = {}): Json => ({
  ...{ id, title: id, behaviors: ['basic', 'plone.namefromtitle'], global_allow: true, filter_content_types: true },
  ...{ allowed_content_types: [], workflow: 'simple_publication_workflow', layouts: ['view'] },
  ...more,
});

/** The next version of the profile: it adds, changes and removes something of each kind. */
async function release1001(profile: ProfileCopy): Promise<void> {
  await profile.edit('types/Page.json', (page) => {
    page.title = 'Web page';
    page.description = 'Text and pictures';
    page.behaviors = [
      ...page.behaviors.filter((name: string) => name !== 'plone.tableofcontents'),
      'plone.eventcontact',
    ];
    page.layouts = [...page.layouts, 'wide_view'];
  });
  await profile.edit('types/Link.json', (link) => {
    link.workflow = 'one_state_workflow';
  });
  await profile.write('types/Recipe.json', typeFile('Recipe'));
  await profile.removeFile('types/Collection.json');
  await profile.removeFile('types/LIF.json');
  await profile.edit('settings.json', ({ navigation, site, language, mail }) => {
    navigation.displayed_types = ['Folder', 'Page', 'News Item', 'Event', 'Link', 'Recipe'];
    site.site_title = 'The village';
    site.frontend_domain = 'https://village.example';
    language.available_languages = ['en', 'nl', 'sv', 'de'];
    mail.smtp_pass = 'the-new-secret';
  });
  await profile.edit('workflows/simple_publication_workflow.json', (workflow) => {
    workflow.states.published.permissions.View.roles = ['Authenticated'];
    workflow.states.published.title = 'Visible';
    workflow.transitions.publish.title = 'Show';
  });
  await profile.edit('permissions.json', (permissions) => {
    permissions['Village: Ring the bell'] = ['Manager', 'Editor'];
    permissions['Add portal content'] = [...permissions['Add portal content'], 'Reader'];
  });
  await profile.edit('actions.json', (actions) => {
    actions.object = actions.object.filter(({ id }: Json) => id !== 'history');
    actions.object[0].title = 'Look';
    actions.user.push({ id: 'bell', title: 'Ring the bell', url: '/bell' });
  });
  await profile.edit('roles.json', (roles) =>
    roles.push({ id: 'Bell ringer', title: 'Bell ringer', description: 'Rings.' }),
  );
  await profile.edit('groups.json', (groups) => {
    groups[2].roles = ['Reviewer', 'Reader'];
    groups.push({ id: 'Ringers', title: 'Ringers', description: 'They ring.', roles: ['Bell ringer'] });
  });
  await profile.edit('vocabularies/bells.json', (bells) => {
    bells.items = [
      { token: 'big', title: 'The biggest bell' },
      { token: 'new', title: 'The new bell' },
    ];
  });
  await profile.write('catalog.json', { indexes: [{ name: 'place', type: 'string', attr: 'location' }] });
  await profile.release('1001');
}

describeEachEngine('an upgrade to changed files of the profile', (engine) => {
  let profile: ProfileCopy;
  let site: TestSite;
  let dry: Json;

  const get = async (path: string): Promise<Json> => (await site.request('GET', path)).body;
  const state = async () => ({
    upgrade: await get('/@upgrade'),
    registry: (await get('/@registry?b_size=500')).items,
    page: await get('/@types/Page'),
    types: (await get('/@types')).map(({ title }: Json) => title),
    groups: (await get('/@groups?b_size=100')).map?.(({ id, roles }: Json) => [id, roles]),
    link: (await get('/link')).review_state,
    jobs: (await get('/@jobs')).length,
  });
  const post = async (json: Json) => {
    const { status, body } = await site.request('POST', '/@upgrade', { json });
    expect([status, body.message]).toEqual([200, undefined]);
    return body;
  };

  beforeAll(async () => {
    profile = await copyProfile();
    await profile.write('vocabularies/bells.json', {
      ...{ id: 'bells', title: 'Bells' },
      items: [
        { token: 'big', title: 'The big bell' },
        { token: 'old', title: 'The old bell' },
      ],
    });
    site = await startTestSite(engine, { profile: 'village', profiles: profile.profiles });
    const made = async (path: string, json: Json) =>
      expect((await site.request('POST', path, { json })).status, JSON.stringify(json)).toBe(201);
    await made('/', { '@type': 'Link', id: 'link', title: 'A link', remoteUrl: 'https://example.org' });
    await made('/', { '@type': 'Page', id: 'page', title: 'A page' });
    await made('/', { '@type': 'Collection', id: 'collection', title: 'A collection' });
    expect((await site.request('POST', '/page/@workflow/publish')).status).toBe(200);
    // Changes by a Manager of the site.
    const own = [
      ['PATCH', '/@registry', { 'plone.site_title': 'My own title' }],
      ['PATCH', '/@controlpanels/dexterity-types/Page', { title: 'My page' }],
      ['POST', '/@types/Page', { factory: 'Text line (String)', title: 'Subtitle' }],
    ] as const;
    for (const [method, path, json] of own)
      expect((await site.request(method, path, { json })).status, path).toBeLessThan(300);
    await release1001(profile);
  });
  afterAll(async () => {
    await site?.close();
    await profile?.close();
  });

  it('GET names the changes of the files as a step, until they are applied', async () => {
    expect((await get('/@upgrade')).upgrade_steps).toEqual({
      '1000-1001': [{ id: 'profile-files', title: 'Changes of the profile files' }],
    });
  });

  it('a dry run lists every change and everything that the site keeps, and changes nothing', async () => {
    const before = await state();
    dry = await post({ dry_run: true });
    expect(await state()).toEqual(before);
    const lines: string[] = dry.report.split('\n');
    expect([dry.upgraded, dry.versions, lines[0], lines.at(-1)]).toEqual([
      false,
      { fs: '1001', instance: '1000' },
      'Dry run selected.',
      'Dry run: transaction aborted.',
    ]);
    const listed = [
      'Moved: the workflow "one_state_workflow" has no state "private": content of the type "Link" in it (1 object) gets the state "published".',
      'Added types/Page.json, behaviors: "plone.eventcontact".',
      'Removed types/Page.json, behaviors: "plone.tableofcontents".',
      expect.stringMatching(/^Changed types\/Page\.json, description: .* becomes "Text and pictures"\.$/),
      'Added types/Page.json, layouts: "wide_view".',
      'Kept types/Page.json, title: the site has "My page", the profile wants "Web page".',
      'Changed types/Link.json, workflow: "simple_publication_workflow" becomes "one_state_workflow".',
      'Added types/Recipe.json.',
      'Removed types/LIF.json.',
      'Kept types/Collection.json: it stays, because there is content of this type: 1.',
      'Removed settings.json, navigation.displayed_types: "Collection".',
      'Added settings.json, navigation.displayed_types: "Recipe".',
      'Kept settings.json, site.site_title: the site has "My own title", the profile wants "The village".',
      'Changed settings.json, site.frontend_domain: "" becomes "https://village.example".',
      'Added settings.json, language.available_languages: "de".',
      'Changed settings.json, mail.smtp_pass: (not shown) becomes (not shown).',
      'Removed workflows/simple_publication_workflow.json, states.published.permissions.View.roles: "Anonymous".',
      'Added workflows/simple_publication_workflow.json, states.published.permissions.View.roles: "Authenticated".',
      'Changed workflows/simple_publication_workflow.json, states.published.title: "Published" becomes "Visible".',
      expect.stringMatching(/^Changed workflows\/.*, transitions\.publish\.title: .* becomes "Show"\.$/),
      'Added permissions.json, Village: Ring the bell.',
      'Added permissions.json, Add portal content: "Reader".',
      expect.stringMatching(/^Removed actions\.json, object\.history: \{"id":"history"/),
      'Changed actions.json, object.view.title: "View" becomes "Look".',
      expect.stringMatching(/^Added actions\.json, user\.bell: \{/),
      'Added roles.json, Bell ringer.',
      'Added groups.json, Reviewers.roles: "Reader".',
      'Added groups.json, Ringers.',
      'Changed vocabularies/bells.json, items.big.title: "The big bell" becomes "The biggest bell".',
      expect.stringMatching(/^Removed vocabularies\/bells\.json, items\.old: \{/),
      expect.stringMatching(/^Added vocabularies\/bells\.json, items\.new: \{/),
      'Added catalog.json, place.',
      expect.stringMatching(/^A job brings content up to date: \d+ objects of all types; states .* for .*Link.*\.$/),
    ];
    expect(lines.slice(3, -1)).toEqual(expect.arrayContaining(listed));
    expect(lines.slice(3, -1)).toHaveLength(listed.length);
    expect(dry.report).not.toContain('the-new-secret');
  });

  it('the run makes the changes that the dry run listed, at once on this process, and keeps what is the site’s own', async () => {
    const run = await post({ dry_run: false });
    const changes = (report: string) => report.split('\n').slice(1, -1);
    expect(changes(run.report)).toEqual(changes(dry.report));
    expect([run.upgraded, run.versions]).toEqual([true, { fs: '1001', instance: '1001' }]);
    const page = await get('/@types/Page');
    expect(Object.keys(page.properties)).toEqual(expect.arrayContaining(['subtitle', 'contact_name']));
    expect(page.title).toBe('My page');
    expect(await get('/@registry/plone.site_title')).toBe('My own title');
    expect(await get('/@registry/plone.available_languages')).toContain('de');
    const types = (await get('/@types')).map(({ title }: Json) => title);
    expect(types).toContain('Recipe');
    expect((await get('/@groups/Ringers')).roles).toContain('Bell ringer');
    expect((await site.request('GET', '/collection')).status).toBe(200);
    expect((await get('/@vocabularies/bells')).items.map(({ token }: Json) => token)).toEqual(['big', 'new']);
    expect((await get('/@actions')).user.map(({ id }: Json) => id)).toContain('bell');
    expect((await get('/@upgrade')).upgrade_steps).toEqual({});
    // Content is visible as the new workflow says, also in lists.
    expect((await site.request('GET', '/page', { as: 'anonymous' })).status).toBe(401);
    const [row] = await site.kernel.db.query<{ allowed: string[] }>({
      text: `select allowed from catalog join content using (oid) where path = '/page'`,
    });
    expect(row?.allowed).toContain('role:Authenticated');
    expect(row?.allowed).not.toContain('role:Anonymous');
  });

  it('a job brings content to the new workflow, with its progress, and a second upgrade has nothing to do', async () => {
    expect((await get('/link')).review_state).toBe('private');
    const worker = await startWorker(site.kernel);
    await expect.poll(async () => (await get('/@jobs'))[0].status, { timeout: 20_000 }).toBe('completed');
    await worker.close();
    const [job] = await get('/@jobs');
    expect(job).toMatchObject({
      params: { action: 'bring-content', all: true },
      result: { states: expect.any(Number) },
    });
    expect(job.progress.done).toBe(job.progress.total);
    const link = await get('/link?expand=workflow');
    expect(link.review_state).toBe('published');
    expect(link['@components'].workflow.history.at(-1)).toMatchObject({ action: null, review_state: 'published' });
    const again = await post({});
    expect(again.report.split('\n')).toHaveLength(3);
    expect((await get('/@jobs')).length).toBe(1);
  });

  it('a setting that the site kept stays in the next upgrade, one that it adopted follows the profile', async () => {
    await profile.edit('types/Page.json', (page) => {
      page.title = 'Sheet';
      page.description = 'Anything';
    });
    await profile.release('1002');
    const { report } = await post({ dry_run: false });
    expect(report).toContain('Kept types/Page.json, title: the site has "My page", the profile wants "Sheet".');
    expect(report).toContain('Changed types/Page.json, description: "Text and pictures" becomes "Anything".');
  });

  it('files that change without a new version are not applied, and the report says so', async () => {
    await profile.edit('types/Page.json', (page) => {
      page.description = 'Nobody sees this';
    });
    expect((await get('/@upgrade')).upgrade_steps).toEqual({});
    expect((await post({})).report).toMatch(/have changed, but not its version/);
    expect((await get('/@controlpanels/dexterity-types/Page')).description).not.toBe('Nobody sees this');
  });
});
