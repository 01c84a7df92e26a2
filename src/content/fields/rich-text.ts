import { sanitizeHtml } from '../../lib/sanitize-html.ts';
import { FieldError, type FieldKind } from '../../types/field-kind.ts';
import { checkText } from '../../types/fields/text.ts';
import { collectHtmlLinks, serveHtml, storeHtml } from '../blocks/html-links.ts';
import { collectUids } from '../blocks/resolve-uid.ts';

/** The text and media type in what a client sent: a string is HTML (plone.restapi §4.2, RichText). */
function readParts(value: unknown): { data: unknown; contentType: unknown } {
  if (typeof value === 'string') return { data: value, contentType: 'text/html' };
  if (typeof value !== 'object' || value === null)
    throw new FieldError('Must be a string or an object with data and content-type.');
  const { data, 'content-type': contentType = 'text/html' } = value as Record<string, unknown>;
  return { data, contentType };
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
    const { data, contentType } = readParts(value);
    if (contentType !== 'text/html' && contentType !== 'text/plain')
      throw new FieldError('The content-type must be text/html or text/plain.');
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
