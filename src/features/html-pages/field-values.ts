/** The values of fields for readers. */

import { type Field, siteSettings } from '#core';
import { objectAt, textAt } from '#lib/json-members';
import { isJsonObject, type JsonObject } from '#lib/json-object';
import { richText } from './content-html.ts';
import type { Frame } from './frame.ts';
import { type Html, html } from './html.ts';
import { localUrl } from './visit.ts';

/** Maximum characters of a text, and members of a list, on a page. */
const MAX_TEXT_LENGTH = 20_000;
const MAX_ITEMS = 100;
/** Maximum width of a picture on a page, in pixels. */
const PICTURE_WIDTH = 800;

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;
const DAY = /^\d{4}-\d\d-\d\d$/;

/** A date, with its time unless it is a day. */
export function time({ language, site }: Frame, text: string): Html {
  const instant = new Date(text);
  if (Number.isNaN(instant.getTime())) return text;
  const form: Intl.DateTimeFormatOptions = DAY.test(text)
    ? { dateStyle: 'long', timeZone: 'UTC' }
    : { dateStyle: 'long', timeStyle: 'short', timeZone: siteSettings.timeZone(site) };
  return html`<time datetime=${text}>${new Intl.DateTimeFormat(language, form).format(instant)}</time>`;
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** A number of bytes in a unit that people read. */
function sizeOf({ language }: Frame, bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const format = { style: 'unit', unit: UNITS[power] ?? 'byte', maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(language, format).format(bytes / 1000 ** power);
}

/** A text that may have been cut, with its line breaks. */
const cutText = (text: string): string =>
  text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)} …` : text;

/** The scale of a picture that fits a page best: the largest scale that is not too wide, else the picture itself. */
function scaleOf(value: JsonObject): JsonObject {
  const scales = Object.values(objectAt(value, 'scales')).filter(isJsonObject);
  const widthOf = ({ width }: JsonObject): number => (typeof width === 'number' ? width : 0);
  const [best] = scales.filter((scale) => widthOf(scale) <= PICTURE_WIDTH).toSorted((a, b) => widthOf(b) - widthOf(a));
  return best ?? value;
}

const download = (frame: Frame, value: JsonObject): Html => {
  const size = typeof value.size === 'number' ? ` (${sizeOf(frame, value.size)})` : '';
  const name = textAt(value, 'filename') || textAt(value, 'content-type');
  return html`<a href=${localUrl(frame.visit, textAt(value, 'download'))}>${name}</a>${size}`;
};

/** A picture with the address of the original. */
const picture = (frame: Frame, value: JsonObject, alt: string): Html => {
  const { width, height, ...scale } = scaleOf(value);
  const source = localUrl(frame.visit, textAt(scale, 'download'));
  return html`<figure><img src=${source} width=${width} height=${height} alt=${alt} /><figcaption>${download(frame, value)}</figcaption></figure>`;
};

/** Says if a value is a picture with its scales. */
export const isPicture = (value: unknown): boolean =>
  isJsonObject(value) && isJsonObject(value.scales) && typeof value.download === 'string';

/** Says if a value is rich text. */
export const isRichText = (value: unknown): boolean =>
  isJsonObject(value) && typeof value.data === 'string' && typeof value['content-type'] === 'string';

/** Says if a field has nothing to show. */
export const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (isJsonObject(value) && Object.keys(value).length === 0) ||
  (isRichText(value) && textAt(value, 'data').trim() === '');

function objectHtml(frame: Frame, field: Field, value: JsonObject): Html {
  if (isRichText(value)) return richText(textAt(value, 'data'));
  if (isPicture(value)) return picture(frame, value, field.title);
  if (typeof value.download === 'string') return download(frame, value);
  if (typeof value['@id'] === 'string')
    return html`<a href=${localUrl(frame.visit, value['@id'])}>${textAt(value, 'title') || value['@id']}</a>`;
  if (value.token !== undefined) return textAt(value, 'title') || String(value.token);
  return html`<pre>${cutText(JSON.stringify(value, null, 2))}</pre>`;
}

/** A value of a field, shown by its form. */
export function valueHtml(frame: Frame, field: Field, value: unknown): Html {
  if (typeof value === 'boolean') return value ? frame.say('Yes') : frame.say('No');
  if (typeof value === 'number') return new Intl.NumberFormat(frame.language).format(value);
  if (typeof value === 'string') {
    if (INSTANT.test(value) || DAY.test(value)) return time(frame, value);
    if (/^https?:\/\/\S{1,2000}$/.test(value)) return html`<a href=${localUrl(frame.visit, value)}>${value}</a>`;
    return html`<span class="plain">${cutText(value)}</span>`;
  }
  if (Array.isArray(value)) {
    const items = value.slice(0, MAX_ITEMS).map((item) => html`<li>${valueHtml(frame, field, item)}</li>`);
    return html`<ul>${items}${value.length > MAX_ITEMS && html`<li>…</li>`}</ul>`;
  }
  return isJsonObject(value) ? objectHtml(frame, field, value) : null;
}
