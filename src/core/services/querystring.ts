import { type Static, Type } from 'typebox';
import { searchPanel } from '../configuration/panels/navigation.ts';
import { panelSettings } from '../configuration/panels/panel.ts';
import { say } from '../configuration/site/localized-site.ts';
import type { Site } from '../configuration/site/site.ts';
import { ACCESS_VOCABULARIES } from '../configuration/site/vocabulary.ts';
import { has } from '../content/permissions.ts';
import { findTags } from '../content/vocabularies.ts';
import { findUserTerms } from '../people/statements/vocabulary-terms.ts';
import { PREFIX } from '../search/querystring/operations.ts';
import { VIEW } from '../security/permissions.ts';
import { componentUrl } from '../serializer/components.ts';
import { SEARCH_SOURCES } from '../serializer/search-sources.ts';
import { declaredFields, OPERATORS, type Operator, QUERY_FIELDS, type QueryField } from './querystring-fields.ts';
import { ok } from './response.ts';
import { Address, Nullable } from './schemas.ts';
import { defineService, type RequestContext, type Service } from './service.ts';

type Term = { token: string; title: string };
/** Values that a selection offers, by token. */
type Values = Static<typeof Field>['values'];

/** Tags that are offered. */
const MAX_TAGS = 5000;

const byTitle = (terms: readonly Term[]): Values =>
  Object.fromEntries(
    [...terms].sort((a, b) => a.title.localeCompare(b.title)).map(({ token, title }) => [token, { title }]),
  );

/** Types of content that people create and search for, and types of other results, such as comments. */
const types = ({ site, kernel }: Pick<RequestContext, 'site' | 'kernel'>): Term[] => {
  const hidden = new Set(panelSettings(site, searchPanel).types_not_searched);
  return [
    ...[...site.types.values()].filter(({ id }) => !hidden.has(id)).map(({ id, title }) => ({ token: id, title })),
    ...kernel.slots.get(SEARCH_SOURCES).map(({ type, title }) => ({ token: type, title: say(site, title) })),
  ];
};

/** All states of all workflows; states of the same name are one entry, because the index has only names. */
const states = (site: Site): Term[] =>
  [...site.workflows.values()].flatMap(({ states: own }) =>
    Object.entries(own).map(([id, { title }]) => ({ token: id, title: `${title} [${id}]` })),
  );

/** Users that are offered. */
const MAX_USERS = 1000;

/** The users of the site, if the caller may read the vocabulary of users. */
async function users({ site, caller, resolved, db }: RequestContext): Promise<Values> {
  if (!has(site, caller, resolved, ACCESS_VOCABULARIES)) return {};
  const { items } = await findUserTerms(db, { start: 0, size: MAX_USERS });
  return byTitle(items);
}

/** Returns the values that the vocabularies of query fields offer to this caller. */
async function fieldValues(context: RequestContext, vocabularies: ReadonlySet<string>): Promise<Map<string, Values>> {
  const { site } = context;
  const values = new Map<string, Values>([
    ['plone.app.vocabularies.ReallyUserFriendlyTypes', byTitle(types(context))],
    ['plone.app.vocabularies.WorkflowStates', byTitle(states(site))],
    ['plone.app.vocabularies.Roles', byTitle(site.roles.map(({ id, title }) => ({ token: id, title })))],
  ]);
  if (vocabularies.has('plone.app.vocabularies.Keywords')) {
    const { items } = await findTags(context, { start: 0, size: MAX_TAGS });
    values.set('plone.app.vocabularies.Keywords', byTitle(items));
  }
  values.set('plone.app.vocabularies.Users', await users(context));
  return values;
}

/** An operation in the language of the reader. */
const spoken = (site: Site, { title, description, ...operator }: Operator): Operator => ({
  ...operator,
  title: say(site, title),
  description: say(site, description),
});

const Titled = Type.Object({ title: Type.String() });

/** A field of queries, as the editor of listings shows it. */
const Field = Type.Object({
  title: Type.String(),
  description: Type.String(),
  group: Type.String(),
  enabled: Type.Boolean(),
  sortable: Type.Boolean(),
  fetch_vocabulary: Type.Boolean(),
  vocabulary: Nullable(Type.String({ description: 'Name of the vocabulary that the values come from.' })),
  operations: Type.Array(Type.String()),
  operators: Type.Record(
    Type.String(),
    Type.Object({
      title: Type.String(),
      description: Type.String(),
      operation: Type.String(),
      widget: Nullable(Type.String({ description: 'It edits the value; null for operations without one.' })),
    }),
  ),
  values: Type.Record(Type.String(), Titled, { description: 'Values to choose from, by their tokens.' }),
});

const Fields = Type.Record(Type.String(), Field);
const Querystring = Type.Object({ '@id': Address, indexes: Fields, sortable_indexes: Fields });

/** A field with its operations under their full names, which clients compare with. */
function described(site: Site, field: QueryField, values: ReadonlyMap<string, Values>): Static<typeof Field> {
  const { title, description, group, operations, vocabulary, choices = [], ...rest } = field;
  const chosen = Object.fromEntries(choices.map(([token, choice]) => [token, { title: say(site, choice) }]));
  return {
    ...rest,
    title: say(site, title),
    description: say(site, description),
    group: say(site, group),
    fetch_vocabulary: true,
    vocabulary,
    operations: operations.map((name) => PREFIX + name),
    operators: Object.fromEntries(
      operations.flatMap((name) => {
        const operator = OPERATORS[name];
        return operator ? [[PREFIX + name, spoken(site, operator)]] : [];
      }),
    ),
    values: (vocabulary === null ? undefined : values.get(vocabulary)) ?? chosen,
  };
}

async function querystring(context: RequestContext): Promise<Static<typeof Querystring>> {
  const fields = Object.entries({ ...QUERY_FIELDS, ...declaredFields(context.site) });
  const vocabularies = new Set(fields.flatMap(([, { vocabulary }]) => vocabulary ?? []));
  const values = await fieldValues(context, vocabularies);
  const all = (wanted: (field: QueryField) => boolean) =>
    Object.fromEntries(
      fields
        .filter(([, field]) => wanted(field))
        .map(([name, field]) => [name, described(context.site, field, values)]),
    );
  return {
    '@id': componentUrl(context, context.resolved, 'querystring'),
    indexes: all(() => true),
    sortable_indexes: all(({ sortable }) => sortable),
  };
}

/** GET `@querystring`: the fields and operations for queries of listings (plone.restapi §6.5). */
const getQuerystring = defineService({
  name: '@querystring',
  method: 'GET',
  context: 'content',
  permission: VIEW,
  summary: 'The indexes, operations and values that the conditions of a listing may use.',
  responses: {
    200: {
      description: 'The fields by their names.',
      schema: Querystring,
    },
  },
  run: async (context) => ok(await querystring(context)),
});

export const querystringServices: Service[] = [getQuerystring];
