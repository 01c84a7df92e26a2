import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEachEngine } from '../support/database.ts';
import { type Exchange, type Json, startTestSite, type TestSite } from '../support/site.ts';
import { make } from './make.ts';

describeEachEngine('the response to a creation', (engine) => {
  let site: TestSite;

  const post = (container: string, json: Record<string, unknown>): Promise<Exchange> =>
    site.request('POST', container, { json });

  beforeAll(async () => {
    site = await startTestSite(engine);
  });
  afterAll(() => site?.close());

  it('a POST returns blocks as GET does, character by character: with references, HTML, names that are numbers, and special characters', async () => {
    const path = await make(site.kernel, '/', { '@type': 'Folder', id: 'folder' });
    const target = await post(path, { '@type': 'Page', title: 'Target' });
    const slate = (value: Json) => ({ '@type': 'slate', value: [value], plaintext: 'Ünïcode "quoted" \\ \u2028' });
    const blocks = {
      b: slate({ type: 'p', children: [{ text: 'a\tb' }] }),
      2: slate({ type: 'link', data: { url: target.body['@id'] }, children: [{ text: 'to it' }] }),
      1: {
        '@type': 'html',
        html: '<p onclick="x()">é</p><script>1</script>',
        nothing: null,
        number: 1e21,
        list: [[], {}],
      },
    };
    const input = { '@type': 'Page', blocks, blocks_layout: { items: ['b', '2', '1'] } };
    for (const title of ['With blocks', 'Without a reference']) {
      if (title !== 'With blocks') blocks[2] = blocks.b;
      const { body, headers } = await post(path, { ...input, title });
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
      const again = (await site.request('GET', body['@id'].slice(site.url.length))).body;
      expect(JSON.stringify(again.blocks)).toBe(JSON.stringify(body.blocks));
      expect(again).toEqual(body);
      expect(body.blocks[1].html).toBe('<p>é</p>');
      expect(body.blocks[2].value[0].data?.url).toBe(title === 'With blocks' ? target.body['@id'] : undefined);
      expect(Object.keys(body.blocks)).toEqual(['1', '2', 'b']);
    }
  });
});
