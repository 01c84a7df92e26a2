import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { hasReferences } from '../../src/core/content/blocks/resolve-uid.ts';
import { defineFeature } from '../../src/core/services/feature.ts';
import { defineBlock } from '../../src/core/types/block.ts';
import type { Target } from '../../src/core/types/field-kind.ts';
import { Slots } from '../../src/lib/slots.ts';
import { UnparsedJson } from '../../src/lib/unparsed-json.ts';
import { describeEachEngine } from '../support/database.ts';
import { registries } from '../support/registries.ts';
import { useTestSite } from '../support/use-site.ts';

const target: Target = { uid: 'page-1', url: 'http://site/page', visible: false, summary: { title: 'Secret' } };

const text = fc.oneof(
  fc.string(),
  fc.constantFrom('../resolveuid/page-1', 'resolveUid/page-1#a', '/resolveuid/page-1', 'resolveuid', 'uid/page-1'),
  fc.constantFrom('teaser', 'form', 'schemaForm', '"@type": "teaser"', '@type": "form'),
);
const types = fc.oneof(fc.constantFrom('teaser', 'form', 'schemaForm', 'slate', 'image', 'text', 'URL', 'quote'), text);
const plainValue = fc.oneof(text, fc.integer(), fc.constant(null), fc.boolean(), fc.array(text, { maxLength: 2 }));
const plainBlock = fc.record(
  {
    ...{ '@type': types, '@id': text, url: text, href: plainValue, overwrite: fc.boolean() },
    ...{ recipients: text, captcha: text, preview_image: plainValue },
  },
  { requiredKeys: [] },
);

/** Blocks of which some have values of `inner`, and other blocks in all places for them. */
const blocksWith = (inner: fc.Arbitrary<object>) => {
  const value = fc.oneof(plainValue, inner, fc.array(inner, { maxLength: 2 }));
  const within = fc.dictionary(fc.string(), inner, { maxKeys: 2 });
  const outer = fc.record(
    {
      ...{ '@type': types, href: value, value, table: value, text: value, url: text },
      ...{ blocks: within, data: fc.record({ blocks: within }), columns: fc.array(inner, { maxLength: 2 }) },
    },
    { requiredKeys: [] },
  );
  return fc.dictionary(fc.string(), fc.oneof(plainBlock, outer), { maxKeys: 3 });
};
const anyBlocks = blocksWith(fc.oneof(plainBlock, blocksWith(plainBlock)));

/** A JSON text with the spaces that the database writes. */
const databaseText = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(databaseText).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, inner]) => `${JSON.stringify(key)}: ${databaseText(inner)}`)
    .join(', ')}}`;
};

describe('blocks that are served as they are stored', () => {
  test('no reader would get another form of them', () => {
    const context = {
      objectUrl: 'http://site/here',
      scales: {},
      termTitle: () => undefined,
      slots: new Slots(),
    };
    let stored = 0;
    fc.assert(
      fc.property(
        anyBlocks,
        fc.constantFrom('blocks', 'blocks_layout', 'more'),
        fc.boolean(),
        (blocks, name, mayEdit) => {
          const field = { name, title: name, type: 'object', factory: 'JSONField', required: false };
          const json = registries.fieldKinds.of(field);
          const isStored = json.isServedAsStored?.(new UnparsedJson(databaseText(blocks)), field) ?? false;
          if (!isStored) return;
          stored += 1;
          expect([...(json.uids?.(blocks, field) ?? [])]).toEqual([]);
          expect(json.serialize?.(blocks, field, { ...context, mayEdit, target: () => target })).toEqual(blocks);
        },
      ),
      { numRuns: 1000 },
    );
    expect(stored).toBeGreaterThan(100);
  });

  test('a reference is found wherever it stands in a text', () => {
    for (const found of ['"../resolveuid/a"', '"resolveUid/a"', '"http://a/b/resolveuid/c/d"', '"//resolveuid/a"'])
      expect(hasReferences(found), found).toBe(true);
    for (const other of ['"/a/b"', '"uid/"', '"resolve/uid/"', '"resolveUID/a"', '/', ''])
      expect(hasReferences(other), other).toBe(false);
  });
});

describeEachEngine('a feature that changes blocks of all types', (engine) => {
  const seen = defineBlock({ type: null, read: (block) => ({ ...block, seen: true }) });
  const site = useTestSite(engine, () => ({ features: [defineFeature({ name: 'seen', blocks: [seen] })] }));

  it('changes also blocks without references', async () => {
    const blocks = { a: { '@type': 'slate', value: [] } };
    const json = { '@type': 'Page', title: 'Seen', blocks };
    const { body: page } = await site.request('POST', '/', { json });
    const { body } = await site.request('GET', page['@id']);
    expect(body.blocks.a).toEqual({ '@type': 'slate', value: [], seen: true });
  });
});

describeEachEngine('content with blocks', (engine) => {
  const site = useTestSite(engine);

  it('has the same values at its address, in its container and among results, whether its blocks refer to others or not', async () => {
    const { body: folder } = await site.request('POST', '/', { json: { '@type': 'Folder', title: 'Folder' } });
    const plain = {
      a: { '@type': 'slate', value: [{ type: 'p', children: [{ text: 'Ä "b" \\ \u0007 1/2 @type' }] }], n: 1.5e-7 },
    };
    const linked = { a: { '@type': 'teaser', href: [{ '@id': folder['@id'] }], overwrite: true } };
    for (const [id, blocks] of Object.entries({ plain, linked })) {
      const json = { '@type': 'Page', title: id, id, blocks, blocks_layout: { items: ['a'] } };
      const { body: made } = await site.request('POST', folder['@id'], { json });
      const { body: page, headers } = await site.request('GET', made['@id']);
      expect(page).toEqual(made);
      expect(page.blocks).toMatchObject(
        id === 'plain' ? plain : { a: { href: [{ '@id': folder['@id'], title: 'Folder' }] } },
      );
      for (const list of [`${folder['@id']}?fullobjects=1`, `${folder['@id']}/@search?id=${id}&fullobjects=1`]) {
        const { body } = await site.request('GET', list);
        const item = body.items.find((each: { id: string }) => each.id === id);
        expect(item).toMatchObject({ blocks: page.blocks, blocks_layout: page.blocks_layout, parent: page.parent });
      }
      const change = (etag: string, title: string) =>
        site.request('PATCH', made['@id'], { headers: { 'If-Match': etag }, json: { title } });
      const etag = String(headers.get('etag'));
      expect((await change(etag, 'changed')).status).toBe(204);
      expect((await change(etag, 'changed again')).status).toBe(412);
    }
  });
});
