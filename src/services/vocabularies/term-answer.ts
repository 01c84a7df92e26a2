import { requirePermission } from '../../content/permissions.ts';
import { type BatchRequest, batchLinks } from '../../serializer/batch.ts';
import { readerLanguage } from '../../site/panels/languages.ts';
import { isSearched, type Vocabulary } from '../../site/vocabulary.ts';
import { byTitle, type TermFilter, type TermPage, type TermRequest, termPage } from '../../types/vocabularies/term.ts';
import { headerOf } from '../content/represent-path.ts';
import { resultsAddress } from '../search/results-address.ts';
import type { RequestContext, ServiceResponse } from '../service.ts';

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
