import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import {
  blockFields,
  type ExportedComment,
  type ExportedFile,
  type ExportedItem,
  type ExportedRedirect,
  type ExportSource,
  isFileError,
  makeItem,
  nothing,
  once,
  type ProblemLog,
  type ReadOptions,
} from '@canopy-server/site-reader';
import { type Entry, fileKey, mediaType, type OldSite, oldPath, readSite } from './site.ts';
import { createSpool, type Spool } from './spool.ts';
import { convertText } from './text.ts';
import { childrenNamed, childText, type XmlNode } from './wxr.ts';

const STATES = new Map([
  ['publish', 'published'],
  ['future', 'published'],
  ['inherit', 'published'],
  ['pending', 'pending'],
  ['draft', 'private'],
  ['private', 'private'],
]);

/** Folders beside the export in which the files of attachments may lie. */
const FILE_FOLDERS = ['', 'uploads', 'wp-content/uploads', 'media'];

/** Fields of pages that values of plugins must not take. */
const OWN_FIELDS = new Set([
  'title',
  'description',
  'subjects',
  'blocks',
  'blocks_layout',
  'text',
  'id',
  'language',
  'effective',
  'expires',
  'creators',
  'image',
  'file',
]);

type Site = OldSite & { spool: Spool; folder: string; problems: ProblemLog };

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

/** The file of an attachment beside the export, below the address of its uploads; null when it is not there. */
function findFile({ folder }: Site, url: string): { path: string; size: number } | null {
  const uploads = /\/wp-content\/uploads\/(.+)$|\/files\/(.+)$/.exec(url.split(/[?#]/)[0] ?? '');
  const below = uploads?.[1] ?? uploads?.[2] ?? '';
  for (const name of [below, path.posix.basename(url.split(/[?#]/)[0] ?? '')]) {
    if (name === '') continue;
    for (const base of FILE_FOLDERS) {
      const place = path.join(folder, base, name);
      try {
        const real = realpathSync.native(place);
        const info = statSync(real);
        if (info.isFile() && real.startsWith(`${folder}${path.sep}`)) return { path: real, size: info.size };
      } catch (error) {
        if (!isFileError(error)) throw error;
      }
    }
  }
  return null;
}

function fileOf(site: Site, entry: Entry, field: string, at: string): ExportedFile {
  const found = findFile(site, entry.file);
  if (!found) {
    const message = `The file of ${entry.file.slice(0, 300)} is not beside the export. Put wp-content/uploads there.`;
    site.problems.add({ reason: 'file', path: at, key: field, message });
  }
  const filename = path.posix.basename(entry.path);
  return { field, path: found?.path ?? null, filename, contentType: mediaType(filename), size: found?.size ?? null };
}

/** The object that an address of the old site leads to. */
function targetOf({ base, byId, byOldPath, byFile }: Site, url: string): Entry | undefined {
  const old = oldPath(url, base);
  if (old === undefined) return byFile.get(fileKey(url));
  const number = /[?&](?:p|page_id|attachment_id)=(\d{1,18})/.exec(url)?.[1];
  if (number !== undefined) return byId.get(number);
  // Sizes of pictures have names of their own.
  return byOldPath.get(old) ?? byOldPath.get(old.replace(/-\d{1,5}x\d{1,5}(?=\.\w{1,5}$)/, ''));
}

function contentItem(site: Site, entry: Entry, item: XmlNode): ExportedItem {
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
        ? [fileOf(site, picture, 'preview_image', at)]
        : [],
  });
}

function attachmentItem(site: Site, entry: Entry, item: XmlNode): ExportedItem {
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
    files: [fileOf(site, entry, field, entry.path)],
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

function itemOf(site: Site, entry: Entry): ExportedItem {
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
      fields: { title: entry.title, ...blockFields([{ '@type': 'title' }, LISTING]) },
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

/** Opens an export of WordPress. */
export function openWordpress(file: string, { problems }: ReadOptions): ExportSource {
  let spool: Spool | undefined;
  const site = once(async (): Promise<Site> => {
    spool = await createSpool();
    return {
      ...(await readSite(file, spool, problems)),
      spool,
      problems,
      folder: realpathSync.native(path.dirname(file)),
    };
  });
  const typeOf = ({ kind, path: at }: Entry): string =>
    kind === 'post'
      ? 'News Item'
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
    })),
  );
  return {
    format: 'WordPress',
    parts: async () => new Set(['redirects', 'comments']),
    async positions() {
      const orders = new Map(
        (await site()).list.map(({ path: at, kind, order }) => [at, kind === 'page' ? order : null]),
      );
      return ({ path: at }) => orders.get(at) ?? null;
    },
    count: async () => (await site()).list.length,
    addresses,
    async *items(wanted = () => true) {
      const all = await site();
      for (const [index, address] of (await addresses()).entries()) {
        const entry = all.list[index];
        if (entry && wanted(address)) yield itemOf(all, entry);
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
