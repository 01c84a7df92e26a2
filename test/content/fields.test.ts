import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeEachEngine } from '../support/database.ts';
import { type Json, startTestSite, type TestSite } from '../support/site.ts';
import { addType, type PropertyOf } from './add-type.ts';

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const file = (data: unknown, more: Record<string, unknown> = {}) => ({
  data,
  encoding: 'base64',
  filename: 'a.bin',
  'content-type': 'application/octet-stream',
  ...more,
});

/** A type with a property of each kind, and with each limit. */
const PROPERTIES: Record<string, PropertyOf> = {
  line: { factory: 'Text line (String)', maxLength: 20, minLength: 2 },
  email: { factory: 'Email' },
  text: { factory: 'Text', widget: 'textarea', maxLength: 20 },
  whole: { factory: 'Integer', minimum: -5, maximum: 10 },
  decimal: { factory: 'Floating-point number', minimum: 0.5 },
  yes: { factory: 'Yes/No' },
  moment: { factory: 'Date/Time' },
  day: { factory: 'Date' },
  clock: { factory: 'Time' },
  one: {
    factory: 'Choice',
    choices: [
      ['a', 'Letter A'],
      ['b', 'Letter B'],
    ],
  },
  open: { factory: 'Choice' },
  some: {
    factory: 'Multiple Choice',
    items: {
      choices: [
        ['a', 'Letter A'],
        ['b', 'Letter B'],
      ],
    },
  },
  words: { factory: 'List', minItems: 1, maxItems: 3 },
  target: { factory: 'Relation Choice' },
  targets: { factory: 'Relation List' },
  upload: { factory: 'File' },
  picture: { factory: 'Image' },
  rich: { factory: 'Rich Text' },
  address: { factory: 'URL' },
  json: { factory: 'JSONField' },
  foreign: { factory: 'A field of an add-on that is gone' },
};

const LETTER_A = { token: 'a', title: 'Letter A' };
const html = (data: string) => ({ data, 'content-type': 'text/html', encoding: 'utf-8' });

/** The values that a client sends, and the served ones where they differ. `ROOT` stands for the address of the site. */
const GOOD: [field: string, sent: unknown, served?: unknown][] = [
  ['line', ' trimmed ', 'trimmed'],
  ['line', 'ä€😀'],
  ['line', 'x'.repeat(20)],
  ['email', 'a@b.example'],
  ['email', '', null],
  ['text', ' two\nlines '],
  ['text', ''],
  ['whole', 0],
  ['whole', -5],
  ['whole', '7', 7],
  ['whole', ' +3 ', 3],
  ['whole', 1e1],
  ['decimal', 0.5],
  ['decimal', '1.25', 1.25],
  ['decimal', 3],
  ['decimal', '1e3', 1000],
  ['yes', true],
  ['yes', false],
  ['moment', '2026-05-01T10:00:00Z', '2026-05-01T10:00:00.000Z'],
  ['moment', '2026-05-01T10:00:00+02:00', '2026-05-01T08:00:00.000Z'],
  ['moment', '2026-05-01 10:00', '2026-05-01T10:00:00.000Z'],
  ['moment', '2026-05-01', '2026-05-01T00:00:00.000Z'],
  ['day', '2026-05-01'],
  ['day', '2024-02-29'],
  ['day', '2026-05-01T23:30:00+02:00', '2026-05-01'],
  ['clock', '10:30', '10:30:00'],
  ['clock', '10:30:15'],
  ['one', 'a', LETTER_A],
  ['one', LETTER_A, LETTER_A],
  ['one', '', null],
  ['open', 'anything'],
  ['open', { token: 'x', title: 'Ignored' }, 'x'],
  ['some', ['b', 'a', 'b'], [{ token: 'b', title: 'Letter B' }, LETTER_A]],
  ['some', 'a', [LETTER_A]],
  ['some', []],
  ['words', ['b', ' a ', 'b', ''], ['b', 'a']],
  ['words', 'one', ['one']],
  ['words', [{ token: 'x', title: 'X' }], ['x']],
  ['rich', '<p>Text</p>', html('<p>Text</p>')],
  ['rich', html('<b>a</b>'), html('<b>a</b>')],
  [
    'rich',
    { data: '<b>', 'content-type': 'text/plain' },
    { data: '<b>', 'content-type': 'text/plain', encoding: 'utf-8' },
  ],
  ['rich', '<p onclick="x()">a<script>alert(1)</script></p>', html('<p>a</p>')],
  ['rich', '<a href="javascript:alert(1)">a</a>', html('<a>a</a>')],
  ['rich', '<a href="/target">a</a>', html('<a href="ROOT/target">a</a>')],
  ['address', 'https://e.com/a?b#c'],
  ['address', 'mailto:a@b.example'],
  ['address', '', null],
  ['address', '/target', 'ROOT/target'],
  ['address', 'ROOT/target#part'],
  ['address', '/nothing/here'],
  ['json', { a: [1, null, { b: 'c' }] }],
  ['json', []],
  ['json', 'text'],
  ['json', 0],
  ['json', false],
  ['foreign', { any: ['thing'] }],
];

const REFERENCES: unknown[] = [
  'UID',
  '/target',
  'ROOT/target',
  { '@id': 'ROOT/target' },
  { '@id': '/target' },
  { UID: 'UID' },
  'ROOT/++api++/target',
];

const BAD: [field: string, sent: unknown][] = [
  ['line', 7],
  ['line', ['a']],
  ['line', {}],
  ['line', 'x'],
  ['line', 'x'.repeat(21)],
  ['line', 'two\nlines'],
  ['line', 'a\u0000b'],
  ['line', '\ud800'],
  ['email', 'nobody'],
  ['email', 'a b@c'],
  ['email', 'a@b@c'],
  ['text', 7],
  ['text', 'x'.repeat(21)],
  ['text', 'a\u0000b'],
  ['whole', 1.5],
  ['whole', 11],
  ['whole', -6],
  ['whole', 'seven'],
  ['whole', ''],
  ['whole', true],
  ['whole', '0x7'],
  ['whole', 1e300],
  ['whole', [1]],
  ['decimal', 0.4],
  ['decimal', 'NaN'],
  ['decimal', 'Infinity'],
  ['decimal', '1,5'],
  ['decimal', {}],
  ['yes', 'true'],
  ['yes', 1],
  ['yes', 0],
  ['yes', []],
  ['moment', 'soon'],
  ['moment', '2026-02-30T10:00:00Z'],
  ['moment', 1_767_225_600],
  ['moment', ''],
  ['moment', '2026-13-01'],
  ['moment', '10000-01-01'],
  ['day', '01.05.2026'],
  ['day', '2026-02-29'],
  ['day', true],
  ['clock', '25:00'],
  ['clock', 'noon'],
  ['clock', 1030],
  ['one', 'c'],
  ['one', ['a']],
  ['one', {}],
  ['one', 7],
  ['open', 'a\u0000b'],
  ['open', 'x'.repeat(1001)],
  ['some', ['a', 'c']],
  ['some', [['a']]],
  ['words', [7]],
  ['words', [['a']]],
  ['words', ['a', 'b', 'c', 'd']],
  ['words', [' ']],
  ['words', ['a\u0000']],
  ['target', '/nothing'],
  ['target', ['/target', '/']],
  ['target', 7],
  ['target', {}],
  ['target', 'https://e.com/target'],
  ['target', '../../target'],
  ['targets', ['/target', '/nothing']],
  ['targets', [7]],
  ['targets', [{}]],
  ['upload', 'text'],
  ['upload', 7],
  ['upload', ['a']],
  ['upload', file('not base64!')],
  ['upload', file('YQ==', { encoding: 'hex' })],
  ['upload', file(7)],
  ['upload', file('YQ==', { 'content-type': 'no type' })],
  ['upload', file('YQ==', { 'content-type': 'text/html\r\nX: y' })],
  ['picture', 'text'],
  ['picture', file('***')],
  ['rich', 7],
  ['rich', { data: 7 }],
  ['rich', { data: 'a', 'content-type': 'text/x-rst' }],
  ['rich', 'a\u0000b'],
  ['rich', []],
  ['address', 7],
  ['address', 'javascript:alert(1)'],
  ['address', ' JavaScript:alert(1)'],
  ['address', 'data:text/html,x'],
  ['address', 'java\nscript:x'],
  ['address', 'a\u0000'],
  ['json', { a: 'b\u0000' }],
  ['json', { '\u0000': 1 }],
  ['json', ['\udfff']],
];

/** The served value of an unset field of each kind. */
const MISSING: Record<string, unknown> = { some: [], words: [], targets: [] };

describeEachEngine('fields', (engine) => {
  let site: TestSite;
  let targetUid: string;

  beforeAll(async () => {
    site = await startTestSite(engine);
    await addType(site.kernel, { id: 'Everything', properties: PROPERTIES });
    await site.request('POST', '/', { json: { '@type': 'Everything', id: 'all', title: 'All' } });
    targetUid = (await site.request('POST', '/', { json: { '@type': 'Page', id: 'target', title: 'Target' } })).body
      .UID;
  });
  afterAll(() => site?.close());

  const filled = (value: unknown): unknown =>
    JSON.parse(
      JSON.stringify(value)
        .replaceAll('ROOT', site.url)
        .replaceAll('"UID":"UID"', `"UID":"${targetUid}"`)
        .replace(/^"UID"$/, `"${targetUid}"`),
    );
  const patch = (json: Record<string, unknown>) => site.request('PATCH', '/all', { json });
  const get = async (): Promise<Json> => (await site.request('GET', '/all')).body;

  it('new content has each field of its type, unset', async () => {
    const body = await get();
    for (const name of Object.keys(PROPERTIES)) expect([name, body[name]]).toEqual([name, MISSING[name] ?? null]);
  });

  it.each(GOOD)('the field %s accepts %j', async (field, sent, served = sent) => {
    const { status, text } = await patch({ [field]: filled(sent) });
    expect([status, text]).toEqual([204, '']);
    expect((await get())[field]).toEqual(filled(served));
  });

  it.each(REFERENCES)('a relation accepts %j', async (reference) => {
    expect((await patch({ target: filled(reference), targets: [filled(reference), '/target', '/'] })).status).toBe(204);
    const { target, targets } = await get();
    const summary = {
      '@id': `${site.url}/target`,
      '@type': 'Page',
      title: 'Target',
      UID: targetUid,
      review_state: 'private',
    };
    expect(target).toMatchObject(summary);
    expect(targets.map((item: Json) => item['@id'])).toEqual([`${site.url}/target`, site.url]);
    await patch({ target: null, targets: null });
  });

  describe('a value that does not fit', () => {
    let before: Json;
    beforeAll(async () => {
      before = await get();
    });

    it.each(BAD)('the field %s rejects %j, and nothing changes', async (field, sent) => {
      const { status, body } = await patch({ [field]: sent, title: 'Changed' });
      expect([status, body.errors?.map((problem: Json) => problem.field)]).toEqual([400, [field]]);
      expect(await get()).toEqual(before);
    });
  });

  it.each(Object.keys(PROPERTIES))('null clears the field %s', async (field) => {
    expect((await patch({ [field]: null })).status).toBe(204);
    expect((await get())[field]).toEqual(MISSING[field] ?? null);
  });

  it('a JSON field is limited in depth', async () => {
    const nested = (depth: number) => JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`);
    expect((await patch({ json: nested(99) })).status).toBe(204);
    expect((await patch({ json: nested(150) })).status).toBe(400);
    expect((await patch({ json: nested(300) })).status).toBe(400);
  });

  describe('files', () => {
    it('a file is served as a description with an address, and stays when that is sent back', async () => {
      await patch({
        upload: file('aGVsbG8=', { filename: '../dir/a b.txt', 'content-type': 'text/plain; charset=x' }),
      });
      const { upload } = await get();
      expect(upload).toEqual({
        filename: 'a b.txt',
        'content-type': 'text/plain',
        size: 5,
        download: `${site.url}/all/@@download/upload`,
      });
      const { modified } = await get();
      expect((await patch({ upload })).status).toBe(204);
      expect(await get()).toMatchObject({ upload, modified });
      expect((await site.request('GET', '/all/@@download/upload')).text).toBe('hello');
    });

    it('a picture is served with its size and scales', async () => {
      await patch({ picture: file(PNG, { filename: 'a.png', 'content-type': 'image/png' }) });
      const { picture } = await get();
      expect(picture).toMatchObject({ filename: 'a.png', 'content-type': 'image/png', width: 1, height: 1 });
      expect(picture.download).toMatch(new RegExp(`^${site.url}/all/@@images/picture-1-`));
      expect((await site.request('GET', picture.download)).headers.get('content-type')).toBe('image/png');
    });

    it('a file that only claims to be a picture is refused, and one that cannot be read has no size', async () => {
      const sent = (text: string) =>
        file(Buffer.from(text).toString('base64'), { filename: 'a.png', 'content-type': 'image/png' });
      const json = { picture: sent('<script>alert(1)</script>') };
      expect((await site.request('PATCH', '/all', { json })).status).toBe(400);
      await patch({ picture: sent('no picture at all') });
      const { picture } = await get();
      expect(picture).toMatchObject({ width: -1, height: -1 });
      const { headers } = await site.request('GET', picture.download);
      expect(headers.get('content-disposition')).toMatch(/^attachment/);
    });

    it('empty data removes a file, and the description of a file that never existed adds none', async () => {
      await patch({ upload: file('') });
      expect((await get()).upload).toBeNull();
      await patch({
        upload: { filename: 'a', 'content-type': 'text/plain', size: 5, download: 'x', hash: 'f'.repeat(64) },
      });
      expect((await get()).upload).toBeNull();
    });
  });

  describe('blocks', () => {
    it.each([
      [{ blocks: [] }],
      [{ blocks: 'text' }],
      [{ blocks: { a: 'text' } }],
      [{ blocks: { a: null } }],
      [{ blocks_layout: [] }],
      [{ blocks_layout: {} }],
      [{ blocks_layout: { items: [7] } }],
    ])('%j are rejected as blocks', async (json) => {
      const { status, body } = await site.request('PATCH', '/target', { json });
      expect([status, body.errors[0].field]).toEqual([400, Object.keys(json)[0]]);
    });

    it('links in blocks follow content that moves', async () => {
      const blocks = (url: string) => ({
        a: {
          '@type': 'slate',
          value: [{ type: 'p', children: [{ type: 'link', data: { url: `${url}#x` }, children: [{ text: 'a' }] }] }],
        },
        b: { '@type': 'image', url: `${url}/@@images/image/large` },
        c: { '@type': 'unknown', href: [{ '@id': url }] },
      });
      await site.request('POST', '/', { json: { '@type': 'Page', id: 'moving', title: 'Moving' } });
      const { body } = await site.request('POST', '/', {
        json: { '@type': 'Page', title: 'Linking', blocks: blocks('/moving') },
      });
      expect(body.blocks).toMatchObject(blocks(`${site.url}/moving`));
      await site.request('PATCH', '/moving', { json: { id: 'moved' } });
      expect((await site.request('GET', '/linking')).body.blocks).toMatchObject(blocks(`${site.url}/moved`));
      await site.request('DELETE', '/moved');
      expect((await site.request('GET', '/linking')).status).toBe(200);
    });
  });
});
