// What the site of the test of exports has: something of everything that Plone can have too.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../scripts/lib/root.mjs';

export const PASSWORD = 'correct horse battery staple';

const file = (filename, type, data) => ({ filename, 'content-type': type, encoding: 'base64', data });
const picture = () =>
  file('picture.png', 'image/png', readFileSync(join(ROOT, 'compare/files/picture.png')).toString('base64'));

/** Users as an old site may have had them: without a password, without an address. A client cannot make such. */
export function writeOldUsers(folder) {
  mkdirSync(join(folder, 'content'), { recursive: true });
  const member = (username, email) => ({
    username,
    email,
    fullname: username,
    password: null,
    roles: ['Member'],
    groups: [],
  });
  writeFileSync(join(folder, 'content/__metadata__.json'), JSON.stringify({ _data_files_: [] }));
  writeFileSync(
    join(folder, 'principals.json'),
    JSON.stringify({ groups: [], members: [member('nopass', 'nopass@example.org'), member('nomail', '')] }),
  );
}

const blocksOf = (...all) => ({
  blocks: Object.fromEntries(all.map((block, at) => [`b${at}`, block])),
  blocks_layout: { items: all.map((_, at) => `b${at}`) },
});

/** Makes users, groups, content in two languages, files, relations, comments, old addresses and local roles. */
export async function furnish({ must }) {
  const add = (path, type, id, more) => must('POST', path, { '@type': type, id, title: `The ${id}`, ...more });
  await must('PATCH', '/@controlpanels/language', { available_languages: ['en', 'de'], multilingual: true });
  await must('PATCH', '/@controlpanels/discussion', { globally_enabled: true });
  await must('POST', '/@users', { username: 'ann', email: 'ann@example.org', password: PASSWORD, fullname: 'Ann Å' });
  await must('POST', '/@groups', { groupname: 'staff', title: 'Staff', roles: ['Editor'], users: ['ann'] });

  await add('/en', 'Document', 'news', { description: 'What is new', subjects: ['new', 'Zürich'] });
  const target = await add('/en/news', 'Document', 'target', {
    ...blocksOf(
      { '@type': 'title' },
      { '@type': 'slate', plaintext: 'A text', value: [{ type: 'p', children: [{ text: 'A text' }] }] },
    ),
  });
  const paper = await add('/en/news', 'File', 'paper', {
    file: file('Café 1.txt', 'text/plain', Buffer.from('The bytes of a file').toString('base64')),
  });
  await add('/en/news', 'Image', 'dot', { image: picture() });
  const link = `../resolveuid/${target.UID}`;
  await add('/en/news', 'Document', 'page', {
    relatedItems: [target.UID, paper.UID],
    allow_discussion: true,
    effective: '2024-02-03T04:05:06+00:00',
    ...blocksOf(
      { '@type': 'title' },
      {
        '@type': 'slate',
        plaintext: 'See the target',
        value: [
          {
            type: 'p',
            children: [
              { text: 'See ' },
              { type: 'link', data: { url: link }, children: [{ text: 'the target' }] },
              { text: '' },
            ],
          },
        ],
      },
      { '@type': 'image', url: `${link.replace(target.UID, (await must('GET', '/en/news/dot')).UID)}`, alt: 'A dot' },
      {
        '@type': 'listing',
        querystring: {
          query: [{ i: 'path', o: 'plone.app.querystring.operation.string.absolutePath', v: '/en/news' }],
        },
      },
    ),
  });
  await add('/en/news', 'Event', 'party', {
    start: '2026-05-06T18:00:00+00:00',
    end: '2026-05-06T20:00:00+00:00',
    location: 'Bern',
  });
  await add('/en/news', 'News Item', 'item', { description: 'What happened' });
  await add('/en/news', 'Link', 'elsewhere', { remoteUrl: 'https://example.org/there' });
  await add('/en', 'Document', 'secret', { title: 'Not published' });
  await add('/de', 'Document', 'neues', { title: 'Neues' });
  await must('POST', '/de/neues/@translations', { id: '/en/news' });

  await must('PATCH', '/en/news/page', { title: 'The page, edited', changeNote: 'A note' });
  for (const path of ['/en/news', '/en/news/page', '/en/news/target', '/en/news/item', '/de/neues'])
    await must('POST', `${path}/@workflow/publish`, { comment: 'Ready' });
  await must('POST', '/en/news/page/@comments', { text: 'A comment' });
  const { items } = await must('GET', '/en/news/page/@comments');
  await must('POST', `/en/news/page/@comments/${items[0].comment_id}`, { text: 'An answer' });
  await must('POST', '/en/news/page/@comments', { text: 'A second comment' });
  await must('POST', '/en/secret/@sharing', {
    inherit: false,
    entries: [
      { id: 'staff', type: 'group', roles: { Reader: true } },
      { id: 'ann', type: 'user', roles: { Contributor: true } },
    ],
  });
  await must('POST', '/en/news/@move', { source: '/en/secret' });
  await must('POST', '/en/news/page/@aliases', { items: ['/old/address'] });
}
