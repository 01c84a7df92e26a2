import { expect, it } from 'vitest';
import { describeEachEngine } from '../support/database.ts';
import type { Json } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';
import { effectSite } from './effects/effect.ts';

describeEachEngine('the registry', (engine) => {
  const site = useTestSite(engine);
  const { set, read } = effectSite(site);
  const patch = (json: Json, options = {}) => site.request('PATCH', '/@registry', { json, ...options });

  it('the registry lists every setting once, by name, in batches', async () => {
    const names: string[] = [];
    for (let url: string | undefined = '/@registry?b_size=20'; url; ) {
      const { items, batching }: Json = await read(url);
      names.push(...items.map(({ name }: Json) => name));
      url = batching.next;
    }
    const settings = site.kernel.panels
      .all()
      .filter(({ store }) => store === undefined)
      .flatMap((panel) => panel.settings);
    expect(names).toEqual(settings.map(({ record }) => record).sort());
    const { items, items_total: total, '@id': url } = await read('/@registry');
    expect([items.length, total, url]).toEqual([25, settings.length, `${site.url}/@registry`]);
  });

  it('the registry describes each record', async () => {
    expect(await read('/@registry?q=plone.smtp_p')).toEqual({
      '@id': `${site.url}/@registry?q=plone.smtp_p`,
      items: [
        { name: 'plone.smtp_pass', value: '', schema: { properties: expect.objectContaining({ type: 'string' }) } },
        { name: 'plone.smtp_port', value: 25, schema: { properties: expect.objectContaining({ type: 'integer' }) } },
      ],
      items_total: 2,
    });
    expect((await read('/@registry?q=100%25')).items).toEqual([]);
  });

  it('the registry has the stored values of the control panels', async () => {
    await set('site', { site_title: 'One truth' });
    expect(await read('/@registry/plone.site_title')).toBe('One truth');
    expect(await read('/@registry/plone.default_language')).toBe('en');
    expect((await patch({ 'plone.site_title': 'Another', 'plone.many_groups': true })).status).toBe(204);
    expect((await read('/@controlpanels/site')).data.site_title).toBe('Another');
    expect((await read('/@site'))['plone.site_title']).toBe('Another');
    expect((await read('/@controlpanels/usergroup')).data.many_groups).toBe(true);
  });

  it('the registry accepts the records that front ends set', async () => {
    const record = 'plone.app.discussion.interfaces.IDiscussionSettings.globally_enabled';
    expect((await site.request('PATCH', '/@registry/', { json: { [record]: false } })).status).toBe(204);
    expect(await read(`/@registry/${record}`)).toBe(false);
    expect(await read('/@registry/volto.frontend_domain')).toBe('');
  });

  it('the registry rejects unknown records and invalid values, and changes nothing then', async () => {
    const { status, body } = await patch({ 'plone.site_title': 'New', 'plone.nothing': 1, 'plone.many_users': 'x' });
    expect(status).toBe(400);
    expect(body.errors.map(({ field }: Json) => field)).toEqual(['plone.nothing', 'plone.many_users']);
    expect(await read('/@registry/plone.site_title')).not.toBe('New');
    expect((await site.request('GET', '/@registry/plone.nothing')).status).toBe(404);
    expect((await site.request('GET', '/@registry?b_size=x')).status).toBe(400);
  });

  it('the registry never serves a password', async () => {
    await patch({ 'plone.smtp_pass': 'geheim' });
    expect(await read('/@registry/plone.smtp_pass')).toBe('');
    expect(JSON.stringify(await read('/@registry?b_size=1000'))).not.toContain('geheim');
  });

  it('the registry is only for Managers', async () => {
    const administrator = { login: 'administrator', password: 'Long-enough-77!' };
    const json = {
      username: administrator.login,
      password: administrator.password,
      email: 'a@example.org',
      roles: ['Site Administrator'],
    };
    expect((await site.request('POST', '/@users', { json })).status).toBe(201);
    for (const [as, expected] of [['anonymous', 401] as const, [administrator, 403] as const]) {
      for (const path of ['/@registry', '/@registry/plone.site_title', '/@registry/plone.nothing'])
        expect((await site.request('GET', path, { as })).status).toBe(expected);
      expect((await patch({ 'plone.site_title': 'Taken' }, { as })).status).toBe(expected);
    }
  });
});
