import { BadRequest, ValidationFailed } from '../../lib/errors.ts';
import { cleanHtml } from '../../lib/text/clean-html.ts';
import type { CleanedText } from '../../lib/text/clean-html-thread.ts';
import { MAX_HTML_LENGTH, type SanitizeHtml, sanitizeHtml } from '../../lib/text/sanitize-html.ts';
import type { ContentType } from '../types/content-type.ts';
import type { FieldKinds } from '../types/field-kinds.ts';
import { sentValues } from './values.ts';

/** Characters of HTML that are cleaned at once, in some milliseconds. More is cleaned in a thread. */
const MAX_AT_ONCE_LENGTH = 20_000;

/** Throws ValidationFailed at the field with which a write has more HTML than there may be. */
function rejectLength(field: string): never {
  const message = `Content may have at most ${MAX_HTML_LENGTH} characters of HTML: divide it into several pages.`;
  throw new ValidationFailed([{ field, message }]);
}

/**
 * Cleans the HTML of a request before the transaction that will store it, and returns what cleans it then: each text once,
 * long ones in a thread. Texts that it has not seen are cleaned when they come.
 * @throws ValidationFailed when there is too much HTML, BadRequest when it takes too long, TooManyRequests
 */
export async function prepareHtml(
  { fieldKinds }: { fieldKinds: FieldKinds },
  type: ContentType,
  input: Record<string, unknown>,
): Promise<SanitizeHtml> {
  const fields = new Map<string, string>();
  let length = 0;
  for (const { field, value } of sentValues(type, input)) {
    for (const html of fieldKinds.of(field).html?.(value, field) ?? []) {
      if (!fields.has(html)) length += html.length;
      if (length > MAX_HTML_LENGTH) rejectLength(field.name);
      fields.set(html, field.name);
    }
  }
  const cleaned = length > MAX_AT_ONCE_LENGTH ? await cleanHtml([...fields.keys()]) : new Map<string, CleanedText>();
  // Cleaning makes some texts longer: what is stored may be sent again.
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
