import { isDeepStrictEqual } from 'node:util';
import { type Static, Type } from 'typebox';
import {
  access,
  batching,
  type ContentType,
  defineService,
  fieldValues,
  has,
  MODIFY,
  ok,
  type ResolvedNode,
  representation,
  requests,
  siteSettings,
  urlOf,
  VIEW,
  versions,
} from '#core';
import type { JsonObject } from '#lib/json-object';
import { HistoryEntry, historyEntry } from './history-entry.ts';
import { REVERT_VERSIONS, revertContent } from './revert-content.ts';
import { listHistory } from './statements.ts';

/** Entries of a history in one response, unless the query asks for fewer. */
const MAX_ENTRIES = 1000;

const common = {
  name: '@history',
  context: 'content',
  permission: versions.ACCESS_VERSIONS,
  checkPermission: versions.mayReadVersions,
} as const;

/** GET `@history`: versions and changes of the state, newest first. */
export const getHistory = defineService({
  ...common,
  method: 'GET',
  summary:
    'Lists versions and changes of the workflow state, newest first. When there are more, the header Link has the address of the next ones.',
  headers: { 'Accept-Language': { description: 'Languages of the reader, for names of actions and states.' } },
  query: Type.Object(batching.Query('entries', { size: MAX_ENTRIES, most: MAX_ENTRIES })),
  responses: {
    200: {
      description: 'The history.',
      schema: Type.Array(HistoryEntry),
      headers: { Link: { description: 'Address of the older entries, when there are more.' } },
    },
  },
  async run(call) {
    const { db, site, base, caller, resolved, query, searchParams } = call;
    const { object } = resolved;
    const type = site.types.get(object.type);
    const { b_start: offset, b_size: limit } = query;
    const rows = await listHistory(db, {
      content: object.oid,
      versioned: type !== undefined && versions.areKept(type),
      workflow: access.mayReadReviews(site, caller, resolved),
      limit: limit + 1,
      offset,
    });
    const url = `${urlOf(base, object.path)}/@history`;
    const mayRevert = [REVERT_VERSIONS, MODIFY].every((permission) => has(site, caller, resolved, permission));
    const mayRead = (field: string) => {
      const permission = type?.fieldByName.get(field)?.read_permission;
      return permission === undefined || has(site, caller, resolved, permission);
    };
    const context = {
      site,
      base,
      url,
      language: siteSettings.readerLanguage(
        site,
        requests.headerOf(call, 'accept-language'),
        call.authentication.account?.language,
      ),
      mayRevert,
      mayRead,
    };
    const headers = {
      Vary: 'Accept-Language',
      ...(rows.length > limit ? batching.nextLink(url, searchParams, { limit, offset }) : {}),
    };
    return ok(
      rows.slice(0, limit).map((row) => historyEntry(context, row)),
      headers,
    );
  },
});

/** GET `@history/<version>`: a former version of content. */
export const getHistoryVersion = defineService({
  ...common,
  method: 'GET',
  summary:
    'The representation of a former version. Address, state, lock, children and references are the present ones.',
  rest: ['{version}'],
  query: representation.Query,
  responses: { 200: { description: 'The content object as it was.', schema: representation.Schema } },
  run: async (context) => ok(await versions.representVersion(context, context.params.version)),
});

/** The names and titles of everything that a version records: the fields of the type, and the layout. */
const namesOf = (type: ContentType | undefined): { name: string; title: string }[] => [
  ...(type?.fields ?? []).map(({ name, title }) => ({ name, title })).filter(({ name }) => name !== 'id'),
  { name: versions.LAYOUT, title: 'Layout' },
];

/** A version: its stored values, and the values that the caller is served. */
type Side = { stored: JsonObject; served: JsonObject };

/** A field that differs. Its values are as representations have them. */
const Difference = Type.Object({
  name: Type.String(),
  title: Type.String(),
  from: Type.Unknown(),
  to: Type.Unknown(),
});

/** The served values that differ, without fields that the caller may not read. Files are compared by their bytes, which are not served. */
function differences(type: ContentType | undefined, from: Side, to: Side): Static<typeof Difference>[] {
  const differs = (name: string, kind: keyof Side) =>
    !isDeepStrictEqual(from[kind][name] ?? null, to[kind][name] ?? null);
  return namesOf(type)
    .filter(({ name }) => differs(name, 'stored') && differs(name, 'served'))
    .map(({ name, title }) => ({ name, title, from: from.served[name] ?? null, to: to.served[name] ?? null }));
}

/** GET `@history/<from>/diff/<to>`: the differences between two versions. */
export const getHistoryDiff = defineService({
  ...common,
  method: 'GET',
  summary: 'The fields in which two versions differ, with both values.',
  rest: ['{from}/diff/{to}'],
  responses: {
    200: {
      description: 'The differences.',
      schema: Type.Object({
        '@id': Type.String({ format: 'uri' }),
        from: Type.Integer(),
        to: Type.Integer(),
        items: Type.Array(Difference),
      }),
    },
  },
  async run(context) {
    const { site, base, resolved } = context;
    const { from, to } = context.params;
    const [before, after] = [await versions.requireVersion(context, from), await versions.requireVersion(context, to)];
    const targets = await representation.loadTargets(
      context,
      representation.uidsOf(context, [before.object, after.object]),
    );
    const type = site.types.get(resolved.object.type);
    const side = (then: ResolvedNode, version: string): Side => {
      const values = representation.render({ ...context, metadataFields: [] }, then, targets);
      return {
        stored: { ...fieldValues.of(then.object), [versions.LAYOUT]: values.layout },
        served: versions.withFilesAt(context.kernel.fieldKinds, type, values, Number(version)),
      };
    };
    return ok({
      '@id': `${urlOf(base, resolved.object.path)}/@history/${Number(from)}/diff/${Number(to)}`,
      from: Number(from),
      to: Number(to),
      items: differences(type, side(before, from), side(after, to)),
    });
  },
});

/** PATCH `@history`: reverts content to a version. */
export const patchHistory = defineService({
  name: '@history',
  method: 'PATCH',
  context: 'content',
  permission: REVERT_VERSIONS,
  checkPermission: ({ site, caller, resolved }) =>
    [VIEW, REVERT_VERSIONS, MODIFY].every((permission) => has(site, caller, resolved, permission)),
  summary: 'Gives content the values of a former version, which makes a new one.',
  headers: requests.LOCK_TOKEN,
  body: Type.Object(
    {
      version: versions.VersionNumber({ description: 'Number of the version.', examples: [0] }),
    },
    { examples: [{ version: 0 }] },
  ),
  responses: {
    200: {
      description: 'The content has the values of the version.',
      schema: Type.Object({ message: Type.String() }),
    },
  },
  async run(context) {
    const { kernel, caller, resolved } = context;
    const { version } = context.body;
    const lockToken = requests.headerOf(context, 'lock-token');
    const title = await revertContent(kernel, { caller, path: resolved.object.path, version, lockToken });
    return ok({ message: `${title} has been reverted to revision ${version}.` });
  },
});
