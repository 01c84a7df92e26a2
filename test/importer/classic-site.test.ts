import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ImportSummary } from '../../src/features/import/import-summary.ts';

import { describeEachEngine } from '../support/database.ts';
import { startTestSite, type TestSite } from '../support/site.ts';
import { audit } from './audit.ts';
import { classicExport } from './classic-export.ts';
import { childrenOf, run } from './import-helpers.ts';
import { keepExport } from './readers/helpers.ts';

describeEachEngine('a classic site that is imported', (engine) => {
  let site: TestSite;
  let directory: string;
  let drop: () => Promise<void>;
  let summary: ImportSummary;

  const get = async (path: string) => (await site.request('GET', path)).body;
  const reported = (path: string | null, key: string) =>
    summary.problems.filter((problem) => problem.path === path && problem.key === key).map(({ reason }) => reason);

  beforeAll(async () => {
    site = await startTestSite(engine, { profile: 'plone' });
    ({ directory, drop } = await keepExport(classicExport()));
    summary = await run(site.kernel, directory, { textAsBlocks: true });
  });
  afterAll(async () => {
    await drop();
    await site.close();
  });

  it('an imported classic site has every object in the order of the export, wherever its file is', async () => {
    expect(summary.objects).toEqual({ created: 5, skipped: 0, failed: 0 });
    expect(await childrenOf(site.kernel, '/team')).toEqual(['jane', 'rules', 'about']);
  });

  it('an imported classic site serves or reports every value', async () => {
    const found = await audit(site, { directory, root: 'http://old.example:8080/Plone', problems: summary.problems });
    expect(found).toEqual([]);
  });

  it('an imported classic site gives types the fields and behaviors that its content has', async () => {
    expect(summary.types).toEqual(['Person']);
    const added = Object.fromEntries(summary.added.map(({ type, behaviors, fields }) => [type, { behaviors, fields }]));
    expect(added.Document).toEqual({
      behaviors: ['plone.richtext', 'plone.eventcontact'].filter((name) => added.Document?.behaviors.includes(name)),
      fields: expect.arrayContaining([
        { name: 'priority', kind: 'Choice' },
        { name: 'audiences', kind: 'Multiple Choice' },
        { name: 'reviewed', kind: 'Yes/No' },
        { name: 'rank', kind: 'Integer' },
        { name: 'due', kind: 'Date/Time' },
        { name: 'office', kind: 'JSONField' },
        { name: 'authors', kind: 'Relation List' },
      ]),
    });
    expect(added.Document?.behaviors).toContain('plone.richtext');
    expect(added['Plone Site']?.fields).toEqual([
      { name: 'footer_text', kind: 'Text line (String)' },
      { name: 'logo', kind: 'Image' },
    ]);
    const about = await get('/team/about');
    expect(about).toMatchObject({
      priority: { token: 'high', title: 'High priority' },
      audiences: [
        { token: 'staff', title: 'Staff' },
        { token: 'guests', title: 'Guests' },
      ],
      reviewed: true,
      rank: 7,
      due: '2017-01-02T03:04:05.000Z',
      office: { latitude: 48.2, longitude: 16.3 },
      contact_name: 'Jane',
      authors: [{ UID: 'uid-team-jane' }],
      relatedItems: [{ UID: 'uid-team-jane' }],
    });
    expect((await get('/')).logo).toMatchObject({ filename: 'logo.png', 'content-type': 'image/png' });
    const person = (await site.request('GET', '/@types/Person')).body.properties;
    expect([person.cv.factory, person.skills.factory, person.phone.factory]).toEqual([
      'File',
      'List',
      'Text line (String)',
    ]);
  });

  it('an imported classic site keeps links in texts: by UID, relative, absolute and to views of pictures', async () => {
    const { text } = await get('/team/about');
    expect(text.data).toContain(`<a href="${site.url}/team/jane">Jane</a>`);
    expect(text.data).toContain(`<a href="${site.url}/team/jane/@@images/image/mini">her picture</a>`);
    expect(text.data).toContain(`<a href="${site.url}/team/jane">her</a>`);
    expect(text.data).toContain(`<a href="${site.url}/team">us</a>`);
    expect(text.data).toContain('<a href="/team/lost/page">nobody</a>');
    expect(text.data).not.toContain('script');
    expect(reported('/team/about', 'text').sort()).toEqual(['cleaned', 'link']);
  });

  it('an imported classic site can have its texts in blocks', async () => {
    const { blocks, blocks_layout: layout } = await get('/team/about');
    expect(layout.items.map((id: string) => blocks[id]['@type'])).toEqual(['title', 'html']);
    expect(blocks[layout.items[1]].html).toContain('<a href="/team/jane">her</a>');
    expect((await get('/team/rules')).blocks).toEqual({});
  });

  it('an imported classic site has the histories of all workflows', async () => {
    const { body } = await site.request('GET', '/team/about/@history');
    const actions = body.filter(({ type }: { type: string }) => type === 'workflow');
    expect(actions.map(({ review_state: state, comments }: Record<string, string>) => [state, comments])).toEqual([
      ['published', 'ok'],
      ['private', 'later'],
      ['internal', ''],
    ]);
  });

  it('users of an imported classic site log in with their old passwords and names, and have their portraits and groups', async () => {
    const login = () =>
      site.request('POST', '/@login', {
        as: 'anonymous',
        json: { login: 'jane@example.org', password: 'secret-of-jane' },
      });
    expect((await login()).status).toBe(200);
    const [{ password } = { password: '' }] = await site.kernel.db.query<{ password: string }>({
      text: `select password from account where id = 'jane'`,
    });
    expect(password).toMatch(/^\$argon2id\$/);
    expect((await login()).status).toBe(200);
    const user = await get('/@users/jane');
    expect(user).toMatchObject({ username: 'jane@example.org', fullname: 'Jane Doe' });
    expect((await site.request('GET', '/@portrait/jane')).headers.get('content-type')).toBe('image/png');
    expect((await get('/@groups/staff')).members.items).toContain('jane');
    expect(reported('@users/jane', 'login_time')).toEqual(['system']);
    expect(reported('@users/jane', 'department')).toEqual(['field']);
  });

  it('comments of an imported classic site have the names that their authors gave', async () => {
    const { items } = await get('/team/about/@comments');
    expect(items.map(({ author_name: name }: { author_name: string }) => name)).toEqual(['Miss Doe', 'A visitor']);
  });

  it('an imported classic site keeps redirects, also to missing content, local roles and default pages', async () => {
    const redirect = await site.request('GET', '/old-team', {
      as: 'anonymous',
      headers: { Accept: 'application/json' },
    });
    expect([redirect.status, redirect.headers.get('location')]).toEqual([302, `${site.url}/team`]);
    expect(reported('/older', 'redirects')).toEqual(['link']);
    const { body } = await site.request('GET', '/team/@sharing');
    expect(body.inherit).toBe(false);
    const [{ page } = { page: '' }] = await site.kernel.db.query<{ page: string }>({
      text: `select default_page as page from content where path = '/team'`,
    });
    expect(page).toBe('about');
    expect(reported('/team', 'local_roles')).toEqual(['doubtful']);
  });

  it('an import of a classic site reports each portlet and each rule about them', async () => {
    const left = summary.problems.filter(({ reason, file }) => reason === 'unsupported' && file?.includes('portlets'));
    expect(left.map(({ key }) => key)).toEqual(['portlets.plone.leftcolumn.0', 'blacklist_status']);
  });
});
