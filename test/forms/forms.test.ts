import { describe, expect, it } from 'vitest';
import { changeSettings, peopleOf } from '../people/people-site.ts';
import { describeEachEngine } from '../support/database.ts';
import type { Json } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';
import { ALL, FILE, formsOf, GOOD } from './form-site.ts';

describeEachEngine('forms', (engine) => {
  const site = useTestSite(engine);
  const { page, submit, list, kept, rows } = formsOf(site);
  const { as, addUser } = peopleOf(site);

  it('a submission is stored with its time, and listed for those who may change the page', async () => {
    const form = await page();
    const { status, text } = await submit(form, { name: 'Ann' });
    expect([status, text]).toEqual([204, '']);
    const { items, ...rest } = await list(form);
    expect(rest).toEqual({ '@id': `${site.url}${form.path}/@form-data`, items_total: 1, expired_total: 0 });
    expect(items).toEqual([
      {
        name: 'Ann',
        '@id': expect.stringContaining('/@form-data/'),
        created: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      },
    ]);
    const { text: served } = await site.request('GET', `${form.path}?expand=breadcrumbs`);
    expect(served).not.toContain('Ann');
  });

  it('values of every kind are kept as they mean', async () => {
    const form = await page({ schema: ALL });
    const { status, body } = await submit(form, GOOD);
    expect([status, body]).toEqual([204, undefined]);
    expect((await list(form)).items[0]).toMatchObject({ ...GOOD, age: 42 });
  });

  it.each([
    ['name', ''],
    ['name', 'A'],
    ['name', 'x'.repeat(21)],
    ['name', 'a\u0000b'],
    ['name', { first: 'Ann' }],
    ['mail', 'ann@example'],
    ['mail', 'ann@example.org\r\nBcc: x@example.org'],
    ['web', 'javascript:alert(1)'],
    ['age', 17],
    ['age', 'many'],
    ['count', 1.5],
    ['agreed', false],
    ['agreed', 'perhaps'],
    ['day', '2026-02-30'],
    ['at', 'soon'],
    ['time', '25:00'],
    ['country', 'Atlantis'],
    ['country', '__proto__'],
    ['likes', ['tea', 'poison']],
    ['likes', [{ a: 1 }]],
    ['source', { a: 1 }],
    ['cv', 'no file'],
    ['cv', { ...FILE, data: '%%%' }],
    ['cv', { ...FILE, encoding: 'hex' }],
    ['colour', 'red'],
    ['constructor', 'x'],
  ])(
    'a value that does not fit its field is refused by the name of the field, and nothing is kept: %s (%#)',
    async (field, value) => {
      const form = await page({ schema: ALL });
      const { status, body } = await submit(form, { ...GOOD, [field]: value });
      expect([status, body.errors.map((problem: Json) => problem.field)]).toEqual([400, [field]]);
      expect(await kept(form)).toEqual([]);
    },
  );

  it('all problems of a form are reported at once, in the language of the reader', async () => {
    const form = await page({ schema: ALL });
    const { body } = await site.request('POST', `${form.path}/@schemaform-data`, {
      json: { block_id: form.id, data: { age: 5, colour: 'red' } },
      as: 'anonymous',
      headers: { 'Accept-Language': 'nl' },
    });
    expect(body.errors.map(({ field }: Json) => field).sort()).toEqual(['age', 'agreed', 'colour', 'name']);
  });

  it('texts are kept character by character', async () => {
    const form = await page();
    const strange = `Ünï © 漢字 👩‍👩‍👧 <b>"'&amp;</b>\r\n\${name} \\u0041 ; drop table --`;
    expect((await submit(form, { name: strange })).status).toBe(204);
    expect(await kept(form)).toEqual([strange]);
  });

  it('a form needs its block, data, and something in them', async () => {
    const form = await page();
    const send = async (json: Json) => (await site.request('POST', `${form.path}/@schemaform-data`, { json })).status;
    const statuses = [
      await send({}),
      await send({ block_id: form.id }),
      await send({ data: { name: 'x' } }),
      await send({ block_id: 'no-such-block', data: { name: 'x' } }),
      await send({ block_id: form.id, data: {} }),
      await send({ block_id: form.id, data: { name: ' ' } }),
      await send({ block_id: form.id, data: 'x' }),
      await send({ block_id: { $ne: 1 }, data: {} }),
      (await site.request('GET', `${form.path}/@form-data`)).status,
      (await site.request('GET', `${form.path}/@form-data?block_id=no-such-block`)).status,
    ];
    expect(new Set(statuses)).toEqual(new Set([400]));
    expect(await kept(form)).toEqual([]);
  });

  it('a block that keeps nothing takes data and forgets it', async () => {
    const form = await page({ store: false });
    const before = await rows();
    expect((await submit(form, { name: 'Ann' })).status).toBe(204);
    expect((await list(form)).items_total).toBe(0);
    expect(await rows()).toBe(before);
  });

  it.each([
    ['a grid', (blocks: Json) => ({ grid: { '@type': 'gridBlock', blocks, blocks_layout: { items: [] } } })],
    ['columns', (blocks: Json) => ({ c: { '@type': 'columnsBlock', data: { blocks: { one: { blocks } } } } })],
    ['a list of columns', (blocks: Json) => ({ c: { '@type': '__grid', columns: [{ id: 'one', blocks }] } })],
  ])('a form inside %s takes data', async (_, wrap) => {
    const form = await page({}, { wrap });
    expect((await submit(form, { name: 'Ann' })).status).toBe(204);
    expect(await kept(form)).toEqual(['Ann']);
  });

  it('a private page takes nothing from others, and tells nothing of its forms', async () => {
    const form = await page({}, { state: 'private' });
    const member = as(await addUser(['Member']));
    for (const [who, status] of [
      ['anonymous', 401],
      [member, 403],
    ] as const) {
      for (const id of [form.id, 'no-such-block']) {
        const response = await submit({ ...form, id }, { name: 'Ann' }, { as: who });
        expect(response.status).toBe(status);
        expect(response.text).not.toMatch(/Contact|block/);
      }
      for (const path of ['@form-data?block_id=x', '@form-data-export', '@form-data/1/cv'])
        expect((await site.request('GET', `${form.path}/${path}`, { as: who })).status).toBe(status);
    }
  });

  it('submissions are read, exported and removed only by those who may change the page', async () => {
    const form = await page({ schema: ALL });
    await submit(form, { ...GOOD, cv: FILE });
    const address = (await list(form)).items[0].cv.download.slice(site.url.length);
    const member = as(await addUser(['Member']));
    for (const [who, status] of [
      ['anonymous', 401],
      [member, 403],
    ] as const) {
      for (const path of [`@form-data?block_id=${form.id}`, `@form-data-export?block_id=${form.id}`]) {
        const response = await site.request('GET', `${form.path}/${path}`, { as: who });
        expect([response.status, response.text.includes('ann@')]).toEqual([status, false]);
      }
      expect((await site.request('GET', address, { as: who })).status).toBe(status);
      expect((await site.request('DELETE', `${form.path}/@form-data-clear`, { json: {}, as: who })).status).toBe(
        status,
      );
      expect((await site.request('DELETE', address.split('/').slice(0, -1).join('/'), { as: who })).status).toBe(
        status,
      );
    }
    expect((await list(form)).items_total).toBe(1);
    const editor = as(await addUser(['Editor']));
    expect((await site.request('GET', address, { as: editor })).text).toBe('hello');
  });

  it('files are kept as files, and downloaded as attachments', async () => {
    const form = await page({ schema: ALL });
    const html = Buffer.from('<script>alert(1)</script>');
    const uri = `data:text/html;name=${encodeURIComponent('../ü.html')};base64,${html.toString('base64')}`;
    expect((await submit(form, { name: 'Ann', agreed: true, cv: [FILE, uri] })).status).toBe(204);
    const [first, second] = (await list(form)).items[0].cv;
    expect(first).toMatchObject({ filename: 'a.txt', size: 5, 'content-type': 'text/plain' });
    expect(second.filename).toBe('ü.html');
    const response = await site.request('GET', second.download);
    expect([response.status, response.bytes.equals(html)]).toEqual([200, true]);
    expect(response.headers.get('content-disposition')).toMatch(/^attachment/);
    expect(response.headers.get('cache-control')).toContain('private');
    for (const wrong of ['/9', '/x', '/-1'])
      expect((await site.request('GET', second.download.replace(/\/1$/, wrong))).status).toBe(404);
    expect((await site.request('GET', first.download.replace('/cv', '/name'))).status).toBe(404);
  });

  it('files that are too large together are refused', async () => {
    await changeSettings(site, 'form', { attachments_limit: 1 });
    const form = await page({ schema: ALL });
    const large = { ...FILE, data: Buffer.alloc(600_000, 1).toString('base64') };
    expect((await submit(form, { name: 'Ann', agreed: true, cv: [large] })).status).toBe(204);
    const { status, body } = await submit(form, { name: 'Ann', agreed: true, cv: [large, large] });
    expect([status, body.errors]).toEqual([
      400,
      [expect.objectContaining({ field: 'cv', message: 'The files are larger than 1 MB together.' })],
    ]);
    await changeSettings(site, 'form', { attachments_limit: 10 });
  });

  it('fifty submissions at once lose nothing', async () => {
    const form = await page();
    const names = Array.from({ length: 50 }, (_, n) => `Visitor ${n}`);
    const statuses = await Promise.all(names.map(async (name) => (await submit(form, { name })).status));
    expect(new Set(statuses)).toEqual(new Set([204]));
    expect((await kept(form)).sort()).toEqual([...names].sort());
  });

  it('one network can send a form so often in an hour, each page by itself, however many requests come at once', async () => {
    await changeSettings(site, 'form', { submissions_per_hour: 5 });
    const [form, other] = [await page(), await page()];
    const statuses = await Promise.all(
      Array.from({ length: 12 }, async (_, n) => (await submit(form, { name: `${n}x` })).status),
    );
    expect(statuses.sort()).toEqual([...Array(5).fill(204), ...Array(7).fill(429)]);
    expect((await list(form)).items_total).toBe(5);
    const { status, headers } = await submit(form, { name: 'Again' });
    expect([status, headers.get('retry-after')]).toEqual([429, '3600']);
    expect((await submit(other, { name: 'Ann' })).status).toBe(204);
    await site.kernel.db.query({ text: "update visitor_request set at = at - interval '61 minutes'" });
    expect((await submit(form, { name: 'Later' })).status).toBe(204);
    await changeSettings(site, 'form', { submissions_per_hour: 200 });
  });

  describe('with a list of fields', () => {
    const LISTED = {
      '@type': 'form',
      subblocks: [
        { field_id: '11', label: 'Name', field_type: 'text', required: true },
        { field_id: '12', label: 'E-mail', field_type: 'from', use_as_reply_to: true },
        { field_id: '13', label: 'Colour', field_type: 'select', input_values: ['red', 'blue'] },
        { field_id: '14', label: 'File', field_type: 'attachment' },
        {
          field_id: '15',
          label: 'Shown at times',
          field_type: 'text',
          required: true,
          visibility_conditions: [{ field_id: '13' }],
        },
        { field_id: '16', label: 'Read this', field_type: 'static_text' },
      ],
      '11': 'full_name',
    };

    it('a form with a list of fields takes what its front end sends, and lists it with labels', async () => {
      const form = await page(LISTED);
      const data = [
        { field_id: '11', label: 'Name', value: 'Ann' },
        { field_id: '12', label: 'E-mail', value: 'ann@example.org' },
        { field_id: '13', label: 'Colour', value: 'red' },
        { field_id: '16', label: 'Read this' },
        { label: 'Nothing', value: '' },
      ];
      const attachments = { file_14: { ...FILE, field_id: '14', label: 'File' } };
      const { status, body } = await site.request('POST', `${form.path}/@submit-form`, {
        json: { block_id: form.id, data, attachments, captcha: {} },
        as: 'anonymous',
      });
      expect([status, body]).toEqual([
        200,
        { data: data.slice(0, 3).map(({ field_id, value }) => ({ field_id, value })) },
      ]);
      const [item] = (await list(form)).items;
      expect(item).toMatchObject({
        11: { label: 'Name', value: 'Ann' },
        13: { label: 'Colour', value: 'red' },
        14: { label: 'File', value: { filename: 'a.txt', size: 5 } },
        block_id: { value: form.id },
        id: expect.any(Number),
      });
      const { text } = await site.request('GET', `${form.path}/@form-data-export?block_id=${form.id}`);
      expect(text.split('\r\n')[0]).toBe('full_name,E-mail,Colour,File,Shown at times,created');
      const wrong = await submit(form, [{ field_id: '11', value: 'Ann' }, { field_id: '99', value: 'x' }, 'y']);
      expect(wrong.body.errors.map(({ field }: Json) => field).sort()).toEqual(['99', 'data.2']);
    });
  });

  describe('with a captcha', () => {
    it('a filled honeypot is refused, an empty one is taken', async () => {
      const form = await page({ captcha: 'honeypot' });
      expect((await submit(form, { name: 'Bot', protected_1: 'x' })).status).toBe(400);
      expect((await submit(form, { name: 'Bot' }, { captcha: { provider: 'honeypot', value: 'x' } })).status).toBe(400);
      expect((await submit(form, { name: 'Ann', protected_1: '' }, { captcha: { value: '' } })).status).toBe(204);
      expect(await kept(form)).toEqual(['Ann']);
    });

    it('a form with a captcha that the site does not have takes nothing', async () => {
      const form = await page({ captcha: 'recaptcha' });
      const { status, body } = await submit(form, { name: 'Ann' }, { captcha: { token: 'x' } });
      expect([status, body.message]).toEqual([
        400,
        'This form has the captcha "recaptcha", which this site does not have.',
      ]);
    });
  });
});
