import { isJsonObject } from '../../lib/json-object.ts';
import type { Field } from '../../types/content-type.ts';

/** Text formats that are HTML under another name. */
const HTML_TYPES = new Set(['text/x-html-safe', 'text/x-html-raw', 'text/xhtml']);

const LINE_FACTORIES = new Set(['Text line (String)', 'Text line', 'Email', 'Full Name']);

/**
 * Another form of a value that does not fit its field, nearest to what it was; undefined when there is none. Old sites
 * hold what their editors could not enter any more.
 */
export function mendValue(value: unknown, field: Field): unknown {
  if (field.factory === 'Rich Text') return mendRichText(value);
  if (typeof value === 'string' && LINE_FACTORIES.has(field.factory) && /[\r\n]/.test(value)) {
    return value.replace(/[\r\n]+/g, ' ');
  }
  const isTextField = field.type === 'string' && (LINE_FACTORIES.has(field.factory) || field.factory === 'Text');
  if (isTextField && (typeof value === 'number' || typeof value === 'boolean')) return String(value);
  return undefined;
}

/** A format that cannot be shown here stays readable as plain text. */
function mendRichText(value: unknown): unknown {
  if (!isJsonObject(value) || typeof value.data !== 'string') return undefined;
  const isHtml = typeof value['content-type'] === 'string' && HTML_TYPES.has(value['content-type']);
  return { ...value, 'content-type': isHtml ? 'text/html' : 'text/plain' };
}
