import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../lib/root.mjs';
import { senderTo } from './programs.mjs';

const PICTURE = readFileSync(join(ROOT, 'compare/files/picture.png')).toString('base64');
/** More objects than a page of a container has. */
const NOTICES = 30;

const rich = (type, ...children) => ({
  '@type': 'slate',
  plaintext: children.map(({ text = '' }) => text).join(''),
  value: [{ type, children }],
});

/** The blocks of a page, in their order. */
const blocksOf = (...all) => ({
  blocks: Object.fromEntries(all.map((block, at) => [`b${at}`, block])),
  blocks_layout: { items: all.map((_, at) => `b${at}`) },
});

/**
 * Makes published content of each kind that a front end shows, in two languages, some of it renamed, and has Canopy name what its responses
 * are made of. Returns the token of a preview link of a draft.
 */
export async function fillSite(url) {
  const send = senderTo(url);
  await send('PATCH', '/@controlpanels/language', { available_languages: ['en', 'de'], default_language: 'en' });
  await send('POST', '/', { '@type': 'Folder', id: 'old-hall', title: 'Town hall', language: 'en' });
  const image = { data: PICTURE, encoding: 'base64', filename: 'hall.png', 'content-type': 'image/png' };
  await send('POST', '/old-hall', { '@type': 'Image', id: 'dot', title: 'The hall', image });
  await send('POST', '/old-hall', {
    ...{ '@type': 'Page', id: 'hours', title: 'Opening hours', description: 'When we are here', language: 'en' },
    subjects: ['visit'],
    ...blocksOf(
      rich('p', { text: 'Every day from ' }, { type: 'strong', children: [{ text: '9 to 12' }] }, { text: '.' }),
      rich('h2', { text: 'The way to us' }),
      rich(
        'p',
        { text: 'See the ' },
        { type: 'link', data: { url: `${url}/old-hall/dot` }, children: [{ text: 'picture' }] },
        { text: ' of the hall.' },
      ),
      { '@type': 'image', url: `${url}/old-hall/dot`, alt: 'The hall from the street' },
    ),
  });
  await send('POST', '/', { '@type': 'Page', id: 'zeiten', title: 'Öffnungszeiten', language: 'de' });
  await send('POST', '/zeiten/@translations', { id: '/old-hall/hours' });
  await send('POST', '/', { '@type': 'Folder', id: 'notices', title: 'Notices', language: 'en' });
  for (let number = 1; number <= NOTICES; number += 1)
    await send('POST', '/notices', { '@type': 'Page', title: `Notice ${number}`, subjects: ['other'] });
  for (const path of ['/old-hall', '/notices', '/zeiten'])
    await send('POST', `${path}/@workflow/publish`, { include_children: true });
  await send('PATCH', '/old-hall', { id: 'town-hall' });
  await send('PATCH', '/@controlpanels/caching', { enabled: true, tag_header: 'Surrogate-Key' });
  await send('POST', '/', { '@type': 'Page', id: 'draft', title: 'A draft', description: 'Not public yet' });
  return (await send('POST', '/draft/@preview-links', { title: 'For a test' })).token;
}
