/** The pages without content: results of a search, history, JSON, the API description, and errors. */

import { listAt, objectAt, textAt } from '#lib/json-members';
import { isJsonObject } from '#lib/json-object';
import { time } from './field-values.ts';
import type { Frame } from './frame.ts';
import { type Html, html } from './html.ts';
import { itemList } from './item-list.ts';
import { jsonHtml } from './json-html.ts';
import { type Page, tokenInput } from './shell.ts';
import { type ApiResponse, contentPath, pathUrl, serverUrl } from './visit.ts';

/** Entries of the history that a page shows. */
const MAX_ENTRIES = 200;

/** The results of a search; without a query only the form. */
export function searchPage(frame: Frame, results: unknown): Page {
  const { visit, say } = frame;
  const words = visit.query.get('SearchableText') ?? '';
  const total = isJsonObject(results) && typeof results.items_total === 'number' ? results.items_total : 0;
  const count = new Intl.NumberFormat(frame.language).format(total);
  const main = html`<h1>${say('Search')}</h1>
    <form class="search large" role="search" aria-label=${say('Search')} action=${serverUrl(visit, '/@search')}>
      ${tokenInput(visit)}
      <input type="search" name="SearchableText" aria-label=${say('Words to look for')} value=${words} />
      <button type="submit">${say('Search')}</button>
    </form>
    ${results !== undefined && html`<p role="status">${total === 0 ? say('Nothing was found.') : say(`Results: ${count}`)}</p>`}
    ${total > 0 && itemList(frame, listAt(results, 'items'), total)}`;
  return { title: words === '' ? say('Search') : `${say('Search')}: ${words}`, main };
}

/** The history of content. */
export function historyPage(frame: Frame, history: unknown): Page {
  const { visit, say } = frame;
  const entries = Array.isArray(history) ? history.filter(isJsonObject) : [];
  const row = (entry: (typeof entries)[number]): Html => {
    const actor = objectAt(entry, 'actor');
    return html`<tr>
      <td>${time(frame, textAt(entry, 'time'))}</td>
      <td>${textAt(actor, 'fullname') || textAt(actor, 'id')}</td>
      <td>${textAt(entry, 'transition_title')}${textAt(entry, 'state_title') !== '' && ` → ${textAt(entry, 'state_title')}`}</td>
      <td>${textAt(entry, 'comments')}</td>
    </tr>`;
  };
  const main = html`<h1>${say('History')}</h1>
    <p><a href=${pathUrl(visit, contentPath(visit) || '/')}>${say('Back to the content')}</a></p>
    <div class="wide" role="region" tabindex="0" aria-label=${say('History')}><table>
      <thead><tr><th scope="col">${say('Time')}</th><th scope="col">${say('User')}</th><th scope="col">${say('Change')}</th><th scope="col">${say('Comment')}</th></tr></thead>
      <tbody>${entries.slice(0, MAX_ENTRIES).map(row)}</tbody>
    </table></div>
    ${entries.length > MAX_ENTRIES && html`<p>${say(`The newest ${MAX_ENTRIES} entries.`)}</p>`}`;
  return { title: say('History'), main };
}

/** The JSON of an address, with links. */
export function jsonPage(frame: Frame, json: unknown): Page {
  const { visit, say } = frame;
  const name = visit.address.service;
  const title = name === '' ? 'JSON' : name;
  const main = html`<h1>${title}</h1>
    <p>${say('This is the JSON that programs get at this address.')} <a href=${pathUrl(visit, contentPath(visit) || '/')}>${say('Back to the content')}</a></p>
    ${jsonHtml(frame, json)}`;
  return { title, main };
}

/** The description of the API, to read and to try. */
export function docsPage(frame: Frame): Page {
  const { visit, say, user } = frame;
  const main = html`<section aria-labelledby="title"><h1 id="title">${say('API description')}</h1>
    <p>${
      user === undefined
        ? say('You see what visitors may use. Log in to see more, or paste a token under "Authorize".')
        : say(
            `You are logged in as ${user}: requests that read are sent in your name. For requests that write, paste a token under "Authorize".`,
          )
    }</p>
    <noscript><p>${say('Trying requests needs JavaScript.')} <a href=${pathUrl(visit, '/@openapi')}>${say('The description as JSON')}</a></p></noscript></section>
    <div id="api" data-description=${pathUrl(visit, '/++api++/@openapi')}></div>`;
  return {
    title: say('API description'),
    main,
    // Swagger UI makes its own element `main`.
    hasOwnMain: true,
    scripts: ['swagger-ui-bundle.js', 'docs.js'],
    styles: ['swagger-ui.css'],
  };
}

/** Titles of errors by their status. */
const titleOf = ({ say }: Frame, status: number): string => {
  if (status === 401) return say('Log in to see this');
  if (status === 403) return say('You may not see this');
  if (status === 404) return say('There is nothing here');
  if (status === 429 || status === 503) return say('Please try again later');
  return status < 500 ? say('This request cannot be answered') : say('Something went wrong');
};

/** The page of an error, with the message of the API. */
export function errorPage(frame: Frame, { status, json }: ApiResponse): Page {
  const { visit, say } = frame;
  const title = titleOf(frame, status);
  const main = html`<h1>${title}</h1>
    <p class="lead">${textAt(json, 'message')}</p>
    <p><a href=${pathUrl(visit, '/')}>${say('Home')}</a></p>
    <p class="status">${status}</p>`;
  return { title, main, status };
}
