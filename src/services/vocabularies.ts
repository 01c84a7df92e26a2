import { Type } from 'typebox';
import { has, requirePermission } from '../content/permissions.ts';
import { BadRequest, NotFound } from '../lib/errors.ts';
import { VIEW } from '../security/permissions.ts';
import { type BatchRequest, batchLinks, parseBatch } from '../serializer/batch.ts';
import { componentUrl } from '../serializer/components.ts';
import { integerParameter } from '../serializer/query-parameters.ts';
import { readerLanguage } from '../site/panels/languages.ts';
import { isSearched, type Vocabulary } from '../site/vocabulary.ts';
import { byTitle, type TermFilter, type TermPage, type TermRequest, termPage } from '../types/vocabularies/term.ts';
import { headerOf } from './content/represent-path.ts';
import { documentedQuery } from './openapi/schemas.ts';
import { resultsAddress } from './search.ts';
import {
  defineService,
  type HeaderDescription,
  ok,
  type RequestContext,
  type Service,
  type ServiceResponse,
} from './service.ts';

/** What a service throws that has nothing under the name behind it in the address. */
export function notFoundHere({ resolved, rest }: RequestContext, service: string): NotFound {
  const { path } = resolved.object;
  return new NotFound([path === '/' ? '' : path, service, ...rest].join('/'));
}

const Address = Type.String({ format: 'uri' });

/** One batch of terms. */
export const Terms = Type.Object({
  '@id': Address,
  items: Type.Array(Type.Object({ token: Type.String(), title: Type.String() })),
  items_total: Type.Integer({ description: 'Terms that fit, in all batches.' }),
  batching: Type.Optional(
    Type.Object({
      '@id': Address,
      first: Address,
      last: Address,
      next: Type.Optional(Address),
      prev: Type.Optional(Address),
    }),
  ),
});

/** The header that titles depend on. */
export const READER: Record<string, HeaderDescription> = {
  'Accept-Language': { description: 'Languages of the reader, for the titles of terms.' },
};

/** Terms in one batch unless the client says otherwise: forms want all of them. */
const DEFAULT_SIZE = 1000;
/** Terms that come when a client wants all of them. Where there are more, `batching` leads on. */
const MAX_TERMS = 10_000;

/** The parameters that choose a part of a list of terms. */
export const BATCH_PARAMETERS = {
  b_start: Type.Optional(Type.Integer({ description: 'Index of the first term.', default: 0 })),
  b_size: Type.Optional(
    Type.Integer({ description: 'Terms in a batch; -1 for all of them, 10000 at most.', default: DEFAULT_SIZE }),
  ),
};

/** The parameters of a list of terms. */
export const TermParameters = Type.Object({
  title: Type.Optional(Type.String({ description: 'Part of the title, in any case.' })),
  token: Type.Optional(Type.String({ description: 'Token of the only term that is wanted.' })),
  tokens: Type.Optional(Type.Array(Type.String(), { description: 'Tokens of the terms that are wanted.' })),
  sort_on: Type.Optional(Type.String({ description: '`title` for the order of titles.' })),
  ...BATCH_PARAMETERS,
});

/** The part of a list of terms that is asked for. Throws BadRequest for what is no number. */
export function readTermBatch(query: URLSearchParams): BatchRequest {
  const batch = parseBatch(query, DEFAULT_SIZE);
  return integerParameter(query, 'b_size', DEFAULT_SIZE) < 0 ? { ...batch, size: MAX_TERMS } : batch;
}

/** Which terms are asked for; an empty parameter is none. Throws BadRequest when they are chosen in two ways. */
export function readTermFilter(query: URLSearchParams): TermFilter {
  const title = query.get('title') || undefined;
  const token = query.get('token') || undefined;
  const tokens = [...query.getAll('tokens'), ...query.getAll('tokens:list')].filter(Boolean);
  const ways = [title, token, tokens[0]].filter((way) => way !== undefined);
  if (ways.length > 1)
    throw new BadRequest('Use only one of the parameters title, token and tokens.', 'Invalid parameters');
  if (title !== undefined) return { title };
  if (token !== undefined) return { tokens: [token] };
  return tokens.length > 0 ? { tokens } : {};
}

/** Whether the terms are wanted by title. Throws BadRequest for another order. */
export function readByTitle(query: URLSearchParams): boolean {
  const on = query.get('sort_on') || undefined;
  if (on !== undefined && on !== 'title') throw new BadRequest('Terms can be sorted by title only: sort_on=title.');
  return on === 'title';
}

/** Which terms are wanted, and in what order. */
type Wanted = { filter: TermFilter; batch: BatchRequest; sorted: boolean };

async function findTerms(
  context: RequestContext,
  vocabulary: Vocabulary,
  request: TermRequest,
  sorted: boolean,
): Promise<TermPage> {
  const { site, db, caller, resolved } = context;
  const language = readerLanguage(site, headerOf(context, 'accept-language'));
  if (isSearched(vocabulary)) return vocabulary.find({ site, db, caller, resolved, language }, request);
  const terms = vocabulary.terms(site, language);
  return termPage(sorted ? byTitle(terms) : terms, request);
}

/**
 * One batch of a vocabulary (plone.restapi §7, `@vocabularies`). `url` is where it is read, without a query. Throws 401 or
 * 403 when the vocabulary asks for a permission that the caller lacks here.
 */
export async function termResponse(
  context: RequestContext,
  vocabulary: Vocabulary,
  url: string,
  { filter, batch, sorted }: Wanted,
): Promise<ServiceResponse> {
  const { site, caller, resolved, searchParams } = context;
  if (vocabulary.permission !== undefined) requirePermission(site, caller, resolved, vocabulary.permission);
  const { start, size } = batch;
  const { items, total } = await findTerms(context, vocabulary, { ...filter, start, size }, sorted);
  return {
    status: 200,
    headers: { Vary: 'Accept-Language' },
    body: { '@id': resultsAddress(url, searchParams), items, items_total: total, ...batchLinks(url, batch, total) },
  };
}

const Entry = Type.Object({ '@id': Type.String({ format: 'uri' }), title: Type.String() });

/** The names of the vocabularies that the caller may read here. */
const readable = ({ site, caller, resolved }: RequestContext): string[] =>
  site.registries.vocabularies.names(site).filter((name) => {
    const permission = site.registries.vocabularies.find(site, name)?.permission;
    return permission === undefined || has(site, caller, resolved, permission);
  });

/** GET `@vocabularies`: the vocabularies that there are. */
const getVocabularies = defineService({
  name: '@vocabularies',
  method: 'GET',
  cacheable: true,
  context: 'content',
  permission: VIEW,
  summary: 'The vocabularies that the caller may read here, by name.',
  responses: { 200: { description: 'The vocabularies.', schema: Type.Array(Entry) } },
  async run(context) {
    const url = componentUrl(context, context.resolved, 'vocabularies');
    return ok(readable(context).map((name) => ({ '@id': `${url}/${encodeURIComponent(name)}`, title: name })));
  },
});

/** GET `@vocabularies/<name>`: the terms of a vocabulary. */
const getVocabulary = defineService({
  name: '@vocabularies',
  method: 'GET',
  context: 'content',
  permission: VIEW,
  summary: 'The terms of a vocabulary. Those of users and groups are for callers who may work with content here.',
  rest: ['{name}'],
  headers: READER,
  query: documentedQuery(TermParameters),
  responses: {
    200: { description: 'A batch of the terms.', schema: Terms },
    400: { description: 'Terms are asked for in two ways at once, or a parameter cannot be read.' },
    404: { description: 'There is no such vocabulary.' },
  },
  async run(context) {
    const { site, resolved, searchParams, rest } = context;
    const [name = ''] = rest;
    const url = `${componentUrl(context, resolved, 'vocabularies')}/${encodeURIComponent(name)}`;
    const vocabulary = site.registries.vocabularies.find(site, name);
    if (!vocabulary) throw notFoundHere(context, '@vocabularies');
    const wanted = {
      filter: readTermFilter(searchParams),
      batch: readTermBatch(searchParams),
      sorted: readByTitle(searchParams),
    };
    return termResponse(context, vocabulary, url, wanted);
  },
});

export const vocabulariesServices: Service[] = [getVocabularies, getVocabulary];
