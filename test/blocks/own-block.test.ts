import { expect, it } from 'vitest';
import { inlineText, link, paragraph } from '../../src/core/content/blocks/markdown.ts';
import { defineFeature } from '../../src/core/services/feature.ts';
import { defineBlock } from '../../src/core/types/block.ts';
import { describeEachEngine } from '../support/database.ts';
import { useTestSite } from '../support/use-site.ts';

const quote = defineBlock({
  type: 'quote',
  links: ['source'],
  write: (block) => ({ ...block, words: String(block.words).trim() }),
  read: (block) => ({ ...block, length: String(block.words).length }),
  text: ({ words, author }) => `${words} ${author}`,
  markdown: ({ words, source }, { resolveUrl }) => {
    const url = resolveUrl(String(source));
    const said = inlineText(String(words));
    return [{ type: 'blockquote', children: paragraph(url === undefined ? said : link(said, url)) }];
  },
});

describeEachEngine('a type of block of a feature from outside', (engine) => {
  const site = useTestSite(engine, () => ({ features: [defineFeature({ name: 'quotes', blocks: [quote] })] }));

  async function done(status: number, method: string, path: string, json?: unknown) {
    const response = await site.request(method, path, json === undefined ? {} : { json });
    expect(response.status, `${method} ${path}: ${response.text}`).toBe(status);
    return response;
  }

  it('a block of a feature is stored, served, searched, counted by link integrity and written in Markdown as it declares', async () => {
    const { body: target } = await done(201, 'POST', '/', { '@type': 'Page', title: 'The source' });
    const { body: page } = await done(201, 'POST', '/', {
      '@type': 'Page',
      title: 'Quoting',
      blocks: { q: { '@type': 'quote', words: '  To be *or* not  ', author: 'Shakespeare', source: target['@id'] } },
      blocks_layout: { items: ['q'] },
    });
    expect(page.blocks.q).toMatchObject({ words: 'To be *or* not', length: 14, source: target['@id'] });
    const { body: found } = await done(200, 'GET', '/@search?SearchableText=shakespeare');
    expect(found.items.map(({ '@id': id }: { '@id': string }) => id)).toEqual([page['@id']]);
    const { body: integrity } = await done(200, 'GET', `/@linkintegrity?uids=${target.UID}`);
    expect(JSON.stringify(integrity)).toContain(page['@id']);
    const { text } = await done(200, 'GET', `${page['@id']}/markdown_view`);
    expect(text).toBe(`> [To be \\*or\\* not](${target['@id']})\n`);
    await done(204, 'PATCH', target['@id'], { id: 'moved-source' });
    const { body: after } = await done(200, 'GET', page['@id']);
    expect(after.blocks.q.source).toBe(`${site.url}/moved-source`);
  });
});
