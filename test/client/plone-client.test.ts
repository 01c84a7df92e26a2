import Client from '@plone/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../support/site.ts';
import { startTestSite, type TestSite } from '../support/site.ts';
import { startSmtpSink } from '../support/smtp-sink.ts';

const KINDS = [
  { profile: 'plone', page: 'Document' },
  { profile: 'default', page: 'Page' },
];

describe.each(KINDS)('every call of @plone/client with the profile $profile', ({ profile, page }) => {
  let site: TestSite;
  let sink: Awaited<ReturnType<typeof startSmtpSink>>;
  let client: ReturnType<typeof Client.initialize>;
  const called = new Set<string>();

  /** Runs one of the client's queries. */
  const ask = async (name: string, args: Json = {}): Promise<Json> => {
    called.add(name);
    const make: Json = Reflect.get(client, name);
    return make.call(client, args).queryFn();
  };
  /** Runs one of the client's mutations. */
  const write = async (name: string, args: Json): Promise<Json> => {
    called.add(name);
    const make: Json = Reflect.get(client, name);
    return make.call(client).mutationFn(args);
  };

  beforeAll(async () => {
    sink = await startSmtpSink();
    site = await startTestSite(undefined, { profile, environment: { SMTP_URL: sink.url } });
    const visitor = Client.initialize({ apiPath: site.url });
    called.add('loginMutation');
    const { token }: Json = await visitor
      .loginMutation()
      .mutationFn({ username: site.admin.login, password: site.admin.password });
    client = Client.initialize({ apiPath: site.url, token });
  });
  afterAll(async () => {
    await site?.close();
    await sink?.close();
  });

  it('@plone/client creates, reads, changes and removes content', async () => {
    const data = { '@type': page, id: 'page', title: 'Page', description: 'A page' };
    expect(await write('createContentMutation', { path: '/', data })).toMatchObject({ id: 'page' });
    await write('createContentMutation', { path: '/page', data: { ...data, id: 'inner', title: 'Inner' } });
    await write('updateContentMutation', { path: '/page', data: { title: 'The page' } });
    const content = await ask('getContentQuery', { path: '/page', expand: ['breadcrumbs', 'navigation'] });
    expect(content).toMatchObject({
      title: 'The page',
      '@components': { breadcrumbs: { items: [{ title: 'The page' }] } },
    });
    expect((await ask('getContentQuery', { path: '/page', version: '0' })).title).toBe('Page');
    expect((await ask('getContentQuery', { path: '/page', fullObjects: true })).items[0].title).toBe('Inner');
    await write('createContentMutation', { path: '/', data: { ...data, id: 'gone' } });
    await write('deleteContentMutation', { path: '/gone' });
    await expect(ask('getContentQuery', { path: '/gone' })).rejects.toMatchObject({ response: { status: 404 } });
  });

  it('@plone/client reads the components of content', async () => {
    expect((await ask('getBreadcrumbsQuery', { path: '/page/inner' })).items).toHaveLength(2);
    expect((await ask('getNavigationQuery', { path: '/page', depth: 2 })).items.length).toBeGreaterThan(0);
    expect(await ask('getContextNavigationQuery', { path: '/page' })).toHaveProperty('items');
    expect((await ask('getActionsQuery', { path: '/page' })).object.map(({ id }: Json) => id)).toContain('edit');
    expect((await ask('getNavrootQuery', { path: '/page' })).navroot['@id']).toBe(site.url);
  });

  it('@plone/client adds, lists and removes aliases', async () => {
    await write('createAliasesMutation', { path: '/page', data: { items: [{ path: '/old' }] } });
    expect((await ask('getAliasesQuery', { path: '/page' })).items).toMatchObject([{ path: '/old' }]);
    const items = [{ path: '/older', 'redirect-to': '/page', datetime: '2024-01-01T00:00:00' }];
    await write('createAliasesMultipleMutation', { data: { items } });
    expect((await ask('getAliasesListQuery')).items).toHaveLength(2);
    await write('deleteAliasesMutation', { path: '/page', data: { items: [{ path: '/old' }] } });
    expect((await ask('getAliasesQuery', { path: '/page' })).items).toMatchObject([{ path: '/older' }]);
  });

  it('@plone/client installs, upgrades and removes add-ons', async () => {
    const addonId = 'plone.session';
    expect((await ask('getAddonsQuery')).items.map(({ id }: Json) => id)).toContain(addonId);
    await write('installAddonMutation', { addonId });
    expect(await ask('getAddonQuery', { addonId })).toMatchObject({ is_installed: true });
    const newest = { response: { status: 400, data: { message: expect.stringContaining('newest') } } };
    await expect(write('upgradeAddonMutation', { addonId })).rejects.toMatchObject(newest);
    const missing = write('installProfileAddonMutation', { addonId, profile: 'import/other' });
    await expect(missing).rejects.toMatchObject({ response: { status: 404 } });
    await write('uninstallAddonMutation', { addonId });
    expect(await ask('getAddonQuery', { addonId })).toMatchObject({ is_installed: false });
  });

  it('@plone/client reads the site, its database, its version and its upgrades', async () => {
    expect(await ask('getDatabaseQuery')).toHaveProperty('db_size');
    expect(await ask('getSystemQuery')).toHaveProperty('plone_restapi_version');
    expect(await ask('getSiteQuery')).toHaveProperty(['plone.site_title']);
    expect(await ask('getUpgradeQuery')).toHaveProperty('versions');
    await write('runUpgradeMutation', { data: { dry_run: true } });
  });

  it('@plone/client creates, changes and removes users and groups', async () => {
    await write('createUserMutation', {
      data: {
        username: 'ann',
        email: 'ann@example.com',
        password: 'a long password',
        fullname: 'Ann',
        roles: ['Editor'],
      },
    });
    await write('updateUserMutation', { userId: 'ann', data: { location: 'Here' } });
    expect(await ask('getUserQuery', { userId: 'ann' })).toMatchObject({ fullname: 'Ann', location: 'Here' });
    const users = await ask('getUsersQuery', { query: 'ann' });
    expect((users.items ?? users).map(({ id }: Json) => id)).toEqual(['ann']);
    await write('createGroupMutation', { data: { groupname: 'team', title: 'Team', users: ['ann'] } });
    await write('updateGroupMutation', { groupId: 'team', data: { title: 'The team' } });
    expect(await ask('getGroupQuery', { groupId: 'team' })).toMatchObject({
      title: 'The team',
      members: { items: ['ann'] },
    });
    expect((await ask('getGroupsQuery')).map(({ id }: Json) => id)).toContain('team');
    expect((await ask('getPrincipalsQuery', { search: 'team' })).groups).toHaveLength(1);
    expect((await ask('getRolesQuery')).map(({ id }: Json) => id)).toContain('Editor');
    expect((await ask('getUserschemaQuery')).properties).toHaveProperty('email');
    await write('deleteGroupMutation', { groupId: 'team' });
  });

  it('@plone/client sets passwords, by the old one and by a mail', async () => {
    const me = Client.initialize({ apiPath: site.url });
    const { token }: Json = await me.loginMutation().mutationFn({ username: 'ann', password: 'a long password' });
    const ann: Json = Client.initialize({ apiPath: site.url, token });
    called.add('updatePasswordMutation');
    const change = { old_password: 'a long password', new_password: 'another long password' };
    await ann.updatePasswordMutation().mutationFn({ userId: 'ann', data: change });
    await write('resetPasswordMutation', { userId: 'ann' });
    const wrong = { reset_token: 'wrong', new_password: 'one more password' };
    await expect(write('resetPasswordWithTokenMutation', { userId: 'ann', data: wrong })).rejects.toMatchObject({
      response: { status: expect.toSatisfy((status: number) => status >= 400 && status < 500) },
    });
    await write('deleteUserMutation', { userId: 'ann' });
    await expect(ask('getUserQuery', { userId: 'ann' })).rejects.toMatchObject({ response: { status: 404 } });
  });

  it('@plone/client lists versions and reverts to one', async () => {
    expect((await ask('getHistoryQuery', { path: '/page' })).length).toBeGreaterThan(1);
    expect((await ask('getHistoryVersionedQuery', { path: '/page', version: 0 })).title).toBe('Page');
    await write('revertHistoryMutation', { path: '/page', data: { version: 0 } });
    expect((await ask('getContentQuery', { path: '/page' })).title).toBe('Page');
  });

  it('@plone/client adds, lists and removes relations, and reads what links to content', async () => {
    const [page, inner] = await Promise.all(['/page', '/page/inner'].map((path) => ask('getContentQuery', { path })));
    const items = [{ relation: 'relatedItems', source: page.UID, target: inner.UID }];
    await write('createRelationsMutation', { data: { items } });
    expect((await ask('getRelationsListQuery')).stats).toMatchObject({ relatedItems: 1 });
    const found = await ask('getRelationsQuery', { relation: 'relatedItems', source: '/page' });
    expect(found.relations.relatedItems.items).toHaveLength(1);
    expect(await ask('getLinkintegrityQuery', { uids: inner.UID })).toHaveLength(1);
    await write('deleteRelationsMutation', { data: { items } });
    await write('fixRelationsMutation', { data: {} });
    expect((await ask('getRelationsListQuery')).stats).not.toHaveProperty('relatedItems');
  });

  it('@plone/client searches by words and by criteria', async () => {
    expect((await ask('getSearchQuery', { query: { SearchableText: 'inner' } })).items_total).toBe(1);
    const query = [{ i: 'portal_type', o: 'plone.app.querystring.operation.selection.any', v: [page] }];
    expect((await write('postQuerystringSearchMutation', { data: { query } })).items_total).toBe(2);
    expect((await ask('getQuerystringSearchQuery', { query })).items_total).toBe(2);
    expect(await ask('getQueryStringQuery')).toHaveProperty('sortable_indexes');
  });

  it('@plone/client assigns and unassigns content rules', async () => {
    const rule = await write('createControlpanelMutation', {
      path: 'content-rules',
      data: { title: 'Rule', event: 'Object modified', enabled: true },
    });
    await write('createRuleMutation', { ruleId: rule.id });
    const { 'content-rules': rules } = await ask('getRulesQuery');
    expect(rules.assigned_rules).toMatchObject([{ id: rule.id }]);
    await write('updateRulesMutation', { data: { operation: 'move_up', rule_id: rule.id } });
    // The client sends `rules_ids`, but Plone expects `rule_ids`, as this server does.
    const refused = { response: { status: 400, data: { message: expect.stringContaining('rule_ids') } } };
    await expect(write('deleteRulesMutation', { data: { rules_ids: [rule.id] } })).rejects.toMatchObject(refused);
    await write('deleteControlpanelMutation', { path: `content-rules/${rule.id}`, data: {} });
  });

  it('@plone/client reads and writes settings', async () => {
    expect((await ask('getControlpanelsQuery')).length).toBeGreaterThan(5);
    await write('updateControlpanelMutation', { path: 'site', data: { site_title: 'By the client' } });
    expect((await ask('getControlpanelQuery', { path: 'site' })).data.site_title).toBe('By the client');
    expect(await ask('getRegistriesQuery')).toHaveProperty('items');
    expect(await ask('getRegistryQuery', { registryName: 'plone.site_title' })).toBe('By the client');
    await write('updateRegistryMutation', { data: { 'plone.site_title': 'Again' } });
    expect((await ask('getSiteQuery'))['plone.site_title']).toBe('Again');
  });

  it('@plone/client reads types and vocabularies, and adds fields', async () => {
    expect((await ask('getTypesQuery')).length).toBeGreaterThan(3);
    const data = { title: 'Nick', description: 'A name', factory: 'Text line (String)' };
    await write('createTypeFieldMutation', { contentPath: page, data });
    await write('updateTypeFieldMutation', {
      contentPath: page,
      data: { properties: { nick: { title: 'Nickname' } } },
    });
    expect(await ask('getTypeFieldQuery', { contentFieldPath: `${page}/nick` })).toMatchObject({ title: 'Nickname' });
    expect((await ask('getTypeQuery', { contentPath: page })).properties).toHaveProperty('nick');
    expect((await ask('getVocabulariesListQuery')).length).toBeGreaterThan(3);
    const vocabulary = 'plone.app.vocabularies.Roles';
    expect((await ask('getVocabulariesQuery', { path: vocabulary })).items.length).toBeGreaterThan(3);
    const field = { path: '/page', field: 'nothing' };
    await expect(ask('getSourceQuery', field)).rejects.toMatchObject({ response: { status: 404 } });
    await expect(ask('getQuerysourceQuery', { ...field, query: 'x' })).rejects.toMatchObject({
      response: { status: 404 },
    });
  });

  it('@plone/client locks content, and renews and releases the lock', async () => {
    const { token } = await write('createLockMutation', { path: '/page', data: { timeout: 600 } });
    expect(await ask('getLockQuery', { path: '/page' })).toMatchObject({ locked: true });
    await write('updateLockMutation', { path: '/page', locktoken: token });
    await write('deleteLockMutation', { path: '/page', data: { force: true } });
    expect(await ask('getLockQuery', { path: '/page' })).toMatchObject({ locked: false });
  });

  it('@plone/client copies, moves and publishes content', async () => {
    await write('copyMutation', { path: '/page', data: { source: '/page/inner' } });
    await write('moveMutation', { path: '/', data: { source: '/page/inner' } });
    expect((await ask('getContentQuery', { path: '/inner' })).title).toBe('Inner');
    await write('createWorkflowMutation', { path: '/page', data: { comment: 'Now', include_children: true } });
    expect((await ask('getWorkflowQuery', { path: '/page' })).state).toMatchObject({ id: 'published' });
  });

  it('@plone/client creates a working copy, checks it in, and cancels one', async () => {
    const copy = await write('createWorkingcopyMutation', { path: '/page' });
    const path = new URL(copy['@id']).pathname;
    expect((await ask('getWorkingcopyQuery', { path: '/page' })).working_copy['@id']).toBe(copy['@id']);
    await write('updateContentMutation', { path, data: { title: 'From the copy' } });
    await write('checkInWorkingcopyMutation', { path });
    expect((await ask('getContentQuery', { path: '/page' })).title).toBe('From the copy');
    const again = await write('createWorkingcopyMutation', { path: '/page' });
    await write('deleteWorkingcopyMutation', { path: new URL(again['@id']).pathname });
    expect((await ask('getWorkingcopyQuery', { path: '/page' })).working_copy).toBeNull();
  });

  it('@plone/client adds, replies to, changes and removes comments', async () => {
    await write('updateRegistryMutation', {
      data: {
        'plone.app.discussion.interfaces.IDiscussionSettings.globally_enabled': true,
        'plone.app.discussion.interfaces.IDiscussionSettings.edit_comment_enabled': true,
      },
    });
    await write('updateContentMutation', { path: '/page', data: { allow_discussion: true } });
    await write('createCommentMutation', { path: 'page', data: { text: 'First' } });
    const { items } = await ask('getCommentsQuery', { path: 'page' });
    const id = items[0].comment_id;
    await write('createCommentMutation', { path: 'page', reply_id: id, data: { text: 'A reply' } });
    await write('updateCommentMutation', { path: 'page', comment_id: id, data: { text: 'Changed' } });
    expect((await ask('getCommentsQuery', { path: 'page' })).items).toMatchObject([
      { text: { data: 'Changed' } },
      { text: { data: 'A reply' }, in_reply_to: id },
    ]);
    await write('deleteCommentMutation', { path: 'page', comment_id: id });
    expect((await ask('getCommentsQuery', { path: 'page' })).items_total).toBe(0);
  });

  it('@plone/client sends mails', async () => {
    const mail = { name: 'Ann', from: 'ann@example.com', subject: 'Hello', message: 'To the site' };
    await write('updateRegistryMutation', { data: { 'plone.email_from_address': 'site@example.com' } });
    await write('emailNotificationMutation', { data: mail });
    await write('emailSendMutation', { data: { ...mail, to: 'bob@example.com' } });
  });

  it('@plone/client lists transactions and undoes one', async () => {
    await write('createContentMutation', { path: '/', data: { '@type': page, id: 'undone', title: 'Before' } });
    await write('updateContentMutation', { path: '/undone', data: { title: 'After' } });
    const [newest] = await ask('getTransactionsQuery');
    expect(newest).toMatchObject({ path: '/undone', undone: false });
    await write('revertTransactionsMutation', { data: { transaction_ids: [newest.id] } });
    expect((await ask('getContentQuery', { path: '/undone' })).title).toBe('Before');
  });

  it('@plone/client links and unlinks translations', async () => {
    await write('updateControlpanelMutation', {
      path: 'language',
      data: { available_languages: ['en', 'de'], default_language: 'en' },
    });
    await write('createContentMutation', {
      path: '/',
      data: { '@type': page, id: 'one', title: 'One', language: 'en' },
    });
    await write('createContentMutation', {
      path: '/',
      data: { '@type': page, id: 'eins', title: 'Eins', language: 'de' },
    });
    await write('linkTranslationMutation', { path: '/one', data: { id: '/eins' } });
    expect((await ask('getTranslationQuery', { path: '/one' })).items).toMatchObject([{ language: 'de' }]);
    await write('unlinkTranslationMutation', { path: '/one', data: { language: 'de' } });
    expect((await ask('getTranslationQuery', { path: '/one' })).items).toEqual([]);
  });

  it('these tests use every call of @plone/client', () => {
    const calls = Object.keys(client).filter((name) => /(?:Query|Mutation)$/.test(name) && !/^use/.test(name));
    expect(calls.filter((name) => !called.has(name))).toEqual([]);
  });
});
