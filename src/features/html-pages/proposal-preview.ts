/** The page of content as it would be once a proposal is approved. */

import { listAt, objectAt, textAt } from '#lib/json-members';
import { contentPage } from './content-page.ts';
import type { Frame } from './frame.ts';
import { type Html, html } from './html.ts';
import type { Page } from './shell.ts';
import { localUrl } from './visit.ts';

/** The path of an address of the site. */
function pathOf({ visit: { address } }: Frame, url: string): string {
  return url.startsWith(`${address.base}/`)
    ? url.slice(address.base.length).split('/').map(decodeURIComponent).join('/')
    : '/';
}

/** The line that says of which proposal the page is, with links to the other pages of it. */
const notice = (frame: Frame, proposal: unknown): Html => {
  const { visit, say } = frame;
  const pages = listAt(proposal, 'pages');
  return html`<aside class="preview" aria-label=${say('Preview of a proposal')}>
    <p><strong>${say('Preview of a proposal')}: ${textAt(proposal, 'title')}</strong> ${say('The site is not changed yet.')}</p>
    ${
      pages.length > 1 &&
      html`<ul class="links">${pages.map(
        (page) => html`<li><a href=${localUrl(visit, textAt(page, '@id'))}>${textAt(page, 'path')}</a></li>`,
      )}</ul>`
    }
  </aside>`;
};

/** The page of a representation of content, under the line about its proposal. */
export function previewPage(frame: Frame, representation: unknown): Page {
  const { visit } = frame;
  const path = pathOf(frame, textAt(representation, '@id'));
  // Its links lead to what is there now, except those to itself.
  const shown = { ...frame, visit: { ...visit, address: { ...visit.address, path, service: '', rest: [] } } };
  const { title, main } = contentPage(shown, representation);
  const proposal = objectAt(objectAt(representation, '@components'), 'proposal');
  return { title, main: html`${notice(frame, proposal)}${main}` };
}
