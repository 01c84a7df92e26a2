// The site that the pages for browsers are looked at with: content of every kind that a page shows.
import sharp from 'sharp';
import { connect } from '../scripts/lib/client.mjs';
import { startServer, temporaryDataDir } from '../scripts/lib/server.mjs';

/** A picture of hills in the evening, as SVG. */
const HILLS = `<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="700" viewBox="0 0 1600 700">
<rect width="1600" height="700" fill="#f3d9b1"/><circle cx="1180" cy="230" r="90" fill="#e8894a"/>
<path fill="#8fae8b" d="M0 430 Q300 250 620 420 T1240 380 T1600 430 V700 H0Z"/>
<path fill="#4f7f62" d="M0 520 Q260 400 560 520 T1120 500 T1600 540 V700 H0Z"/>
<path fill="#245741" d="M0 610 Q400 500 800 610 T1600 600 V700 H0Z"/></svg>`;

const text = (type, ...children) => ({ '@type': 'slate', value: [{ type, children }] });
const blocksOf = (...all) => ({
  blocks: Object.fromEntries(all.map((block, index) => [`b${index}`, block])),
  blocks_layout: { items: all.map((_, index) => `b${index}`) },
});

const WALK = {
  '@type': 'Page',
  id: 'along-the-river',
  title: 'Along the river in three days',
  description: 'From the old mill to the lighthouse: 54 kilometres, two inns and one ferry.',
  subjects: ['Walks', 'River', 'Autumn'],
  ...blocksOf(
    text(
      'p',
      { text: 'The path begins behind the mill. ' },
      { type: 'strong', children: [{ text: 'Take bread along:' }] },
      { text: ' the first inn opens at noon.' },
    ),
    text('h2', { text: 'The first day' }),
    text('p', {
      text: 'Follow the dyke to the ferry, which crosses every half hour. The meadows on the other side belong to storks until August.',
    }),
    text('blockquote', { text: 'We had the whole valley to ourselves, and the ferryman told us why.' }),
    {
      '@type': 'slateTable',
      table: {
        rows: [
          ['Day', 'From', 'Kilometres'],
          ['1', 'The old mill', '17'],
          ['2', 'The ferry', '21'],
        ].map((cells, row) => ({
          key: `r${row}`,
          cells: cells.map((cell, at) => ({
            key: `c${row}${at}`,
            type: row === 0 ? 'header' : 'data',
            value: [{ type: 'p', children: [{ text: cell }] }],
          })),
        })),
      },
    },
  ),
};

/** Starts a server with the site. `api` sends a request as Manager. */
export async function startPagesSite() {
  const canopy = await startServer({
    dataDir: await temporaryDataDir(),
    env: { FRONTEND_URL: 'https://edit.example.org' },
    timeout: 240_000,
  });
  const admin = await connect(canopy.url);
  const api = async (method, path, body) => (await admin.send(method, path, body)).body;
  const picture = await sharp(Buffer.from(HILLS)).png().toBuffer();
  await api('PATCH', '/@controlpanels/site', { site_title: 'Field notes' });
  await api('PATCH', '/', {
    title: 'Field notes',
    description: 'Walks, birds and weather of one valley, written down by those who live in it.',
    ...blocksOf(
      text('p', { text: 'New here? Begin with the walks: each has a map, a picture and the times of the ferry.' }),
    ),
  });
  await api('POST', '/', { '@type': 'Folder', id: 'walks', title: 'Walks', description: 'By foot, in a day or more' });
  await api('POST', '/', { '@type': 'Folder', id: 'birds', title: 'Birds', description: 'Seen from the dyke' });
  await api('POST', '/walks', WALK);
  await api('POST', '/walks', {
    '@type': 'Image',
    id: 'evening',
    title: 'The valley in the evening',
    description: 'From the hill above the ferry',
    image: {
      data: picture.toString('base64'),
      encoding: 'base64',
      filename: 'evening.png',
      'content-type': 'image/png',
    },
  });
  for (let i = 1; i <= 30; i += 1)
    await api('POST', '/birds', {
      '@type': 'Page',
      title: `Week ${i}`,
      description: `What was seen in the week ${i} of the year`,
    });
  await api('POST', '/', { '@type': 'Page', id: 'drafts', title: 'Plans for spring' });
  for (const path of ['/walks', '/birds', '/walks/along-the-river']) await api('POST', `${path}/@workflow/publish`, {});
  return { url: canopy.url, api };
}
