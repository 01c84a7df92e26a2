import {
  type ContentObject,
  checkDepth,
  type Field,
  isLinkKey,
  isWritable,
  type Kernel,
  type Site,
  type TextRewriter,
} from '#core';
import { isJsonObject, mapItems, mapValues } from '#lib/json-object';
import type { SanitizeHtml } from '#lib/text/sanitize-html';
import type { ReplaceText } from './replace-pattern.ts';

export type ReplaceOptions = {
  replace: ReplaceText;
  /** True if addresses count as texts. */
  urls: boolean;
  /** Cleans the HTML of what changes. */
  sanitize?: SanitizeHtml;
};

const ENTITIES: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&nbsp;': '\u00a0',
};
const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\u00a0': '&nbsp;' };
const decode = (html: string): string =>
  html.replace(/&(?:amp|lt|gt|quot|nbsp|#39);/g, (entity) => ENTITIES[entity] ?? entity);
const encode = (plain: string): string => plain.replace(/[&<>\u00a0]/g, (character) => ESCAPES[character] ?? character);

/** HTML with its texts replaced; tags and what is in them stay as they are. Expects sanitised HTML. */
function replaceHtml(html: string, replace: ReplaceText): string {
  return html
    .split(/(<[^<>]*>)/)
    .map((part, at) => {
      if (at % 2 === 1) return part;
      const plain = decode(part);
      const next = replace(plain);
      return next === plain ? part : encode(next);
    })
    .join('');
}

/** Keys of blocks whose strings are texts for readers, with any prefix (such as `button_text`). */
const TEXT_KEY =
  /(?:text|title|description|heading|headline|caption|label|alt|credits?|kicker|subtitle|placeholder|quote|author|question|answer|message|summary|legend|copyright|button)$/i;
/** Keys whose strings are for programs, even if they look like texts. */
const NO_TEXT_KEY =
  /(?:^@|id$|uids?$|type$|class(?:name)?s?$|styles?$|color$|theme$|variation$|format$|field_?name$|image_field$)/i;

/** True if a string in a block is a text: because of its key, or because it has several words. */
const isText = (key: string, value: string): boolean =>
  !NO_TEXT_KEY.test(key) && (TEXT_KEY.test(key) || /\S\s+\S/.test(value));

/** A part of blocks with its texts replaced. Copies of other content (objects with an `@id`) stay as they are. */
function replaceJson(value: unknown, key: string, options: ReplaceOptions, depth: number): unknown {
  checkDepth(depth);
  if (typeof value === 'string') {
    if (isLinkKey(key)) return options.urls ? options.replace(value) : value;
    if (key === 'html') return replaceHtml(value, options.replace);
    return isText(key, value) ? options.replace(value) : value;
  }
  if (Array.isArray(value)) return mapItems(value, (item) => replaceJson(item, key, options, depth + 1));
  if (!isJsonObject(value) || typeof value['@id'] === 'string') return value;
  return mapValues(value, (item, name) => replaceJson(item, name, options, depth + 1));
}

/** Text fields that are not meant for readers. */
const NOT_TEXTS = new Set(['id', 'changeNote', 'language']);

/** A stored value with its texts replaced; the same value when nothing in it matches. */
function replaceValue(
  kernel: Pick<Kernel, 'fieldKinds'>,
  field: Field,
  stored: unknown,
  options: ReplaceOptions,
): unknown {
  const { replace, urls } = options;
  const rewriter: TextRewriter = {
    text: replace,
    html: (html) => replaceHtml(html, replace),
    address: (url) => (urls ? replace(url) : url),
    blocks: (blocks) => replaceJson(blocks, '', options, 0),
  };
  return kernel.fieldKinds.of(field).rewrite?.(stored, field, rewriter) ?? stored;
}

/** The stored values of an object that a replacement changes, by the names of their fields. */
export function replacedValues(
  kernel: Pick<Kernel, 'fieldKinds'>,
  site: Site,
  { type, fields }: Pick<ContentObject, 'type' | 'fields'>,
  options: ReplaceOptions,
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const field of site.types.get(type)?.fields ?? []) {
    const stored = fields[field.name];
    if (stored === undefined || stored === null || NOT_TEXTS.has(field.name) || !isWritable(field)) continue;
    const next = replaceValue(kernel, field, stored, options);
    if (next !== stored) values[field.name] = next;
  }
  return values;
}
