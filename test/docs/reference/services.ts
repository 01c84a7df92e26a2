import { FEATURES } from '../../../src/app/features.ts';
import { routesOf } from '../../../src/core/services/openapi/document.ts';
import type { Service } from '../../../src/core/services/service.ts';
import { CALLERS, type CallerName, expectedOf, type Row } from '../../security/matrix/row.ts';
import { ROWS } from '../../security/matrix/rows.ts';
import { documents } from '../documents.ts';
import { capitalised, code, codes, page, plain } from './markdown.ts';
import { SchemaWords } from './schema-words.ts';
import { examplesOf } from './used-in-examples.ts';

/** The features of each page; those that no page names are on the last one. */
const PAGES: readonly { file: string; title: string; features: readonly string[] }[] = [
  { file: 'services-content', title: 'Services of content', features: ['core', 'exports', 'html-pages'] },
  {
    file: 'services-editing',
    title: 'Services of editing',
    features: [
      ...[
        'ai',
        'aliases',
        'block-types',
        'comments',
        'content-rules',
        'forms',
        'history',
        'preview-links',
        'proposals',
      ],
      ...[
        'recycle-bin',
        'related',
        'relations',
        'releases',
        'replace',
        'scheduled-transitions',
        'transactions',
        'translations',
      ],
      ...['uploads', 'working-copies'],
    ],
  },
  {
    file: 'services-people',
    title: 'Services of people',
    features: ['access-tokens', 'explain-access', 'openid', 'people', 'sessions', 'sharing', 'two-factor'],
  },
  { file: 'services-site', title: 'Services of the site', features: [] },
];

const INTRO = [
  'An address with `{path}` is one of any content; without this part it is that of the site root. `GET /@openapi` has the whole',
  'schemas, and [API](../api.md) what all services have in common. Who may call a service is what the tests of permissions record, on a new',
  'site of the profile `default`, for users with one role each.',
];

const ALL = FEATURES.flatMap(({ services = [] }) => services);

/** Templates of addresses by service. */
const templates = new Map<Service, string[]>();
for (const { template, services } of routesOf(ALL))
  for (const service of services) templates.set(service, [...(templates.get(service) ?? []), template]);

/** The addresses of a service: those of any content stand for those of the root, too. */
function addressesOf(service: Service): string[] {
  const all = templates.get(service) ?? [];
  return all.filter((one) => !all.includes(one === '/' ? '/{path}' : `/{path}${one}`));
}

const REFUSED = [401, 403];

/** The callers that a row does not refuse. Where it works for some, 404 says to others that they may not see what is there. */
function allowedBy(row: Row, state: 'private' | 'published'): CallerName[] {
  const all = expectedOf(row, state);
  const works = all.some(({ status }) => status < 400);
  return all.filter(({ status }) => !REFUSED.includes(status) && !(works && status === 404)).map(({ name }) => name);
}

function callersInWords(names: readonly CallerName[]): string {
  if (names.length === CALLERS.length) return 'everybody';
  if (names.length === CALLERS.length - 1 && !names.includes('Anonymous')) return 'everybody who is logged in';
  return names.length === 0 ? 'no role alone' : names.join(', ');
}

/** Names who may call a service, by its first row of the permission matrix. */
function whoMay(service: Service): string {
  const asks = addressesOf(service).map((address) => `${service.method} ${address}`);
  const row = asks.map((ask) => ROWS.find((one) => one.ask === ask)).find((one) => one !== undefined);
  if (!row) return '';
  const [open, closed] = [callersInWords(allowedBy(row, 'published')), callersInWords(allowedBy(row, 'private'))];
  return open === closed ? ` Who: ${open}.` : ` Who: ${open} on published content; ${closed} on private content.`;
}

function rightsOf(service: Service): string {
  const { permission, checkPermission, inPerson } = service;
  const needs = permission === null ? 'Needs no permission' : `Needs ${code(permission)}`;
  return `${checkPermission ? 'Decides by itself who may call it' : needs}.${inPerson ? ' Only for people who have logged in, not for tokens.' : ''}`;
}

const CONTEXTS = { content: '', folderish: ' On containers only.', site: '' };

/** The part of a page about a service. */
function partOf(
  service: Service,
  words: SchemaWords,
  example: { title: string; address: string } | undefined,
): string[] {
  const {
    name,
    method,
    summary,
    rest = [],
    query,
    params,
    body,
    streams,
    fromForm,
    form,
    responses,
    context,
  } = service;
  const parameters = words.members(words.publish(params));
  const inQuery = words.members(words.publish(query));
  const published = words.publish(body);
  const inBody = words.members(published);
  const whole = body && inBody.length === 0 ? [`- Body: ${words.type(published)}`] : [];
  return [
    `### ${method} ${[name === '' ? 'content' : name, rest[0] ?? ''].filter(Boolean).join('/')}`,
    '',
    `${plain(summary)}${CONTEXTS[context]}`,
    '',
    `- ${codes(addressesOf(service).map((address) => `${method} ${address}`))}`,
    `- ${rightsOf(service)}${whoMay(service)}`,
    ...(parameters.length > 0 ? ['- Parts of the address', ...words.list(parameters)] : []),
    ...(inQuery.length > 0 ? ['- Query', ...words.list(inQuery)] : []),
    ...(inBody.length > 0 ? ['- Body', ...words.list(inBody)] : whole),
    ...(streams === undefined ? [] : [`- Body: bytes of the type ${code(streams)}`]),
    ...(fromForm || form ? ['- It takes a form with files as well (`multipart/form-data`).'] : []),
    ...Object.entries(responses).map(([status, { description, schema, contentType }]) => {
      const members = schema === undefined ? '' : words.response(schema);
      const type = contentType === undefined ? '' : ` (${code(contentType)})`;
      return `- ${status}${type}: ${plain(description)}${members === '' ? '' : ` ${capitalised(members)}.`}`;
    }),
    ...(example ? [`- Example: [${example.title}](${example.address})`] : []),
    '',
  ];
}

const titleOf = (feature: string): string => capitalised(feature.replaceAll('-', ' '));

/** The pages about all services, by their files. */
export function servicePages(): Map<string, string> {
  const words = new SchemaWords();
  const executed = documents().filter(({ path }) => /^docs\/[\w-]+\.md$/.test(path));
  const examples = examplesOf(ALL, executed);
  const placed = new Set(PAGES.flatMap(({ features }) => features));
  return new Map(
    PAGES.map(({ file, title, features }) => {
      const own = FEATURES.filter(({ name }) => (features.length > 0 ? features.includes(name) : !placed.has(name)));
      const lines = own.flatMap(({ name, services = [] }) =>
        services.length === 0
          ? []
          : [`## ${titleOf(name)}`, '', ...services.flatMap((one) => partOf(one, words, examples.get(one)))],
      );
      return [`${file}.md`, page(title, INTRO, lines)];
    }),
  );
}
