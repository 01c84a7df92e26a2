import { Type } from 'typebox';
import { BadRequest } from '../../lib/errors.ts';
import { componentUrl } from '../../serializer/components.ts';
import { ACCESS_VOCABULARIES } from '../../site/vocabulary.ts';
import { documentedQuery } from '../openapi/documented.ts';
import { defineService } from '../service.ts';
import { readByTitle, readTermBatch, readTermFilter, TermParameters } from '../vocabularies/read-terms.ts';
import { termResponse } from '../vocabularies/term-answer.ts';
import { READER, Terms } from '../vocabularies/term-schemas.ts';
import { fieldSource } from './field-source.ts';
import { mayReadSources } from './may-read-sources.ts';

/** The parameter that says of which type a field is, for content that is not there yet. */
export const TYPE_PARAMETER = {
  type: Type.Optional(
    Type.String({ description: 'Type that the field is of, where the content is still to be made.' }),
  ),
};

/** GET `@sources/<field>`: what a field may hold. */
export const getSource = defineService({
  name: '@sources',
  method: 'GET',
  context: 'content',
  permission: ACCESS_VOCABULARIES,
  checkPermission: mayReadSources,
  summary: 'The terms that a field of the content, or of content that may be added to it, takes its values from.',
  rest: ['', '{field}'],
  headers: READER,
  query: documentedQuery(Type.Object({ ...TermParameters.properties, ...TYPE_PARAMETER })),
  responses: {
    200: { description: 'A batch of the terms.', schema: Terms },
    400: { description: 'The field is missing, or a parameter cannot be read.' },
    404: { description: 'There is no such field, or it takes any value.' },
  },
  async run(context) {
    const { resolved, searchParams, rest } = context;
    const [name] = rest;
    if (name === undefined) throw new BadRequest('Name the field: @sources/<field>.');
    const source = fieldSource(context, '@sources', name);
    const url = `${componentUrl(context, resolved, 'sources')}/${encodeURIComponent(name)}`;
    const wanted = {
      filter: readTermFilter(searchParams),
      batch: readTermBatch(searchParams),
      sorted: readByTitle(searchParams),
    };
    return termResponse(context, source, url, wanted);
  },
});
