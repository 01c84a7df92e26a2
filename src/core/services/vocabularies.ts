import { type StaticDecode, type TStringOptions, Type } from 'typebox';
import { BadRequest } from '../../lib/errors.ts';
import { IntegerParameter } from '../../lib/schema/parameters.ts';
import { readerLanguage } from '../configuration/panels/languages.ts';
import { isSearched, type Vocabulary } from '../configuration/site/vocabulary.ts';
import { has, requirePermission } from '../content/permissions.ts';
import { VIEW } from '../security/permissions.ts';
import { Batching, type BatchRequest, batchLinks, batchOf } from '../serializer/batch.ts';
import { componentUrl } from '../serializer/components.ts';
import { byTitle, type TermFilter, type TermPage, type TermRequest, termPage } from '../types/vocabularies/term.ts';
import { headerOf } from './content/represent-path.ts';
import { type HeaderDescription, ok, type ResultOf } from './response.ts';
import { Address, Batching as BatchQuery } from './schemas.ts';
import { resultsAddress } from './search.ts';
import { defineService, notFoundHere, type RequestContext, type Service } from './service.ts';

/** One batch of terms. */
export const Terms = Type.Object({
  '@id': Address,
  items: Type.Array(Type.Object({ token: Type.String(), title: Type.String() })),
  items_total: Type.Integer({ description: 'Terms that fit, in all batches.' }),
  ...Batching.properties,
});

/** The header that titles depend on. */
export const READER: Record<string, HeaderDescription> = {
  'Accept-Language': { description: 'Languages of the reader, for the titles of terms.' },
};

/** Terms in one batch unless the client names a number; large, because forms want all terms. */
const DEFAULT_SIZE = 1000;
/** Maximum number of terms when a client requests all of them; `batching` links to further terms. */
const MAX_TERMS = 10_000;

/** The parameters that choose a part of a list of terms. */
export const TermBatching = {
  ...BatchQuery('terms', { size: DEFAULT_SIZE, most: MAX_TERMS }),
  b_size: Type.Decode(
    IntegerParameter('b_size', {
      description: `Most terms in the response; -1 for all of them, ${MAX_TERMS} at once.`,
      default: DEFAULT_SIZE,
    }),
    (size) => (size < 0 ? MAX_TERMS : Math.min(MAX_TERMS, size)),
  ),
};

const noneIfEmpty = (text: string): string | undefined => text || undefined;

/** A text of a query. An empty text counts as absent. */
export const TextOrNone = (options: TStringOptions) => Type.Optional(Type.Decode(Type.String(options), noneIfEmpty));

/** The parameters of a list of terms. */
export const TermQuery = Type.Object({
  title: TextOrNone({ description: 'Part of the title, in any case.' }),
  token: TextOrNone({ description: 'Token of the only term that is wanted.' }),
  tokens: Type.Optional(Type.Array(Type.String(), { description: 'Tokens of the terms that are wanted.' })),
  sort_on: Type.Optional(
    Type.Enum(['title'], {
      description: '`title` for the order of titles.',
      trim: true,
      reject: 'Terms can be sorted by title only: sort_on=title.',
    }),
  ),
  ...TermBatching,
});

/** Returns the filter and the order of terms that a query asks for. Throws BadRequest when they are chosen in two ways. */
export function wantedTerms(query: StaticDecode<typeof TermQuery>, searchParams: URLSearchParams): Wanted {
  const { title, token, tokens, sort_on: order } = query;
  if ([title, token, tokens].filter((way) => way !== undefined).length > 1)
    throw new BadRequest('Use only one of the parameters title, token and tokens.', 'Invalid parameters');
  const chosen = token === undefined ? tokens : [token];
  return {
    filter: { ...(title === undefined ? {} : { title }), ...(chosen ? { tokens: chosen } : {}) },
    batch: batchOf(query, searchParams),
    sorted: order === 'title',
  };
}

/** A filter of terms, with their order. */
type Wanted = { filter: TermFilter; batch: BatchRequest; sorted: boolean };

/** Parts of the request context that the terms depend on. */
type TermContext = Pick<
  RequestContext,
  'site' | 'db' | 'caller' | 'resolved' | 'headers' | 'searchParams' | 'authentication'
>;

async function findTerms(
  context: TermContext,
  vocabulary: Vocabulary,
  request: TermRequest,
  sorted: boolean,
): Promise<TermPage> {
  const { site, db, caller, resolved } = context;
  const language = readerLanguage(site, headerOf(context, 'accept-language'), context.authentication.account?.language);
  if (isSearched(vocabulary)) return vocabulary.find({ site, db, caller, resolved, language }, request);
  const terms = vocabulary.terms(site, language);
  return termPage(sorted ? byTitle(terms) : terms, request);
}

/**
 * One batch of a vocabulary (plone.restapi §7, `@vocabularies`). `url` is its address, without a query. Throws 401 or 403 when the vocabulary needs a
 * permission that the caller lacks here.
 */
export async function termResponse(
  context: TermContext,
  vocabulary: Vocabulary,
  url: string,
  { filter, batch, sorted }: Wanted,
): Promise<ResultOf<{ 200: { description: string; schema: typeof Terms } }>> {
  const { site, caller, resolved, searchParams } = context;
  if (vocabulary.permission !== undefined) requirePermission(site, caller, resolved, vocabulary.permission);
  const { start, size } = batch;
  const { items, total } = await findTerms(context, vocabulary, { ...filter, start, size }, sorted);
  return ok(
    { '@id': resultsAddress(url, searchParams), items, items_total: total, ...batchLinks(url, batch, total) },
    { Vary: 'Accept-Language' },
  );
}

const Entry = Type.Object({ '@id': Address, title: Type.String() });

/** The names of the vocabularies that the caller may read here. */
const readable = ({ site, caller, resolved }: RequestContext): string[] =>
  site.registries.vocabularies.names(site).filter((name) => {
    const permission = site.registries.vocabularies.find(site, name)?.permission;
    return permission === undefined || has(site, caller, resolved, permission);
  });

/** GET `@vocabularies`: the existing vocabularies. */
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
  query: TermQuery,
  responses: {
    200: { description: 'A batch of the terms.', schema: Terms },
    400: { description: 'Terms are asked for in two ways at once, or a parameter cannot be read.' },
    404: { description: 'There is no such vocabulary.' },
  },
  async run(context) {
    const { site, resolved, params, query, searchParams } = context;
    const { name } = params;
    const url = `${componentUrl(context, resolved, 'vocabularies')}/${encodeURIComponent(name)}`;
    const vocabulary = site.registries.vocabularies.find(site, name);
    if (!vocabulary) throw notFoundHere(context, '@vocabularies');
    return termResponse(context, vocabulary, url, wantedTerms(query, searchParams));
  },
});

export const vocabulariesServices: Service[] = [getVocabularies, getVocabulary];
