// biome-ignore-all lint/suspicious/noTemplateCurlyInString: places for values in texts of rules
import { describe, expect, it } from 'vitest';
import { addPerson } from '../content/people.ts';
import { describeEachEngine } from '../support/database.ts';
import { useTestSite } from '../support/use-site.ts';
import { PAGES, PUBLISH, rulesOf } from './rule-site.ts';

const set = (field: string, value: string) => ({ type: 'set_field', field, value });

describeEachEngine('content rules', (engine) => {
  const site = useTestSite(engine);
  const { ask, addRule, assign, addFolder, addPage, folderWith, childrenOf, stateOf, failuresOf, lists, pathOf, next } =
    rulesOf(site);
  const PANEL = '/@controlpanels/content-rules';

  describe('events', () => {
    it('a copy, a move, a change, a publication and a removal each run the rules for them', async () => {
      const archive = await addFolder();
      const folder = await addFolder();
      for (const [event, note] of [
        ['onAfterCopy', 'copied'],
        ['onAfterMove', 'moved'],
        ['onAfterModified', 'modified'],
        ['onAfterPublish', 'published'],
      ] as const)
        await assign(folder, await addRule({ event, actions: [set('rights', note)] }));
      const copy = { type: 'copy_item', target_folder: archive };
      await assign(folder, await addRule({ event: 'onAfterDelete', actions: [copy] }));
      const source = pathOf(await addPage('/'));
      const rights = async (path: string) => (await ask(200, 'GET', path)).rights;
      const [{ target }] = await ask(200, 'POST', `${folder}/@copy`, { source });
      const copied = new URL(target).pathname;
      expect(await rights(copied)).toBe('copied');
      const [moved] = await ask(200, 'POST', `${folder}/@move`, { source });
      expect(await rights(new URL(moved.target).pathname)).toBe('moved');
      await ask(204, 'PATCH', copied, { title: 'Changed' });
      expect(await rights(copied)).toBe('modified');
      await ask(200, 'POST', `${copied}/@workflow/publish`, {});
      expect(await rights(copied)).toBe('published');
      await ask(204, 'DELETE', copied);
      expect(await childrenOf(archive)).toHaveLength(1);
    });

    it('a copy of a folder runs the rules once, for the folder, and takes no rules along', async () => {
      const { folder, rule } = await folderWith({ event: 'onAfterAdd', actions: [set('rights', 'added')] });
      const source = await addFolder();
      await addPage(source);
      await assign(source, rule);
      const [{ target }] = await ask(200, 'POST', `${folder}/@copy`, { source });
      const copy = new URL(target).pathname;
      expect((await ask(200, 'GET', copy)).rights).toBe('added');
      const [inside] = await childrenOf(copy);
      expect((await ask(200, 'GET', inside ?? '')).rights).not.toBe('added');
      expect((await lists(copy)).assigned_rules).toEqual([]);
    });

    it('comments run rules: added, replied to, removed', async () => {
      await ask(204, 'PATCH', '/@controlpanels/discussion', { globally_enabled: true });
      const folder = await addFolder();
      const log = { type: 'set_field', field: 'rights', value: '${event_name}: ${comment_text}' };
      for (const event of ['Comment reply added', 'Comment removed'])
        await assign(folder, await addRule({ event, actions: [log] }), { bubbles: false });
      const page = pathOf(await addPage(folder, { allow_discussion: true }));
      const comment = async (path: string, text: string) => {
        const { headers } = await site.request('POST', path, { json: { text } });
        return new URL(headers.get('location') ?? '').pathname;
      };
      const rights = async () => (await ask(200, 'GET', page)).rights;
      const first = await comment(`${page}/@comments`, 'First');
      expect((await rights()) ?? '').not.toContain('First');
      const reply = await comment(first, 'An answer');
      expect(await rights()).toBe('onAfterReplyComment: An answer');
      await ask(204, 'DELETE', reply);
      expect(await rights()).toBe('onAfterDeleteComment: An answer');
    });

    it('logging in and out, and making and removing a user, run the rules of the site root', async () => {
      const note = { type: 'notify', message: '${event_name} ${principal_id}', message_type: 'info' };
      const rules = [];
      for (const event of ['onAfterLogin', 'onAfterLogout', 'onAfterCreateUser', 'onAfterDeleteUser'])
        rules.push(await addRule({ event, actions: [note] }));
      for (const rule of rules) await assign('/', rule, { bubbles: false });
      const { body } = await site.request('POST', '/@login', { json: site.admin });
      const token = { token: body.token };
      await ask(201, 'POST', '/@users', {
        username: 'short-lived',
        email: 'a@example.org',
        password: 'a long password',
      });
      await ask(204, 'DELETE', '/@users/short-lived');
      await ask(204, 'POST', '/@logout', {}, token);
      const { items } = await ask(200, 'GET', '/@notifications');
      expect(items.map(({ message }: { message: string }) => message)).toEqual([
        'onAfterLogout admin',
        'onAfterDeleteUser short-lived',
        'onAfterCreateUser short-lived',
        'onAfterLogin admin',
      ]);
      await ask(204, 'DELETE', `/@notifications/${items[0].id}`);
      await ask(404, 'DELETE', `/@notifications/${items[0].id}`);
      await ask(204, 'DELETE', '/@notifications');
      expect((await ask(200, 'GET', '/@notifications')).items_total).toBe(0);
      for (const rule of rules) await ask(204, 'DELETE', `${PANEL}/${rule}`);
    });

    it('a failing rule keeps nobody from logging in', async () => {
      const rule = await addRule({ event: 'onAfterLogin', actions: [{ type: 'delete_item' }] });
      await assign('/', rule);
      expect((await site.request('POST', '/@login', { json: site.admin })).status).toBe(200);
      expect((await failuresOf(rule)).count).toBe(1);
      await ask(204, 'DELETE', `${PANEL}/${rule}`);
    });
  });

  describe('order', () => {
    it('rules of a folder run in its order, then those of containers, until a rule stops the chain', async () => {
      const outer = await addFolder();
      const inner = await addFolder(outer);
      const value = (text: string) => set('rights', `\${description}${text}`);
      const names = new Map<string, string>();
      for (const [text, folder] of [
        ['outer', outer],
        ['first', inner],
        ['second', inner],
      ] as const) {
        const rule = await addRule({ actions: [set('rights', text), value(text)], title: `${text} ${next()}` });
        names.set(text, rule);
        await assign(folder, rule);
      }
      const last = async () => (await ask(200, 'GET', pathOf(await addPage(inner, { description: '' })))).rights;
      expect(await last()).toBe('outer');
      await ask(204, 'PATCH', `${PANEL}/${names.get('second')}`, { stop: true });
      expect(await last()).toBe('second');
      const move = { operation: 'move_up', rule_id: names.get('second') };
      expect(await ask(200, 'PATCH', `${inner}/@content-rules`, move)).toEqual({
        message: 'Successfully applied the move_up',
      });
      await ask(204, 'PATCH', `${PANEL}/${names.get('second')}`, { stop: false });
      await ask(204, 'PATCH', `${PANEL}/${names.get('first')}`, { stopExecuting: true });
      expect(await last()).toBe('first');
      expect((await lists(inner)).assigned_rules.map(({ id }: { id: string }) => id)).toEqual([
        names.get('second'),
        names.get('first'),
      ]);
    });

    it('a rule whose conditions are not met does not stop other rules', async () => {
      const { folder } = await folderWith({
        stop: true,
        conditions: [{ type: 'content_type', check_types: ['Event'] }],
      });
      await assign(folder, await addRule({ actions: [PUBLISH] }));
      expect((await addPage(folder)).review_state).toBe('published');
    });

    it('a change by a rule starts other rules only where the rule cascades', async () => {
      for (const cascading of [false, true]) {
        const archive = await addFolder();
        const { folder } = await folderWith({ actions: [PUBLISH], cascading });
        const copy = { type: 'copy_item', target_folder: archive };
        await assign(folder, await addRule({ event: 'onAfterChangeWorkflow', actions: [copy] }));
        await addPage(folder);
        expect(await childrenOf(archive)).toHaveLength(cascading ? 1 : 0);
      }
    });

    it('a rule on the whole site applies everywhere, and runs once with a second assignment', async () => {
      const rule = await addRule({ conditions: [PAGES], actions: [{ type: 'copy_item', target_folder: '/' }] });
      const folder = await addFolder();
      await ask(204, 'PATCH', `${PANEL}/${rule}`, { 'form.button.ApplyOnWholeSite': true });
      await assign(folder, rule);
      const { id } = await addPage(folder, { id: `everywhere-${next()}` });
      const copies = (await childrenOf('/')).filter((path) => path.endsWith(id));
      await ask(204, 'DELETE', `${PANEL}/${rule}`);
      expect(copies).toHaveLength(1);
    });
  });

  describe('conditions', () => {
    const cases: [string, string, string, object, boolean][] = [
      ['title', 'equals', 'big news', { title: 'Big News' }, true],
      ['title', 'not_equals', 'big news', { title: 'Big News' }, false],
      ['title', 'contains', 'NEW', { title: 'Big News' }, true],
      ['title', 'starts_with', 'news', { title: 'Big News' }, false],
      ['subjects', 'contains', 'red', { subjects: ['Red', 'blue'] }, true],
      ['subjects', 'not_contains', 'green', { subjects: ['Red', 'blue'] }, true],
      ['subjects', 'empty', '', { subjects: [] }, true],
      ['exclude_from_nav', 'equals', 'yes', { exclude_from_nav: true }, true],
      ['expires', 'greater', '2030-01-01', { expires: '2031-05-05T10:00:00Z' }, true],
      ['expires', 'less', '2030-01-01', { expires: '2031-05-05T10:00:00Z' }, false],
      ['no_such_field', 'equals', 'x', {}, false],
      ['no_such_field', 'empty', '', {}, true],
    ];
    it.each(cases)(
      'the condition that the field %s %s "%s" decides whether a rule runs',
      async (field, operator, value, page, holds) => {
        const { folder, rule } = await folderWith({
          conditions: [{ type: 'compare_field', field, operator, value }],
          actions: [PUBLISH],
        });
        expect((await addPage(folder, page)).review_state).toBe(holds ? 'published' : 'private');
        expect((await failuresOf(rule)).count).toBe(0);
      },
    );

    it('a condition with a value that the field cannot have is a failure of the rule, which does not run', async () => {
      const compare = { type: 'compare_field', field: 'expires', operator: 'less', value: 'soon' };
      const { folder, rule } = await folderWith({ conditions: [compare], actions: [PUBLISH] });
      const page = await addPage(folder, { expires: '2031-05-05T10:00:00Z' });
      expect(page.review_state).toBe('private');
      expect((await failuresOf(rule)).items[0].message).toContain('"soon"');
    });

    it('a condition on a folder still holds after the folder was moved', async () => {
      const below = await addFolder();
      const target = await addFolder();
      const rule = await addRule({ conditions: [{ type: 'path', path: below }], actions: [PUBLISH] });
      await assign('/', rule);
      const [{ target: url }] = await ask(200, 'POST', `${target}/@move`, { source: below });
      expect((await addPage(new URL(url).pathname)).review_state).toBe('published');
      expect((await addPage(target)).review_state).toBe('private');
      await ask(204, 'DELETE', `${PANEL}/${rule}`);
    });

    it('local roles on the content count for conditions on roles', async () => {
      const member = await addPerson(site, { id: 'owning', roles: ['Contributor'] });
      const { folder } = await folderWith({
        conditions: [
          { type: 'user_role', role_names: ['Owner'] },
          { type: 'user_group', group_names: ['Nobody'] },
        ],
        actions: [PUBLISH],
      });
      const other = await folderWith({
        conditions: [{ type: 'user_role', role_names: ['Owner'] }],
        actions: [PUBLISH],
      });
      expect((await addPage(folder, {}, member)).review_state).toBe('private');
      expect((await addPage(other.folder, {}, member)).review_state).toBe('published');
    });
  });

  describe('failures', () => {
    it('a rule with a missing target reports a failure, and the write succeeds', async () => {
      const archive = await addFolder();
      const move = { type: 'move_item', target_folder: archive };
      const { folder, rule } = await folderWith({ actions: [set('rights', 'kept'), move, PUBLISH] });
      await ask(204, 'DELETE', archive);
      const page = await addPage(folder);
      expect(pathOf(page).startsWith(folder)).toBe(true);
      // The effects of earlier actions stay, and later actions do not run.
      expect(page).toMatchObject({ rights: 'kept', review_state: 'private' });
      const failures = await failuresOf(rule);
      expect(failures).toMatchObject({
        count: 1,
        items: [{ path: pathOf(page), message: 'The target folder is gone.' }],
      });
      expect(Date.parse(failures.last)).toBeGreaterThan(Date.now() - 60_000);
    });

    it('a failed action of a rule is rolled back alone, with its effects and the rules that it started', async () => {
      const archive = await addFolder('/', {});
      const { folder, rule } = await folderWith({
        cascading: true,
        actions: [set('rights', 'first'), set('expires', 'never'), PUBLISH],
      });
      const copy = { type: 'copy_item', target_folder: archive };
      await assign(folder, await addRule({ event: 'onAfterModified', conditions: [], actions: [copy] }));
      const page = await addPage(folder);
      expect(page).toMatchObject({ rights: 'first', expires: null, review_state: 'private' });
      expect(await childrenOf(archive)).toHaveLength(1);
      expect((await failuresOf(rule)).count).toBe(1);
    });

    it('the last twenty failures of a rule are kept, and all are counted', async () => {
      const { folder, rule } = await folderWith({ actions: [{ type: 'move_item', target_folder: '/no-such-folder' }] });
      for (let i = 0; i < 23; i += 1) await addPage(folder);
      const failures = await failuresOf(rule);
      expect(failures.count).toBe(23);
      expect(failures.items).toHaveLength(20);
    });

    it('content that is being removed is not kept by a rule', async () => {
      const archive = await addFolder();
      const actions = [{ type: 'move_item', target_folder: archive }];
      const { folder, rule } = await folderWith({ event: 'onAfterDelete', actions });
      const page = pathOf(await addPage(folder));
      await ask(204, 'DELETE', page);
      expect(await childrenOf(archive)).toEqual([]);
      expect((await failuresOf(rule)).items[0].message).toContain('too late');
    });

    it('the response to a creation shows the effects of rules, also when they removed the content', async () => {
      const archive = await addFolder();
      const moving = await folderWith({ actions: [{ type: 'move_item', target_folder: archive }, PUBLISH] });
      const moved = await addPage(moving.folder);
      expect(moved).toMatchObject({ review_state: 'published' });
      expect(pathOf(moved).startsWith(`${archive}/`)).toBe(true);
      const removing = await folderWith({ actions: [{ type: 'delete_item' }] });
      const { '@id': address, UID } = await addPage(removing.folder);
      expect(UID).toBeTruthy();
      await ask(404, 'GET', new URL(address).pathname);
    });
  });

  describe('rights', () => {
    it('rules act in the name of the actor beyond the rights of the actor, and reveal nothing hidden', async () => {
      const member = await addPerson(site, { id: 'contributing', roles: ['Contributor'] });
      const archive = await addFolder();
      const copy = { type: 'copy_item', target_folder: archive };
      const { folder } = await folderWith({ event: 'onAfterMove', conditions: [], actions: [copy] });
      const { folder: adding } = await folderWith({ actions: [PUBLISH, copy] });
      const page = await addPage(adding, {}, member);
      expect(page.review_state).toBe('published');
      const { body: history } = await site.request('GET', `${pathOf(page)}/@history`);
      expect(history[0].actor.id).toBe('contributing');
      expect(await childrenOf(archive)).toHaveLength(1);
      expect(await childrenOf(folder)).toEqual([]);
    });

    it('a rule with a transition that the content does not have fails', async () => {
      const { folder, rule } = await folderWith({ actions: [{ ...PUBLISH, transition: 'no_such_one' }] });
      await addPage(folder);
      expect((await failuresOf(rule)).items[0].message).toContain('no_such_one');
    });
  });

  describe('folders', () => {
    it('a moved folder keeps its rules, and a removed folder loses them', async () => {
      const { folder, rule } = await folderWith({ actions: [PUBLISH] });
      const target = await addFolder();
      const [{ target: url }] = await ask(200, 'POST', `${target}/@move`, { source: folder });
      const moved = new URL(url).pathname;
      expect((await addPage(moved)).review_state).toBe('published');
      expect((await lists(moved)).assigned_rules).toHaveLength(1);
      await ask(204, 'DELETE', moved);
      expect((await ask(200, 'GET', `${PANEL}/${rule}`)).assignments).toEqual([]);
    });

    it('a publication of a tree runs the rule for each object in it', async () => {
      const { folder, rule } = await folderWith({ event: 'onAfterPublish', actions: [set('rights', 'in public')] });
      for (let i = 0; i < 12; i += 1) await addPage(folder);
      await ask(200, 'POST', `${folder}/@workflow/publish`, { include_children: true });
      for (const child of await childrenOf(folder)) {
        expect(await stateOf(child)).toBe('published');
        expect((await ask(200, 'GET', child)).rights).toBe('in public');
      }
      expect((await failuresOf(rule)).count).toBe(0);
    });
  });
});
