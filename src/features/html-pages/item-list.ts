/** Content as a list of links, in pages. */

import { stateOf } from '#core';
import { textAt } from '#lib/json-members';
import type { JsonObject } from '#lib/json-object';
import type { Frame } from './frame.ts';
import { type Html, html } from './html.ts';
import { addressWith } from './shell.ts';
import { localUrl } from './visit.ts';

/** Items of one page of a list. */
export const PAGE_SIZE = 25;
/** The last item at which a page may begin; the API itself has no limit. */
const MAX_START = 1_000_000;

/** The number of the first item that a visit asks for. */
export function startOf(query: URLSearchParams): number {
  const text = query.get('b_start') ?? '0';
  return /^\d{1,7}$/.test(text) ? Math.min(Number(text), MAX_START) : 0;
}

const item = (frame: Frame, entry: JsonObject): Html => {
  const { visit, site } = frame;
  const type = textAt(entry, '@type');
  const reviewState = textAt(entry, 'review_state');
  const state = reviewState === '' ? undefined : stateOf(site, { type, reviewState });
  const description = textAt(entry, 'description');
  return html`<li>
    <a href=${localUrl(visit, textAt(entry, '@id'))}>${textAt(entry, 'title') || textAt(entry, '@id')}</a>
    <span class="kind">${site.types.get(type)?.title ?? type}${state && ` · ${state.state.title}`}</span>
    ${description !== '' && html`<p>${description.slice(0, 300)}</p>`}
  </li>`;
};

const paging = (frame: Frame, total: number): Html => {
  const { visit, say } = frame;
  const start = startOf(visit.query);
  if (total <= PAGE_SIZE && start === 0) return null;
  const last = Math.min(start + PAGE_SIZE, total);
  const before = Math.max(0, start - PAGE_SIZE);
  return html`<nav class="paging" aria-label=${say('Pages')}>
    ${start > 0 && html`<a rel="prev" href=${addressWith(frame, { b_start: String(before) })}>${say('Previous')}</a>`}
    <span>${Math.min(start + 1, total)}–${last} / ${total}</span>
    ${last < total && html`<a rel="next" href=${addressWith(frame, { b_start: String(last) })}>${say('Next')}</a>`}
  </nav>`;
};

/** A list of summaries of content, with the number of all. */
export const itemList = (frame: Frame, items: readonly JsonObject[], total: number): Html =>
  html`<ul class="items">${items.slice(0, PAGE_SIZE).map((entry) => item(frame, entry))}</ul>${paging(frame, total)}`;
