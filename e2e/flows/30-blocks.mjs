// Blocks that need the server, as visitors see them.
import assert from 'node:assert/strict';
import { blocksOf, see, text } from '../volto.mjs';

const TYPES = { i: 'portal_type', o: 'plone.app.querystring.operation.selection.any', v: ['News Item'] };

/** Publishes a page with blocks, and opens it as a visitor. */
async function published({ open, api }, id, ...blocks) {
  await api('POST', '/', { '@type': 'Document', id, title: `Page ${id}`, ...blocksOf(...blocks) });
  await api('POST', `/${id}/@workflow/publish`, {});
  const { page } = await open({ as: 'visitor' });
  assert.equal((await page.goto(`/${id}`)).status(), 200);
  return page;
}

export default [
  {
    title: 'A listing has the published content that its criteria find, and its pages.',
    async run(site) {
      for (const number of [1, 2, 3]) {
        await site.api('POST', '/', { '@type': 'News Item', id: `item-${number}`, title: `Item ${number}` });
        if (number < 3) await site.api('POST', `/item-${number}/@workflow/publish`, {});
      }
      const querystring = { query: [TYPES], sort_on: 'sortable_title', sort_order: 'ascending', b_size: '1' };
      const page = await published(site, 'listing', { '@type': 'listing', querystring, variation: 'default' });
      await see(page, 'Item 1');
      assert.equal(await page.getByText('Item 3').count(), 0);
      await page.waitForLoadState('networkidle');
      await page.locator('.pagination-wrapper a, .pagination a', { hasText: '2' }).first().click();
      await see(page, 'Item 2');
    },
  },
  {
    title: 'A teaser shows the present title and the picture of its target.',
    async run(site) {
      const { api, picture } = site;
      await api('POST', '/', { '@type': 'Image', id: 'teased.png', title: 'Teased', image: picture });
      const { UID } = await api('GET', '/teased.png');
      await api('POST', '/', { '@type': 'Document', id: 'target', title: 'Before', preview_image_link: UID });
      await api('POST', '/target/@workflow/publish', {});
      const teaser = { '@type': 'teaser', href: [{ '@id': '/target', '@type': 'Document', title: 'Before' }] };
      await api('PATCH', '/target', { title: 'After' });
      const page = await published(site, 'teasing', teaser);
      await see(page, 'After');
      const picture_ = page.locator('.block.teaser img').first();
      await picture_.waitFor();
      assert.match(await picture_.getAttribute('src'), /teased\.png\/@@images\/image-/);
    },
  },
  {
    title: 'A picture in a block is loaded.',
    async run(site) {
      await site.api('POST', '/', { '@type': 'Image', id: 'shown.png', title: 'Shown', image: site.picture });
      const page = await published(site, 'with-picture', { '@type': 'image', url: '/shown.png', alt: 'Shown' });
      const picture = page.locator('.block.image img').first();
      await picture.waitFor();
      await page.waitForFunction((image) => image.complete && image.naturalWidth > 0, await picture.elementHandle());
    },
  },
  {
    title: 'A link in a text leads to the page, also when it was renamed.',
    async run(site) {
      await site.api('POST', '/', { '@type': 'Document', id: 'named', title: 'Named' });
      await site.api('POST', '/named/@workflow/publish', {});
      const link = { type: 'link', data: { url: '/named' }, children: [{ text: 'over there' }] };
      await site.api('POST', '/', {
        '@type': 'Document',
        id: 'text-link',
        title: 'Link',
        ...blocksOf(text('x', [link])),
      });
      await site.api('POST', '/text-link/@workflow/publish', {});
      await site.api('PATCH', '/named', { id: 'renamed' });
      const { page } = await site.open({ as: 'visitor' });
      await page.goto('/text-link');
      assert.match(await page.getByText('over there').getAttribute('href'), /\/renamed$/);
    },
  },
  {
    title: 'Tables, HTML, contents and grids are shown; scripts in HTML are not.',
    async run(site) {
      const cell = (words) => ({ key: words, type: 'data', value: [{ type: 'p', children: [{ text: words }] }] });
      const page = await published(
        site,
        'many',
        { '@type': 'slateTable', table: { rows: [{ key: 'r', cells: [cell('A cell')] }] } },
        { '@type': 'html', html: '<p id="own">Own <b>HTML</b></p><script>window.bad = true</script>' },
        { '@type': 'slate', plaintext: 'Chapter', value: [{ type: 'h2', children: [{ text: 'Chapter' }] }] },
        { '@type': 'toc' },
        {
          '@type': 'gridBlock',
          blocks: { x: text('Inside the grid') },
          blocks_layout: { items: ['x'] },
        },
      );
      for (const words of ['A cell', 'Own', 'Chapter', 'Inside the grid']) await see(page, words);
      assert.equal(await page.evaluate(() => window.bad), undefined);
    },
  },
];
