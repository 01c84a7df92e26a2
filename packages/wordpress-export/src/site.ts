import path from 'node:path';
import { type ExportedUser, type ProblemLog, uidFromPath } from '@canopy-server/site-reader';
import { lookup } from 'mrmime';
import { type Menus, makeNavigation, takeMenu, takeMenuEntry } from './navigation.ts';
import type { Spool, Spooled } from './spool.ts';
import { childrenNamed, childText, type XmlNode } from './wxr.ts';

/** An object of the export, without its text. */
export type Entry = {
  id: string;
  parent: string;
  kind: 'post' | 'page' | 'attachment' | 'container' | 'link';
  uid: string;
  path: string;
  slug: string;
  order: number;
  /** Its address on the old site. */
  link: string;
  /** The address of its file, of an attachment. */
  file: string;
  title: string;
  /** The names of its fields that have a value. */
  keys: readonly string[];
  /** The word for it in the navigation, if it is another one. */
  navTitle?: string;
  /** Says that it is not in the navigation. */
  isHidden?: boolean;
  /** The address that a link leads to. */
  remoteUrl?: string;
  place: Spooled | null;
};

export type OldSite = {
  base: string;
  language: string | null;
  users: ExportedUser[];
  list: Entry[];
  byId: ReadonlyMap<string, Entry>;
  /** By the paths of their old addresses. */
  byOldPath: ReadonlyMap<string, Entry>;
  /** Attachments by the addresses of their files, which may be on another host: without scheme and query. */
  byFile: ReadonlyMap<string, Entry>;
  /** Redirects that a plugin had, by their old addresses. */
  redirects: ReadonlyMap<string, string>;
};

/** Fields of pages that values of plugins must not take. */
export const OWN_FIELDS: ReadonlySet<string> = new Set([
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
  'nav_title',
  'exclude_from_nav',
]);

/** Types of items that hold how the old site looked or worked. */
const OF_SITE = new Set([
  'custom_css',
  'customize_changeset',
  'wp_template',
  'wp_template_part',
  'wp_global_styles',
  'wp_navigation',
  'wp_block',
  'oembed_cache',
  'user_request',
  'wp_font_family',
  'wp_font_face',
]);
const KINDS = new Set(['post', 'page', 'attachment']);
/** States of items that nobody wanted to keep. */
const THROWN_AWAY = new Set(['trash', 'auto-draft']);

const pathnameOf = (url: string): string => {
  try {
    return decodeURI(new URL(url, 'http://old.invalid/').pathname).replace(/(.)\/+$/, '$1');
  } catch (error) {
    if (error instanceof TypeError || error instanceof URIError) return '';
    throw error;
  }
};

/** The path of an address below the root of the old site; undefined for addresses elsewhere. */
export function oldPath(url: string, base: string): string | undefined {
  const plain = url.replace(/^https?:/, '');
  const root = base.replace(/^https?:/, '').replace(/\/+$/, '');
  if (root !== '' && (plain === root || plain.startsWith(`${root}/`) || plain.startsWith(`${root}?`)))
    return pathnameOf(`http://x${plain.slice(root.length).replace(/^(?!\/)/, '/')}`) || '/';
  return url.startsWith('/') && !url.startsWith('//') ? pathnameOf(url) : undefined;
}

/** The address of a file without what differs between links to it: the scheme, the size of a picture, the query. */
const fileKey = (url: string): string =>
  url
    .replace(/^https?:/, '')
    .replace(/[?#].*$/, '')
    .replace(/-\d{1,5}x\d{1,5}(?=\.\w{1,5}$)/, '');

/** A name that content can have. */
const usable = (slug: string, id: string): string => {
  let name = slug;
  try {
    name = decodeURIComponent(slug);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
  }
  const clean = name.replace(/[/\p{Cc}]/gu, '-').trim();
  return clean === '' || clean === '.' || clean === '..' ? `item-${id}` : clean;
};

const userOf = (node: XmlNode): ExportedUser => {
  const login = childText(node, 'wp:author_login');
  const names = [childText(node, 'wp:author_first_name'), childText(node, 'wp:author_last_name')].join(' ').trim();
  return {
    ...{
      username: login,
      login,
      fullname: childText(node, 'wp:author_display_name') || names,
      email: childText(node, 'wp:author_email'),
    },
    ...{
      description: '',
      home_page: '',
      location: '',
      password: null,
      portrait: null,
      others: {},
      roles: ['Member'],
      groups: [],
    },
  };
};

/** The names of the fields of an item that have a value. */
function keysOf(item: XmlNode, kind: Entry['kind']): string[] {
  if (kind === 'attachment') return ['title', 'description', 'image', 'file'];
  const metas = childrenNamed(item, 'wp:postmeta').map((meta) => childText(meta, 'wp:meta_key'));
  return [
    ...[
      'title',
      'description',
      'subjects',
      'blocks',
      'blocks_layout',
      'preview_image',
      'nav_title',
      'exclude_from_nav',
    ],
    ...new Set(metas.filter((key) => key !== '' && !key.startsWith('_') && !OWN_FIELDS.has(key))),
  ];
}

function entryOf(item: XmlNode, base: string, place: Spooled): Omit<Entry, 'path'> {
  const id = childText(item, 'wp:post_id');
  const type = childText(item, 'wp:post_type');
  const file = childText(item, 'wp:attachment_url');
  const kind = type === 'page' ? 'page' : type === 'attachment' ? 'attachment' : 'post';
  const name = kind === 'attachment' ? path.posix.basename(pathnameOf(file)) : childText(item, 'wp:post_name');
  return {
    ...{ id, kind, file, place, title: childText(item, 'title') },
    parent: childText(item, 'wp:post_parent'),
    uid: uidFromPath(`wordpress:${base}:${id}`),
    slug: usable(name, id),
    keys: keysOf(item, kind),
    order: Number.parseInt(childText(item, 'wp:menu_order'), 10) || 0,
    link: childText(item, 'link'),
  };
}

/** Containers of what has no parent in WordPress. */
const CONTAINERS = { post: { path: '/blog', title: 'Blog' }, attachment: { path: '/media', title: 'Media' } } as const;

/** The object that an address of the old site leads to. */
export function targetOf(
  { base, byId, byOldPath, byFile }: Pick<OldSite, 'base' | 'byId' | 'byOldPath' | 'byFile'>,
  url: string,
): Entry | undefined {
  const old = oldPath(url, base);
  if (old === undefined) return byFile.get(fileKey(url));
  const number = /[?&](?:p|page_id|attachment_id)=(\d{1,18})/.exec(url)?.[1];
  if (number !== undefined) return byId.get(number);
  // Sizes of pictures have names of their own.
  return byOldPath.get(old) ?? byOldPath.get(old.replace(/-\d{1,5}x\d{1,5}(?=\.\w{1,5}$)/, ''));
}

/**
 * Reads the whole site once: places of all objects, users, menus, and the items into a spool. `nodes` are the elements of an export; `file` is its
 * name in reports, `menu` the menu that becomes the navigation.
 */
export async function readSite(
  nodes: AsyncIterable<XmlNode>,
  { file, menu, spool, problems }: { file: string; menu: string | undefined; spool: Spool; problems: ProblemLog },
): Promise<OldSite> {
  const users = new Map<string, ExportedUser>();
  const drafts = new Map<string, Omit<Entry, 'path'>>();
  const menus: Menus = new Map();
  const redirects = new Map<string, string>();
  let [base, language]: [string, string | null] = ['', null];
  for await (const node of nodes) {
    if (node.name === 'wp:base_blog_url' || (node.name === 'link' && base === '')) base = node.text.trim() || base;
    else if (node.name === 'language') language = /^[a-z]{2,3}/.exec(node.text.trim().toLowerCase())?.[0] ?? null;
    else if (node.name === 'wp:author' || node.name === 'wp:wp_author') {
      const user = userOf(node);
      if (user.username === '') problems.add({ reason: 'principal', file, message: 'An author has no login name.' });
      else users.set(user.username, user);
    } else if (/^wp:(?:category|tag|term)$/.test(node.name)) noteTerm(node, problems);
    else if (node.name === 'canopy:menu') takeMenu(menus, node);
    else if (node.name === 'canopy:redirect') redirects.set(node.attributes.from ?? '', node.text);
    else if (node.name === 'item') takeItem(node, { base, drafts, menus, spool, problems });
  }
  const list = place([...drafts.values()], problems);
  const byOldPath = new Map<string, Entry>();
  for (const entry of list) {
    for (const url of [entry.link, entry.file]) {
      if (url === '' || /[?&](?:p|page_id|attachment_id)=/.test(url)) continue;
      const old = oldPath(url, base);
      if (old !== undefined && old !== '/' && !byOldPath.has(old)) byOldPath.set(old, entry);
    }
  }
  const known = {
    base,
    byId: new Map(list.flatMap((entry) => (entry.id === '' ? [] : [[entry.id, entry]]))),
    byOldPath,
    byFile: new Map(list.flatMap((entry) => (entry.file === '' ? [] : [[fileKey(entry.file), entry]]))),
  };
  makeNavigation(menus, menu, { ...known, list, problems, targetOf: (url) => targetOf(known, url) });
  return { ...known, language, users: [...users.values()], list, redirects };
}

/** Terms are words here: what else they have is reported. */
function noteTerm(term: XmlNode, problems: ProblemLog): void {
  const hasMore = term.children.some(
    ({ name, text }) => /(?:_parent|_description|:termmeta)$/.test(name) && text.trim() !== '',
  );
  if (hasMore)
    problems.note({
      reason: 'unsupported',
      path: childText(term, 'wp:category_nicename') || childText(term, 'wp:tag_slug') || null,
      key: 'category',
      message: 'Categories and tags are words here: their descriptions, parents and other values are left out.',
    });
}

type Taking = {
  base: string;
  drafts: Map<string, Omit<Entry, 'path'>>;
  menus: Menus;
  spool: Spool;
  problems: ProblemLog;
};

function takeItem(item: XmlNode, { base, drafts, menus, spool, problems }: Taking): void {
  const type = childText(item, 'wp:post_type') || 'post';
  const id = childText(item, 'wp:post_id');
  const where = { path: pathnameOf(childText(item, 'link')) || id, key: type };
  if (THROWN_AWAY.has(childText(item, 'wp:status')))
    problems.note({ ...where, reason: 'system', message: 'Items in the trash and empty drafts are left out.' });
  else if (type === 'nav_menu_item') takeMenuEntry(menus, item, problems);
  else if (type === 'revision')
    problems.note({ ...where, reason: 'unsupported', message: 'Older versions are left out.' });
  else if (OF_SITE.has(type))
    problems.note({
      ...where,
      reason: 'unsupported',
      message: `Items of the type ${type} hold how the old site looked; they are left out.`,
    });
  else if (!KINDS.has(type))
    problems.note({
      ...where,
      reason: 'object',
      message: `Items of the type ${type.slice(0, 60)}, which a plugin has made, are left out.`,
    });
  else if (!/^\d{1,18}$/.test(id) || drafts.has(id))
    problems.add({
      ...where,
      reason: 'object',
      message: `An item ${drafts.has(id) ? 'is there twice' : 'has no number'}: ${childText(item, 'title').slice(0, 100)}`,
    });
  else drafts.set(id, entryOf(item, base, spool.add(item)));
}

/** Gives each object its path, containers first. */
function place(drafts: readonly Omit<Entry, 'path'>[], problems: ProblemLog): Entry[] {
  const byId = new Map(drafts.map((draft) => [draft.id, draft]));
  const placed = new Map<string, Entry>();
  const taken = new Set<string>();
  const list: Entry[] = [];
  const add = (draft: Omit<Entry, 'path'>, container: string): Entry => {
    const wanted = container === '/' ? `/${draft.slug}` : `${container}/${draft.slug}`;
    let free = wanted;
    for (let number = 1; taken.has(free); number += 1) free = `${wanted}-${number}`;
    if (free !== wanted)
      problems.add({
        reason: 'renamed',
        path: wanted,
        key: 'id',
        message: `Another object has its address; it becomes ${free}.`,
      });
    const entry = { ...draft, path: free };
    taken.add(free);
    placed.set(draft.id, entry);
    list.push(entry);
    return entry;
  };
  for (const kind of ['post', 'attachment'] as const) {
    if (!drafts.some((draft) => draft.kind === kind)) continue;
    const { path: at, title } = CONTAINERS[kind];
    taken.add(at);
    list.push({
      ...{
        id: '',
        parent: '',
        kind: 'container',
        uid: uidFromPath(`wordpress:${at}`),
        path: at,
        slug: at.slice(1),
        order: 0,
        link: '',
        file: '',
        title,
        keys: ['title', 'blocks', 'blocks_layout', 'exclude_from_nav'],
        place: null,
      },
    });
  }
  const placePage = (draft: Omit<Entry, 'path'>): void => {
    const way: Omit<Entry, 'path'>[] = [];
    for (
      let at: Omit<Entry, 'path'> | undefined = draft;
      at && at.kind === 'page' && !placed.has(at.id) && !way.includes(at);
      at = byId.get(at.parent)
    )
      way.push(at);
    for (const page of way.reverse()) add(page, placed.get(page.parent)?.path ?? '/');
  };
  for (const draft of drafts) {
    if (draft.kind === 'page') placePage(draft);
    else add(draft, draft.kind === 'post' ? CONTAINERS.post.path : CONTAINERS.attachment.path);
  }
  return list;
}

/** The media type of an attachment, by its name. */
export const mediaType = (name: string): string => lookup(name) ?? 'application/octet-stream';
