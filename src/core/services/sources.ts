import { type TStringOptions, Type } from 'typebox';
import { ACCESS_VOCABULARIES, isSearched, type Vocabulary } from '../configuration/site/vocabulary.ts';
import { has, mayAdd } from '../content/permissions.ts';
import { VIEW } from '../security/permissions.ts';
import { batchOf } from '../serializer/batch.ts';
import { componentUrl } from '../serializer/components.ts';
import type { ContentType, Field } from '../types/content-type.ts';
import { byTitle } from '../types/vocabularies/term.ts';
import { vocabularyName } from '../types/vocabularies/vocabulary-definition.ts';
import { inEveryCase } from './schemas.ts';
import { defineService, notFoundHere, type RequestContext, type Service } from './service.ts';
import { READER, TermBatching, TermQuery, Terms, TextOrNone, termResponse, wantedTerms } from './vocabularies.ts';

/** The parameter that names the type of a field, for content that does not exist yet. */
const TYPE_PARAMETER = {
  type: TextOrNone({ description: 'Type that the field is of, where the content is still to be made.' }),
};

const FieldName = (options: TStringOptions) => Type.String({ description: 'Name of the field.', ...options });

type SourceRequest = RequestContext<object, { type?: string | undefined }, object>;

/** Says if the caller may read the sources of values of the fields here. */
const mayReadSources = ({ site, caller, resolved }: RequestContext): boolean =>
  has(site, caller, resolved, VIEW) && has(site, caller, resolved, ACCESS_VOCABULARIES);

/**
 * The types whose fields an address may mean: the type that the query names, as forms for new content do; else the type of the object, then the types
 * that the caller may add to it, because their schemas name sources at the container.
 */
function typesMeant({ site, caller, resolved, query }: SourceRequest): ContentType[] {
  const named = query.type;
  const addable = [...site.types.values()].filter((type) => mayAdd(site, caller, resolved, type));
  const inOrder = byTitle(addable.map(({ id, title }) => ({ token: id, title }))).map(({ token }) => token);
  const ids = named === undefined ? [resolved.object.type, ...inOrder] : [named];
  return ids.flatMap((id) => site.types.get(id) ?? []);
}

/** The source of the values of a field: its own choices, or the vocabulary that it names; undefined when the field takes any value. */
function sourceOf({ site }: SourceRequest, field: Field): Vocabulary | undefined {
  const choices = field.choices ?? field.items?.choices;
  if (choices) return { names: [field.name], terms: () => choices.map(([token, title]) => ({ token, title })) };
  const name = vocabularyName(field);
  return name === undefined ? undefined : site.registries.vocabularies.find(site, name);
}

/**
 * The source of a field of the object, or of content that may be added to it. Throws NotFound for a missing field, a field that the caller may not
 * read, and a field that takes any value.
 */
function fieldSource(context: SourceRequest, service: '@sources' | '@querysources', name: string): Vocabulary {
  const { site, caller, resolved } = context;
  for (const { fieldByName } of typesMeant(context)) {
    const field = fieldByName.get(name);
    const permission = field?.read_permission;
    if (!field || (permission !== undefined && !has(site, caller, resolved, permission))) continue;
    const source = sourceOf(context, field);
    if (source) return source;
  }
  throw notFoundHere(context, service);
}

/** GET `@sources/<field>`: the values that a field may have. */
const getSource = defineService({
  name: '@sources',
  method: 'GET',
  context: 'content',
  permission: ACCESS_VOCABULARIES,
  checkPermission: mayReadSources,
  summary: 'The terms that a field of the content, or of content that may be added to it, takes its values from.',
  rest: ['', '{field}'],
  headers: READER,
  params: Type.Object({ field: FieldName({ reject: inEveryCase('Name the field: @sources/<field>.') }) }),
  query: Type.Object({ ...TermQuery.properties, ...TYPE_PARAMETER }),
  responses: {
    200: { description: 'A batch of the terms.', schema: Terms },
    400: { description: 'The field is missing, or a parameter cannot be read.' },
    404: { description: 'There is no such field, or it takes any value.' },
  },
  async run(context) {
    const { resolved, params, query, searchParams } = context;
    const { field: name } = params;
    const source = fieldSource(context, '@sources', name);
    const url = `${componentUrl(context, resolved, 'sources')}/${encodeURIComponent(name)}`;
    return termResponse(context, source, url, wantedTerms(query, searchParams));
  },
});

/** GET `@querysources/<field>?query=`: the values that a field may have and that match a text. */
const getQuerysource = defineService({
  name: '@querysources',
  method: 'GET',
  context: 'content',
  permission: ACCESS_VOCABULARIES,
  checkPermission: mayReadSources,
  summary: 'The terms with a text in their title, of a field whose values are content, tags, users or groups.',
  rest: ['', '{field}'],
  headers: READER,
  params: Type.Object({
    field: FieldName({ reject: inEveryCase('Name the field: @querysources/<field>?query=<text>.') }),
  }),
  query: Type.Object({
    query: Type.String({
      description: 'Part of the title, in any case.',
      minLength: 1,
      reject: inEveryCase('Say what to look for: ?query=<text>.'),
    }),
    ...TYPE_PARAMETER,
    ...TermBatching,
  }),
  responses: {
    200: { description: 'A batch of the terms.', schema: Terms },
    400: { description: 'The field or the query is missing, or a parameter cannot be read.' },
    404: { description: 'There is no such field, or its values cannot be searched for.' },
  },
  async run(context) {
    const { resolved, params, query, searchParams } = context;
    const { field: name } = params;
    const source = fieldSource(context, '@querysources', name);
    const url = `${componentUrl(context, resolved, 'querysources')}/${encodeURIComponent(name)}`;
    if (!isSearched(source)) throw notFoundHere(context, '@querysources');
    const wanted = { filter: { title: query.query }, batch: batchOf(query, searchParams), sorted: false };
    return termResponse(context, source, url, wanted);
  },
});

export const sourceServices: Service[] = [getSource, getQuerysource];
