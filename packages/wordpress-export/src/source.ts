import { realpathSync } from 'node:fs';
import path from 'node:path';
import {
  blockFields,
  type ExportedComment,
  type ExportedItem,
  type ExportedRedirect,
  type ExportSource,
  makeItem,
  nothing,
  once,
  type ReadOptions,
} from '@canopy-server/site-reader';
import { type Files, fileOf } from './files.ts';
import { createDownloads } from './media.ts';
import { streamRest } from './rest.ts';
import { settingsOf } from './settings.ts';
import { type Entry, mediaType, type OldSite, OWN_FIELDS, oldPath, readSite, targetOf } from './site.ts';
import { createSpool, type Spool } from './spool.ts';
import { convertText } from './text.ts';
import { childrenNamed, childText, streamWxr, type XmlNode } from './wxr.ts';

const STATES = new Map([
  ['publish', 'published'],
  ['future', 'published'],
  ['inherit', 'published'],
  ['pending', 'pending'],
  ['draft', 'private'],
  ['private', 'private'],
]);

type Site = OldSite & Files & { spool: Spool };

/** A date in UTC; null for none. Drafts have `0000-00-00 00:00:00`. */
function dateOf(item: XmlNode, name: string): Date | null {
  const text = childText(item, `${name}_gmt`).startsWith('0')
    ? childText(item, name)
    : childText(item, `${name}_gmt`) || childText(item, name);
  if (!/^[1-9]\d{3}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/.test(text)) return null;
  const date = new Date(`${text.replace(' ', 'T')}Z`);
  return Number.isNaN(date.getTime()) ? null : date;
}

/** Metadata of an item by its keys. */
const metaOf = (item: XmlNode): Map<string, string> =>
  new Map(
    childrenNamed(item, 'wp:postmeta').map((meta) => [
      childText(meta, 'wp:meta_key'),
      childText(meta, 'wp:meta_value'),
    ]),
  );

/** The fields by which the navigation has or leaves out an object. */
const navigationOf = ({ navTitle, isHidden }: Entry): Record<string, unknown> => ({
  ...(navTitle !== undefined && { nav_title: navTitle }),
  ...(isHidden === true && { exclude_from_nav: true }),
});

/** A link in the place of an entry of a menu. */
const linkItem = ({ language }: Site, entry: Entry): ExportedItem =>
  makeItem({
    ...{ uid: entry.uid, path: entry.path, type: 'Link', reviewState: 'published', language },
    fields: { title: entry.title, remoteUrl: entry.remoteUrl },
    position: entry.order,
  });

async function contentItem(site: Site, entry: Entry, item: XmlNode): Promise<ExportedItem> {
  const { problems } = site;
  const { path: at, kind } = entry;
  const note = (message: string, reason: 'changed' | 'unsupported' = 'changed', key = 'blocks') => {
    problems.note({ reason, path: at, key, message });
  };
  const blocks = convertText(item.children.find(({ name }) => name === 'content:encoded')?.text ?? '', {
    code: 'html',
    link: (url) => {
      const found = targetOf(site, url.trim());
      if (found) return `${encodeURI(found.path)}${/#.*$/.exec(url)?.[0] ?? ''}`;
      if (oldPath(url, site.base) !== undefined && oldPath(url, site.base) !== '/')
        problems.add({
          reason: 'link',
          path: at,
          message: `The link ${url.slice(0, 300)} leads to nothing in the export.`,
        });
      return url;
    },
    onHtml: (element) => note(`<${element}> has no form in slate here: it is kept as a block of HTML.`),
    onFlattened: (element) => note(`Of <${element}> the text is kept, without the element.`),
    onLostBlock: (name) =>
      note(`The block ${name} was made by the old server: nothing of it is in the export.`, 'unsupported'),
    onShortcode: (code) => note(`The code [${code}] of a plugin is kept as text.`, 'unsupported'),
    onTooDeep: () => note('The text has too many levels; its source is kept as a block of HTML.'),
  });
  const meta = metaOf(item);
  const others: Record<string, unknown> = {};
  for (const [key, value] of meta) {
    if (key.startsWith('_') || value === '') continue;
    if (OWN_FIELDS.has(key))
      note(`The value ${key} of a plugin has the name of a field and is left out.`, 'unsupported', key);
    else others[key] = value;
  }
  const status = childText(item, 'wp:status');
  const hasPassword = childText(item, 'wp:post_password') !== '';
  if (hasPassword) note('Content with a password is private here.', 'changed', 'post_password');
  if (!STATES.has(status)) note(`The state ${status.slice(0, 60)} is private here.`, 'changed', 'status');
  const subjects = childrenNamed(item, 'category')
    .filter(({ attributes }) => attributes.domain === 'category' || attributes.domain === 'post_tag')
    .map(({ text }) => text.trim())
    .filter((subject) => subject !== '');
  for (const { attributes } of childrenNamed(item, 'category'))
    if (!['category', 'post_tag', 'post_format'].includes(attributes.domain ?? ''))
      note(`Terms of ${(attributes.domain ?? '').slice(0, 60)} are left out.`, 'unsupported', 'category');
  const picture = site.byId.get(meta.get('_thumbnail_id') ?? '');
  const author = childText(item, 'dc:creator');
  const excerpt = childText(item, 'excerpt:encoded')
    .replace(/<[^>]*>/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  return makeItem({
    uid: entry.uid,
    path: at,
    type: kind === 'post' ? 'News Item' : 'Document',
    fields: {
      ...others,
      title: entry.title || entry.slug,
      ...navigationOf(entry),
      ...(excerpt === '' ? {} : { description: excerpt }),
      ...(subjects.length === 0 ? {} : { subjects: [...new Set(subjects)] }),
      ...blockFields([{ '@type': 'title' }, ...blocks]),
    },
    given: ['effective'],
    position: kind === 'page' ? entry.order : null,
    created: dateOf(item, 'wp:post_date'),
    modified: dateOf(item, 'wp:post_modified') ?? dateOf(item, 'wp:post_date'),
    effective: status === 'publish' || status === 'future' ? dateOf(item, 'wp:post_date') : null,
    reviewState: hasPassword ? 'private' : (STATES.get(status) ?? 'private'),
    owner: author || null,
    creators: author === '' ? [] : [author],
    language: site.language,
    isFolderish: kind === 'page',
    files:
      picture?.kind === 'attachment' && mediaType(picture.file).startsWith('image/')
        ? [await fileOf(site, picture, 'preview_image', at)]
        : [],
  });
}

async function attachmentItem(site: Site, entry: Entry, item: XmlNode): Promise<ExportedItem> {
  const isImage = mediaType(entry.path).startsWith('image/');
  const field = isImage ? 'image' : 'file';
  const author = childText(item, 'dc:creator');
  const text = (name: string) =>
    childText(item, name)
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim();
  const description =
    text('excerpt:encoded') || text('content:encoded') || (metaOf(item).get('_wp_attachment_image_alt') ?? '');
  return makeItem({
    uid: entry.uid,
    path: entry.path,
    type: isImage ? 'Image' : 'File',
    fields: { title: entry.title || entry.slug, ...(description === '' ? {} : { description }) },
    created: dateOf(item, 'wp:post_date'),
    modified: dateOf(item, 'wp:post_modified') ?? dateOf(item, 'wp:post_date'),
    owner: author || null,
    creators: author === '' ? [] : [author],
    language: site.language,
    files: [await fileOf(site, entry, field, entry.path)],
  });
}

const LISTING = {
  '@type': 'listing',
  variation: 'summary',
  querystring: {
    query: [{ i: 'path', o: 'plone.app.querystring.operation.string.relativePath', v: '.::1' }],
    sort_on: 'effective',
    sort_order: 'descending',
  },
};

async function itemOf(site: Site, entry: Entry): Promise<ExportedItem> {
  if (entry.kind === 'link') return linkItem(site, entry);
  if (entry.place === null)
    return makeItem({
      ...{
        uid: entry.uid,
        path: entry.path,
        type: 'Document',
        reviewState: 'published',
        isFolderish: true,
        language: site.language,
      },
      fields: {
        title: entry.title,
        ...navigationOf(entry),
        ...blockFields([{ '@type': 'title' }, LISTING]),
      },
    });
  const item = site.spool.load(entry.place);
  return entry.kind === 'attachment' ? attachmentItem(site, entry, item) : contentItem(site, entry, item);
}

/** Old addresses of the objects, and those that WordPress kept of former names. */
function* redirectsOf(site: Site): Generator<ExportedRedirect> {
  const taken = new Set(site.list.map(({ path: at }) => at));
  for (const [from, entry] of site.byOldPath) {
    if (taken.has(from)) continue;
    taken.add(from);
    yield { from, to: entry.path };
  }
  for (const [url, to] of site.redirects) {
    const from = oldPath(url, site.base);
    if (from === undefined || from === '/' || taken.has(from) || !URL.canParse(to, site.base)) {
      const message = 'A redirect of a plugin from an address that content has, or from no path, is left out.';
      site.problems.note({ reason: 'unsupported', path: url, key: 'redirection', message });
      continue;
    }
    taken.add(from);
    yield { from, to: targetOf(site, to)?.path ?? new URL(to, site.base).href };
  }
  for (const entry of site.list) {
    if (entry.place === null) continue;
    for (const meta of childrenNamed(site.spool.load(entry.place), 'wp:postmeta')) {
      const old = oldPath(entry.link, site.base);
      if (childText(meta, 'wp:meta_key') !== '_wp_old_slug' || old === undefined) continue;
      const from = path.posix.join(path.posix.dirname(old), childText(meta, 'wp:meta_value'));
      if (from === '/' || taken.has(from)) continue;
      taken.add(from);
      yield { from, to: entry.path };
    }
  }
}

/** Comments on an object, those that are answered first. */
function* commentsOf({ problems }: Site, entry: Entry, item: XmlNode): Generator<ExportedComment> {
  const known = new Set<string>();
  const nodes = childrenNamed(item, 'wp:comment').sort(
    (a, b) => Number(childText(a, 'wp:comment_id')) - Number(childText(b, 'wp:comment_id')),
  );
  for (const node of nodes) {
    const left = (message: string) =>
      problems.note({ reason: 'unsupported', path: entry.path, key: 'comments', message });
    const type = childText(node, 'wp:comment_type');
    const id = childText(node, 'wp:comment_id');
    if (type !== '' && type !== 'comment') left(`Messages of other servers (${type.slice(0, 40)}) are left out.`);
    else if (childText(node, 'wp:comment_approved') !== '1') left('Comments that nobody has approved are left out.');
    else if (id === '' || known.has(id)) left('A comment without a number of its own is left out.');
    else {
      known.add(id);
      if (childText(node, 'wp:comment_author_email') !== '' || childText(node, 'wp:comment_author_url') !== '')
        left('Of the authors of comments the names are kept, without e-mail addresses and sites.');
      const parent = childText(node, 'wp:comment_parent');
      yield {
        ...{
          contentUid: entry.uid,
          id,
          inReplyTo: known.has(parent) ? parent : null,
          mimeType: 'text/plain',
          author: null,
        },
        text: childText(node, 'wp:comment_content').replace(/<[^>]*>/g, ''),
        authorName: childText(node, 'wp:comment_author') || null,
        created: dateOf(node, 'wp:comment_date'),
        modified: dateOf(node, 'wp:comment_date'),
      };
    }
  }
}

/** Opens an export of WordPress: a file, or the address of REST of a site. */
export function openWordpress(place: string | URL, options: ReadOptions): ExportSource {
  const { problems } = options;
  const address = typeof place === 'string' ? undefined : place;
  const file = typeof place === 'string' ? place : place.href;
  const { outside, fetchesMedia, menu } = settingsOf(options, address);
  let spool: Spool | undefined;
  const site = once(async (): Promise<Site> => {
    spool = await createSpool();
    const nodes =
      address && outside ? streamRest({ settings: outside, root: address, spool, problems }) : streamWxr(file);
    return {
      ...(await readSite(nodes, { file, menu, spool, problems })),
      ...{ spool, problems },
      downloads: outside && fetchesMedia ? createDownloads(outside, spool.folder) : undefined,
      folder: address ? undefined : realpathSync.native(path.dirname(file)),
    };
  });
  const typeOf = ({ kind, path: at }: Entry): string =>
    kind === 'post'
      ? 'News Item'
      : kind === 'link'
        ? 'Link'
        : kind !== 'attachment'
          ? 'Document'
          : mediaType(at).startsWith('image/')
            ? 'Image'
            : 'File';
  const addresses = once(async () =>
    (await site()).list.map((entry) => ({
      path: entry.path,
      uid: entry.uid,
      type: typeOf(entry),
      file: path.basename(file),
      keys: entry.keys,
    })),
  );
  return {
    format: 'WordPress',
    parts: async () => new Set(['redirects', 'comments']),
    async positions() {
      const orders = new Map(
        (await site()).list.map(({ path: at, kind, order }) => [at, kind === 'page' || kind === 'link' ? order : null]),
      );
      return ({ path: at }) => orders.get(at) ?? null;
    },
    count: async () => (await site()).list.length,
    addresses,
    async *items(wanted = () => true) {
      const all = await site();
      for (const [index, address] of (await addresses()).entries()) {
        const entry = all.list[index];
        if (entry && wanted(address)) yield await itemOf(all, entry);
      }
    },
    users: async function* () {
      yield* (await site()).users;
    },
    groups: nothing,
    redirects: async function* () {
      yield* redirectsOf(await site());
    },
    translations: nothing,
    relations: nothing,
    comments: async function* () {
      const all = await site();
      for (const entry of all.list) if (entry.place) yield* commentsOf(all, entry, all.spool.load(entry.place));
    },
    close: async () => spool?.close(),
  };
}
