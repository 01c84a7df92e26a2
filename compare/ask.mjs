// One request to one server, and its response in the form that is compared.
import { normalise } from './normalise.mjs';

/** The callers beside Anonymous. Each has the role of that name. */
const PEOPLE = {
  Editor: { username: 'editor', roles: ['Member', 'Editor'] },
  Reviewer: { username: 'reviewer', roles: ['Member', 'Reviewer'] },
  Member: { username: 'member', roles: ['Member'] },
};
const PASSWORD = 'correct horse battery staple';
/** Headers of responses that clients read. */
const HEADERS = ['content-type', 'location', 'content-disposition'];
/** The address that the browser of a visitor would show; both sites get it in headers, as Volto's proxy sends them. */
const PUBLIC = 'http://site.example:3000';
const PROXIED = '/VirtualHostBase/http/site.example:3000/Plone/++api++/VirtualHostRoot';
/** Milliseconds until a request counts as failed. */
const TIMEOUT_MS = 60_000;

async function tokenOf({ url }, login, password) {
  const response = await fetch(`${url}/@login`, {
    method: 'POST',
    headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
    body: JSON.stringify({ login, password }),
  });
  const { token } = await response.json();
  if (token === undefined) throw new Error(`${url} does not log ${login} in.`);
  return token;
}

/** A server at an origin, as the comparison addresses it. */
export const serverAt = (origin) => ({ url: `${origin}${PROXIED}`, tokens: new Map() });

/** Creates the users at a server and logs them in. */
export async function login(server) {
  server.tokens.set('Manager', await tokenOf(server, 'admin', 'admin'));
  for (const [as, { username, roles }] of Object.entries(PEOPLE)) {
    const body = { username, roles, password: PASSWORD, email: `${username}@example.com`, fullname: `The ${as}` };
    const { status, raw } = await ask(server, { as: 'Manager', method: 'POST', path: '/@users', body, headers: {} });
    if (status !== 201) throw new Error(`${server.url} does not make ${username}: ${status} ${JSON.stringify(raw)}`);
    server.tokens.set(as, await tokenOf(server, username, PASSWORD));
  }
}

function headersOf(response) {
  const found = HEADERS.flatMap((name) => {
    const value = response.headers.get(name);
    // The media type of a response without a body means nothing.
    if (value === null || (response.status === 204 && name === 'content-type')) return [];
    return [[name, normalise(name === 'content-type' ? value.split(';')[0] : value, PUBLIC)]];
  });
  return Object.fromEntries(found);
}

async function bodyOf(response) {
  const type = response.headers.get('content-type') ?? '';
  if (type.includes('json')) {
    const text = await response.text();
    return text.trim() === '' ? '' : JSON.parse(text);
  }
  if (type.startsWith('image/') || type.includes('octet-stream') || type.includes('zip')) {
    return `${(await response.arrayBuffer()).byteLength > 0 ? 'some' : 'no'} bytes`;
  }
  return response.text();
}

/** Sends a request, and returns status, headers and body as they are compared, and the body as it came (`raw`). */
export async function ask({ url, tokens }, { as, method, path, body, raw, headers }) {
  const token = tokens.get(as);
  const response = await fetch(`${url}${path.replace(PUBLIC, '')}`, {
    method,
    redirect: 'manual',
    headers: {
      Accept: 'application/json',
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(raw === undefined ? {} : { body: raw }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const received = await bodyOf(response);
  return { status: response.status, headers: headersOf(response), body: normalise(received, PUBLIC), raw: received };
}
