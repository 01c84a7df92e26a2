import { Type } from 'typebox';
import {
  batching,
  defineService,
  downloads,
  ok,
  type Queryable,
  type RequestContext,
  type Service,
  schemas,
  urlOf,
} from '#core';
import { contentDisposition } from '#lib/http/http-headers';
import type { JsonObject } from '#lib/json-object';
import { formatCsv } from '#lib/text/csv';
import { type EntryFilter, entriesBefore, type StoredEntry } from './statements/entries.ts';

/** Permission to read the audit log: at the root that of the site, below that of the content. */
export const VIEW_AUDIT_LOG = 'Canopy: View audit log';

/** Entries in one response. */
const MAX_ENTRIES = 1000;
/** Entries that an export loads at once. */
const BATCH = 500;
const NEWEST = Number.MAX_SAFE_INTEGER;

const AuditLogEntry = Type.Object({
  id: Type.Integer(),
  time: Type.String({ format: 'date-time' }),
  until: schemas.Nullable(Type.String({ format: 'date-time' }), {
    description: 'The last of those that the entry counts; null for one alone.',
  }),
  count: Type.Integer({ description: 'How many it counts: failed logins of an hour.' }),
  user: Type.String({ description: 'Id of the user; empty for visitors and the server itself.' }),
  address: schemas.Nullable(Type.String(), { description: 'Address of the client; null for the server itself.' }),
  action: Type.String({ description: 'What was done to what, such as `content.moved`.' }),
  path: Type.String({ description: 'Where the content was then; the root for all else.' }),
  name: Type.String({ description: 'Id of what it was done to, where that is no content.' }),
  details: schemas.AnyObject({ description: 'Names of what was changed, and where from. No values.' }),
});

/** An entry in responses. */
const entryJson = ({ id, at, lastAt, count, actor, clientAddress, action, path, name, data }: StoredEntry) => ({
  id,
  time: at.toISOString(),
  until: lastAt?.toISOString() ?? null,
  count,
  user: actor,
  address: clientAddress,
  action,
  path,
  name,
  details: data,
});

const Filters = {
  user: Type.Optional(schemas.Text({ description: 'Id of the user who did it.', maxLength: 1000 })),
  action: Type.Optional(
    schemas.Text({
      description: 'An action, or the part before its point for all of a kind: `content`.',
      maxLength: 200,
    }),
  ),
  name: Type.Optional(schemas.Text({ description: 'Id of what it was done to, such as a user.', maxLength: 1000 })),
  path: Type.Optional(schemas.Text({ description: 'Path of content: of it and everything below.', maxLength: 10_000 })),
  address: Type.Optional(schemas.Text({ description: 'Address of the client.', maxLength: 200 })),
  since: Type.Optional(schemas.Instant({ description: 'From this moment on.' })),
  until: Type.Optional(schemas.Instant({ description: 'Before this moment.' })),
  deep: Type.Boolean({ description: 'Also what was done below.', default: true }),
};

/** Parses the path in a filter, with or without slashes at its ends; undefined for the root, below which everything is. */
export function pathOfFilter(text: string): string | undefined {
  const path = text.replace(/^\/+|\/+$/g, '');
  return path === '' ? undefined : `/${path}`;
}

type Query = Omit<EntryFilter, 'of'> & { deep: boolean };

/** The entries that a request asks for. */
function filterOf({ resolved: { object } }: Pick<RequestContext, 'resolved'>, query: Query): EntryFilter {
  const { user, action, name, path, address, since, until, deep } = query;
  return {
    ...{ user, action, name, address, since, until },
    path: path === undefined ? undefined : pathOfFilter(path),
    of: { oid: object.oid, path: object.path, deep },
  };
}

/** The address of the entries after those of a response. */
function nextPage(url: string, query: URLSearchParams, last: number): string {
  const rest = new URLSearchParams(query);
  rest.set('before', String(last));
  return `${url}?${rest}`;
}

const common = {
  name: '@audit-log',
  method: 'GET',
  context: 'content',
  permission: VIEW_AUDIT_LOG,
} as const;

/** GET `@audit-log`: actions with their user, time and address. */
const getAuditLog = defineService({
  ...common,
  summary: 'Lists who did what here and below, when and from where, the newest first.',
  query: Type.Object({
    ...Filters,
    before: Type.Integer({ description: 'Only entries before the one with this id.', minimum: 0, default: NEWEST }),
    b_size: batching.Size('entries', { least: 1, most: MAX_ENTRIES, default: 50 }),
  }),
  responses: {
    200: {
      description: 'A batch of the entries.',
      schema: Type.Object({
        '@id': Type.String({ format: 'uri' }),
        items: Type.Array(AuditLogEntry),
        batching: Type.Optional(Type.Object({ '@id': Type.String(), next: Type.String({ format: 'uri' }) })),
      }),
    },
  },
  async run(context) {
    const { db, base, resolved, query, searchParams } = context;
    const { before, b_size: size } = query;
    const url = `${urlOf(base, resolved.object.path)}/@audit-log`;
    const found = await entriesBefore(db, filterOf(context, query), { before, size: size + 1 });
    const items = found.slice(0, size);
    const last = items.at(-1)?.id;
    const more: JsonObject =
      found.length > size && last !== undefined
        ? { batching: { '@id': url, next: nextPage(url, searchParams, last) } }
        : {};
    return ok({ '@id': url, items: items.map(entryJson), ...more });
  },
});

const COLUMNS = ['id', 'time', 'until', 'count', 'user', 'address', 'action', 'path', 'name', 'details'] as const;

/** The entries as text, the newest first, in batches. */
async function* exported(db: Queryable, filter: EntryFilter, format: 'csv' | 'jsonl'): AsyncGenerator<string> {
  if (format === 'csv') yield formatCsv([[...COLUMNS]]);
  for (let before = NEWEST; ; ) {
    const found = await entriesBefore(db, filter, { before, size: BATCH });
    const rows = found.map(entryJson);
    if (format === 'jsonl') yield rows.map((row) => `${JSON.stringify(row)}\n`).join('');
    else if (rows.length > 0)
      yield formatCsv(
        rows.map((row) =>
          COLUMNS.map((column) => (column === 'details' ? JSON.stringify(row[column]) : String(row[column] ?? ''))),
        ),
      );
    if (found.length < BATCH) return;
    before = found.at(-1)?.id ?? 0;
  }
}

const MEDIA_TYPES = { csv: 'text/csv; charset=utf-8', jsonl: 'application/jsonl' } as const;

/** GET `@audit-log/export`: all matching entries, in one file. */
const getExport = defineService({
  ...common,
  summary: 'Exports the audit log of here and below as CSV or as lines of JSON, the newest first.',
  rest: ['export'],
  query: Type.Object({
    ...Filters,
    format: Type.Optional(schemas.Choice(['csv', 'jsonl'], { description: 'CSV unless given.' })),
  }),
  responses: { 200: { description: 'A line for each entry.', contentType: 'text/csv' } },
  async run(context) {
    const { kernel, db, query } = context;
    const { format = 'csv' } = query;
    const filter = filterOf(context, query);
    return {
      status: 200,
      headers: { 'Content-Disposition': contentDisposition('attachment', `audit-log.${format}`) },
      contentType: MEDIA_TYPES[format],
      stream: downloads.loggedStream(kernel.log, () => exported(db, filter, format)),
    };
  },
});

export const auditLogServices: Service[] = [getAuditLog, getExport];
