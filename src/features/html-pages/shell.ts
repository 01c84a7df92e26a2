/** The document around each page, and its response. */

import { createHash } from 'node:crypto';
import type { ServiceResponse } from '#core';
import { etagMatches } from '#lib/http/http-headers';
import { textAt } from '#lib/json-members';
import { TOKEN_PARAMETER } from '../preview-links/authenticate.ts';
import { assetUrl } from './assets.ts';
import type { Frame } from './frame.ts';
import { documentOf, type Html, html } from './html.ts';
import { contentPath, localUrl, pathUrl, serverUrl, type Visit } from './visit.ts';

/** A page: its own part, and the data for the document around it. */
export type Page = {
  title: string;
  main: Html;
  /** True if a script of the page makes the element `main`, of which a page may have only one. */
  hasOwnMain?: boolean;
  status?: number;
  /** Headers from the response of the API, such as `Retry-After`. */
  headers?: Record<string, string | number | string[]>;
  /** Scripts and further styles, by the names of their files. */
  scripts?: readonly string[];
  styles?: readonly string[];
  /** The address of the page as Markdown; none unless given. */
  markdown?: string;
};

/** The policy for everything that a page may load or do. Inline code and styles are not allowed. */
const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self' data:",
  "media-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');
/** The policy that also allows the program of the API description, which sends requests to the site. */
const POLICY_WITH_SCRIPTS = `${POLICY}; script-src 'self'; connect-src 'self'`;

/** The address of the visit with other parameters, without the parameters that change the view. */
export function addressWith({ visit }: Frame, parameters: Record<string, string>): string {
  const query = new URLSearchParams(visit.query);
  query.delete('page-language');
  for (const [name, value] of Object.entries(parameters)) query.set(name, value);
  const path = visit.request.target.split('?', 1)[0]?.replace(/^\/+/, '/') || '/';
  return query.size === 0 ? path : `${path}?${query}`;
}

/** The path of the visit, to come back to after a login. */
const here = (frame: Frame): string =>
  frame.visit.address.service === '@login' ? (frame.visit.query.get('came_from') ?? '/') : addressWith(frame, {});

/** The field by which a form that searches keeps the token of the release that the page shows. */
export const tokenInput = ({ preview }: Visit): Html | undefined =>
  preview === undefined ? undefined : html`<input type="hidden" name=${TOKEN_PARAMETER} value=${preview} />`;

/** The line that says that the page shows a release. */
const notice = ({ visit: { preview }, say }: Frame, status: number): Html | undefined =>
  preview === undefined || status !== 200
    ? undefined
    : html`<aside class="preview" aria-label=${say('Preview of a release')}>
        <p><strong>${say('Preview of a release')}:</strong> ${say('The site as it is once the release is published.')}</p>
      </aside>`;

/** Headers of the pages of a preview: no cache may store them, browsers must not send their addresses on, search engines must not list them. */
const OF_PREVIEWS = {
  'Cache-Control': 'private, no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
};

const account = (frame: Frame): Html => {
  const { visit, say, user } = frame;
  const back = `?came_from=${encodeURIComponent(here(frame))}`;
  if (user === undefined)
    return html`<a class="button" href=${serverUrl(visit, `/@login${back}`)}>${say('Log in')}</a>`;
  return html`<form method="post" action=${serverUrl(visit, `/@logout${back}`)}>
    <span class="user">${user}</span> <button type="submit">${say('Log out')}</button>
  </form>`;
};

const header = (frame: Frame): Html => {
  const { visit, say, siteTitle, navigation } = frame;
  return html`<header class="top">
    <a class="skip" href="#main">${say('Skip to the content')}</a>
    <div class="bar">
      <a class="brand" href=${pathUrl(visit, '/')}>${siteTitle}</a>
      <form class="search" role="search" action=${serverUrl(visit, '/@search')}>
        ${tokenInput(visit)}
        <input type="search" name="SearchableText" aria-label=${say('Search the site')} placeholder=${say('Search the site')}
          value=${visit.address.service === '@search' ? (visit.query.get('SearchableText') ?? '') : ''} />
        <button type="submit">${say('Search')}</button>
      </form>
      <div class="account">${account(frame)}</div>
    </div>
    ${
      navigation.length > 0 &&
      html`<nav class="sections" aria-label=${say('Sections')}><ul>
        ${navigation.map((item) => html`<li><a href=${localUrl(visit, textAt(item, '@id'))}>${textAt(item, 'title')}</a></li>`)}
      </ul></nav>`
    }
  </header>`;
};

const editorLine = ({ visit, say, frontend }: Frame): Html =>
  frontend === undefined
    ? html`<p>${say('These pages are for reading. An editor is a program of its own, such as Volto: start it, and set its address in the control panel "Site" or in FRONTEND_URL.')}</p>`
    : html`<p>${say('These pages are for reading. The editor is at:')} <a href=${frontend + contentPath(visit)}>${frontend}</a></p>`;

const footer = (frame: Frame): Html => {
  const { visit, say, languages, language } = frame;
  return html`<footer class="bottom">
    ${editorLine(frame)}
    <ul class="links">
      <li>${say('Served by Canopy')}</li>
      ${visit.kernel.config.managePage && html`<li><a href=${serverUrl(visit, '/@manage')}>${say('Manage the site')}</a></li>`}
      <li><a href=${serverUrl(visit, '/@docs')}>${say('API description')}</a></li>
      <li><a href=${pathUrl(visit, `/++api++${contentPath(visit)}`)}>${say('This address as JSON')}</a></li>
    </ul>
    ${
      languages.length > 1 &&
      html`<nav aria-label=${say('Language')}><ul class="links">
        ${languages.map(({ tag, title }) =>
          tag === language
            ? html`<li><strong lang=${tag} aria-current="true">${title}</strong></li>`
            : html`<li><a lang=${tag} href=${addressWith(frame, { 'page-language': tag })}>${title}</a></li>`,
        )}
      </ul></nav>`
    }
  </footer>`;
};

const headOf = ({ visit, siteTitle }: Frame, { title, markdown, scripts = [], styles = [] }: Page): Html => html`
  <meta charset="utf-8" />
  <meta name="viewport" content="width=device-width, initial-scale=1" />
  <meta name="color-scheme" content="light dark" />
  <title>${title === siteTitle ? title : `${title} – ${siteTitle}`}</title>
  <link rel="icon" type="image/svg+xml" href=${serverUrl(visit, assetUrl('icon.svg'))} />
  ${['style.css', ...styles].map((name) => html`<link rel="stylesheet" href=${serverUrl(visit, assetUrl(name))} />`)}
  ${markdown !== undefined && html`<link rel="alternate" type="text/markdown" href=${markdown} />`}
  ${scripts.map((name) => html`<script src=${serverUrl(visit, assetUrl(name))} defer></script>`)}
`;

/** Headers of a response of the API that its page keeps. */
const KEPT_HEADERS = ['Retry-After', 'WWW-Authenticate', 'Allow', 'X-Robots-Tag'];

/** The headers of a response that its page keeps. */
export const headersFor = ({ headers = {} }: ServiceResponse): Record<string, string | number | string[]> =>
  Object.fromEntries(KEPT_HEADERS.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])));

/**
 * The response with a page. Only the browser may store it, and must revalidate it each time: the same address has JSON for programs, and another page
 * for another user.
 */
export function pageResponse(frame: Frame, page: Page): ServiceResponse {
  const { status = 200, scripts = [] } = page;
  const isPreview = frame.visit.preview !== undefined;
  const main = page.hasOwnMain
    ? html`<div id="main" tabindex="-1">${page.main}</div>`
    : html`<main id="main" tabindex="-1">${page.main}</main>`;
  const body = html`<body>${header(frame)}${notice(frame, status)}${main}${footer(frame)}</body>`;
  const bytes = Buffer.from(documentOf(frame.language, headOf(frame, page), body));
  const tag = `"${createHash('sha256').update(bytes).digest('base64url')}"`;
  const headers = {
    'Cache-Control': status === 200 ? 'private, no-cache' : 'private, no-store',
    'Content-Security-Policy': scripts.length === 0 ? POLICY : POLICY_WITH_SCRIPTS,
    // Browsers send the origin of a form only if this policy allows it.
    'Referrer-Policy': 'same-origin',
    'X-Frame-Options': 'DENY',
    Vary: 'Accept, Authorization, Cookie, Accept-Language',
    ...page.headers,
    ...(isPreview && OF_PREVIEWS),
    ...(status === 200 && !isPreview ? { ETag: tag } : {}),
  };
  const known = frame.visit.request.headers['if-none-match']?.toString();
  if (status === 200 && !isPreview && etagMatches(known, tag)) return { status: 304, headers };
  return { status, headers, bytes, contentType: 'text/html; charset=utf-8' };
}

/** Sends the browser to a path of the site with GET. */
export const seeOther = (location: string, cookies: readonly string[]): ServiceResponse => ({
  status: 303,
  headers: { Location: location, 'Set-Cookie': [...cookies], 'Cache-Control': 'private, no-store' },
});
