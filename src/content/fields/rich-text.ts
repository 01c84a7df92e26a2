import { isJsonObject } from '../../lib/json-object.ts';
import { sanitizeHtml } from '../../lib/sanitize-html.ts';
import type { Field } from '../../types/content-type.ts';
import { FieldError, type FieldKind } from '../../types/field-kind.ts';
import { checkText } from '../../types/fields/text.ts';
import { collectHtmlLinks, serveHtml, storeHtml } from '../blocks/html-links.ts';
import { collectUids } from '../blocks/resolve-uid.ts';

const FORMATS = ['text/html', 'text/plain'];

/** The text and media type in what a client sent; without one it is that of the field (plone.restapi §4.2, RichText). */
function readParts(value: unknown, fallback: string): { data: unknown; contentType: unknown } {
  if (typeof value === 'string') return { data: value, contentType: fallback };
  if (!isJsonObject(value)) throw new FieldError('Must be a string or an object with data and content-type.');
  const { data, 'content-type': contentType = fallback } = value;
  return { data, contentType };
}

/** Throws FieldError for a media type that nobody can show, and for one that the site does not allow unless the text has it. */
function checkFormat(contentType: unknown, { allowed_mime_types: allowed = FORMATS }: Field, current: unknown): void {
  const isPresent = isJsonObject(current) && current['content-type'] === contentType;
  const known = FORMATS.filter((format) => isPresent || allowed.includes(format));
  if (!known.some((format) => format === contentType))
    throw new FieldError(`The content-type must be ${known.join(' or ')}.`);
}

/**
 * Formatted text. HTML is sanitised when it is written, whatever media type it comes under: a value that calls itself
 * safe is not believed (GHSA-8rqh-vxpr-x77p).
 */
export const richText: FieldKind = {
  factories: ['Rich Text'],
  missing: null,
  links(value) {
    const data = typeof value === 'string' ? value : (value as { data?: unknown } | null)?.data;
    return typeof data === 'string' ? collectHtmlLinks(sanitizeHtml(data)) : [];
  },
  deserialize(value, field, context) {
    const { data, contentType } = readParts(value, field.default_mime_type ?? 'text/html');
    checkFormat(contentType, field, context.current);
    const text = checkText(data, field);
    return {
      data: contentType === 'text/plain' ? text : storeHtml(sanitizeHtml(text), context.resolveLink),
      'content-type': contentType,
      encoding: 'utf-8',
    };
  },
  uids: (stored) => collectUids(stored),
  serialize(stored, _field, context) {
    const { data, 'content-type': contentType } = (stored ?? {}) as Record<string, unknown>;
    if (typeof data !== 'string') return null;
    return {
      data: contentType === 'text/plain' ? data : serveHtml(data, context.target),
      'content-type': contentType,
      encoding: 'utf-8',
    };
  },
};
