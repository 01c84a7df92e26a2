/** Responds to browsers with pages, which are made of the responses of the API, so that no page shows more than the API. */

import { type Kernel, negotiation, type ServiceResponse } from '#core';
import { ClientError } from '#lib/errors';
import { contentPage } from './content-page.ts';
import { isLanguage, rememberLanguage } from './cookies.ts';
import { FRAME_COMPONENTS, frameOf, siteFrame } from './frame.ts';
import { PAGE_SIZE, startOf } from './item-list.ts';
import { docsPage, errorPage, historyPage, jsonPage, searchPage } from './other-pages.ts';
import { previewPage } from './proposal-preview.ts';
import { formResponse, loginResponse } from './session.ts';
import { addressWith, headersFor, type Page, pageResponse, seeOther } from './shell.ts';
import { type ApiResponse, contentPath, type Visit, visitOf } from './visit.ts';

/** Parameters of the API that a page sets itself, and parameters of pages. */
const OWN_PARAMETERS =
  /^(?:expand|fullobjects|include_items|metadata_fields|b_size|b_start|view|page-language)(?:[.:]|$)/;

/** The query for the API: parameters of the visit, and the page's own parameters. */
function queryFor({ query }: Visit, own: Record<string, string>): string {
  const passed = [...query].filter(([name]) => !OWN_PARAMETERS.test(name));
  return new URLSearchParams([...passed, ...Object.entries(own)]).toString();
}

/** The parameters by which the representation of content has all that its page shows. */
const pageParameters = ({ query }: Visit): Record<string, string> => ({
  expand: `${FRAME_COMPONENTS},breadcrumbs,translations`,
  b_size: String(PAGE_SIZE),
  b_start: String(startOf(query)),
});

/** The page of content. */
async function contentResponse(visit: Visit): Promise<ServiceResponse> {
  const query = queryFor(visit, pageParameters(visit));
  const response = await visit.get(`${contentPath(visit)}/?${query}`);
  // The redirect of the original request keeps its query.
  if (response.status < 400 && response.status >= 300) return visit.passOn();
  if (response.status !== 200) return errorOf(visit, response);
  const frame = frameOf(visit, response.json);
  return pageResponse(frame, { ...contentPage(frame, response.json), headers: previewHeaders(response) });
}

/** The page of a preview of a proposal: that of its content, or the JSON of what is no content. */
async function proposalResponse(visit: Visit): Promise<ServiceResponse> {
  if (visit.query.get('view') === 'json' || /\/@/.test(visit.query.get('path') ?? '')) return jsonResponse(visit);
  const own = new URLSearchParams([...visit.query].filter(([name]) => name !== 'page-language'));
  for (const [name, value] of Object.entries(pageParameters(visit))) own.set(name, value);
  const response = await visit.get(`${visit.request.target.split('?', 1)[0]}?${own}`);
  if (response.status !== 200) return errorOf(visit, response);
  const frame = frameOf(visit, response.json);
  return pageResponse(frame, { ...previewPage(frame, response.json), headers: previewHeaders(response) });
}

/** Headers of the page of a preview: no cache may store it, and no search engine may list it. */
function previewHeaders(response: ApiResponse): NonNullable<Page['headers']> {
  const cacheControl = String(response.headers?.['Cache-Control'] ?? '');
  const referrer = response.headers?.['Referrer-Policy'];
  return {
    ...headersFor(response),
    ...(/no-store/.test(cacheControl) ? { 'Cache-Control': cacheControl } : {}),
    ...(referrer === undefined ? {} : { 'Referrer-Policy': referrer }),
  };
}

/** The page of a search, with the parameters of the API. */
async function searchResponse(visit: Visit): Promise<ServiceResponse> {
  const asked = [...visit.query].some(
    ([name, value]) => !OWN_PARAMETERS.test(name) && value !== '' && value !== visit.preview,
  );
  if (!asked) {
    const frame = await siteFrame(visit);
    return pageResponse(frame, searchPage(frame, undefined));
  }
  const query = queryFor(visit, { b_size: String(PAGE_SIZE), b_start: String(startOf(visit.query)) });
  const response = await visit.get(`${contentPath(visit)}/@search?${query}`);
  if (response.status !== 200) return errorOf(visit, response);
  const frame = await siteFrame(visit);
  return pageResponse(frame, searchPage(frame, response.json));
}

/** The page of an error. Visitors without the permission get the form to log in. */
async function errorOf(visit: Visit, response: ApiResponse): Promise<ServiceResponse> {
  const { path, service } = visit.address;
  // Links to `/login` are made for front ends, which have a page of that name.
  if (response.status === 404 && service === '' && path.endsWith('/login')) return loginResponse(visit);
  const frame = response.status < 500 ? await siteFrame(visit) : frameOf(visit, undefined);
  if (response.status === 401 && frame.user === undefined) return loginResponse(visit, { rejected: response });
  return pageResponse(frame, { ...errorPage(frame, response), headers: headersFor(response) });
}

/** The page of an address of the API: its JSON. Files are sent as they are. */
async function jsonResponse(visit: Visit): Promise<ServiceResponse> {
  const { target } = visit.request;
  const query = new URLSearchParams(visit.query);
  query.delete('view');
  const isView = visit.address.service === '' && visit.query.has('view');
  const response = await visit.get(isView ? `${contentPath(visit)}/?${query}` : target);
  if (response.status >= 400) return errorOf(visit, response);
  if (response.json === undefined) return response;
  const frame = await siteFrame(visit);
  const isHistory = visit.address.service === '@history' && visit.address.rest.length === 0;
  return pageResponse(frame, {
    ...(isHistory ? historyPage(frame, response.json) : jsonPage(frame, response.json)),
    headers: previewHeaders(response),
  });
}

/** Sends a response that is not JSON, such as a file or a feed; errors become pages. */
async function otherResponse(visit: Visit): Promise<ServiceResponse> {
  const response = await visit.passOn();
  return response.status >= 400 ? errorOf(visit, response) : response;
}

function reading(visit: Visit): Promise<ServiceResponse> {
  const { address, query } = visit;
  const { service } = address;
  const chosen = query.get('page-language');
  if (chosen !== null && isLanguage(chosen)) return languageResponse(visit, chosen);
  if (service === '@docs' && address.path === '/')
    return siteFrame(visit).then((frame) => pageResponse(frame, docsPage(frame)));
  if (service === '') return query.get('view') === 'json' ? jsonResponse(visit) : contentResponse(visit);
  if (service === '@login' && address.path === '/') return loginResponse(visit);
  if (service === '@search') return searchResponse(visit);
  if (service === '@proposals' && address.rest[1] === 'preview') return proposalResponse(visit);
  return service.startsWith('@') && !service.startsWith('@@') ? jsonResponse(visit) : otherResponse(visit);
}

/** Remembers the language that the reader has chosen. */
async function languageResponse(visit: Visit, language: string): Promise<ServiceResponse> {
  return seeOther(addressWith(await siteFrame(visit), {}), [rememberLanguage(visit.request, language)]);
}

/** The pages of a kernel. */
export const pagesOf = (kernel: Kernel): negotiation.Maker => ({
  async respond(request, ask) {
    const visit = visitOf(kernel, request, ask);
    // `++api++` in an address requests JSON, also in a browser.
    if (visit.address.api || visit.address.collapsed !== undefined || visit.address.base === '') return ask({});
    try {
      if (request.method === 'POST') return await (formResponse(visit) ?? ask({}));
      return await reading(visit);
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      const response = negotiation.errorResponse(error, { requestId: '' });
      return errorOf(visit, { ...response, json: response.body });
    }
  },
});
