import { Type } from 'typebox';
import { BadRequest } from '../../lib/errors.ts';
import { componentUrl } from '../../serializer/components.ts';
import { ACCESS_VOCABULARIES, isSearched } from '../../site/vocabulary.ts';
import { documentedQuery } from '../openapi/documented.ts';
import { defineService } from '../service.ts';
import { fieldSource } from '../sources/field-source.ts';
import { TYPE_PARAMETER } from '../sources/get-source.ts';
import { mayReadSources } from '../sources/may-read-sources.ts';
import { notFoundHere } from '../vocabularies/not-found-here.ts';
import { BATCH_PARAMETERS, readTermBatch } from '../vocabularies/read-terms.ts';
import { termResponse } from '../vocabularies/term-answer.ts';
import { READER, Terms } from '../vocabularies/term-schemas.ts';

/** GET `@querysources/<field>?query=`: what fits a text, of all that a field may hold. */
export const getQuerysource = defineService({
  name: '@querysources',
  method: 'GET',
  context: 'content',
  permission: ACCESS_VOCABULARIES,
  checkPermission: mayReadSources,
  summary: 'The terms with a text in their title, of a field whose values are content, tags, users or groups.',
  rest: ['', '{field}'],
  headers: READER,
  query: documentedQuery(
    Type.Object({
      query: Type.String({ description: 'Part of the title, in any case.' }),
      ...TYPE_PARAMETER,
      ...BATCH_PARAMETERS,
    }),
  ),
  responses: {
    200: { description: 'A batch of the terms.', schema: Terms },
    400: { description: 'The field or the query is missing, or a parameter cannot be read.' },
    404: { description: 'There is no such field, or its values cannot be searched for.' },
  },
  async run(context) {
    const { resolved, searchParams, rest } = context;
    const [name] = rest;
    if (name === undefined) throw new BadRequest('Name the field: @querysources/<field>?query=<text>.');
    const source = fieldSource(context, '@querysources', name);
    const url = `${componentUrl(context, resolved, 'querysources')}/${encodeURIComponent(name)}`;
    if (!isSearched(source)) throw notFoundHere(context, '@querysources');
    const title = searchParams.get('query') || undefined;
    if (title === undefined) throw new BadRequest('Say what to look for: ?query=<text>.');
    return termResponse(context, source, url, { filter: { title }, batch: readTermBatch(searchParams), sorted: false });
  },
});
