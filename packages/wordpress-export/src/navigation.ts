import path from 'node:path';
import { ExportError, type ProblemLog, uidFromPath } from '@canopy-server/site-reader';
import type { Entry } from './site.ts';
import { childrenNamed, childText, type XmlNode } from './wxr.ts';

/** An entry of a menu. `type` is the kind of its target, `object` the number of one. */
type MenuEntry = {
  id: string;
  parent: string;
  order: number;
  title: string;
  type: string;
  object: string;
  url: string;
};

/** A menu of the old site; `places` are where its theme shows it. */
type Menu = { slug: string; name: string; places: string; entries: MenuEntry[] };

/** The menus of an export, by their short names. */
export type Menus = Map<string, Menu>;

/** Places and names of menus that are usually the main navigation. */
const MAIN = /(?:^|[\s_-])(?:primary|main|header|top|menu-1|haupt\w*|principal)(?:$|[\s_-])/i;

/** Places of pages that the menu does not name: behind those that it names. */
const BEHIND = 10_000;

const menuOf = (menus: Menus, slug: string): Menu => {
  const known = menus.get(slug);
  if (known) return known;
  const menu = { slug, name: slug, places: '', entries: [] };
  menus.set(slug, menu);
  return menu;
};

/** Takes a menu that REST describes. */
export function takeMenu(menus: Menus, { text, attributes }: XmlNode): void {
  const menu = menuOf(menus, attributes.slug ?? '');
  menu.name = text;
  menu.places = attributes.places ?? '';
}

/** Takes an entry of a menu, an item of the type `nav_menu_item`. */
export function takeMenuEntry(menus: Menus, item: XmlNode, problems: ProblemLog): void {
  const meta = new Map(
    childrenNamed(item, 'wp:postmeta').map((one) => [childText(one, 'wp:meta_key'), childText(one, 'wp:meta_value')]),
  );
  const menu = childrenNamed(item, 'category').find(({ attributes }) => attributes.domain === 'nav_menu');
  const slug = menu?.attributes.nicename ?? '';
  if (slug === '') {
    const path = childText(item, 'wp:post_id');
    const message = 'Entries that belong to no menu are left out.';
    problems.note({ reason: 'unsupported', key: 'nav_menu_item', path, message });
    return;
  }
  menuOf(menus, slug).entries.push({
    id: childText(item, 'wp:post_id'),
    parent: meta.get('_menu_item_menu_item_parent') ?? '0',
    order: Number.parseInt(childText(item, 'wp:menu_order'), 10) || 0,
    title: childText(item, 'title'),
    type: meta.get('_menu_item_type') ?? '',
    object: meta.get('_menu_item_object_id') ?? '',
    url: meta.get('_menu_item_url') ?? '',
  });
}

/** The menu that becomes the navigation: the named one, the one at the usual place, the only one, or the longest. Undefined without a menu. */
function mainMenu(menus: Menus, wanted: string | undefined): Menu | undefined {
  const all = [...menus.values()].filter(({ entries }) => entries.length > 0);
  if (wanted !== undefined) {
    const found = all.find(({ slug }) => slug === wanted);
    if (found) return found;
    throw new ExportError(
      `There is no menu "${wanted}". The menus: ${all.map(({ slug }) => slug).join(', ') || 'none'}.`,
    );
  }
  const [only] = all;
  return (
    all.find(({ places }) => MAIN.test(places)) ??
    all.find(({ slug }) => MAIN.test(slug)) ??
    (all.length === 1 ? only : all.toSorted((a, b) => b.entries.length - a.entries.length)[0])
  );
}

const nameFrom = (title: string, id: string): string => {
  const words = title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60);
  return words === '' ? `link-${id}` : words;
};

type Placing = {
  base: string;
  list: Entry[];
  /** The object that an address of the old site leads to. */
  targetOf(url: string): Entry | undefined;
  byId: ReadonlyMap<string, Entry>;
  problems: ProblemLog;
};

/** Says if an address is the first page of the old site. */
const isHome = (url: string, base: string): boolean =>
  /^(?:https?:)?\/*$/.test(
    url.replace(/^https?:/, '').slice(base.replace(/^https?:/, '').replace(/\/+$/, '').length),
  ) &&
  (url === '/' || url.replace(/^https?:/, '').startsWith(base.replace(/^https?:/, '').replace(/\/+$/, '')));

/**
 * Makes the navigation of a menu: pages get its order and its words, entries for anything else become content of the type Link in its place, and
 * pages that it does not name are not in the navigation. All that comes in another way is reported.
 */
export function makeNavigation(menus: Menus, wanted: string | undefined, placing: Placing): void {
  const menu = mainMenu(menus, wanted);
  const { list, problems, base } = placing;
  for (const { slug, name, entries } of menus.values())
    if (slug !== menu?.slug && entries.length > 0)
      problems.add({
        ...{ reason: 'unsupported', key: 'nav_menu_item', path: slug },
        message: `The menu "${name.slice(0, 100)}" is not the navigation: its ${entries.length} entries are left out.`,
      });
  if (!menu) return;
  problems.note({
    ...{ reason: 'changed', key: 'nav_menu_item', path: menu.slug },
    message: `The menu "${menu.name.slice(0, 100)}" is the navigation: its order and its words are those of the pages.`,
  });
  const taken = new Set(list.map((entry) => entry.path));
  const named = new Set<Entry>();
  /** Where the entries below an entry come. */
  const containers = new Map<string, string>([
    ['0', '/'],
    ['', '/'],
  ]);
  const report = (entry: MenuEntry, reason: 'unsupported' | 'changed', message: string) =>
    problems.add({
      ...{ reason, key: 'nav_menu_item', path: `${menu.slug}/${entry.id}` },
      message: `The entry "${entry.title.slice(0, 100)}" of the menu ${message}`,
    });
  for (const [index, entry] of menu.entries.toSorted((a, b) => a.order - b.order).entries()) {
    const above = containers.get(entry.parent);
    if (above === undefined) report(entry, 'changed', 'is below one that is not there: it comes at the top.');
    const container = above ?? '/';
    containers.set(entry.id, container);
    const target = entry.type === 'post_type' ? placing.byId.get(entry.object) : placing.targetOf(entry.url);
    if (entry.type === 'taxonomy' || entry.type === 'post_type_archive')
      report(entry, 'unsupported', 'leads to a list that the old server makes: it is left out.');
    else if (!target && entry.type === 'post_type')
      report(entry, 'unsupported', 'leads to content that is not in the export: it is left out.');
    else if (!target && isHome(entry.url, base))
      report(entry, 'unsupported', 'leads to the first page, which the navigation has by itself: it is left out.');
    else if (!target && !/^(?:https?:|mailto:|tel:|\/)/i.test(entry.url))
      report(entry, 'unsupported', 'leads nowhere: it is left out, and those below it come in its place.');
    else if (target?.kind === 'page' && path.posix.dirname(target.path) === container && !named.has(target)) {
      named.add(target);
      target.order = index;
      if (entry.title !== '' && entry.title !== target.title) target.navTitle = entry.title;
      containers.set(entry.id, target.path);
    } else {
      const title = entry.title || target?.title || entry.url;
      const link = linkOf({ ...entry, title }, { container, taken, base, index, target });
      list.push(link);
      if (target?.kind === 'page') containers.set(entry.id, container);
      report({ ...entry, title }, 'changed', `is a link at ${link.path}.`);
    }
  }
  for (const entry of list) {
    const isAtTop = path.posix.dirname(entry.path) === '/';
    if (entry.kind === 'page' && !named.has(entry)) entry.order += BEHIND;
    if ((entry.kind === 'page' && isAtTop && !named.has(entry)) || entry.path === '/media') entry.isHidden = true;
  }
  const hidden = list.filter(({ isHidden }) => isHidden === true).length;
  if (hidden > 0)
    problems.note({
      ...{ reason: 'changed', key: 'exclude_from_nav', path: menu.slug },
      message: 'Pages at the top that are not in the menu are not in the navigation.',
    });
}

/** A link in the place of an entry. */
function linkOf(
  entry: MenuEntry,
  {
    container,
    taken,
    base,
    index,
    target,
  }: { container: string; taken: Set<string>; base: string; index: number; target: Entry | undefined },
): Entry {
  const slug = nameFrom(entry.title, entry.id);
  const wanted = container === '/' ? `/${slug}` : `${container}/${slug}`;
  let free = wanted;
  for (let number = 1; taken.has(free); number += 1) free = `${wanted}-${number}`;
  taken.add(free);
  return {
    ...{ id: '', parent: '', kind: 'link', slug, path: free, order: index, title: entry.title, link: '', file: '' },
    uid: uidFromPath(`wordpress:${base}:menu:${entry.id}`),
    keys: ['title', 'remoteUrl'],
    remoteUrl: target ? encodeURI(target.path) : entry.url,
    place: null,
  };
}
