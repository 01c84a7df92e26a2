import { statSync } from 'node:fs';
import path from 'node:path';
import {
  blockFields,
  chosen,
  type ExportedFile,
  type ExportedItem,
  type ExportedRedirect,
  type ExportedTranslationGroup,
  type ExportSource,
  groupBy,
  isFileError,
  loadAhead,
  makeItem,
  nothing,
  once,
  type ReadOptions,
  type VoltoBlock,
} from '@canopy-server/site-reader';
import { lookup } from 'mrmime';
import { type Entries, type Entry, findEntries, loadText, type Reading } from './entries.ts';
import { resolveLink } from './links.ts';
import { aliasesOf, readMetadata } from './metadata.ts';
import { convertText } from './text.ts';
import { walk } from './walk.ts';

/** Keys of front matter that name a picture of the page. */
const PICTURES = ['image', 'cover', 'thumbnail', 'featured_image', 'og_image', 'banner'];

type Source = Reading & { entries: Entries; code: 'html' | 'block' };

/** A name as people write it: `getting-started` is Getting started. */
function titleOf(name: string): string {
  const words = name
    .replace(/^\d+[-_.]\s*(?=\S)/, '')
    .replace(/[-_]+/g, ' ')
    .trim();
  return words === '' ? name : words.charAt(0).toUpperCase() + words.slice(1);
}

const base = (name: string): string => path.posix.basename(name);

/** A file on disk as the value of a field; reported when it is gone. */
function fileOf({ root, problems }: Reading, name: string, field: string, at: string): ExportedFile {
  const place = path.join(root, name);
  const contentType = lookup(name) ?? 'application/octet-stream';
  try {
    return { field, path: place, filename: base(name), contentType, size: statSync(place).size };
  } catch (error) {
    if (!isFileError(error)) throw error;
    problems.add({ reason: 'file', file: name, path: at, key: field, message: `Cannot be read: ${error.message}` });
    return { field, path: null, filename: base(name), contentType, size: null };
  }
}

const TITLE_BLOCK: VoltoBlock = { '@type': 'title' };

/** The list in a folder without a page of its own: everything in it. */
const LISTING_BLOCK: VoltoBlock = {
  '@type': 'listing',
  variation: 'summary',
  querystring: {
    query: [{ i: 'path', o: 'plone.app.querystring.operation.string.relativePath', v: '.::1' }],
    sort_on: 'getObjPositionInParent',
    sort_order: 'ascending',
  },
};

/** Pages with a title block, which the first heading of the text becomes. */
async function pageItem(source: Source, entry: Entry): Promise<ExportedItem | null> {
  const { problems, entries } = source;
  const { path: at, name: file } = entry;
  const text = await loadText(source, file);
  if (!text) return null;
  const metadata = readMetadata(text.data, (problem) => problems.note({ path: at, file, ...problem }));
  const note = (message: string, reason: 'changed' | 'unsupported' | 'system' = 'changed', key = 'blocks') =>
    problems.note({ reason, path: at, file, key, message });
  const { heading, blocks } = convertText(text.body, {
    code: source.code,
    link: (url) =>
      resolveLink(url, {
        entry,
        entries,
        onLost: (link) =>
          problems.add({
            reason: 'link',
            path: at,
            file,
            message: `The link ${link.slice(0, 300)} leads to nothing in the folder.`,
          }),
      }),
    onHtml: (element) => note(`<${element}> has no form in slate here: it is kept as a block of HTML.`),
    onFlattened: (element) => note(`Of <${element}> the text is kept, without the element.`),
    onShortcode: (code) => note(`The code "${code}" of the old generator is kept as text.`, 'unsupported'),
    onComment: () => note('Comments in HTML, which nobody sees, are left out.', 'system'),
    onTooDeep: () => note('The text has too many levels; its source is kept as a block of HTML.'),
  });
  const isSame = heading !== undefined && (metadata.title === undefined || metadata.title === heading);
  const repeated: VoltoBlock[] =
    heading === undefined || isSame
      ? []
      : [{ '@type': 'slate', value: [{ type: 'h2', children: [{ text: heading }] }], plaintext: heading }];
  const fields = { ...metadata.fields };
  const files: ExportedFile[] = [];
  for (const key of PICTURES) {
    const value = fields[key];
    const picture =
      typeof value === 'string'
        ? entries.byPath.get(decodeURI(resolveLink(value, { entry, entries, onLost: () => {} })))
        : undefined;
    if (picture?.kind !== 'image' || files.length > 0) continue;
    delete fields[key];
    files.push(fileOf(source, picture.name, 'preview_image', at));
  }
  return makeItem({
    uid: entry.uid,
    path: at,
    type: at === '/' ? 'Plone Site' : 'Document',
    fields: {
      ...fields,
      title: metadata.title ?? heading ?? titleOf(at === '/' ? base(source.root) : base(at)),
      ...blockFields([TITLE_BLOCK, ...repeated, ...blocks]),
    },
    given: ['effective', 'expires', 'language'].filter((key) => key !== 'language' || entry.language !== null),
    position: entries.position(at),
    creators: metadata.creators,
    owner: metadata.creators[0] ?? null,
    reviewState: metadata.isDraft ? 'private' : 'published',
    created: metadata.created,
    modified: metadata.modified,
    effective: metadata.effective,
    expires: metadata.expires,
    language: entry.language,
    isFolderish: true,
    files,
  });
}

function folderItem({ entries }: Source, { uid, path: at, name }: Entry): ExportedItem {
  return makeItem({
    ...{ uid, path: at, type: 'Document', position: entries.position(at), reviewState: 'published', isFolderish: true },
    fields: { title: titleOf(base(name)), ...blockFields([TITLE_BLOCK, LISTING_BLOCK]) },
  });
}

function fileItem(source: Source, { uid, path: at, name, kind }: Entry): ExportedItem {
  const type = kind === 'image' ? 'Image' : 'File';
  const field = kind === 'image' ? 'image' : 'file';
  return makeItem({
    ...{ uid, path: at, type, position: source.entries.position(at) },
    fields: { title: base(name) },
    files: [fileOf(source, name, field, at)],
  });
}

/** Old addresses of the pages, below the root of the site. */
async function* redirectsOf(source: Source): AsyncGenerator<ExportedRedirect> {
  const { entries, problems } = source;
  const seen = new Set<string>();
  for (const entry of entries.list) {
    if (entry.kind !== 'page') continue;
    const text = await loadText(source, entry.name);
    for (const alias of aliasesOf(text?.data ?? {})) {
      const container = entry.path === '/' ? '/' : path.posix.dirname(entry.path);
      const from = path.posix
        .join('/', alias.startsWith('/') ? alias : `${container}/${alias}`)
        .replace(/(.)\/+$/, '$1');
      if (from === entry.path) continue;
      if (seen.has(from) || entries.byPath.has(from) || from === '/' || /[{}:]/.test(alias)) {
        const message = `The old address ${alias.slice(0, 300)} is left out: it is in use, or no address.`;
        problems.add({ reason: 'value', path: entry.path, file: entry.name, key: 'aliases', message });
        continue;
      }
      seen.add(from);
      yield { from, to: entry.path };
    }
  }
}

/** Pages that are translations of each other, by language. */
async function* translationsOf({ entries }: Source): AsyncGenerator<ExportedTranslationGroup> {
  const pages = entries.list.filter(({ kind, path: at }) => kind === 'page' && at !== '/');
  for (const group of groupBy(pages, ({ translationKey }) => translationKey).values()) {
    const members = Object.fromEntries(group.map(({ language, uid }) => [language ?? '', uid]));
    if (Object.keys(members).length > 1) yield members;
  }
}

/** Opens a folder of Markdown. */
export function openMarkdown(root: string, { problems, options = {} }: ReadOptions): ExportSource {
  const code = chosen('code', options.code, ['html', 'block']);
  const source = once(async (): Promise<Source> => {
    const reading = { root, problems };
    return { ...reading, code, entries: await findEntries(await walk(root, problems), reading) };
  });
  const load = (all: Source, entry: Entry): Promise<ExportedItem | null> | ExportedItem => {
    if (entry.kind === 'page') return pageItem(all, entry);
    return entry.kind === 'folder' ? folderItem(all, entry) : fileItem(all, entry);
  };
  const addressOf = ({ path: at, uid, kind, name, keys }: Entry) => ({
    ...{ path: at, uid, file: name, keys },
    type: { page: at === '/' ? 'Plone Site' : 'Document', folder: 'Document', image: 'Image', file: 'File' }[kind],
  });
  const addresses = once(async () => (await source()).entries.list.map(addressOf));
  return {
    format: 'Markdown',
    parts: async () => new Set(['positions', 'redirects', 'translations']),
    async positions() {
      const { position } = (await source()).entries;
      return ({ path: at }) => position(at);
    },
    count: async () => (await source()).entries.list.length,
    addresses,
    async *items(wanted = () => true) {
      const all = await source();
      const list = await addresses();
      const chosenOnes = all.entries.list.filter((_, index) => {
        const address = list[index];
        return address !== undefined && wanted(address);
      });
      for await (const item of loadAhead(chosenOnes, async (entry) => load(all, entry))) if (item) yield item;
    },
    users: nothing,
    groups: nothing,
    redirects: async function* () {
      yield* redirectsOf(await source());
    },
    translations: async function* () {
      yield* translationsOf(await source());
    },
    relations: nothing,
    comments: nothing,
  };
}
