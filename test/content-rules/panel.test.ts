import { describe, expect, it } from 'vitest';
import { addPerson } from '../content/people.ts';
import { describeEachEngine } from '../support/database.ts';
import { PAGE } from '../support/profiles.ts';
import { useTestSite } from '../support/use-site.ts';
import { PAGES, PUBLISH, rulesOf } from './rule-site.ts';

const PANEL = '/@controlpanels/content-rules';

describeEachEngine('@controlpanels/content-rules', (engine) => {
  const site = useTestSite(engine);
  const { ask, addRule, assign, addFolder, addPage, folderWith, lists } = rulesOf(site);
  const rule = (id: string) => ask(200, 'GET', `${PANEL}/${id}`);

  it('a rule takes the titles of events and the types of elements that clients of Plone send', async () => {
    const body = await ask(201, 'POST', PANEL, { title: 'As in Plone', event: 'Comment added' });
    expect(body).toMatchObject({
      id: 'as-in-plone',
      event: 'onAfterAddComment',
      trigger: 'onAfterAddComment',
      group: 'Content',
    });
    for (const condition of [
      { type: 'plone.conditions.PortalType', check_types: [PAGE, { token: 'Event', title: 'Event' }] },
      { type: 'plone.conditions.Role', role_names: ['Reviewer'] },
    ])
      await ask(201, 'POST', `${PANEL}/as-in-plone/condition`, condition);
    const log = {
      type: 'plone.actions.Logger',
      loggingLevel: 20,
      targetLogger: 'Plone',
      message: 'Caught &e at &c by &u',
    };
    await ask(201, 'POST', `${PANEL}/as-in-plone/action`, log);
    const { conditions, actions } = await rule('as-in-plone');
    expect(conditions.map(({ type, summary }: Record<string, string>) => [type, summary])).toEqual([
      ['content_type', `Content types are: ${PAGE}, Event`],
      ['user_role', 'Roles are: Reviewer'],
    ]);
    expect(actions[0]).toMatchObject({ type: 'logger', title: 'Logger', summary: 'Log message Caught &e at &c by &u' });
    const again = await ask(201, 'POST', PANEL, { title: 'As in Plone', event: 'onAfterModify' });
    expect(again).toMatchObject({ id: 'as-in-plone-1', event: 'onAfterModified' });
  });

  it('texts of the panel are in the language of the reader', async () => {
    await ask(204, 'PATCH', '/@controlpanels/language', { available_languages: ['en', 'de'] });
    const id = await addRule({ actions: [PUBLISH], conditions: [PAGES] });
    const { body } = await site.request('GET', `${PANEL}/${id}`, { headers: { 'Accept-Language': 'de' } });
    expect(body.actions[0].title).toBe('Status ändern');
    expect(body.conditions[0].summary).toBe(`Inhaltstypen sind: ${PAGE}`);
  });

  it.each([
    ['without a title', { event: 'onAfterAdd' }, /title/],
    ['with an empty title', { title: ' ', event: 'onAfterAdd' }, /title/],
    ['without an event', { title: 'A' }, /event/],
    ['with an unknown event', { title: 'A', event: 'onFullMoon' }, /event/],
    ['with a switch that is none', { title: 'A', event: 'onAfterAdd', stop: 'maybe' }, /stop/],
  ])('a content rule %s is rejected', async (_, body, message) => {
    const { status, body: answer } = await site.request('POST', PANEL, { json: body });
    expect(status).toBe(400);
    expect(JSON.stringify(answer)).toMatch(message);
  });

  it.each([
    [
      'condition',
      { type: 'plone.conditions.TalesExpression', tales_expression: 'python:1' },
      /TALES expressions are not supported/,
    ],
    ['condition', { type: 'no_such_type' }, /no_such_type/],
    ['condition', { type: 'content_type' }, /check_types/],
    ['condition', { type: 'content_type', check_types: [PAGE], colour: 'red' }, /colour/],
    ['condition', { type: 'compare_field', field: 'title', operator: 'matches', value: 'x' }, /operator/],
    ['condition', { type: 'compare_field', field: 'title', operator: 'equals' }, /value/],
    ['action', { type: 'move_item', target_folder: 'https://elsewhere.example.org/x' }, /target_folder/],
    ['action', { type: 'move_item' }, /target_folder/],
    ['action', { type: 'send_email', subject: 'S', message: 'M', recipients: 'nobody' }, /recipients/],
    [
      'action',
      { type: 'send_email', subject: 'S', message: 'M', recipients: 'a@b.example', source: 'x\r\nBcc: y' },
      /source/,
    ],
    ['action', { type: 'webhook', url: 'ftp://example.org', method: 'POST' }, /url/],
    ['action', { type: 'webhook', url: 'https://u:p@example.org', method: 'POST' }, /url/],
    ['action', { type: 'webhook', url: 'https://example.org', method: 'TRACE' }, /method/],
    ['action', { type: 'webhook', url: 'https://example.org', method: 'POST', body: '{' }, /body/],
    ['action', { type: 'logger', message: 'x'.repeat(20_000) }, /message/],
  ])('an invalid %s of a rule is rejected: %#', async (list, json, message) => {
    const id = await addRule();
    const { status, body } = await site.request('POST', `${PANEL}/${id}/${list}`, { json });
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toMatch(message);
    expect(await rule(id)).toMatchObject({ conditions: [], actions: [] });
  });

  it('the target of a rule is served with its present address, whether it was sent as a path, an address or a UID', async () => {
    const folder = await addFolder();
    const { UID } = await ask(200, 'GET', folder);
    for (const target_folder of [
      folder,
      `${site.url}${folder}`,
      UID,
      [{ '@id': `${site.url}${folder}`, UID, title: 'x' }],
    ]) {
      const id = await addRule({ actions: [{ type: 'move_item', target_folder }] });
      expect((await rule(id)).actions[0].summary).toBe(`Move to folder ${folder}`);
      const shown = await ask(200, 'GET', `${PANEL}/${id}/action/0`);
      expect(shown.target_folder).toEqual([{ '@id': `${site.url}${folder}`, UID, path: folder }]);
      await ask(204, 'PATCH', `${PANEL}/${id}/action/0`, { target_folder: shown.target_folder });
    }
  });

  it('conditions and actions of a rule can be changed in part, moved and removed', async () => {
    const mail = { type: 'send_email', subject: 'S', recipients: 'a@b.example', message: 'M' };
    const id = await addRule({ actions: [mail, PUBLISH] });
    await ask(204, 'PATCH', `${PANEL}/${id}/action/0`, { subject: 'Other' });
    const first = await ask(200, 'GET', `${PANEL}/${id}/action/0`);
    expect(first).toMatchObject({ subject: 'Other', recipients: 'a@b.example', exclude_actor: false });
    await ask(400, 'PATCH', `${PANEL}/${id}/action/0`, { subject: '' });
    await ask(400, 'PATCH', `${PANEL}/${id}/action/0`, { type: 'logger', message: 'x' });
    await ask(400, 'PATCH', `${PANEL}/${id}/action/0`, { 'form.button.Move': '_move_up' });
    await ask(400, 'PATCH', `${PANEL}/${id}/action/0`, { 'form.button.Move': 'sideways' });
    for (const index of ['2', '-1', 'x', '00000000000000000'])
      await ask(404, 'DELETE', `${PANEL}/${id}/action/${index}`);
    await ask(204, 'DELETE', `${PANEL}/${id}/action/0`);
    expect((await rule(id)).actions).toMatchObject([{ type: 'transition_workflow', first: true, last: true }]);
    await ask(404, 'GET', `${PANEL}/no-such-rule/action/0`);
    await ask(404, 'PATCH', `${PANEL}/no-such-rule`, { title: 'x' });
    await ask(404, 'DELETE', `${PANEL}/no-such-rule`);
  });

  it('two Managers who change a rule at the same time lose nothing of each other', async () => {
    const id = await addRule();
    const extensions = Array.from({ length: 8 }, (_, i) => `ext${i}`);
    await Promise.all([
      ...extensions.map((file_extension) =>
        ask(201, 'POST', `${PANEL}/${id}/condition`, { type: 'file_extension', file_extension }),
      ),
      ask(204, 'PATCH', `${PANEL}/${id}`, { description: 'Changed meanwhile' }),
      ask(201, 'POST', `${PANEL}/${id}/action`, PUBLISH),
    ]);
    const { conditions, actions, description } = await rule(id);
    expect(conditions.map(({ summary }: { summary: string }) => summary.split(' ').at(-1)).sort()).toEqual(extensions);
    expect([actions.length, description]).toEqual([1, 'Changed meanwhile']);
  });

  it('rules that are assigned at the same time are all assigned', async () => {
    const folder = await addFolder();
    const ids = await Promise.all([addRule(), addRule(), addRule()]);
    await Promise.all(ids.map((id) => assign(folder, id)));
    expect((await lists(folder)).assigned_rules.map(({ id }: { id: string }) => id).sort()).toEqual([...ids].sort());
  });

  it('a rule that is changed while many write under it runs as it was or as it is', async () => {
    const { folder, rule: id } = await folderWith({
      actions: [{ type: 'set_field', field: 'rights', value: 'before' }],
    });
    const pages = Array.from({ length: 8 }, () => addPage(folder));
    const [made] = await Promise.all([
      Promise.all(pages),
      ask(204, 'PATCH', `${PANEL}/${id}/action/0`, { value: 'after' }),
    ]);
    for (const { rights } of made) expect(['before', 'after']).toContain(rights);
    expect((await addPage(folder)).rights).toBe('after');
    await ask(204, 'DELETE', `${PANEL}/${id}`);
    expect((await addPage(folder)).rights).not.toBe('after');
  });

  it('two writers under one rule that moves into one folder both succeed', async () => {
    const archive = await addFolder();
    const { folder } = await folderWith({ actions: [{ type: 'move_item', target_folder: archive }] });
    const made = await Promise.all(Array.from({ length: 6 }, () => addPage(folder, { title: 'Same title' })));
    expect(new Set(made.map((page) => page['@id'])).size).toBe(6);
    expect((await ask(200, 'GET', archive)).items_total).toBe(6);
  });

  describe('@content-rules', () => {
    it('@content-rules lists the rules that a folder has, acquires and could have', async () => {
      const outer = await folderWith({ title: 'Outer one' });
      const inner = await addFolder(outer.folder);
      const own = await addRule({ title: 'Inner one', enabled: false });
      await assign(inner, own, { bubbles: false });
      const { assigned_rules: assigned, acquired_rules: acquired, assignable_rules: assignable } = await lists(inner);
      expect(assigned).toEqual([
        {
          ...{ id: own, title: 'Inner one', description: '', trigger: 'onAfterAdd', enabled: true, bubbles: false },
          ...{ global_enabled: false, url: `${site.url}${PANEL}/${own}` },
        },
      ]);
      expect(acquired).toMatchObject([{ id: outer.rule, bubbles: true }]);
      expect(assignable.map(({ id }: { id: string }) => id)).toContain(outer.rule);
    });

    it.each([
      ['PATCH', {}],
      ['PATCH', { rule_ids: ['x'] }],
      ['PATCH', { 'form.button.Enable': true }],
      ['PATCH', { 'form.button.Enable': true, rule_ids: ['not-assigned'] }],
      ['PATCH', { operation: 'move_up', rule_id: 'not-assigned' }],
      ['PATCH', { operation: 'sideways', rule_id: 'x' }],
      ['DELETE', {}],
      ['DELETE', { rule_ids: [] }],
      ['DELETE', { rule_ids: [5] }],
    ])('@content-rules rejects %s %j', async (method, json) => {
      await ask(400, method, '/@content-rules', json);
    });

    it('only an existing rule can be assigned to a folder', async () => {
      await ask(400, 'POST', '/@content-rules');
      await ask(404, 'POST', '/@content-rules/no-such-rule');
      await ask(404, 'PATCH', '/@content-rules', { 'form.button.ApplyOnWholeSite': true, rule_ids: ['no-such-rule'] });
    });

    it('the permission to assign rules does not allow changing them', async () => {
      const administrator = await addPerson(site, { id: 'administrator', roles: ['Site Administrator'] });
      const { folder, rule: id } = await folderWith({});
      await ask(
        200,
        'PATCH',
        `${folder}/@content-rules`,
        { 'form.button.Disable': true, rule_ids: [id] },
        administrator,
      );
      await ask(403, 'POST', `${PANEL}/${id}/action`, PUBLISH, administrator);
      await ask(403, 'GET', `${PANEL}/${id}`, undefined, administrator);
    });

    it('rules of a folder come back with it from the recycle bin', async () => {
      await ask(204, 'PATCH', '/@controlpanels/recyclebin', { recycling_enabled: true });
      const { folder } = await folderWith({ actions: [PUBLISH] });
      await ask(204, 'DELETE', folder);
      const { items } = await ask(200, 'GET', '/@recyclebin');
      await ask(200, 'POST', `${new URL(items[0]['@id']).pathname}/restore`, {});
      expect((await addPage(folder)).review_state).toBe('published');
    });
  });
});
