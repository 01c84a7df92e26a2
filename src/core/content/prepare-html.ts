import { BadRequest, ValidationFailed } from '../../lib/errors.ts';
import { cleanHtml } from '../../lib/text/clean-html.ts';
import type { CleanedText } from '../../lib/text/clean-html-thread.ts';
import { MAX_HTML_LENGTH, type SanitizeHtml, sanitizeHtml } from '../../lib/text/sanitize-html.ts';
import type { ContentType } from '../types/content-type.ts';
import type { FieldKinds } from '../types/field-kinds.ts';
import { sentValues } from './values.ts';

/**
 * Maximum number of characters of HTML that are cleaned in the main thread, which takes some milliseconds. Longer HTML is cleaned in a thread of its
 * own.
 */
const MAX_AT_ONCE_LENGTH = 20_000;

/** Throws ValidationFailed for the field with which the HTML of a write exceeds the limit. */
function rejectLength(field: string): never {
  const message = `Content may have at most ${MAX_HTML_LENGTH} characters of HTML: divide it into several pages.`;
  throw new ValidationFailed([{ field, message }]);
}

/**
 * Cleans the HTML of a request before the transaction that will store it, each text once, long texts in a thread. Returns the function that cleans
 * HTML within the transaction; it cleans only new texts.
 * @throws ValidationFailed when there is too much HTML, BadRequest when it takes too long, TooManyRequests
 */
export async function prepareHtml(
  { fieldKinds }: { fieldKinds: FieldKinds },
  type: ContentType,
  input: Record<string, unknown>,
): Promise<SanitizeHtml> {
  const fields = new Map<string, string>();
  let length = 0;
  for (const { field, kind, value } of sentValues(fieldKinds, type, input)) {
    for (const html of kind.html?.(value, field) ?? []) {
      if (!fields.has(html)) length += html.length;
      if (length > MAX_HTML_LENGTH) rejectLength(field.name);
      fields.set(html, field.name);
    }
  }
  const cleaned = length > MAX_AT_ONCE_LENGTH ? await cleanHtml([...fields.keys()]) : new Map<string, CleanedText>();
  // Cleaning makes some texts longer, and a stored text may be sent again.
  let stored = 0;
  for (const [html, text] of cleaned) {
    stored += 'html' in text ? text.html.length : 0;
    if (stored > MAX_HTML_LENGTH) rejectLength(fields.get(html) ?? '');
  }
  return (html) => {
    const text = cleaned.get(html) ?? { html: sanitizeHtml(html) };
    cleaned.set(html, text);
    if ('problem' in text) throw new BadRequest(text.problem);
    return text.html;
  };
}
