import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEachEngine } from '../support/database.ts';
import type { Json } from '../support/site.ts';
import { type ReleasesSite, startReleasesSite } from './releases-site.ts';

describeEachEngine('releases: the set-up is undone with the content', (engine) => {
  let site: ReleasesSite;
  beforeAll(async () => {
    site = await startReleasesSite(engine);
  });
  afterAll(() => site?.close());

  const change = (path: string, body: Json) => ({ method: 'PATCH', path, body });
  const field = (title: string) => ({
    ...{ method: 'POST', path: '/@types/Page' },
    body: { factory: 'Text line (String)', title },
  });
  const send = async (method: string, path: string, json?: Json): Promise<void> => {
    const { status, text } = await site.request(method, path, json === undefined ? {} : { json });
    expect(status, text).toBeLessThan(300);
  };
  const publish = async (parts: Json[]): Promise<string> => {
    const id = await site.make('admin', parts);
    const { status, text } = await site.release('admin', 'POST', `/${id}/publish`, {});
    expect(status, text).toBe(200);
    return id;
  };
  const undo = (id: string) => site.release('admin', 'POST', `/${id}/undo`);
  const fields = async (): Promise<string[]> => Object.keys((await site.read('/@types/Page')).properties);
  const menu = async (): Promise<string[]> => {
    const entries: Json = await site.read('/@actions/user');
    return entries.map(({ id }: Json) => id);
  };

  it('fields, vocabularies, menus and panels become what they were, and what others have changed beside them stays', async () => {
    const path = await site.page('Beach');
    await send('POST', '/@types/Page', { factory: 'Text line (String)', title: 'Shore' });
    const [before, entries] = [await fields(), await menu()];
    await send('POST', '/@vocabularies', { id: 'coasts', title: 'Coasts', items: [{ token: 'n', title: 'North' }] });
    const id = await publish([
      field('Coast'),
      change(path, { title: 'The beach', coast: 'n' }),
      change('/@vocabularies/coasts', { items: [{ token: 's', title: 'South' }] }),
      { method: 'POST', path: '/@vocabularies', body: { id: 'tides', title: 'Tides', items: [] } },
      { method: 'POST', path: '/@actions/user', body: { id: 'tides', title: 'Tides' } },
      change('/@controlpanels/site', { site_title: 'The coast' }),
    ]);
    expect(await fields()).toContain('coast');
    expect(await site.read(path)).toMatchObject({ title: 'The beach', coast: 'n' });
    await send('POST', '/@types/Page', { factory: 'Text line (String)', title: 'Depth' });
    await send('PATCH', '/@vocabularies/coasts', { title: 'All coasts' });
    await send('POST', '/@actions/user', { id: 'later', title: 'Later' });
    const { status, body, text } = await undo(id);
    expect(status, text).toBe(200);
    expect(body.state).toBe('undone');
    expect((await fields()).sort()).toEqual([...before, 'depth'].sort());
    expect(await menu()).toEqual([...entries, 'later']);
    expect((await site.read('/@site'))['plone.site_title']).not.toBe('The coast');
    expect((await site.request('GET', '/@vocabularies/tides')).status).toBe(404);
    const coasts = await site.read('/@vocabularies/coasts');
    expect(coasts.items.map(({ token }: Json) => token)).toEqual(['n']);
    expect((await site.read(path)).title).toBe('Beach');
    expect(Object.hasOwn(await site.read(path), 'coast')).toBe(false);
  });

  it('the last part is undone first: what a removed field had comes back with the field', async () => {
    await send('POST', '/@types/Page', { factory: 'Text line (String)', title: 'Wind' });
    const path = await site.page('Cape', { wind: 'strong' });
    const id = await publish([change(path, { wind: '' }), { method: 'DELETE', path: '/@types/Page/wind' }]);
    expect(await fields()).not.toContain('wind');
    const { status, text } = await undo(id);
    expect(status, text).toBe(200);
    expect((await site.read(path)).wind).toBe('strong');
  });

  it('is 409 where the same was changed since, or where content needs it, and nothing is undone', async () => {
    const path = await site.page('Pier');
    const renamed = await publish([
      change(path, { title: 'The pier' }),
      change('/@controlpanels/site', { site_title: 'One' }),
    ]);
    await send('PATCH', '/@controlpanels/site', { site_title: 'Two' });
    const { status, body } = await undo(renamed);
    expect([status, body.message]).toEqual([409, expect.stringContaining('was changed since')]);
    expect([(await site.read(path)).title, (await site.read('/@site'))['plone.site_title']]).toEqual([
      'The pier',
      'Two',
    ]);
    expect((await site.release('admin', 'GET', `/${renamed}`)).body.state).toBe('published');

    const used = await publish([field('Swell')]);
    await send('PATCH', path, { swell: 'high' });
    expect((await undo(used)).status).toBe(409);
    expect((await site.read(path)).swell).toBe('high');
    await send('PATCH', path, { swell: null });
    const done = await undo(used);
    expect(done.status, done.text).toBe(200);
    expect(await fields()).not.toContain('swell');
  });

  it('more than eight megabytes of former set-up are given back', async () => {
    const items = Array.from({ length: 1800 }, (_, at) => ({ token: `t${at}`, title: `Old ${at} ${'x'.repeat(450)}` }));
    const ids = Array.from({ length: 10 }, (_, at) => `large-${at}`);
    for (const large of ids) await send('POST', '/@vocabularies', { id: large, title: 'Large', items });
    const path = await site.page('Quay');
    const id = await publish([
      change(path, { title: 'The quay' }),
      ...ids.map((large) => change(`/@vocabularies/${large}`, { items: [{ token: 't0', title: 'New' }] })),
    ]);
    const { status, text } = await undo(id);
    expect(status, text).toBe(200);
    expect((await site.read(path)).title).toBe('Quay');
    expect((await site.read('/@vocabularies/large-9')).items[0].title).toMatch(/^Old 0/);
  });
});
