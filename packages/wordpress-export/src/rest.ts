import { ExportError, isJsonObject, type JsonObject, memberOf, stringOf } from '@canopy-server/site-reader';
import { headerOf, unreadable } from './outside.ts';
import {
  LOGIN_HELP,
  listOf,
  load,
  MAX_PAGES,
  NotOffered,
  offered,
  PAGE_SIZE,
  type RestOptions,
  required,
  restAddress,
} from './rest-lists.ts';
import {
  authorNode,
  commentNode,
  contentNode,
  element,
  idOf,
  menuNode,
  type Names,
  plainText,
  termNode,
} from './rest-nodes.ts';
import type { Spooled } from './spool.ts';
import type { XmlNode } from './wxr.ts';

/** Types of content with lists that are read, and those of how the site looks. */
const READ_TYPES = new Set(['post', 'page', 'attachment', 'nav_menu_item']);
const LOOKS = /^(?:wp_|custom_css|customize_changeset|oembed_cache|user_request)/;

/** The description of the site. Throws ExportError for an address that is not that of REST of WordPress. */
async function loadIndex({ settings, root }: RestOptions): Promise<JsonObject> {
  try {
    const { body } = await load(settings, root);
    const namespaces = memberOf(body, 'namespaces');
    if (isJsonObject(body) && Array.isArray(namespaces) && namespaces.includes('wp/v2')) return body;
    throw unreadable(root, 'it is not REST of WordPress (wp/v2)');
  } catch (error) {
    if (!(error instanceof NotOffered)) throw error;
    throw unreadable(root, `${error.message}. ${LOGIN_HELP}`);
  }
}

/** Notes the types of content that are not read, with their numbers. */
async function noteTypes(options: RestOptions): Promise<void> {
  const { settings, root, problems } = options;
  let types: unknown;
  try {
    types = (await load(settings, restAddress(root, 'wp/v2/types'))).body;
  } catch (error) {
    if (!(error instanceof NotOffered)) throw error;
    problems.note({
      ...{ reason: 'unsupported', file: 'wp/v2/types', key: 'rest' },
      message: `The site does not say which types of content it has: ${error.message}.`,
    });
    return;
  }
  for (const [type, described] of Object.entries(isJsonObject(types) ? types : {})) {
    if (READ_TYPES.has(type) || LOOKS.test(type)) continue;
    const path = `${stringOf(memberOf(described, 'rest_namespace')) || 'wp/v2'}/${stringOf(memberOf(described, 'rest_base')) || type}`;
    const url = restAddress(root, path, { per_page: '1' });
    const count = await load(settings, url).then(
      ({ response }) => headerOf(response, 'x-wp-total'),
      (error: unknown) => {
        if (error instanceof NotOffered || error instanceof ExportError) return '';
        throw error;
      },
    );
    if (count === '0') continue;
    problems.add({
      ...{ reason: 'object', file: path, key: type },
      message: `Items of the type ${type.slice(0, 60)} (${count || 'unknown number'}), which a plugin has made, are left out.`,
    });
  }
}

/** The taxonomies by the members of objects that have their terms. Of those of plugins it is only known that they are there. */
async function loadTaxonomies({ settings, root, problems }: RestOptions): Promise<Map<string, string>> {
  const taxonomies = new Map([
    ['categories', 'category'],
    ['tags', 'post_tag'],
  ]);
  try {
    const { body } = await load(settings, restAddress(root, 'wp/v2/taxonomies'));
    for (const [domain, described] of Object.entries(isJsonObject(body) ? body : {}))
      if (domain !== 'nav_menu') taxonomies.set(stringOf(memberOf(described, 'rest_base')) || domain, domain);
  } catch (error) {
    if (!(error instanceof NotOffered)) throw error;
    problems.note({
      ...{ reason: 'unsupported', file: 'wp/v2/taxonomies', key: 'rest' },
      message: `The site does not say which taxonomies it has beside categories and tags: ${error.message}.`,
    });
  }
  return taxonomies;
}

/** The authors. A login that may not list all users gets those that everybody sees. */
async function* readAuthors(options: RestOptions): AsyncGenerator<JsonObject> {
  if (options.settings.authorization !== undefined)
    try {
      yield* listOf(options, 'wp/v2/users', { context: 'edit' });
      return;
    } catch (error) {
      if (!(error instanceof NotOffered)) throw error;
      options.problems.note({
        ...{ reason: 'unsupported', file: 'wp/v2/users', key: 'rest' },
        message: `The login does not show the e-mail addresses of users: ${error.message}.`,
      });
    }
  yield* offered(options, 'wp/v2/users', 'authors');
}

/** The terms of categories and tags, and the members of objects that have taxonomies. */
async function* readTerms(
  options: RestOptions,
  terms: Map<string, { domain: string; name: string }>,
): AsyncGenerator<XmlNode> {
  for (const [path, domain, what] of [
    ['wp/v2/categories', 'category', 'categories'],
    ['wp/v2/tags', 'post_tag', 'tags'],
  ] as const)
    for await (const term of offered(options, path, what)) {
      terms.set(idOf(term.id), { domain, name: plainText(stringOf(term.name)) });
      yield termNode(term);
    }
}

/** The comments of each object, on disk. */
async function spoolComments(options: RestOptions): Promise<Map<string, Spooled[]>> {
  const places = new Map<string, Spooled[]>();
  for await (const comment of offered(options, 'wp/v2/comments', 'comments')) {
    const post = idOf(comment.post);
    const place = options.spool.add(commentNode(comment));
    const known = places.get(post);
    if (known) known.push(place);
    else places.set(post, [place]);
  }
  return places;
}

/** Old addresses of the plugin Redirection, which those who manage the site may read. */
async function* readRedirects({ settings, root, problems }: RestOptions): AsyncGenerator<XmlNode> {
  const left = (path: string, message: string) =>
    problems.note({ reason: 'unsupported', path, key: 'redirection', message });
  for (let page = 0, seen = 0; page < MAX_PAGES; page += 1) {
    let body: unknown;
    try {
      const query = { per_page: String(PAGE_SIZE), page: String(page) };
      body = (await load(settings, restAddress(root, 'redirection/v1/redirect', query))).body;
    } catch (error) {
      if (!(error instanceof NotOffered)) throw error;
      left('', `The site does not offer the redirects of its plugin: ${error.message}. ${LOGIN_HELP}.`);
      return;
    }
    const items = memberOf(body, 'items');
    const found = (Array.isArray(items) ? items : []).filter(isJsonObject);
    for (const item of found) {
      const [from, to] = [
        stringOf(item.url),
        stringOf(memberOf(item.action_data, 'url')) || stringOf(item.action_data),
      ];
      if (item.enabled === false) left(from, 'Redirects that are switched off are left out.');
      else if (item.regex === true) left(from, 'Redirects by patterns are left out.');
      else if (item.action_type !== 'url' || from === '' || to === '')
        left(from, 'Redirects that lead to no single address are left out.');
      else yield element('canopy:redirect', to, { from });
    }
    seen += found.length;
    const total = memberOf(body, 'total');
    if (found.length === 0 || (typeof total === 'number' && seen >= total)) return;
  }
}

/** Menus with their entries, those of the places of the site first. */
async function* readMenus(options: RestOptions): AsyncGenerator<XmlNode> {
  const menus = new Map<string, string>();
  for await (const menu of offered(options, 'wp/v2/menus', 'menus')) {
    const slug = stringOf(menu.slug) || idOf(menu.id);
    menus.set(idOf(menu.id), slug);
    const places = Array.isArray(menu.locations) ? menu.locations.join(' ') : '';
    yield element('canopy:menu', stringOf(menu.name), { slug, places });
  }
  if (menus.size === 0) return;
  for await (const entry of offered(options, 'wp/v2/menu-items', 'entries of menus', { orderby: 'menu_order' }))
    yield menuNode(entry, menus);
}

/**
 * Reads a site by REST, in the form of exports (WXR): the same elements, one after the other.
 * @throws ExportError when the site cannot be read at all
 */
export async function* streamRest(options: RestOptions): AsyncGenerator<XmlNode> {
  const { settings, problems } = options;
  const hasLogin = settings.authorization !== undefined;
  const index = await loadIndex(options);
  yield element('wp:base_blog_url', stringOf(index.home) || stringOf(index.url));
  if (!hasLogin)
    problems.note({
      ...{ reason: 'unsupported', key: 'rest' },
      message: `Without a login only what is published is read, as it is shown: no drafts, no private content, no e-mail addresses. ${LOGIN_HELP}.`,
    });
  const authors = new Map<string, string>();
  const context: Readonly<Record<string, string>> = hasLogin ? { context: 'edit' } : {};
  for await (const user of readAuthors(options)) {
    const node = authorNode(user);
    authors.set(idOf(user.id), node.children[0]?.text ?? '');
    yield node;
  }
  const terms = new Map<string, { domain: string; name: string }>();
  yield* readTerms(options, terms);
  await noteTypes(options);
  const names: Names = { authors, terms, taxonomies: await loadTaxonomies(options) };
  const comments = await spoolComments(options);
  const lists = [
    ['wp/v2/media', 'attachment', hasLogin ? { ...context, status: 'inherit,private' } : {}],
    ['wp/v2/pages', 'page', hasLogin ? { ...context, status: 'publish,future,draft,pending,private' } : {}],
    ['wp/v2/posts', 'post', hasLogin ? { ...context, status: 'publish,future,draft,pending,private' } : {}],
  ] as const;
  for (const [path, type, query] of lists)
    for await (const object of required(options, path, query)) {
      const at = stringOf(object.link) || idOf(object.id);
      const node = contentNode(object, {
        ...{ type, names },
        onLost: (key) =>
          problems.note({
            ...{ reason: 'unsupported', path: at, key },
            message: `The value ${key.slice(0, 60)} of a plugin is no text and is left out.`,
          }),
      });
      if (memberOf(object.content, 'protected') === true && !hasLogin)
        problems.add({
          ...{ reason: 'unreadable', path: at, key: 'content' },
          message: 'The text is behind a password, and REST does not show it: the object comes without it.',
        });
      node.children.push(...(comments.get(idOf(object.id)) ?? []).map((one) => options.spool.load(one)));
      yield node;
    }
  yield* readMenus(options);
  const namespaces = index.namespaces;
  if (Array.isArray(namespaces) && namespaces.includes('redirection/v1')) yield* readRedirects(options);
}
