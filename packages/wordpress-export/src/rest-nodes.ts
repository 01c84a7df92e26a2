import { isJsonObject, type JsonObject, memberOf, numberOrNull, stringOf, textOf } from '@canopy-server/site-reader';
import { fromHtml } from 'hast-util-from-html';
import type { XmlNode } from './wxr.ts';

/** An element with a text, as exports (WXR) have it. */
export const element = (name: string, text: string, attributes: Record<string, string> = {}): XmlNode => ({
  ...{ name, attributes, text, children: [] },
});

const withChildren = (name: string, children: XmlNode[]): XmlNode => ({ name, attributes: {}, text: '', children });

/** A number as a text; empty for anything else. */
export const idOf = (value: unknown): string => {
  const number = numberOrNull(value);
  return number !== null && Number.isSafeInteger(number) && number >= 0 ? String(number) : '';
};

/** The text of HTML of one line, such as a title, in which characters are written as entities. */
export const plainText = (html: string): string =>
  textOf(fromHtml(html.slice(0, 100_000), { fragment: true }).children).trim();

/** A text as it was written, which those with a login get, or as it is shown. */
function written(object: JsonObject, key: string): { text: string; isRaw: boolean } {
  const value = memberOf(object, key);
  if (typeof value === 'string') return { text: value, isRaw: false };
  const raw = memberOf(value, 'raw');
  if (typeof raw === 'string') return { text: raw, isRaw: true };
  return { text: stringOf(memberOf(value, 'rendered')), isRaw: false };
}

/** A date of REST (`2024-05-01T10:00:00`) as exports have it. */
const dateText = (value: unknown): string => stringOf(value).slice(0, 19).replace('T', ' ');

const datesOf = (object: JsonObject): XmlNode[] => [
  element('wp:post_date', dateText(object.date)),
  element('wp:post_date_gmt', dateText(object.date_gmt)),
  element('wp:post_modified', dateText(object.modified)),
  element('wp:post_modified_gmt', dateText(object.modified_gmt)),
];

const metaNode = (key: string, value: string): XmlNode =>
  withChildren('wp:postmeta', [element('wp:meta_key', key), element('wp:meta_value', value)]);

/** An excerpt that the old server has made of the beginning of the text. */
const MADE_EXCERPT = /\[(?:&hellip;|…|\.\.\.)\]\s*(?:<\/p>)?\s*$/;

/** The names of others that objects refer to by numbers. */
export type Names = {
  authors: ReadonlyMap<string, string>;
  /** Names of terms with their taxonomies, by their numbers. */
  terms: ReadonlyMap<string, { domain: string; name: string }>;
  /** The members of objects that have numbers of terms, with their taxonomies. */
  taxonomies: ReadonlyMap<string, string>;
};

/** An author as exports have it. */
export function authorNode(user: JsonObject): XmlNode {
  return withChildren('wp:author', [
    // Only those with a login see the name to log in with; the address of the author has the other one.
    element('wp:author_login', stringOf(user.username) || stringOf(user.slug)),
    element('wp:author_display_name', stringOf(user.name)),
    element('wp:author_email', stringOf(user.email)),
    element('wp:author_first_name', stringOf(user.first_name)),
    element('wp:author_last_name', stringOf(user.last_name)),
  ]);
}

/** A term as exports have it, with what has no place here. */
export const termNode = (term: JsonObject): XmlNode =>
  withChildren('wp:term', [
    element('wp:category_nicename', stringOf(term.slug)),
    element('wp:term_description', stringOf(term.description)),
    element('wp:term_parent', idOf(term.parent) === '0' ? '' : idOf(term.parent)),
  ]);

/** Values of plugins that REST shows; what is no text or number is named to `onLost`. */
function metaNodes(meta: unknown, onLost: (key: string) => void): XmlNode[] {
  if (!isJsonObject(meta)) return [];
  return Object.entries(meta).flatMap(([key, value]) => {
    if (value === null || value === '' || value === false || (Array.isArray(value) && value.length === 0)) return [];
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
      return [metaNode(key, String(value))];
    if (!key.startsWith('_')) onLost(key);
    return [];
  });
}

/** A post, a page or a file as exports have it. */
export function contentNode(
  object: JsonObject,
  { type, names, onLost }: { type: 'post' | 'page' | 'attachment'; names: Names; onLost: (key: string) => void },
): XmlNode {
  const [title, content, excerpt] = [written(object, 'title'), written(object, 'content'), written(object, 'excerpt')];
  const file = stringOf(object.source_url) || stringOf(memberOf(object.guid, 'rendered'));
  const isProtected = memberOf(object.content, 'protected') === true;
  const terms = [...names.taxonomies].flatMap(([member, domain]) => {
    const ids = object[member];
    return (Array.isArray(ids) ? ids : []).flatMap((id: unknown) => {
      const term = names.terms.get(idOf(id));
      return term ? [element('category', term.name, { domain: term.domain })] : [element('category', '', { domain })];
    });
  });
  const picture = idOf(object.featured_media);
  return withChildren('item', [
    element('title', title.isRaw ? title.text : plainText(title.text)),
    element('link', stringOf(object.link)),
    element('dc:creator', names.authors.get(idOf(object.author)) ?? ''),
    element('wp:post_id', idOf(object.id)),
    element('wp:post_type', type),
    element('wp:post_name', stringOf(object.slug)),
    element('wp:post_parent', idOf(object.parent)),
    element('wp:menu_order', idOf(object.menu_order)),
    element('wp:status', stringOf(object.status) || (type === 'attachment' ? 'inherit' : 'publish')),
    element('wp:post_password', stringOf(object.password) || (isProtected ? 'protected' : '')),
    ...datesOf(object),
    ...(type === 'attachment'
      ? [
          element('wp:attachment_url', file),
          element('excerpt:encoded', written(object, 'caption').text),
          element('content:encoded', written(object, 'description').text),
          metaNode('_wp_attachment_image_alt', stringOf(object.alt_text)),
        ]
      : [
          element('content:encoded', content.text),
          element('excerpt:encoded', !excerpt.isRaw && MADE_EXCERPT.test(excerpt.text) ? '' : excerpt.text),
          ...(picture === '' || picture === '0' ? [] : [metaNode('_thumbnail_id', picture)]),
        ]),
    ...terms,
    ...metaNodes(object.meta, onLost),
  ]);
}

/** A comment as exports have it. */
export function commentNode(comment: JsonObject): XmlNode {
  const { text } = written(comment, 'content');
  return withChildren('wp:comment', [
    element('wp:comment_id', idOf(comment.id)),
    element('wp:comment_parent', idOf(comment.parent) === '0' ? '' : idOf(comment.parent)),
    element('wp:comment_type', stringOf(comment.type)),
    element('wp:comment_approved', ['approved', ''].includes(stringOf(comment.status)) ? '1' : '0'),
    element('wp:comment_author', stringOf(comment.author_name)),
    element('wp:comment_author_email', stringOf(comment.author_email)),
    element('wp:comment_author_url', stringOf(comment.author_url)),
    element('wp:comment_date', dateText(comment.date)),
    element('wp:comment_date_gmt', dateText(comment.date_gmt)),
    element('wp:comment_content', plainText(text.replace(/<\/p>\s*<p>/g, '</p>\n\n<p>').replace(/<br\s*\/?>/g, '\n'))),
  ]);
}

/** An entry of a menu as exports have it. */
export function menuNode(entry: JsonObject, menus: ReadonlyMap<string, string>): XmlNode {
  const title = written(entry, 'title');
  return withChildren('item', [
    element('title', title.isRaw ? title.text : plainText(title.text)),
    element('wp:post_id', idOf(entry.id)),
    element('wp:post_type', 'nav_menu_item'),
    element('wp:status', stringOf(entry.status) || 'publish'),
    element('wp:menu_order', idOf(entry.menu_order)),
    element('category', '', { domain: 'nav_menu', nicename: menus.get(idOf(entry.menus)) ?? idOf(entry.menus) }),
    metaNode('_menu_item_type', stringOf(entry.type)),
    metaNode('_menu_item_object', stringOf(entry.object)),
    metaNode('_menu_item_object_id', idOf(entry.object_id)),
    metaNode('_menu_item_menu_item_parent', idOf(entry.parent)),
    metaNode('_menu_item_url', stringOf(entry.url)),
  ]);
}
