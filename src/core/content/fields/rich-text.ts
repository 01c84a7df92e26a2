import { Type } from 'typebox';
import { isJsonObject } from '../../../lib/json-object.ts';
import { mergeHtml, mergeText } from '../../../lib/merge/merge-text.ts';
import { collectHtmlLinks, replaceHtmlLinks } from '../../../lib/text/html-links.ts';
import { htmlWords } from '../../../lib/text/html-words.ts';
import { sanitizeHtml } from '../../../lib/text/sanitize-html.ts';
import { editingPanel, markupPanel } from '../../configuration/panels/content.ts';
import { panelSettings } from '../../configuration/panels/panel.ts';
import type { Field } from '../../types/content-type.ts';
import type { Property } from '../../types/definition.ts';
import { FieldError, type FieldKind } from '../../types/field-kind.ts';
import { checkText } from '../../types/fields/text.ts';
import { RichText } from '../../types/value-shapes.ts';
import { linkedHtmlUids, serveHtml } from '../blocks/html-links.ts';
import { collectUids } from '../blocks/resolve-uid.ts';

const FORMATS = ['text/html', 'text/plain'];

/** The text and media type that a client sent; the default media type is that of the field (plone.restapi §4.2, RichText). */
function parseParts(value: unknown, fallback: string): { data: unknown; contentType: unknown } {
  if (typeof value === 'string') return { data: value, contentType: fallback };
  if (!isJsonObject(value)) throw new FieldError('Must be a string or an object with data and content-type.');
  const { data, 'content-type': contentType = fallback } = value;
  return { data, contentType };
}

/** The text of a sent value if its form may be HTML. */
function sentHtml(value: unknown): string | undefined {
  const data = typeof value === 'string' ? value : isJsonObject(value) ? value.data : undefined;
  const isPlain = isJsonObject(value) && value['content-type'] === 'text/plain';
  return typeof data === 'string' && !isPlain ? data : undefined;
}

/** Throws FieldError for a media type that cannot be shown, and for a media type that the site does not allow unless the stored text has it. */
function checkFormat(contentType: unknown, { allowed_mime_types: allowed = FORMATS }: Field, current: unknown): void {
  const isPresent = isJsonObject(current) && current['content-type'] === contentType;
  const known = FORMATS.filter((format) => isPresent || allowed.includes(format));
  if (!known.some((format) => format === contentType))
    throw new FieldError(`The content-type must be ${known.join(' or ')}.`);
}

/** The text of a stored value, which is HTML or plain; undefined for anything else. */
const htmlOf = (stored: unknown): string | undefined =>
  isJsonObject(stored) && typeof stored.data === 'string' ? stored.data : undefined;

/** Plain text of a stored value, without its tags. */
export function htmlText(stored: unknown): string {
  const text = htmlOf(stored) ?? '';
  return isJsonObject(stored) && stored['content-type'] === 'text/plain' ? text : htmlWords(text);
}

/** The formats that the site takes, the default format (panel `markup`), and the editor of forms (panel `editing`). */
function configured(property: Property, settings: ReadonlyMap<string, Record<string, unknown>>): Property {
  const { allowed_types: formats, default_type: format } = panelSettings({ settings }, markupPanel);
  const { default_editor: editor } = panelSettings({ settings }, editingPanel);
  return {
    ...property,
    allowed_mime_types: formats,
    default_mime_type: format,
    widgetOptions: { ...property.widgetOptions, editor },
  };
}

/** Text formats of old sites that are HTML under another name. */
const HTML_TYPES = new Set(['text/x-html-safe', 'text/x-html-raw', 'text/xhtml']);

/** Turns a text in a format that cannot be shown into plain text. */
function mend(value: unknown): unknown {
  if (!isJsonObject(value) || typeof value.data !== 'string') return undefined;
  const isHtml = typeof value['content-type'] === 'string' && HTML_TYPES.has(value['content-type']);
  return { ...value, 'content-type': isHtml ? 'text/html' : 'text/plain' };
}

/** Formatted text. HTML is sanitised when it is written, under any media type, also under one that claims to be safe (GHSA-8rqh-vxpr-x77p). */
export const richText: FieldKind = {
  factories: [{ name: 'Rich Text', tokens: ['Rich Text'], property: { type: 'string', widget: 'richtext' } }],
  limits: 'length',
  indexes: ['text'],
  missing: null,
  shape: () => ({ read: RichText, write: Type.Union([RichText, Type.String()]) }),
  links(value, _field, sanitize) {
    const html = sentHtml(value);
    return html === undefined ? [] : collectHtmlLinks(sanitize(html));
  },
  html(value) {
    const html = sentHtml(value);
    return html === undefined ? [] : [html];
  },
  deserialize(value, field, context) {
    const { data, contentType } = parseParts(value, field.default_mime_type ?? 'text/html');
    checkFormat(contentType, field, context.current);
    const text = checkText(data, field);
    return {
      data:
        contentType === 'text/plain'
          ? text
          : replaceHtmlLinks((context.sanitize ?? sanitizeHtml)(text), context.resolveLink),
      'content-type': contentType,
      encoding: 'utf-8',
    };
  },
  uids: (stored) => collectUids(stored),
  references: (stored) => linkedHtmlUids(htmlOf(stored) ?? ''),
  words: htmlText,
  rewrite(stored, _field, { html, text }) {
    const data = htmlOf(stored);
    if (!isJsonObject(stored) || data === undefined) return stored;
    const next = stored['content-type'] === 'text/plain' ? text(data) : html(data);
    return next === data ? stored : { ...stored, data: next };
  },
  merge({ base, mine, theirs }, { prefer, budget }) {
    const [before = '', here, there] = [htmlOf(base), htmlOf(mine), htmlOf(theirs)];
    if (!isJsonObject(mine) || !isJsonObject(theirs) || here === undefined || there === undefined) return undefined;
    if (mine['content-type'] !== theirs['content-type']) return undefined;
    const merge = mine['content-type'] === 'text/plain' ? mergeText : mergeHtml;
    const { value, conflicts } = merge({ base: before, mine: here, theirs: there }, prefer, budget);
    return { value: { ...mine, data: value }, conflicts };
  },
  serialize(stored, _field, context) {
    const { data, 'content-type': contentType } = (stored ?? {}) as Record<string, unknown>;
    if (typeof data !== 'string') return null;
    return {
      data: contentType === 'text/plain' ? data : serveHtml(data, context.target),
      'content-type': contentType,
      encoding: 'utf-8',
    };
  },
  configured,
  recognizes: (sample) =>
    'value' in sample &&
    isJsonObject(sample.value) &&
    'data' in sample.value &&
    'content-type' in sample.value &&
    'encoding' in sample.value,
  mend,
};
