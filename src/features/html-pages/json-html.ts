import type { Frame } from './frame.ts';
import { type Html, html } from './html.ts';
import { localUrl } from './visit.ts';

/** Maximum characters of JSON on a page: each word of JSON is an element. */
const MAX_LENGTH = 150_000;

/** The words of JSON: a text with the colon that makes it a name, a number, or a constant. */
const WORDS = /("(?:[^"\\]|\\.)*")(\s*:)?|-?\d[\d.eE+-]*|\b(?:true|false|null)\b/g;

/** A text of JSON; an address becomes a link. */
function textHtml({ visit }: Frame, word: string): Html {
  const value = word.slice(1, -1);
  if (!/^https?:\/\/[^\s\\]{1,2000}$/.test(value)) return html`<span class="text">${word}</span>`;
  return html`<span class="text">"<a href=${localUrl(visit, value)}>${value}</a>"</span>`;
}

/** JSON with its words marked, and addresses as links. */
export function jsonHtml(frame: Frame, json: unknown): Html {
  const whole = JSON.stringify(json, null, 2);
  const text = whole.slice(0, MAX_LENGTH);
  const parts: Html[] = [];
  let at = 0;
  for (const match of text.matchAll(WORDS)) {
    const [word, quoted, colon] = match;
    parts.push(text.slice(at, match.index));
    if (quoted !== undefined && colon !== undefined) parts.push(html`<span class="name">${quoted}</span>`, colon);
    else parts.push(quoted === undefined ? html`<span class="word">${word}</span>` : textHtml(frame, quoted));
    at = match.index + word.length;
  }
  parts.push(text.slice(at));
  return html`<pre class="json" tabindex="0" role="region" aria-label="JSON">${parts}</pre>
    ${whole.length > MAX_LENGTH && html`<p>${frame.say('The rest is left out here.')}</p>`}`;
}
