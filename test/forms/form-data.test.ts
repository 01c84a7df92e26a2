import { expect, it } from 'vitest';
import { wipeFormData } from '../../src/features/forms/retention.ts';
import { describeEachEngine } from '../support/database.ts';
import type { Json } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';
import { ALL, FILE, formsOf, GOOD } from './form-site.ts';

describeEachEngine('data of forms', (engine) => {
  const site = useTestSite(engine);
  const { page, submit, list, kept, days, rows } = formsOf(site);

  it('lists come in parts, the newest first', async () => {
    const form = await page();
    for (const name of ['One', 'Two', 'Three']) await submit(form, { name });
    const { items, items_total, batching } = await list(form, '&b_size=2');
    expect([items.map(({ name }: Json) => name), items_total]).toEqual([['Three', 'Two'], 3]);
    const next = await site.request('GET', batching.next);
    expect(next.body.items.map(({ name }: Json) => name)).toEqual(['One']);
  });

  it('one submission is removed, one block, or all of the page', async () => {
    const form = await page();
    for (const name of ['One', 'Two', 'Three']) await submit(form, { name });
    const [{ '@id': newest }] = (await list(form)).items;
    expect((await site.request('DELETE', newest)).status).toBe(204);
    expect((await site.request('DELETE', newest)).status).toBe(404);
    expect(await kept(form)).toEqual(['Two', 'One']);
    const clear = (json: Json) => site.request('DELETE', `${form.path}/@form-data-clear`, { json });
    expect((await clear({ block_id: 'no-such-block' })).status).toBe(400);
    expect((await clear({ expired: true })).status).toBe(400);
    expect((await clear({ block_id: form.id, expired: true })).status).toBe(204);
    expect(await kept(form)).toHaveLength(2);
    expect((await clear({ block_id: form.id, expired: false })).status).toBe(204);
    expect(await kept(form)).toEqual([]);
    await submit(form, { name: 'Four' });
    expect((await clear({ block_id: '' })).status).toBe(204);
    expect(await kept(form)).toEqual([]);
  });

  it('a submission of another page cannot be reached by its number', async () => {
    const [form, other] = [await page(), await page()];
    await submit(form, { name: 'Ann' });
    const id = (await list(form)).items[0]['@id'].split('/').at(-1);
    for (const number of [id, '0', 'x', '99999999999999999999'])
      expect((await site.request('DELETE', `${other.path}/@form-data/${number}`)).status).toBe(404);
    expect(await kept(form)).toEqual(['Ann']);
  });

  it('the export has a line for each submission, and no cell that a spreadsheet would compute', async () => {
    const form = await page({ schema: ALL });
    await submit(form, { ...GOOD, name: '=1+2', cv: FILE });
    await submit(form, { ...GOOD, name: 'A, "B"' });
    const { headers, text } = await site.request('GET', `${form.path}/@form-data-export?block_id=${form.id}`);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename=/);
    const [head, first, second] = text.split('\r\n');
    expect(head).toBe('Name,E-mail,Web,Age,Count,Agreed,Day,At,Time,Country,Likes,Source,CV,created');
    expect(first).toMatch(
      /^"A, ""B""",ann@example\.org,.*,42,3,true,2026-05-01,.*,Netherlands,tea; coffee,newsletter,,\d{4}-/,
    );
    expect(second).toMatch(/^'=1\+2,.*,a\.txt,\d{4}-/);
  });

  it('data that is older than its form says counts as expired, and is removed by the job', async () => {
    const [form, forever] = [await page({ data_wipe: 30 }), await page()];
    for (const one of [form, forever]) {
      await submit(one, { name: 'Old' });
      await days(one, 31);
    }
    expect(await list(form)).toMatchObject({ items_total: 1, expired_total: 1 });
    const run = () =>
      wipeFormData.run({
        kernel: site.kernel,
        params: {},
        caller: { id: 'admin', fullname: '', roles: ['Manager'], groups: [] },
        signal: new AbortController().signal,
        progress: () => undefined,
      } as unknown as Parameters<typeof wipeFormData.run>[0]);
    expect(await run()).toEqual({ submissions: 1 });
    expect([await kept(form), await kept(forever)]).toEqual([[], ['Old']]);
    await submit(form, { name: 'Old' });
    await days(form, 31);
    await submit(form, { name: 'New' });
    expect(await kept(form)).toEqual(['New']);
    await submit(form, { name: 'Orphan' });
    await site.request('PATCH', form.path, { json: { blocks: {}, blocks_layout: { items: [] } } });
    expect(await kept(form)).toEqual(['Orphan', 'New']);
    await days(form, 31);
    expect(await run()).toEqual({ submissions: 2 });
  });

  it('data stays with a page that is renamed, comes back from the recycle bin with it, and goes when it is gone', async () => {
    const form = await page();
    await submit(form, { name: 'Ann' });
    await site.request('PATCH', form.path, { json: { id: `renamed${form.path.slice(1)}` } });
    const renamed = { ...form, path: `/renamed${form.path.slice(1)}` };
    expect(await kept(renamed)).toEqual(['Ann']);
    const { body: copies } = await site.request('POST', '/@copy', { json: { source: renamed.path } });
    const copy = { ...form, path: copies[0].target.slice(site.url.length) };
    expect((await list(copy)).items_total).toBe(0);
    const before = (await rows()) ?? 0;
    expect((await site.request('DELETE', renamed.path)).status).toBe(204);
    expect(await rows()).toBe(before - 1);
    const { body: bin } = await site.request('GET', '/@recyclebin');
    const entry = bin.items.find((item: Json) => JSON.stringify(item).includes(renamed.path));
    const id = entry.recycle_id ?? entry.id ?? entry['@id'].split('/').at(-1);
    expect((await site.request('POST', `/@recyclebin/${id}/restore`, { json: {} })).status).toBeLessThan(300);
    expect(await kept(renamed)).toEqual(['Ann']);
    await site.request('DELETE', renamed.path);
    await site.request('DELETE', '/@recyclebin', { json: {} });
    const traces = await site.kernel.db.query({ text: "select 1 from recycled_row where data::text like '%Ann%'" });
    expect([await rows(), traces]).toEqual([before - 1, []]);
  });

  it('a working copy has data of its own, which goes with it; those of the page stay', async () => {
    const form = await page();
    await submit(form, { name: 'Ann' });
    const { body } = await site.request('POST', `${form.path}/@workingcopy`, { json: {} });
    const copy = { ...form, path: body['@id'].slice(site.url.length) };
    expect((await submit(copy, { name: 'Trial' }, { as: 'admin' })).status).toBe(204);
    expect(await kept(copy)).toEqual(['Trial']);
    expect((await site.request('PATCH', `${copy.path}/@workingcopy`, { json: {} })).status).toBeLessThan(300);
    expect(await kept(form)).toEqual(['Ann']);
  });

  it('data is not in search, versions or the representation of the page', async () => {
    const form = await page();
    await submit(form, { name: 'Zanzibar77' });
    for (const path of [`/@search?SearchableText=Zanzibar77`, `${form.path}/@history`, form.path])
      expect((await site.request('GET', path)).text).not.toContain('"Zanzibar77"');
    expect((await site.request('GET', '/@search?SearchableText=Zanzibar77')).body.items_total).toBe(0);
  });
});
