import { expect, it } from 'vitest';
import { changeSettings } from '../people/people-site.ts';
import { describeEachEngine } from '../support/database.ts';
import type { Json } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';
import { ALL, formsOf, GOOD } from './form-site.ts';

describeEachEngine('forms that are sent as forms', (engine) => {
  const site = useTestSite(engine);
  const { page, list, kept } = formsOf(site);

  async function send(
    path: string,
    parts: [string, string | Blob, string?][],
  ): Promise<{ status: number; body: Json }> {
    const form = new FormData();
    for (const [name, value, filename] of parts)
      typeof value === 'string' ? form.append(name, value) : form.append(name, value, filename);
    const response = await fetch(`${site.url}${path}`, {
      method: 'POST',
      body: form,
      headers: { Accept: 'application/json' },
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  }
  const file = (bytes: string | Uint8Array<ArrayBuffer>, type = 'text/plain') => new Blob([bytes], { type });
  const blobs = async (): Promise<number | undefined> =>
    (await site.kernel.db.query<{ n: number }>({ text: 'select count(*)::int as n from form_submission' }))[0]?.n;

  it('texts, JSON and files by the names of fields are kept like those in JSON', async () => {
    const { path, id } = await page({ schema: ALL });
    const { name, agreed, likes, ...rest } = GOOD;
    const answer = await send(`${path}/@schemaform-data`, [
      ['block_id', id],
      ['data', JSON.stringify(rest)],
      ['name', name],
      ['agreed', String(agreed)],
      ...likes.map((like): [string, string] => ['likes', like]),
      ['cv', file('hello'), 'a.txt'],
      ['cv', file('<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/png'), '../b.png'],
    ]);
    expect(answer).toEqual({ status: 204, body: undefined });
    const { items } = await list({ path, id });
    expect(items[0]).toMatchObject({ ...GOOD, age: 42 });
    const [first, second] = items[0].cv;
    expect(first).toMatchObject({ filename: 'a.txt', size: 5, 'content-type': 'text/plain' });
    expect(second).toMatchObject({ filename: 'b.png', 'content-type': 'image/svg+xml' });
    expect((await site.request('GET', first.download)).text).toBe('hello');
  });

  it('@submit-form takes forms, too, and returns what was taken without the files', async () => {
    const { path, id } = await page({
      '@type': 'form',
      subblocks: [
        { field_id: '11', label: 'Name', field_type: 'text', required: true },
        { field_id: '12', label: 'Files', field_type: 'attachment' },
      ],
    });
    const answer = await send(`${path}/@submit-form`, [
      ['block_id', id],
      ['data', JSON.stringify([{ field_id: '11', value: 'Ann' }])],
      ['12', file('hello'), 'a.txt'],
    ]);
    expect(answer).toEqual({ status: 200, body: { data: [{ field_id: '11', value: 'Ann' }] } });
    expect((await list({ path, id })).items[0]['12'].value).toMatchObject({ filename: 'a.txt', size: 5 });
  });

  it.each<[string, [string, string | Blob, string?][], number, RegExp]>([
    ['no block', [['name', 'Ann']], 400, /block_id/],
    [
      'data that is no JSON',
      [
        ['block_id', 'ID'],
        ['data', '{'],
      ],
      400,
      /The part .*data.* of the form is not JSON/,
    ],
    [
      'data that is a number',
      [
        ['block_id', 'ID'],
        ['data', '7'],
      ],
      400,
      /must be an object/,
    ],
    [
      'a captcha that is no JSON',
      [
        ['block_id', 'ID'],
        ['name', 'Ann'],
        ['captcha', 'x'],
      ],
      400,
      /captcha.*not JSON/,
    ],
    [
      'an unknown field',
      [
        ['block_id', 'ID'],
        ['name', 'Ann'],
        ['agreed', '1'],
        ['nickname', 'A'],
      ],
      400,
      /no field/,
    ],
    [
      'a file for a text',
      [
        ['block_id', 'ID'],
        ['name', file('x'), 'x.txt'],
        ['agreed', '1'],
      ],
      400,
      /Must be a text/,
    ],
    [
      'a text for a file',
      [
        ['block_id', 'ID'],
        ['name', 'Ann'],
        ['agreed', '1'],
        ['cv', 'x'],
      ],
      400,
      /data URI/,
    ],
    [
      'a text and a file of one name',
      [
        ['block_id', 'ID'],
        ['cv', 'x'],
        ['cv', file('x'), 'x'],
      ],
      400,
      /same name/,
    ],
  ])('%s is refused, and nothing is kept', async (_what, parts, status, message) => {
    const { path, id } = await page({ schema: ALL });
    const sent = parts.map(([name, value, ...rest]): [string, string | Blob, string?] => [
      name,
      value === 'ID' ? id : value,
      ...rest,
    ]);
    const before = await blobs();
    const answer = await send(`${path}/@schemaform-data`, sent);
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([status, expect.stringMatching(message)]);
    expect(await blobs()).toBe(before);
  });

  it('a file that is larger than all may be together is not received, and neither are many of them', async () => {
    await changeSettings(site, 'form', { attachments_limit: 1 });
    const { path, id } = await page({ schema: ALL });
    const common: [string, string][] = [
      ['block_id', id],
      ['name', 'Ann'],
      ['agreed', 'true'],
    ];
    const large = file(new Uint8Array(1_200_000));
    expect((await send(`${path}/@schemaform-data`, [...common, ['cv', large, 'a']])).status).toBe(413);
    const half = file(new Uint8Array(600_000));
    const two = await send(`${path}/@schemaform-data`, [...common, ['cv', half, 'a'], ['cv', half, 'b']]);
    expect([two.status, two.body.errors[0].message]).toEqual([400, 'The files are larger than 1 MB together.']);
    expect((await send(`${path}/@schemaform-data`, [...common, ['cv', half, 'a']])).status).toBe(204);
    await changeSettings(site, 'form', { attachments_limit: 10 });
  });

  it('a network that has sent a form too often gets an error before a file of it is received', async () => {
    await changeSettings(site, 'form', { submissions_per_hour: 1 });
    const { path, id } = await page({ schema: ALL });
    const parts: [string, string | Blob, string?][] = [
      ['block_id', id],
      ['name', 'Ann'],
      ['agreed', 'true'],
      ['cv', file(`once ${id}`), 'a'],
    ];
    expect((await send(`${path}/@schemaform-data`, parts)).status).toBe(204);
    const stored = new Set<string>();
    const { blobs: store } = site.kernel;
    const put = store.put.bind(store);
    store.put = async (source) => {
      const info = await put(source);
      stored.add(info.hash);
      return info;
    };
    try {
      expect((await send(`${path}/@schemaform-data`, parts)).status).toBe(429);
      expect([...stored]).toEqual([]);
    } finally {
      store.put = put;
    }
    expect(await kept({ path, id })).toEqual(['Ann']);
    await changeSettings(site, 'form', { submissions_per_hour: 200 });
  });

  it('the captchas that forms can have are listed for editors, and blocks are served with what their widget needs', async () => {
    for (const name of ['collective.volto.formsupport.captcha.providers', 'captchaProviders']) {
      const { body } = await site.request('GET', `/@vocabularies/${name}`);
      expect(body.items).toEqual([{ title: 'Honeypot', token: 'honeypot' }]);
    }
    const { path, id } = await page({ captcha: 'honeypot' });
    const { body } = await site.request('GET', path, { as: 'anonymous' });
    expect(body.blocks[id]).toMatchObject({ captcha: 'honeypot', captcha_props: { id: 'protected_1' } });
  });
});
