import { isEmptyValue } from '@canopy-server/site-reader';
import { isJsonObject } from '#lib/json-object';
import { isCleanHtml } from '#lib/text/sanitize-html';

/** Messages of the report for values that are stored in another form. */
export const CHANGES = {
  cleaned: 'has HTML that is not safe or not known here; it was taken out.',
  changed: 'has values twice, empty ones, or such that this server does not keep.',
  formatted: 'was plain text and is formatted text here.',
} as const;

type Change = keyof typeof CHANGES;

/** Members of blocks that are made anew from what they refer to, whenever they are served. */
const MADE_ANEW = new Set(['image_scales', 'image_field']);

const isReference = (text: string): boolean => text.includes('resolveuid/');

/**
 * Returns in which way a stored value is less than what the export has; undefined when it is the same in another form: links by
 * UID, clean HTML in another spelling.
 */
export function changeOf(sent: unknown, stored: unknown): Change | undefined {
  if (typeof sent === 'string' && isJsonObject(stored) && 'content-type' in stored) return 'formatted';
  if (typeof sent !== 'object' || typeof stored !== 'object' || sent === null || stored === null) return undefined;
  if (isJsonObject(sent) && isJsonObject(stored) && typeof sent.data === 'string' && 'content-type' in sent)
    return sent['content-type'] === 'text/plain' || isCleanHtml(sent.data) ? undefined : 'cleaned';
  return changeWithin(sent, stored);
}

function changeWithin(sent: unknown, stored: unknown): Change | undefined {
  // What nothing was changed in is stored as it came.
  if (sent === stored) return undefined;
  if (typeof sent === 'string') return changeOfText(sent, stored);
  if (Array.isArray(sent)) {
    if (!Array.isArray(stored) || stored.length !== sent.length) return 'changed';
    for (const [index, item] of sent.entries()) {
      const change = changeWithin(item, stored[index]);
      if (change) return change;
    }
    return undefined;
  }
  if (!isJsonObject(sent)) return undefined;
  if (!isJsonObject(stored)) return typeof stored === 'string' ? undefined : 'changed';
  for (const key of Object.keys(sent)) {
    const value = sent[key];
    if (MADE_ANEW.has(key) || isEmptyValue(value)) continue;
    const change = Object.hasOwn(stored, key) ? changeWithin(value, stored[key]) : 'changed';
    if (change) return change;
  }
  return undefined;
}

function changeOfText(sent: string, stored: unknown): Change | undefined {
  if (typeof stored !== 'string') return stored === undefined || stored === null ? 'changed' : undefined;
  if (stored === sent || stored.trim() === sent.trim() || isReference(stored)) return undefined;
  if (!sent.includes('<')) return 'changed';
  return isCleanHtml(sent) ? undefined : 'cleaned';
}
