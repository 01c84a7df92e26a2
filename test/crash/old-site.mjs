// Two exports of a site that is made up, in the form of collective.exportimport, and edits of the site that the first one was imported into.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const SITE = 'https://old.example.org/Plone';
/** Pages in each folder. */
const IN_FOLDER = 25;

const day = (number) =>
  `2024-0${1 + Math.floor(number / 28)}-${String(1 + (number % 28)).padStart(2, '0')}T12:00:00+00:00`;

const text = (words) => ({ a: { '@type': 'slate', value: [{ type: 'p', children: [{ text: words }] }] } });

const objectAt = (path, type, more) => ({
  ...{ '@id': `${SITE}${path}`, '@type': type, UID: `uid${path.replaceAll('/', '-')}`, id: path.split('/').at(-1) },
  ...{
    is_folderish: true,
    title: path,
    created: day(0),
    modified: day(1),
    review_state: 'published',
    creators: ['jo'],
    ...more,
  },
});

/** A page that has been saved `saves` times after it was made. */
function pageAt(path, saves) {
  const at = (save) => ({
    ...{
      title: `${path} ${save}`,
      description: `Saved ${save} times`,
      blocks: text(`words of ${save}`),
      blocks_layout: { items: ['a'] },
    },
    ...{ modified: day(1 + save), changeNote: `Save ${save}`, changeActor: save % 2 ? 'jo' : 'ed' },
  });
  const versions = Array.from({ length: saves }, (_, save) => [
    save,
    { ...objectAt(path, 'Document', at(save)), version: save },
  ]);
  return { ...objectAt(path, 'Document', at(saves)), 'exportimport.versions': Object.fromEntries(versions) };
}

const member = (username, roles) => ({
  username,
  fullname: username,
  email: `${username}@example.org`,
  roles,
  password: '',
});

const comment = (id, words) => ({ comment_id: id, text: words, 'text/plain': true, author_username: 'jo' });

/** The files of the first export: folders of pages with versions, comments, local roles and old addresses. */
function firstExport(pages) {
  const folders = Array.from({ length: Math.ceil(pages / IN_FOLDER) }, (_, i) => objectAt(`/f${i}`, 'Folder', {}));
  const all = Array.from({ length: pages }, (_, i) => pageAt(`/f${Math.floor(i / IN_FOLDER)}/p${i}`, i % 3));
  return {
    objects: [...folders, ...all],
    members: [member('jo', ['Member']), member('ed', ['Member'])],
    text: 'first',
    from: 'old',
  };
}

/**
 * The newer export: of each ten pages one is saved twice more, one is removed, one is renamed, two exchange their ids, one lies in a folder that is new, and
 * each folder has a new page.
 */
function newerExport(pages) {
  const { objects } = firstExport(pages);
  const newer = objects.flatMap((object) => {
    const path = object['@id'].slice(SITE.length);
    const number = Number(/\/p(\d+)$/.exec(path)?.[1] ?? -1);
    const moved = (to) => ({ ...object, '@id': `${SITE}${to}`, id: to.split('/').at(-1), modified: day(9) });
    const folder = path.split('/')[1];
    const kind = number < 0 ? undefined : number % 10;
    if (kind === 0 || kind === 5) return [{ ...pageAt(path, (number % 3) + 2), UID: object.UID }];
    if (kind === 1) return [];
    if (kind === 2) return [moved(`${path}-renamed`)];
    if (kind === 3) return [moved(`/${folder}/p${number + 1}`)];
    if (kind === 4) return [moved(`/${folder}/p${number - 1}`)];
    if (kind === 6) return [moved(`/new/p${number}`)];
    return [object];
  });
  const folders = new Set(
    newer.flatMap((object) => (object['@type'] === 'Folder' ? [object['@id'].slice(SITE.length)] : [])),
  );
  const added = [...folders].map((path) => pageAt(`${path}/added`, 3));
  const members = [member('jo', ['Member', 'Editor']), member('ed', ['Member']), member('new', ['Member'])];
  return { objects: [objectAt('/new', 'Folder', {}), ...newer, ...added], members, text: 'corrected', from: 'older' };
}

/** Edits here: a field that the old site has changed as well, one that it has not, a removal and a place. */
const editsOf = (pages) =>
  Array.from({ length: Math.floor(pages / 10) }, (_, i) => {
    const path = (number) => `/f${Math.floor(number / IN_FOLDER)}/p${number}`;
    return [
      { method: 'PATCH', path: path(10 * i), body: { title: `Ours ${i}` } },
      { method: 'PATCH', path: path(10 * i + 5), body: { subjects: ['ours'] } },
      ...(i % 3 === 0 ? [{ method: 'DELETE', path: path(10 * i + 7) }] : []),
      ...(i % 3 === 1 ? [{ method: 'PATCH', path: path(10 * i + 1), body: { description: 'Kept here' } }] : []),
      ...(i % 3 === 2 ? [{ method: 'POST', path: '/f0/@move', body: { source: path(10 * i + 8) } }] : []),
    ];
  }).flat();

async function write(folder, { objects, members, text: words, from }) {
  await mkdir(folder, { recursive: true });
  const places = new Map();
  const ordering = objects.map(({ UID, '@id': id }) => {
    const parent = id.split('/').slice(0, -1).join('/');
    const order = places.get(parent) ?? 0;
    places.set(parent, order + 1);
    return { uuid: UID, order };
  });
  const some = objects.filter((_, index) => index % 7 === 0);
  const files = {
    'Plone.json': objects,
    'export_ordering.json': ordering,
    'export_members.json': {
      groups: [{ groupid: 'team', title: 'Team', roles: [], principals: members.map(({ username }) => username) }],
      members,
    },
    'export_localroles.json': some.map(({ UID }, index) => ({
      uuid: UID,
      localroles: { jo: ['Owner'], ed: [index % 2 ? 'Editor' : 'Reader'] },
    })),
    'export_redirects.json': Object.fromEntries(
      some.map(({ '@id': id, UID }) => [`/Plone/${from}/${UID}`, `/Plone${id.slice(SITE.length)}`]),
    ),
    'export_discussion.json': some.map(({ UID }, index) => ({
      uuid: UID,
      conversation: { items: [comment(String(1000 + index), `${words} ${UID}`)] },
    })),
  };
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), JSON.stringify(content));
  return folder;
}

/** Writes both exports below a folder; returns where they are, and the edits between. */
export async function writeExports(folder, pages) {
  return {
    first: await write(join(folder, 'first'), firstExport(pages)),
    newer: await write(join(folder, 'newer'), newerExport(pages)),
    edits: editsOf(pages),
  };
}
