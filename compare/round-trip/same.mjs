// Compares what an export has brought into Plone with the site that it was made of, over REST.
import { logIn } from './client.mjs';
import { PASSWORD } from './furnish.mjs';

/** Values of objects that must be the same. */
const KEYS = [
  ...[
    '@type',
    'UID',
    'id',
    'title',
    'description',
    'subjects',
    'review_state',
    'language',
    'creators',
    'effective',
    'expires',
  ],
  ...[
    'created',
    'blocks_layout',
    'allow_discussion',
    'start',
    'end',
    'location',
    'remoteUrl',
    'exclude_from_nav',
    'is_folderish',
  ],
];
/** Those of the root that each site has of its own. */
const OF_ROOTS = ['UID', 'id', 'review_state', 'created'];
/** Dates of which Plone keeps the minutes only. */
const MINUTES = ['effective', 'expires'];
const DATE = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d+)?(?:Z|\+00:00)$/;

/** A value without the address of its site. */
function plain(value, url) {
  if (typeof value === 'string') return value.replaceAll(url, '').replace(DATE, '$1');
  if (Array.isArray(value)) return value.map((one) => plain(one, url));
  if (typeof value !== 'object' || value === null) return value ?? null;
  const entries = Object.entries(value).map(([key, one]) => [key, plain(one, url)]);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

const tokenOf = (value) => (typeof value === 'object' && value !== null && 'token' in value ? value.token : value);

/** A value of an object. An empty text, and false, are what a type has that lacks the field. */
function comparable(key, body, { url }) {
  const value = plain(tokenOf(body[key]), url);
  if (value === '' || value === false) return null;
  return MINUTES.includes(key) && value !== null ? value.slice(0, 'yyyy-mm-ddThh:mm'.length) : value;
}

/** Returns an object in a form that is the same on both sites. */
async function objectOf(site, path) {
  const { status, body } = await site.ask(path);
  if (status !== 200) return { status };
  const values = Object.fromEntries(
    KEYS.filter((key) => path !== '' || !OF_ROOTS.includes(key)).map((key) => [key, comparable(key, body, site)]),
  );
  const texts = Object.values(body.blocks ?? {}).map(({ '@type': type, plaintext, value, url, querystring }) =>
    plain(
      { type, plaintext, value, url: Array.isArray(url) ? url.map((one) => one['@id'] ?? one) : url, querystring },
      site.url,
    ),
  );
  const file = body.file ?? body.image;
  const download = file ? plain(file.download, site.url) : undefined;
  return {
    ...values,
    texts,
    relatedItems: (body.relatedItems ?? []).map((one) => plain(one['@id'], site.url)),
    file: file
      ? {
          name: file.filename,
          type: file['content-type'],
          size: file.size,
          bytes: await site.bytes(download),
        }
      : null,
  };
}

const pathsOf = async (site) => {
  const { items, items_total: total } = await site.must('GET', '/@search?b_size=1000&sort_on=path');
  if (total > items.length) throw new Error(`${site.url} has more objects than are compared.`);
  return items.map((one) => plain(one['@id'], site.url));
};

async function translationsOf(site, path) {
  const { items = [] } = await site.must('GET', `${path}/@translations`);
  return items.map((one) => `${one.language} ${plain(one['@id'], site.url)}`).sort();
}

/** The local roles at an object, and whether it inherits any. */
async function sharingOf(site, path) {
  const { entries, inherit } = await site.must('GET', `${path}/@sharing`);
  const given = entries.map(({ id, type, roles }) => [
    `${type} ${id}`,
    Object.entries(roles)
      .flatMap(([role, value]) => (value === true ? [role] : []))
      .sort(),
  ]);
  return { inherit, roles: Object.fromEntries(given.filter(([, roles]) => roles.length > 0).sort()) };
}

async function commentsOf(site, path) {
  const { items } = await site.must('GET', `${path}/@comments`);
  const texts = new Map(items.map((one) => [one.comment_id, one.text.data.trim()]));
  return items.map((one) => ({
    text: one.text.data.trim(),
    answers: texts.get(one.in_reply_to) ?? null,
    author: one.author_username,
  }));
}

/** Everything that is compared, under names. `paths` are those of the objects. */
async function contentsOf(site, paths) {
  const contents = {};
  for (const path of paths) {
    contents[path] = await objectOf(site, path);
    contents[`${path} roles`] = await sharingOf(site, path);
  }
  contents['translations of /en/news'] = await translationsOf(site, '/en/news');
  contents['comments on /en/news/page'] = await commentsOf(site, '/en/news/page');
  for (const path of ['/old/address', '/en/secret']) {
    const { response } = await site.ask(path);
    contents[`where ${path} leads`] = plain(response.headers.get('location') ?? '', site.url);
  }
  for (const id of ['ann', 'nopass']) {
    const { fullname, email, groups } = await site.must('GET', `/@users/${id}`);
    contents[`user ${id}`] = {
      fullname,
      email,
      groups: (groups?.items ?? []).map((one) => one.id).filter((one) => one !== 'AuthenticatedUsers'),
    };
  }
  const { title, roles } = await site.must('GET', '/@groups/staff');
  contents['group staff'] = { title, roles: roles.filter((role) => role !== 'Authenticated').sort() };
  return contents;
}

/** The differences of two values, each with its place. */
function differences(one, other, at = '') {
  if (typeof one === 'object' && typeof other === 'object' && one !== null && other !== null)
    return [...new Set([...Object.keys(one), ...Object.keys(other)])].flatMap((key) =>
      differences(one[key], other[key], `${at} ${key}`),
    );
  return one === other ? [] : [{ at: at.trim(), canopy: one, plone: other }];
}

/** Compares all objects and what hangs on them. Returns the number of objects, and what differs. */
export async function compareSites(canopy, plone) {
  const [paths, there] = [await pathsOf(canopy), await pathsOf(plone)];
  const missing = paths.filter((path) => !there.includes(path));
  const present = paths.filter((path) => there.includes(path));
  const found = differences(await contentsOf(canopy, present), await contentsOf(plone, present));
  return {
    objects: paths.length,
    found: [...missing.map((path) => ({ at: path, canopy: 'is there', plone: 'is missing' })), ...found],
  };
}

/** Returns the logins that succeed and should not: with the text of a hash, or with an old password. */
export async function openDoors({ url }, principals) {
  const open = [];
  // The admin of Plone is another one, with a password of its own.
  for (const { username, password } of principals.members.filter((one) => one.username !== 'admin')) {
    for (const [what, text] of [
      ['the password in the export', password],
      ['the hash of Canopy', principals.canopy_passwords[username] ?? 'null'],
      ['the old password', PASSWORD],
    ]) {
      const { status } = await logIn(url, username, text);
      if (status !== 401) open.push(`${username} logs in with ${what}: ${status}`);
    }
  }
  return open;
}
