import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { KINDS } from '../../src/core/configuration/site/site.ts';
import { writeConfiguration } from '../../src/core/configuration/statements/configuration.ts';
import { sendRaw } from '../http/raw.ts';
import { picture } from '../images/pictures.ts';
import { describeEachEngine } from '../support/database.ts';
import type { Who } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';
import { create, upload } from './file-content.ts';

describeEachEngine('forms with files', (engine) => {
  const site = useTestSite(engine);
  let folder: string;
  beforeAll(async () => {
    folder = (await create(site, '/', { '@type': 'Folder', title: 'Forms' })).path;
  });
  const basic = `Basic ${Buffer.from('admin:admin').toString('base64')}`;
  type Part = [name: string, value: string | Blob, filename?: string];

  async function send(method: string, path: string, parts: Part[], as: Who = 'admin', headers = {}) {
    const form = new FormData();
    for (const [name, value, filename] of parts)
      typeof value === 'string' ? form.append(name, value) : form.append(name, value, filename);
    const response = await fetch(site.url + path, {
      method,
      body: form,
      headers: { Accept: 'application/json', ...(as === 'admin' ? { Authorization: basic } : {}), ...headers },
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
  }
  const text = (data: string, type = 'text/plain') => new Blob([data], { type });
  const spool = () => readdir(join(site.kernel.config.dataDir, 'blobs', 'tmp'));

  it('POST takes the file and the fields of the content in one request.', async () => {
    const { status, headers, body } = await send('POST', folder, [
      ['@type', 'File'],
      ['title', 'Übersicht'],
      ['subjects', 'one'],
      ['subjects', 'two'],
      ['exclude_from_nav', 'on'],
      ['effective', '2027-03-01'],
      ['relatedItems', '["/"]'],
      ['file', text('some text'), 'näme "1".txt'],
    ]);
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(body['@id']);
    expect(body).toMatchObject({
      '@type': 'File',
      title: 'Übersicht',
      subjects: ['one', 'two'],
      exclude_from_nav: true,
      effective: '2027-03-01T00:00:00.000Z',
      relatedItems: [{ '@id': site.url }],
      file: { filename: expect.stringMatching(/^näme .*txt$/), 'content-type': 'text/plain', size: 9 },
    });
    expect((await site.request('GET', `${body['@id']}/@@download/file`)).text).toBe('some text');
  });

  it('Without a type the file decides, and a part "file" is the file of any type.', async () => {
    const bytes = new Uint8Array(await picture(30, 20).png().toBuffer());
    const image = await send('POST', folder, [['file', new Blob([bytes]), 'a.bin']]);
    expect(image.body).toMatchObject({
      '@type': 'Image',
      title: 'a.bin',
      image: { width: 30, 'content-type': 'image/png' },
    });
    const news = await send('POST', folder, [
      ['@type', 'News Item'],
      ['title', 'News'],
      ['blocks', '{"a": {"@type": "title"}}'],
      ['blocks_layout', '{"items": ["a"]}'],
      ['preview_image', new Blob([bytes], { type: 'image/png' }), 'b.png'],
    ]);
    expect(news.body).toMatchObject({
      blocks: { a: { '@type': 'title' } },
      preview_image: { filename: 'b.png', height: 20 },
    });
  });

  it('PATCH replaces the file and changes fields, and keeps what it does not name.', async () => {
    const file = upload('old', 'old.txt', 'text/plain');
    const { path } = await create(site, folder, { '@type': 'File', title: 'Title', description: 'Kept', file });
    const changed = await send(
      'PATCH',
      path,
      [
        ['title', 'New title'],
        ['file', text('new!'), 'new.txt'],
      ],
      'admin',
      {
        Prefer: 'return=representation',
      },
    );
    expect([changed.status, changed.body]).toMatchObject([
      200,
      { title: 'New title', description: 'Kept', file: { filename: 'new.txt', size: 4 } },
    ]);
    const empty = await send('PATCH', path, [['file', new Blob([]), '']]);
    expect(empty.status).toBe(204);
    expect((await site.request('GET', `${path}/@@download/file`)).text).toBe('new!');
  });

  it('What does not fit is refused with what to do, and nothing is written.', async () => {
    const refusals: [Part[], RegExp][] = [
      [[['title', 'No type, no file']], /@type/],
      [
        [
          ['@type', 'Page'],
          ['title', 'T'],
          ['file', text('x'), 'x.txt'],
        ],
        /no field of its own for files/,
      ],
      [
        [
          ['@type', 'File'],
          ['title', text('x'), 'x.txt'],
          ['file', text('x'), 'x.txt'],
        ],
        /no field "title" for files/,
      ],
      [
        [
          ['@type', 'File'],
          ['file', text('x'), 'x.txt'],
          ['file', text('y'), 'y.txt'],
        ],
        /same name/,
      ],
      [
        [
          ['@type', 'File'],
          ['file', 'a text'],
          ['file', text('y'), 'y.txt'],
        ],
        /same name/,
      ],
      [
        [
          ['@type', 'Image'],
          ['image', text('x'), 'x.txt'],
          ['file', text('y'), 'y.txt'],
        ],
        /two values for "image"/,
      ],
      [
        [
          ['@type', 'File'],
          ['relatedItems', '["/'],
          ['file', text('x'), 'x.txt'],
        ],
        /not JSON/,
      ],
    ];
    for (const [parts, message] of refusals) {
      const { status, body } = await send('POST', folder, parts);
      expect([status, parts[0]]).toEqual([400, parts[0]]);
      expect(body.message).toMatch(message);
    }
    const before = (await site.request('GET', folder)).body.items_total;
    expect(
      (
        await send('POST', folder, [
          ['@type', 'No'],
          ['file', text('x'), 'x.txt'],
        ])
      ).status,
    ).toBe(403);
    expect((await send('POST', folder, [['file', text('x'), 'x.txt']], 'anonymous')).status).toBe(401);
    expect((await site.request('GET', folder)).body.items_total).toBe(before);
    expect(await spool()).toEqual([]);
  });

  it.each([
    ['no boundary', 'multipart/form-data', 'x'],
    ['no part', 'multipart/form-data; boundary=b', ''],
    [
      'no end',
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nabc',
    ],
    [
      'a part without a name',
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; filename="a.txt"\r\n\r\nabc\r\n--b--',
    ],
    [
      'JSON that is none',
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="title"\r\nContent-Type: application/json\r\n\r\n{"a"\r\n--b--',
    ],
  ])('A form with %s is 400.', async (_, type, body) => {
    const answer = await sendRaw(
      site.url,
      `POST ${folder} HTTP/1.1\r\nHost: x\r\nAuthorization: ${basic}\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('message')]);
    expect(await spool()).toEqual([]);
  });

  it('A file beyond the limit of the site is 413, and nothing of it stays.', async () => {
    await writeConfiguration(site.kernel.db, [
      { kind: KINDS.setting, id: 'uploads', position: 0, data: { max_size: 1 } },
    ]);
    const large = new Blob([new Uint8Array(1024 * 1024 + 1)]);
    const { status, body } = await send('POST', folder, [['file', large, 'large.bin']]);
    expect([status, body.type]).toEqual([413, 'PayloadTooLarge']);
    await expect.poll(spool).toEqual([]);
    expect((await send('POST', folder, [['file', new Blob([new Uint8Array(1024 * 1024)]), 'l.bin']])).status).toBe(201);
  });
});
