import { expect, it } from 'vitest';
import { KINDS } from '../../src/core/configuration/site/site.ts';
import { configurationVersion, writeConfiguration } from '../../src/core/configuration/statements/configuration.ts';
import { describeEachEngine } from '../support/database.ts';
import type { Json } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';
import { effectSite } from './effects/effect.ts';

const PASSWORD = 'Long-enough-77!';

describeEachEngine('control panels', (engine) => {
  const site = useTestSite(engine);
  const { set, read, fresh } = effectSite(site);
  const patch = (panel: string, json: Json, options = {}) =>
    site.request('PATCH', `/@controlpanels/${panel}`, { json, ...options });
  const data = async (panel: string): Promise<Json> => (await read(`/@controlpanels/${panel}`)).data;
  const problems = async (panel: string, json: Json): Promise<Json> => {
    const { status, body } = await patch(panel, json);
    expect(status).toBe(400);
    return Object.fromEntries(body.errors.map(({ field, message }: Json) => [field, message]));
  };
  async function userWith(...roles: string[]): Promise<{ login: string; password: string }> {
    const login = fresh('user');
    const json = { username: login, password: PASSWORD, email: `${login}@example.org`, roles };
    expect((await site.request('POST', '/@users', { json })).status).toBe(201);
    return { login, password: PASSWORD };
  }

  it('the list of control panels has their search words', async () => {
    const panels: Json[] = await read('/@controlpanels');
    expect(panels.find(({ title }) => title === 'Mail')).toEqual({
      '@id': `${site.url}/@controlpanels/mail`,
      title: 'Mail',
      group: 'General',
      searchable_text: expect.arrayContaining(['Mail', 'General', 'SMTP server']),
    });
    expect(new Set(panels.map(({ group }) => group))).toEqual(new Set(['General', 'Content', 'Users', 'Security']));
  });

  it('the form of each control panel fits its values', async () => {
    for (const { '@id': url, title } of await read('/@controlpanels')) {
      const panel = await read(url);
      // The panels of rules and of types have no schema: they list rules and types, each with its own form.
      if (panel.schema === undefined) {
        expect(panel, title).toMatchObject({ '@id': url, title, items: expect.any(Array) });
        continue;
      }
      const fields = panel.schema.fieldsets.flatMap((fieldset: Json) => fieldset.fields);
      expect(panel).toMatchObject({ '@id': url, title });
      expect(Object.keys(panel.schema.properties), title).toEqual(fields);
      expect(Object.keys(panel.data), title).toEqual(fields);
      for (const name of panel.schema.required) expect(fields, title).toContain(name);
    }
  });

  it('sending a control panel back unchanged changes nothing', async () => {
    const version = await configurationVersion(site.kernel.db);
    for (const { '@id': url } of await read('/@controlpanels')) {
      const panel = (await read(url)).data;
      if (panel === undefined) continue;
      expect((await site.request('PATCH', url, { json: panel })).status, url).toBe(204);
      expect((await read(url)).data).toEqual(panel);
    }
    expect(await configurationVersion(site.kernel.db)).toBe(version);
  });

  it('control panels offer types, states and languages of the site with titles', async () => {
    const { schema, data: values } = await read('/@controlpanels/navigation');
    expect(schema.properties.displayed_types.items.choices).toContainEqual(['News Item', 'News Item']);
    expect(values.displayed_types).toContainEqual({ token: 'News Item', title: 'News Item' });
    expect(schema.properties.workflow_states_to_show.items.choices).toContainEqual(['published', 'Published']);
    expect((await data('language')).default_language).toEqual({ token: 'en', title: 'English' });
  });

  it('a change of a control panel changes only what is sent, and null empties a setting', async () => {
    await set('mail', { smtp_host: 'mail.example.org', email_from_name: 'The Town' });
    await set('mail', { smtp_port: '587', smtp_userid: 'me' });
    await set('mail', { smtp_userid: null });
    expect(await data('mail')).toMatchObject({
      host: 'mail.example.org',
      port: 587,
      user: '',
      email_from_name: 'The Town',
    });
    await set('navigation', { workflow_states_to_show: [{ token: 'published', title: 'Published' }] });
    await set('navigation', { workflow_states_to_show: null });
    expect((await data('navigation')).workflow_states_to_show).toEqual([]);
  });

  it('a change of a control panel with one invalid value changes nothing', async () => {
    const before = await data('mail');
    const json = {
      smtp_port: 'abc',
      secure: 'perhaps',
      smtp_host: 'a b',
      email_from_address: 'nobody',
      nonsense: 1,
      email_from_name: 'X',
    };
    expect(await problems('mail', json)).toEqual({
      smtp_port: 'Must be an integer.',
      secure: 'Must be true or false.',
      smtp_host: 'Must be the name or the address of a server.',
      email_from_address: 'Is not an e-mail address.',
      nonsense: 'Is no setting of the panel "mail".',
    });
    expect(await data('mail')).toEqual(before);
  });

  it.each([
    ['mail', { email_from_address: null }, 'email_from_address'],
    ['mail', { smtp_port: 70_000 }, 'smtp_port'],
    ['mail', { host: 'a.example.org', smtp_host: 'b.example.org' }, 'smtp_host'],
    ['mail', { smtp_userid: 'a\u0000b' }, 'smtp_userid'],
    ['site', { site_logo: 'logo.png' }, 'site_logo'],
    ['site', { site_logo: 'filenameb64:YQ==;datab64:aGVsbG8=' }, 'site_logo'],
    ['site', { frontend_domain: 'javascript:alert(1)' }, 'frontend_domain'],
    ['site', { ['__proto__']: 1 }, '__proto__'],
    ['site', { constructor: 1 }, 'constructor'],
    ['language', { default_language: 'fr' }, 'default_language'],
    ['language', { available_languages: ['nl'] }, 'default_language'],
    ['language', { available_languages: ['en', 'no language'] }, 'available_languages'],
    ['date-and-time', { portal_timezone: 'Mars/Phobos' }, 'portal_timezone'],
    ['date-and-time', { portal_timezone: '' }, 'portal_timezone'],
    ['navigation', { displayed_types: ['Nothing'] }, 'displayed_types'],
    ['navigation', { additional_items: 'No address' }, 'additional_items'],
    ['navigation', { additional_items: 'Bad||javascript:alert(1)' }, 'additional_items'],
    ['imaging', { allowed_sizes: ['large'] }, 'allowed_sizes'],
    ['imaging', { allowed_sizes: ['large 1:1', 'large 2:2'] }, 'allowed_sizes'],
    ['markup', { allowed_types: [] }, 'default_type'],
    ['editing', { available_editors: ['None'] }, 'default_editor'],
    ['discussion', { captcha: 'nothing' }, 'captcha'],
    ['site', { thumb_scale_listing: 'nothing' }, 'thumb_scale_listing'],
    ['site', { toolbar_position: 'nothing' }, 'toolbar_position'],
    ['search', { search_image_scale: 'nothing' }, 'search_image_scale'],
    ['security', { breached_passwords_file: '../secret' }, 'breached_passwords_file'],
    ['security', { password_min_length: 4 }, 'password_min_length'],
    ['cors', { allow_origin: ['https://example.org/path'] }, 'allow_origin'],
    ['cors', { allow_origin: ['*'], allow_credentials: true }, 'allow_credentials'],
    ['cors', { allow_headers: ['X-A\r\nX-B'] }, 'allow_headers'],
    ['versioning', { keep: 0 }, 'keep'],
  ])('the control panel %s rejects %j', async (panel, json, field) => {
    // JSON.stringify leaves out the key __proto__, but clients can send it.
    const body = JSON.stringify(json).replace('{}', '{"__proto__":1}');
    const { status, body: response } = await site.request('PATCH', `/@controlpanels/${panel}`, {
      body,
      headers: { 'Content-Type': 'application/json' },
    });
    expect([status, response.errors.map((problem: Json) => problem.field)]).toEqual([400, [field]]);
    expect(response.message).toContain(field);
  });

  it('the mail panel has Nick’s names of settings in the default profile, and accepts Plone’s names too', async () => {
    await set('mail', { host: 'old.example.org', port: 26, user: 'me', pass: 'geheim' });
    const { schema, data: values } = await read('/@controlpanels/mail');
    expect(values).toMatchObject({ host: 'old.example.org', port: 26, user: 'me', pass: '' });
    expect(Object.keys(schema.properties)).not.toContain('smtp_host');
    expect(schema.required).toEqual(['host', 'port', 'email_from_name', 'email_from_address']);
    await set('mail', { smtp_host: 'new.example.org' });
    expect(await data('mail')).toMatchObject({ host: 'new.example.org' });
    expect(Object.keys(await problems('mail', { port: 'x' }))).toEqual(['port']);
    const { settings } = await site.kernel.sites.current();
    expect(settings.get('mail')?.smtp_pass).toBe('geheim');
  });

  it('the mail panel is saved without a server, as a front end sends all of it back', async () => {
    await set('mail', {
      ...(await data('mail')),
      host: '',
      email_from_name: 'The Town',
      email_from_address: 'town@example.org',
    });
    await set('mail', { ...(await data('mail')), host: null });
    expect(await data('mail')).toMatchObject({ host: '', email_from_address: 'town@example.org' });
  });

  it('a password is never served, and an empty one keeps the stored one', async () => {
    const stored = async () => (await site.kernel.sites.current()).settings.get('mail')?.smtp_pass;
    await set('mail', { smtp_pass: 'geheim' });
    expect(await data('mail')).toMatchObject({ pass: '' });
    await set('mail', await data('mail'));
    expect(await stored()).toBe('geheim');
    await set('mail', { smtp_pass: null });
    expect(await stored()).toBe('');
  });

  it('a stored value that is no longer a choice stays', async () => {
    const values = {
      ...(await site.kernel.sites.current()).settings.get('navigation'),
      displayed_types: ['Page', 'Gone'],
    };
    const row = { kind: KINDS.setting, id: 'navigation', position: 0, data: values };
    await site.kernel.db.transaction((tx) => writeConfiguration(tx, [row]));
    const before = await data('navigation');
    expect(before.displayed_types).toContainEqual({ token: 'Gone', title: 'Gone' });
    await set('navigation', { ...before, additional_items: 'A||/a' });
    expect((await site.kernel.sites.current()).settings.get('navigation')?.displayed_types).toEqual(['Page', 'Gone']);
    await set('navigation', { displayed_types: ['Page', 'Folder'] });
    expect(Object.keys(await problems('navigation', { displayed_types: ['Gone'] }))).toEqual(['displayed_types']);
  });

  it('concurrent changes of a control panel lose nothing', async () => {
    const names = ['twitter_username', 'facebook_username', 'facebook_app_id'];
    const values = Object.fromEntries(names.map((name, i) => [name, String(7000 + i)]));
    const responses = await Promise.all([
      ...names.map((name) => patch('socialmedia', { [name]: values[name] })),
      patch('usergroup', { many_users: true }),
      site.request('PATCH', '/@registry', { json: { 'plone.many_groups': true } }),
    ]);
    expect(responses.map(({ status }) => status)).toEqual([204, 204, 204, 204, 204]);
    expect(await data('socialmedia')).toMatchObject(values);
    expect(await data('usergroup')).toEqual({ many_users: true, many_groups: true });
  });

  it('control panels are only for managers of the site', async () => {
    const editor = await userWith('Editor');
    for (const path of ['/@controlpanels', '/@controlpanels/site', '/@controlpanels/nothing']) {
      expect((await site.request('GET', path, { as: 'anonymous' })).status).toBe(401);
      expect((await site.request('GET', path, { as: editor })).status).toBe(403);
    }
    expect((await patch('site', { site_title: 'Taken' }, { as: 'anonymous' })).status).toBe(401);
    expect((await patch('site', { site_title: 'Taken' }, { as: editor })).status).toBe(403);
    expect((await data('site')).site_title).not.toBe('Taken');
  });

  it('only Managers may change the mail server and the origins of cross-site requests', async () => {
    const administrator = { as: await userWith('Site Administrator') };
    expect((await patch('site', { site_title: 'By an administrator' }, administrator)).status).toBe(204);
    expect((await site.request('GET', '/@controlpanels/mail', administrator)).status).toBe(200);
    const refused: [string, Json][] = [
      ['mail', { host: 'evil.example.org' }],
      ['site', { site_title: 'Half', frontend_domain: 'https://evil.example.org' }],
      ['cors', { allow_origin: ['https://evil.example.org'] }],
    ];
    for (const [panel, json] of refused) {
      const before = await data(panel);
      expect((await patch(panel, json, administrator)).status, panel).toBe(403);
      expect(await data(panel)).toEqual(before);
      expect((await patch(panel, before, administrator)).status, 'what stays is no change').toBe(204);
    }
  });

  it('an unknown control panel is not found', async () => {
    for (const method of ['GET', 'PATCH']) {
      const { status, body } = await site.request(
        method,
        '/@controlpanels/nothing',
        method === 'GET' ? {} : { json: {} },
      );
      expect([status, body.error]).toEqual([404, 'Not found: /@controlpanels/nothing']);
    }
    expect((await site.request('GET', '/@controlpanels/mail/host')).status).toBe(404);
    expect((await site.request('DELETE', '/@controlpanels/mail')).status).toBe(405);
  });
});
