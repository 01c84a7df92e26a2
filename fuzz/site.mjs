import { Buffer } from 'node:buffer';
import { setTimeout as sleep } from 'node:timers/promises';
import { UnexpectedAnswer } from '../scripts/lib/client.mjs';

/** Milliseconds between two checks that the content of the cases still exists. */
const TEND_MS = 500;

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
const file = (filename, contentType, data) => ({ filename, 'content-type': contentType, encoding: 'base64', data });

/** The content of the cases, by its id: one object of each type, at the root, because some tools encode slashes in paths. */
const CONTENT = {
  folder: { '@type': 'Folder', title: 'A folder' },
  page: { '@type': 'Page', title: 'A page', allow_discussion: true },
  news: { '@type': 'News', title: 'News' },
  event: { '@type': 'Event', title: 'An event', start: '2030-01-01T10:00:00Z', end: '2030-01-01T11:00:00Z' },
  link: { '@type': 'Link', title: 'A link', remoteUrl: 'https://example.com' },
  file: { '@type': 'File', title: 'A file', file: file('a.txt', 'text/plain', Buffer.from('text').toString('base64')) },
  image: { '@type': 'Image', title: 'An image', image: file('a.png', 'image/png', PIXEL) },
};

export const MEMBER = { username: 'member', password: 'a long password of a member' };

/** Values that path parameters sometimes get instead of random texts, because otherwise nearly all cases would get 404. */
export const KNOWN_VALUES = {
  path: Object.keys(CONTENT),
  field: ['file', 'image', 'preview_image', 'title'],
  scale: ['preview', 'large', '400'],
  type: ['Page', 'Folder', 'Event', 'Image'],
  id: ['member', 'admin', 'Administrators', 'news', 'Page'],
  transition: ['publish', 'retract', 'submit'],
  panel: ['site', 'mail', 'language', 'dexterity-types'],
  index: ['0', '1'],
  version: ['0', '1'],
  from: ['0'],
  to: ['1'],
};

/** Creates missing content and users; what cannot be created is skipped. */
async function plant(client, problems) {
  for (const [id, fields] of Object.entries(CONTENT)) {
    await tolerate(problems, async () => {
      const { body } = await client.send('GET', `/@search?path.query=/${id}&path.depth=0&b_size=1`);
      if (body.items_total > 0) return;
      await client.send('POST', '/', { ...fields, id });
      await client.send('POST', `/${id}/@workflow/publish`, {});
    });
  }
  await tolerate(problems, () =>
    client.send('POST', '/@users', { ...MEMBER, email: 'member@example.com', roles: ['Member'] }),
  );
}

/** Rejected requests are a result of earlier cases; a status of 500 or above is recorded as a problem. */
async function tolerate(problems, work) {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof UnexpectedAnswer)) throw error;
    if (error.status >= 500) problems.push(error.message);
  }
}

/**
 * Restores the content while cases remove, move and change it; failures of the server are added to the problems. Returns a
 * function that stops this.
 */
export async function tend(client, problems) {
  await plant(client, problems);
  let isOver = false;
  const tending = (async () => {
    while (!isOver) {
      await sleep(TEND_MS);
      await plant(client, problems);
    }
  })();
  return async () => {
    isOver = true;
    await tending;
  };
}
