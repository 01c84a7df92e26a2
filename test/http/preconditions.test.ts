import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseEntityTags } from '../../src/lib/http/entity-tags.ts';
import { make } from '../content/make.ts';
import { tokenOf } from '../content/people.ts';
import { describeEachEngine } from '../support/database.ts';
import { startTestSite, type TestSite, type Who } from '../support/site.ts';

describe('a list of entity tags', () => {
  it.each<[string, ReturnType<typeof parseEntityTags>]>([
    ['*', '*'],
    [' * ', '*'],
    ['"a"', [{ tag: '"a"', isWeak: false }]],
    [
      'W/"a" , "b,c"',
      [
        { tag: '"a"', isWeak: true },
        { tag: '"b,c"', isWeak: false },
      ],
    ],
    [',"a",', [{ tag: '"a"', isWeak: false }]],
    ...['', ' ', 'a', '"a', 'a"', '"a" "b"', '*, "a"', 'w/"a"', '"a"x', ',', '"a b"'].map(
      (text): [string, undefined] => [text, undefined],
    ),
  ])('%j is read as it has to be', (text, tags) => {
    expect(parseEntityTags(text)).toEqual(tags);
  });
});

describeEachEngine('requests with conditions', (engine) => {
  let site: TestSite;
  let admin: Who;
  beforeAll(async () => {
    site = await startTestSite(engine);
    admin = await tokenOf(site, 'admin');
  });
  afterAll(() => site?.close());

  const ask = (method: string, path: string, headers: Record<string, string>, json?: unknown) =>
    site.request(method, path, { as: admin, headers, ...(json === undefined ? {} : { json }) });
  const tagOf = async (path: string) => (await ask('GET', path, {})).headers.get('etag') ?? '';

  it.each(['If-Match', 'If-None-Match'])(
    'a malformed %s is rejected with a message, and nothing is done',
    async (name) => {
      await make(site.kernel, '/', { id: `bad-${name.toLowerCase()}` });
      const path = `/bad-${name.toLowerCase()}`;
      for (const method of ['GET', 'PATCH', 'DELETE']) {
        const { status, body } = await ask(
          method,
          path,
          { [name]: 'abc' },
          method === 'PATCH' ? { title: 'x' } : undefined,
        );
        expect([method, status, body.message]).toEqual([
          method,
          400,
          `The header ${name} must be * or a list of entity tags in quotes, such as "abc".`,
        ]);
      }
      expect((await ask('GET', path, {})).body.title).toBe(path.slice(1));
    },
  );

  it('a write with the present entity tag is done, and one with a former tag is 412', async () => {
    const path = await make(site.kernel, '/', { id: 'matched' });
    const first = await tagOf(path);
    expect(first).not.toBe('');
    expect((await ask('PATCH', path, { 'If-Match': `"other", ${first}` }, { title: 'One' })).status).toBe(204);
    const late = await ask('PATCH', path, { 'If-Match': first }, { title: 'Two' });
    expect([late.status, late.body.type]).toEqual([412, 'PreconditionFailed']);
    expect((await ask('DELETE', path, { 'If-Match': first })).status).toBe(412);
    expect((await ask('GET', path, {})).body.title).toBe('One');
    expect((await ask('PATCH', path, { 'If-Match': '*' }, { title: 'Three' })).status).toBe(204);
    expect((await ask('PATCH', path, { 'If-None-Match': '*' }, { title: 'Four' })).status).toBe(412);
    expect((await ask('PATCH', path, { 'If-Match': `W/${await tagOf(path)}` }, { title: 'Four' })).status).toBe(412);
    expect((await ask('DELETE', path, { 'If-Match': await tagOf(path) })).status).toBe(204);
  });

  it('of two writes at once with the same entity tag one is done', async () => {
    const path = await make(site.kernel, '/', { id: 'raced' });
    const tag = await tagOf(path);
    const answers = await Promise.all(
      ['One', 'Two', 'Three'].map((title) => ask('PATCH', path, { 'If-Match': tag }, { title })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 412, 412]);
  });

  it('If-Unmodified-Since counts, and a malformed date is ignored', async () => {
    const path = await make(site.kernel, '/', { id: 'dated' });
    const since = (date: string, title: string) => ask('PATCH', path, { 'If-Unmodified-Since': date }, { title });
    expect((await since('Sat, 01 Jan 2000 00:00:00 GMT', 'a')).status).toBe(412);
    expect((await since(new Date(Date.now() + 60_000).toUTCString(), 'b')).status).toBe(204);
    expect((await since('soon', 'c')).status).toBe(204);
  });
});
