import { Agent, request } from 'node:http';
import { MEMBER } from '../../fuzz/site.mjs';

const CLIENTS = 48;
/** The share of the requests whose client disconnects before the response. */
const LEAVING = 0.01;
/** Requests between two lines of progress. */
const TELL_EVERY = 50_000;

const any = (list) => list[Math.floor(Math.random() * list.length)];
const chance = (share) => Math.random() < share;

/**
 * Values that often cause faults: numbers at their limits, property names of JavaScript, unusual characters, SQL, paths, dates.
 */
const VALUES = [
  ...[
    '',
    ' ',
    '0',
    '-1',
    '1e309',
    'NaN',
    'Infinity',
    '9007199254740993',
    '2147483648',
    '-9223372036854775809',
    '0x10',
    '1.5',
  ],
  ...[
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    'null',
    'undefined',
    'true',
    '[object Object]',
  ],
  ...[
    '%00',
    '\u0000',
    '\ud800',
    '\u202e',
    'ß',
    'İ',
    'ﷺ',
    '日本語',
    '🦑',
    'a\u0301',
    '\r\nX-Header: 1',
    '%',
    '%zz',
    '%c0%ae',
    '%e2%80',
  ],
  ...[
    "' or 1=1 --",
    '"; drop table content; --',
    '$1',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a place for a value, as templates have it
    '${7*7}',
    '{{7*7}}',
    '(a+)+$',
    '*',
    '%25',
    '\\',
    '{',
    '}',
    ':*',
    '&|!',
    '<->',
  ],
  ...[
    '..',
    '../..',
    '/',
    '//',
    '/a//b',
    '@search',
    '@@images',
    '++api++',
    'VirtualHostBase/http/x:1/VirtualHostRoot',
    'resolveuid/x',
  ],
  ...['9999999-01-01', '0000-00-00', '2024-02-30T25:61:00Z', '-271822-01-01T00:00:00Z', '2024-01-01T00:00:00+99:99'],
  ...[
    'x'.repeat(5000),
    'a '.repeat(2000),
    '['.repeat(3000),
    '<script>alert(1)</script>',
    'data:,',
    'javascript:alert(1)',
    'file:///etc/passwd',
  ],
];

/** A random JSON value, often of another type than the operation expects. */
function json(depth = 0) {
  const plain = [null, true, -1, 0, 1e308, Number.MAX_SAFE_INTEGER, any(VALUES), any(VALUES)];
  if (depth > 3 || chance(0.5)) return any(plain);
  const size = Math.floor(Math.random() * 4);
  if (chance(0.5)) return Array.from({ length: size }, () => json(depth + 1));
  return Object.fromEntries(Array.from({ length: size }, () => [any(VALUES), json(depth + 1)]));
}

const BROKEN = [
  '{',
  '[1,',
  '{"a":1}}',
  '\u0000',
  '"',
  'null',
  '[]',
  '"text"',
  '{"a":'.repeat(2000),
  '--x\r\nContent-Disposition: form-data\r\n\r\n',
];

/** The operations of a server, from its OpenAPI document. */
async function operationsOf(client) {
  const { body } = await client.send('GET', '/@openapi');
  return Object.entries(body.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody }]) => ({
      path,
      method: method.toUpperCase(),
      query: parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name),
      members: Object.keys(requestBody?.content?.['application/json']?.schema?.properties ?? {}),
    })),
  );
}

const encode = (text) =>
  chance(0.5) ? encodeURIComponent(text.toWellFormed?.() ?? 'x') : text.replace(/[^!-~]/g, '_');

/** An address of an operation with valid, strange or missing parameters. */
function address({ path, query }, known) {
  const filled = path.replace(/\{[^}]*\}/g, () => (chance(0.5) ? any(known) : encode(any(VALUES))));
  const pairs = [...query, any(VALUES)]
    .filter(() => chance(0.3))
    .map((name) => `${encode(name)}=${encode(any(VALUES))}`);
  return `${chance(0.1) ? `/${encode(any(VALUES))}` : ''}${filled}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`;
}

const HEADERS = [
  'Accept',
  'Accept-Language',
  'If-Match',
  'If-None-Match',
  'Range',
  'Lock-Token',
  'Content-Encoding',
  'Cookie',
  'Origin',
  'Prefer',
  'X-Forwarded-Host',
  'Tus-Resumable',
  'Upload-Length',
  'Upload-Offset',
];

function bodyOf({ method, members }) {
  if (method === 'GET' || chance(0.2)) return undefined;
  if (chance(0.2)) return any(BROKEN);
  return JSON.stringify(
    Object.fromEntries([...members, any(VALUES)].filter(() => chance(0.7)).map((name) => [name, json()])),
  );
}

/** A hostile request. Only GET has the administrator's token, because an administrator may change everything anyway. */
function hostile(operations, { known, tokens }) {
  const operation = any(operations);
  const method = chance(0.02) ? any(['HEAD', 'PUT', 'OPTIONS', 'PROPFIND', 'DELETE']) : operation.method;
  const token =
    method === 'GET' && chance(0.2) ? tokens.administrator : any([undefined, undefined, tokens.member, any(VALUES)]);
  const headers = { Accept: 'application/json' };
  if (token !== undefined) headers.Authorization = `Bearer ${token.replace(/[^!-~]/g, '_').slice(0, 500)}`;
  if (chance(0.2))
    headers[any(HEADERS)] = any(VALUES)
      .replace(/[^ -~]/g, '_')
      .slice(0, 2000);
  const body = bodyOf(operation);
  if (body !== undefined)
    headers['Content-Type'] = chance(0.9)
      ? 'application/json'
      : any(['text/plain', 'multipart/form-data; boundary=x', 'x/y', '']);
  return { method, path: address(operation, known).slice(0, 7000), headers, body };
}

/** Sends one request; resolves to its status, or 0 when the connection ended without a response. */
function sendOver(agent, url, { method, path, headers, body }) {
  return new Promise((resolve) => {
    let sent;
    try {
      sent = request(url, { agent, method, path: path.replace(/[^!-~]/g, '_'), headers }, (response) => {
        response.on('error', () => resolve(0)).on('end', () => resolve(response.statusCode));
        response.resume();
      });
    } catch {
      // The HTTP client throws for such a header before it sends anything.
      resolve(undefined);
      return;
    }
    sent.on('error', () => resolve(0));
    if (chance(LEAVING)) setTimeout(() => sent.destroy(), Math.random() * 20);
    sent.end(body);
  });
}

/**
 * Sends so many hostile requests for all operations, as nobody, a member, an administrator who reads, and with made-up tokens.
 * Returns the number of responses by status, and the requests with a status of 500 or above, except 503.
 */
export async function flood(url, client, requests) {
  const operations = await operationsOf(client);
  await client.send('POST', '/@users', { ...MEMBER, email: 'member@example.com', roles: ['Member'] }).catch(() => {});
  const login = await fetch(`${url}/@login`, {
    method: 'POST',
    headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
    body: JSON.stringify({ login: MEMBER.username, password: MEMBER.password }),
  });
  const { token: member } = await login.json();
  const setting = {
    known: ['folder', 'page', 'admin', 'member', 'image', 'preview', 'Page', '0', '1'],
    tokens: { administrator: client.token, member },
  };
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  const statuses = new Map();
  const faults = [];
  let left = requests;
  let count = 0;
  const attackers = Array.from({ length: CLIENTS }, async () => {
    while (left > 0) {
      left -= 1;
      const made = hostile(operations, setting);
      const status = await sendOver(agent, url, made);
      if (status === undefined) {
        left += 1;
        continue;
      }
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status >= 500 && status !== 503) faults.push({ status, ...made });
      count += 1;
      if (count % TELL_EVERY === 0) console.log(`${count} hostile requests, ${faults.length} answers of 500 or above`);
    }
  });
  await Promise.all(attackers);
  agent.destroy();
  return { statuses: Object.fromEntries([...statuses].sort(([a], [b]) => a - b)), faults };
}
