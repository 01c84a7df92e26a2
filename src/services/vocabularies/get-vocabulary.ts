import { VIEW } from '../../security/permissions.ts';
import { componentUrl } from '../../serializer/components.ts';
import { documentedQuery } from '../openapi/documented.ts';
import { defineService } from '../service.ts';
import { notFoundHere } from './not-found-here.ts';
import { readByTitle, readTermBatch, readTermFilter, TermParameters } from './read-terms.ts';
import { termResponse } from './term-answer.ts';
import { READER, Terms } from './term-schemas.ts';

/** GET `@vocabularies/<name>`: the terms of a vocabulary. */
export const getVocabulary = defineService({
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
