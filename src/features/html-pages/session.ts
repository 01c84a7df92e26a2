/** Logging in and out by the forms of the pages. */

import type { Readable } from 'node:stream';
import { negotiation, type ServiceResponse } from '#core';
import { BadRequest, Forbidden, PayloadTooLarge } from '#lib/errors';
import { listAt, textAt } from '#lib/json-members';
import { beginSession, endSessions } from './cookies.ts';
import { type Frame, siteFrame } from './frame.ts';
import { type Html, html } from './html.ts';
import { headersFor, type Page, pageResponse, seeOther } from './shell.ts';
import { type ApiResponse, serverUrl, type Visit } from './visit.ts';

/** Maximum size of a form, in bytes. */
const MAX_FORM_BYTES = 16 * 1024;

/** The path to return to after a form, always a path of this site. */
function comeBackTo({ query }: Visit): string {
  const path = query.get('came_from') ?? '/';
  // Browsers read a backslash as a slash, and two slashes as the start of a host name.
  return /^\/(?![/\\])[^\s\\]{0,2000}$/.test(path) ? path : '/';
}

/** Rejects forms that another site sends. Browsers send the origin of a form; they do not send the cookie with forms of other sites either. */
function requireOwnForm({ request, kernel, address }: Visit): void {
  const { origin, 'sec-fetch-site': site } = request.headers;
  const own = [`${request.scheme}://${request.host}`, kernel.config.publicUrl ?? address.base]
    .filter((url) => URL.canParse(url))
    .map((url) => new URL(url).origin);
  if (site === undefined ? origin !== undefined && own.includes(String(origin)) : site === 'same-origin') return;
  throw new Forbidden(
    'This form was sent by another site, or by a browser that does not say from where. Open the page again.',
  );
}

/** The fields of a form. Throws PayloadTooLarge. */
async function formOf(body: Readable): Promise<URLSearchParams> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of body) {
    const bytes = Buffer.from(piece);
    size += bytes.length;
    if (size > MAX_FORM_BYTES) throw new PayloadTooLarge(MAX_FORM_BYTES);
    pieces.push(bytes);
  }
  return new URLSearchParams(Buffer.concat(pieces).toString('utf8'));
}

/** Types of errors of a login that a code can resolve. Users without a second factor have no code to enter. */
const CODE_ERRORS: readonly string[] = ['Second factor required', 'Invalid second factor'];

/** Says if a login failed because of its second factor and not its password. */
const needsCode = ({ json }: ApiResponse): boolean => CODE_ERRORS.includes(textAt(json, 'type'));

/** The form to log in. `failed` is the response to a failed login, `rejected` the response to a page that needs a login. */
function loginPage(
  frame: Frame,
  options: unknown,
  { login = '', failed, rejected }: { login?: string; failed?: ApiResponse; rejected?: ApiResponse },
): Page {
  const { visit, say, user } = frame;
  const back = rejected ? visit.request.target : comeBackTo(visit);
  const title = rejected ? say('Log in to see this') : say('Log in');
  const problem: Html = failed && html`<p class="problem" role="alert">${textAt(failed.json, 'message')}</p>`;
  const code = failed && needsCode(failed);
  const main = html`<h1>${title}</h1>
    ${user !== undefined && html`<p>${say(`You are logged in as ${user}.`)}</p>`}
    ${problem}
    <form class="login" method="post" action=${serverUrl(visit, `/@login?came_from=${encodeURIComponent(back)}`)}>
      <label>${say('Login name')} <input name="login" value=${login} autocomplete="username" required autocapitalize="none" spellcheck="false" /></label>
      <label>${say('Password')} <input name="password" type="password" autocomplete="current-password" required /></label>
      ${code && html`<label>${say('Code of the second factor')} <input name="otp" autocomplete="one-time-code" inputmode="text" required /></label>`}
      <button type="submit">${say('Log in')}</button>
    </form>
    <ul class="links">${listAt(options, 'options').map((option) => html`<li><a href=${textAt(option, 'url')}>${textAt(option, 'title')}</a></li>`)}</ul>`;
  const status = failed?.status ?? rejected?.status ?? 200;
  return { title, main, status };
}

/** The response with the form to log in. */
export async function loginResponse(
  visit: Visit,
  reason: { login?: string; failed?: ApiResponse; rejected?: ApiResponse } = {},
): Promise<ServiceResponse> {
  const frame = await siteFrame(visit);
  const { json } = await visit.get('/@login');
  const cause = reason.failed ?? reason.rejected;
  return pageResponse(frame, { ...loginPage(frame, json, reason), ...(cause ? { headers: headersFor(cause) } : {}) });
}

/** Logs in with the fields of the form. */
async function logIn(visit: Visit): Promise<ServiceResponse> {
  const form = await formOf(visit.request.body);
  const login = form.get('login') ?? '';
  const otp = form.get('otp')?.trim();
  const response = await visit.post('/@login', {
    login,
    password: form.get('password') ?? '',
    ...(otp ? { otp } : {}),
  });
  const token = textAt(response.json, 'token');
  if (response.status !== 200 || token === '') return loginResponse(visit, { login, failed: response });
  return seeOther(comeBackTo(visit), beginSession(visit.request, token));
}

/** Ends the session of the browser. */
async function logOut(visit: Visit): Promise<ServiceResponse> {
  // The form is read and ignored, because unread bytes would be taken for the next request.
  await formOf(visit.request.body);
  const { cookie } = visit.request.headers;
  const credentials = negotiation.parseCredentials({ method: 'GET', cookie: cookie?.toString() });
  if (credentials?.kind === 'token') {
    const response = await visit.post('/@logout', {}, credentials.token);
    if (response.status >= 500) throw new BadRequest('Logging out has failed. Please try again.');
  }
  return seeOther(comeBackTo(visit), endSessions(visit.request));
}

/** The response to a form. Throws the errors of `lib/errors.ts`. */
export function formResponse(visit: Visit): Promise<ServiceResponse> | undefined {
  const { path, service, rest, api } = visit.address;
  if (api || path !== '/' || rest.length > 0 || (service !== '@login' && service !== '@logout')) return undefined;
  requireOwnForm(visit);
  return service === '@login' ? logIn(visit) : logOut(visit);
}
