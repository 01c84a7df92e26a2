// Blocks that send requests while visitors use them, and blocks that editors create.
import assert from 'node:assert/strict';
import { answered, blocksOf, openForm, save, see, text } from '../volto.mjs';

const anyOf = (index, values) => ({ i: index, o: 'plone.app.querystring.operation.selection.any', v: values });

export default [
  {
    title: 'A search block finds by words, and by a facet.',
    async run({ open, api }) {
      await api('POST', '/', { '@type': 'Document', id: 'orchard', title: 'Orchard' });
      await api('POST', '/orchard/@workflow/publish', {});
      for (const [id, type, tag] of [
        ['apple-one', 'Document', 'red'],
        ['apple-two', 'Document', 'green'],
        ['pear', 'News Item', 'green'],
      ]) {
        await api('POST', '/orchard', { '@type': type, id, title: `Fruit ${id}`, subjects: [tag] });
        await api('POST', `/orchard/${id}/@workflow/publish`, {});
      }
      const search = {
        '@type': 'search',
        query: {
          query: [{ i: 'path', o: 'plone.app.querystring.operation.string.absolutePath', v: '/orchard::1' }],
          sort_order: 'ascending',
        },
        showSearchInput: true,
        showTotalResults: true,
        facets: [
          {
            '@id': 'f',
            title: 'Tag',
            type: 'checkboxFacet',
            multiple: true,
            field: { value: 'Subject', label: 'Tag' },
          },
        ],
        facetsTitle: 'Facets',
        variation: 'facetsLeftSide',
        listingBodyTemplate: 'default',
      };
      await api('POST', '/', { '@type': 'Document', id: 'finder', title: 'Finder', ...blocksOf(search) });
      await api('POST', '/finder/@workflow/publish', {});
      const { page } = await open({ as: 'visitor' });
      await page.goto('/finder');
      for (const id of ['apple-one', 'apple-two', 'pear']) await see(page, `Fruit ${id}`);
      await page.waitForLoadState('networkidle');
      await page.locator('.checkbox-facet .entry', { hasText: 'green' }).locator('.checkbox, input').first().click();
      await page.getByText('Fruit apple-one').waitFor({ state: 'detached' });
      await see(page, 'Fruit pear');
      await page.locator('.search-input input').first().fill('pear');
      await page.keyboard.press('Enter');
      await page.getByText('Fruit apple-two').waitFor({ state: 'detached' });
      await see(page, 'Fruit pear');
    },
  },
  {
    title: 'A listing shows pictures and summaries in its other variations.',
    async run({ open, api, picture }) {
      await api('POST', '/', {
        '@type': 'News Item',
        id: 'pictured',
        title: 'Pictured',
        description: 'What the picture shows',
        subjects: ['gallery'],
        preview_image: picture,
      });
      await api('POST', '/pictured/@workflow/publish', {});
      const querystring = { query: [anyOf('Subject', ['gallery'])], sort_order: 'ascending' };
      const listing = (variation) => ({ '@type': 'listing', querystring, variation });
      await api('POST', '/', {
        '@type': 'Document',
        id: 'gallery',
        title: 'Gallery',
        ...blocksOf(listing('summary'), listing('imageGallery')),
      });
      await api('POST', '/gallery/@workflow/publish', {});
      const { page } = await open({ as: 'visitor' });
      await page.goto('/gallery');
      await see(page, 'What the picture shows');
      const shown = page.locator('.block.listing img').first();
      await shown.waitFor();
      await page.waitForFunction((image) => image.complete && image.naturalWidth > 0, await shown.elementHandle());
    },
  },
  {
    title: 'A listing by place has what lies in it, and not what lies below that.',
    async run({ open, api }) {
      await api('POST', '/', { '@type': 'Document', id: 'upper', title: 'Upper' });
      await api('POST', '/upper', { '@type': 'Document', id: 'lower', title: 'Lower level' });
      await api('POST', '/upper/lower', { '@type': 'Document', id: 'lowest', title: 'Lowest level' });
      for (const path of ['/upper', '/upper/lower', '/upper/lower/lowest'])
        await api('POST', `${path}/@workflow/publish`, {});
      const below = (value) => ({
        '@type': 'listing',
        querystring: { query: [{ i: 'path', o: 'plone.app.querystring.operation.string.relativePath', v: value }] },
        variation: 'default',
      });
      await api('PATCH', '/upper', blocksOf(below('.::1')));
      const { page } = await open({ as: 'visitor' });
      await page.goto('/upper');
      await page.locator('.block.listing').getByText('Lower level').first().waitFor();
      assert.equal(await page.locator('.block.listing').getByText('Lowest level').count(), 0);
    },
  },
  {
    title: 'Words of blocks are found by the search of visitors.',
    async run({ open, api }) {
      await api('POST', '/', { '@type': 'Document', id: 'worded', title: 'Worded', ...blocksOf(text('a rhinoceros')) });
      await api('POST', '/worded/@workflow/publish', {});
      const { page } = await open({ as: 'visitor' });
      await page.goto('/search?SearchableText=rhinoceros');
      await see(page, 'Worded');
    },
  },
  {
    title: 'A picture is uploaded into a block, and lies beside the page.',
    async run({ open, api, picture }) {
      await api('POST', '/', {
        '@type': 'Document',
        id: 'upload-block',
        title: 'Upload',
        ...blocksOf({ '@type': 'image' }),
      });
      const { page } = await open();
      await openForm(page, '/upload-block/edit');
      await page.locator('.block.image').first().click();
      const [response] = await Promise.all([
        answered(page, 'POST', '/upload-block'),
        page.setInputFiles('.block.image input[type=file]', {
          name: 'block.png',
          mimeType: 'image/png',
          buffer: Buffer.from(picture.data, 'base64'),
        }),
      ]);
      assert.equal(response.status(), 201);
      await page.locator('.block.image img').first().waitFor();
      await save(page, '/upload-block');
      const { blocks } = await api('GET', '/upload-block');
      const block = Object.values(blocks).find((one) => one['@type'] === 'image');
      assert.match(block.url, /\/upload-block\/block\.png$/);
    },
  },
  {
    title: 'A page with a teaser of content that is gone is shown all the same.',
    async run({ open, api }) {
      await api('POST', '/', { '@type': 'Document', id: 'short-lived', title: 'Short-lived' });
      await api('POST', '/short-lived/@workflow/publish', {});
      const teaser = {
        '@type': 'teaser',
        href: [{ '@id': '/short-lived', '@type': 'Document', title: 'Short-lived' }],
      };
      await api('POST', '/', {
        '@type': 'Document',
        id: 'stale',
        title: 'Stale',
        ...blocksOf(teaser, text('Still here')),
      });
      await api('POST', '/stale/@workflow/publish', {});
      await api('DELETE', '/short-lived');
      const { page } = await open({ as: 'visitor' });
      assert.equal((await page.goto('/stale')).status(), 200);
      await see(page, 'Still here');
    },
  },
];
