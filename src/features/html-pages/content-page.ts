/** The page of content: its text, its fields, and a list of the content below. */

import { type Field, stateOf } from '#core';
import { listAt, objectAt, textAt } from '#lib/json-members';
import { isJsonObject, type JsonObject } from '#lib/json-object';
import { blocksHtml } from './content-html.ts';
import { isEmpty, isPicture, isRichText, time, valueHtml } from './field-values.ts';
import type { Frame } from './frame.ts';
import { type Html, html } from './html.ts';
import { itemList } from './item-list.ts';
import { addressWith, type Page } from './shell.ts';
import { contentPath, localUrl, pathUrl } from './visit.ts';

/** Fields that the page shows elsewhere, and settings that readers do not need. */
const ELSEWHERE = new Set([
  ...['title', 'description', 'blocks', 'blocks_layout', 'language', 'id', 'changeNote', 'nav_title'],
  ...['exclude_from_nav', 'allow_discussion', 'table_of_contents', 'versioning_enabled', 'nextPreviousEnabled'],
]);

/** Says if a value belongs to the text and not to the details. */
const isLarge = (value: unknown): boolean => isRichText(value) || isPicture(value);

const breadcrumbs = ({ visit, say }: Frame, representation: JsonObject): Html => {
  const items = listAt(objectAt(objectAt(representation, '@components'), 'breadcrumbs'), 'items');
  if (items.length === 0) return null;
  return html`<nav class="breadcrumbs" aria-label=${say('You are here')}><ol>
    <li><a href=${pathUrl(visit, '/')}>${say('Home')}</a></li>
    ${items.map((item, i) =>
      i === items.length - 1
        ? html`<li aria-current="page">${textAt(item, 'title')}</li>`
        : html`<li><a href=${localUrl(visit, textAt(item, '@id'))}>${textAt(item, 'title')}</a></li>`,
    )}
  </ol></nav>`;
};

/** Type, state, language and last change. */
const facts = (frame: Frame, representation: JsonObject): Html => {
  const type = textAt(representation, '@type');
  const reviewState = textAt(representation, 'review_state');
  const state = reviewState === '' ? undefined : stateOf(frame.site, { type, reviewState });
  const language = textAt(objectAt(representation, 'language'), 'title');
  const modified = textAt(representation, 'modified');
  return html`<ul class="facts">
    <li>${textAt(representation, 'type_title') || type}</li>
    ${state && html`<li class="state">${state.state.title}</li>`}
    ${language !== '' && html`<li>${language}</li>`}
    ${modified !== '' && html`<li>${frame.say('Last change')}: ${time(frame, modified)}</li>`}
  </ul>`;
};

/** Links to the other views of the content, and to its translations. */
const views = (frame: Frame, representation: JsonObject): Html => {
  const { visit, say, actions, frontend } = frame;
  const offers = (id: string): boolean => listAt(actions, 'object').some((action) => action.id === id);
  const translations = listAt(objectAt(objectAt(representation, '@components'), 'translations'), 'items');
  return html`<ul class="links views">
    ${frontend !== undefined && offers('edit') && html`<li><a href=${`${frontend}${contentPath(visit)}/edit`}>${say('Edit')}</a></li>`}
    ${offers('history') && html`<li><a href=${pathUrl(visit, `${contentPath(visit)}/@history`)}>${say('History')}</a></li>`}
    <li><a href=${addressWith(frame, { view: 'json' })}>JSON</a></li>
    ${translations.map(
      (item) =>
        html`<li><a hreflang=${textAt(item, 'language')} href=${localUrl(visit, textAt(item, '@id'))}>${say('Translation')}: ${textAt(item, 'language')}</a></li>`,
    )}
  </ul>`;
};

type Shown = { field: Field; value: unknown };

/** The fields with a value that the caller may read, in the order of the type. */
function shownFields({ site }: Frame, representation: JsonObject): Shown[] {
  const type = site.types.get(textAt(representation, '@type'));
  return (type?.fields ?? [])
    .filter(({ name }) => !ELSEWHERE.has(name) && Object.hasOwn(representation, name))
    .map((field) => ({ field, value: representation[field.name] }))
    .filter(({ value }) => !isEmpty(value));
}

const details = (frame: Frame, fields: readonly Shown[]): Html =>
  fields.length > 0 &&
  html`<section class="details" aria-labelledby="details">
    <h2 id="details">${frame.say('Details')}</h2>
    <dl>${fields.map(({ field, value }) => html`<div><dt>${field.title}</dt><dd>${valueHtml(frame, field, value)}</dd></div>`)}</dl>
  </section>`;

const children = (frame: Frame, representation: JsonObject): Html => {
  const total = representation.items_total;
  const items = listAt(representation, 'items');
  if (items.length === 0 || typeof total !== 'number') return null;
  return html`<section class="children" aria-labelledby="contents">
    <h2 id="contents">${frame.say('Contents')} <small>${new Intl.NumberFormat(frame.language).format(total)}</small></h2>
    ${itemList(frame, items, total)}
  </section>`;
};

/** The page of a representation of content. */
export function contentPage(frame: Frame, representation: unknown): Page {
  const shown = isJsonObject(representation) ? representation : {};
  const title = textAt(shown, 'title') || textAt(shown, 'id') || frame.siteTitle;
  const description = textAt(shown, 'description');
  const fields = shownFields(frame, shown);
  const main = html`
    ${breadcrumbs(frame, shown)}
    <article lang=${textAt(objectAt(shown, 'language'), 'token') || undefined}>
      <h1>${title}</h1>
      ${facts(frame, shown)}
      ${description !== '' && html`<p class="lead">${description}</p>`}
      ${blocksHtml(frame, shown)}
      ${fields.filter(({ value }) => isLarge(value)).map(({ field, value }) => valueHtml(frame, field, value))}
    </article>
    ${children(frame, shown)}
    ${details(
      frame,
      fields.filter(({ value }) => !isLarge(value)),
    )}
    ${views(frame, shown)}`;
  return { title, main, markdown: pathUrl(frame.visit, `${contentPath(frame.visit)}/@markdown`) };
}
