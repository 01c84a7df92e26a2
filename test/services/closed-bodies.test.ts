import { beforeAll, expect, it } from 'vitest';
import { peopleOf } from '../people/people-site.ts';
import { describeEachEngine } from '../support/database.ts';
import { PAGE } from '../support/profiles.ts';
import type { Json } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';

const NEVER = '0 0 1 1 *';

describeEachEngine('bodies that grant, narrow or schedule', (engine) => {
  const site = useTestSite(engine);
  const { addUser, addGroup, read } = peopleOf(site);
  let user: string;
  let group: string;
  beforeAll(async () => {
    user = await addUser();
    group = await addGroup();
    await site.request('POST', '/', { json: { '@type': PAGE, title: 'Page', id: 'page' } });
    await site.request('POST', '/@scheduled-jobs', {
      json: { id: 'nightly', action: 'reindex', params: { type: [] }, schedule: NEVER },
    });
    await site.request('POST', '/@controlpanels/content-rules', { json: { title: 'A rule', event: 'onAfterAdd' } });
  });

  const problemsOf = ({ status, body }: { status: number; body: Json }): Json => [
    status,
    Object.fromEntries(body.error.errors.map(({ field, message }: Json) => [field, message])),
  ];
  const near = (name: string) => `There is no such member. Did you mean "${name}"?`;

  it.each<[string, string, Json, string, string | RegExp]>([
    ['POST', '/@access-tokens', { name: 'A', method: ['GET'] }, 'method', near('methods')],
    ['POST', '/page/@preview-links', { title: 'A', password: 'x' }, 'password', /takes title, subtree, expires/],
    [
      'POST',
      '/page/@scheduled-transitions',
      { transition: 'publish', at: '2039-01-01', childern: 1 },
      'childern',
      /takes/,
    ],
    ['POST', '/page/@workflow/publish', { effectiv: '2039-01-01' }, 'effectiv', near('effective')],
    ['PATCH', '/@users/<user>', { enable: false }, 'enable', near('enabled')],
    ['PATCH', '/@groups/<group>', { role: ['Reader'] }, 'role', near('roles')],
    ['POST', '/@groups', { groupname: 'new', member: [] }, 'member', /no such member/],
    [
      'POST',
      '/page/@sharing',
      { entries: [{ id: '<user>', roles: { Reader: true }, until: '2039-01-01' }] },
      'entries.0.until',
      /no such member/,
    ],
    [
      'POST',
      '/@controlpanels/content-rules',
      { title: 'B', event: 'onAfterAdd', enable: false },
      'enable',
      near('enabled'),
    ],
    ['PATCH', '/@scheduled-jobs/nightly', { disabled: true }, 'disabled', /This takes id, title, description, enabled/],
    ['PATCH', '/@scheduled-jobs/nightly', { params: { types: [] } }, 'params.types', near('type')],
    ['POST', '/page/@aliases', { items: [{ path: '/old', until: 1 }] }, 'items.0.until', /takes path, datetime/],
  ])('%s %s refuses %j and names the member', async (method, path, json, field, message) => {
    const named = <Value>(value: Value): Value =>
      JSON.parse(JSON.stringify(value).replaceAll('<user>', user).replaceAll('<group>', group));
    const [status, problems] = problemsOf(await site.request(method, named(path), { json: named(json) }));
    expect(status).toBe(400);
    expect(problems).toMatchObject({
      [field]: typeof message === 'string' ? message : expect.stringMatching(message),
    });
  });

  it('a user and a group can be sent back as they were shown', async () => {
    for (const path of [`/@users/${user}`, `/@groups/${group}`, '/@scheduled-jobs/nightly'])
      expect([path, (await site.request('PATCH', path, { json: await read(path) })).body]).toEqual([path, undefined]);
  });

  it('a user is disabled by enabled: false, shown with both words, and cannot be both', async () => {
    const made = await addUser([], { enabled: false });
    expect(await read(`/@users/${made}`)).toMatchObject({ enabled: false, disabled: true });
    expect((await site.request('PATCH', `/@users/${made}`, { json: { enabled: true } })).status).toBe(204);
    expect(await read(`/@users/${made}`)).toMatchObject({ enabled: true, disabled: false });
    const both = await site.request('PATCH', `/@users/${made}`, { json: { enabled: true, disabled: true } });
    expect(problemsOf(both)).toEqual([400, { enabled: 'Is the contrary of "disabled".' }]);
  });
});
