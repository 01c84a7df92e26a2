import { type ContentObject, type Field, fieldValues, type Kernel, type Site } from '#core';
import type { SanitizeHtml } from '#lib/text/sanitize-html';
import type { ReplaceText } from './replace-pattern.ts';

export type ReplaceOptions = {
  replace: ReplaceText;
  /** True if addresses count as texts. */
  urls: boolean;
  /** Sanitizes the changed HTML. */
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

/** HTML with its texts replaced; tags and their attributes stay unchanged. Expects sanitised HTML. */
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
  const next = kernel.fieldKinds.of(field).rewrite?.(stored, field, {
    text: replace,
    html: (html) => replaceHtml(html, replace),
    address: (url) => (urls ? replace(url) : url),
  });
  return next ?? stored;
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
    if (stored === undefined || stored === null || NOT_TEXTS.has(field.name) || !fieldValues.isWritable(field))
      continue;
    const next = replaceValue(kernel, field, stored, options);
    if (next !== stored) values[field.name] = next;
  }
  return values;
}
