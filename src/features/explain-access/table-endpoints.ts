import { type Static, Type } from 'typebox';
import {
  ADD,
  batching,
  DELETE,
  defineService,
  downloads,
  has,
  MODIFY,
  ok,
  permissions,
  type Queryable,
  type RequestContext,
  type Service,
  schemas,
  stateOf,
  urlOf,
  VIEW,
} from '#core';
import { BadRequest } from '#lib/errors';
import { contentDisposition } from '#lib/http/http-headers';
import { formatCsv } from '#lib/text/csv';
import { requireKnownPermission } from './endpoint.ts';
import { loadPrincipals, PRINCIPAL_KINDS, requireKnownPrincipals } from './principals.ts';
import { countViewableBelow } from './statements.ts';
import { loadPart, type TablePart, type TableRequest, type TableRow, viewersAt } from './table.ts';

/** Maximum number of principals and permissions in one request. */
const MAX_PRINCIPALS = 50;
const MAX_PERMISSIONS = 20;
/** Maximum number of objects in one export. */
const MAX_EXPORTED = 100_000;
/** Maximum number of objects in one response, and number of entries of roles, users and groups after which it ends. */
const MAX_ROWS = 100;
const MAX_ENTRIES = 5000;

/** The permissions of a table unless the request names others. */
const USUAL = [VIEW, ADD, MODIFY, DELETE, permissions.REVIEW, permissions.DELEGATE_ROLES];

const Filters = {
  permission: Type.Optional(
    Type.Array(schemas.Text({ maxLength: 1000 }), {
      description: `Names of permissions, ${MAX_PERMISSIONS} at most; unless given ${USUAL.join(', ')}.`,
      maxItems: MAX_PERMISSIONS,
    }),
  ),
  principal: Type.Optional(
    Type.Array(schemas.Text({ maxLength: 300 }), {
      description: `Whom to ask for, as role:<id>, user:<id> or group:<id>, ${MAX_PRINCIPALS} at most. Unless given all roles, and the users and groups with a role by sharing.`,
      maxItems: MAX_PRINCIPALS,
    }),
  ),
};

const Rated = Type.Object({
  type: Type.Enum([...PRINCIPAL_KINDS]),
  id: Type.String(),
  title: Type.String(),
  allowed: Type.Record(Type.String(), Type.Boolean(), { description: 'The permissions by name.' }),
});

const RatedContent = Type.Object({
  '@id': Type.String({ format: 'uri' }),
  '@type': Type.String(),
  title: Type.String(),
  review_state: schemas.Nullable(Type.String()),
  principals: Type.Array(Rated),
});

/** Says if the caller may view the content and share it. */
const mayAsk = ({ site, caller, resolved }: RequestContext): boolean =>
  [VIEW, permissions.DELEGATE_ROLES].every((permission) => has(site, caller, resolved, permission));

/** The requested table. Throws BadRequest for unknown names of permissions and principals. */
async function tableOf(
  context: RequestContext,
  { permission = USUAL, principal }: { permission?: string[] | undefined; principal?: string[] | undefined },
): Promise<TableRequest> {
  const { db, site, caller, resolved } = context;
  for (const name of permission) requireKnownPermission(context, name);
  if (principal) requireKnownPrincipals(principal, await loadPrincipals(db, site, principal));
  return {
    site,
    asker: caller,
    path: resolved.object.path,
    permissions: [...new Set(permission)],
    principals: principal && [...new Set(principal)],
  };
}

function rowJson({ site, base }: RequestContext, names: readonly string[], row: TableRow): Static<typeof RatedContent> {
  const { node } = row;
  return {
    '@id': urlOf(base, node.path),
    '@type': node.type,
    title: node.title,
    review_state: stateOf(site, node)?.id ?? null,
    principals: row.principals.map(({ principal: { type, id, title }, allowed }) => ({
      type,
      id,
      title,
      allowed: Object.fromEntries(names.map((name, at) => [name, allowed[at] === true])),
    })),
  };
}

const common = {
  name: '@explain-access',
  method: 'GET',
  context: 'content',
  permission: permissions.DELEGATE_ROLES,
  checkPermission: mayAsk,
} as const;

/** GET `@explain-access/table`: the permissions of principals at and below content. */
const getTable = defineService({
  ...common,
  summary: 'Lists content here and below with the roles, users and groups that may view, change and share it.',
  rest: ['table'],
  query: Type.Object({
    ...Filters,
    after: schemas.Text({ description: 'Only content behind this path.', default: '', maxLength: 10_000 }),
    b_size: batching.Size('objects', { least: 1, most: MAX_ROWS, default: 25 }),
  }),
  responses: {
    200: {
      description:
        'A batch of the content in the order of the paths. It may have less than `b_size`, or nothing, although a next one follows.',
      schema: Type.Object({
        '@id': Type.String({ format: 'uri' }),
        permissions: Type.Array(Type.String()),
        items: Type.Array(RatedContent),
        batching: Type.Optional(Type.Object({ '@id': Type.String(), next: Type.String({ format: 'uri' }) })),
      }),
    },
    400: { description: 'There is no such permission, role, user or group.' },
  },
  async run(context) {
    const { db, base, resolved, query, searchParams } = context;
    const table = await tableOf(context, query);
    const { rows, next } = await loadPart(db, table, {
      after: query.after,
      size: query.b_size,
      maxEntries: MAX_ENTRIES,
    });
    const url = `${urlOf(base, resolved.object.path)}/@explain-access/table`;
    const following = new URLSearchParams(searchParams);
    if (next !== undefined) following.set('after', next);
    return ok({
      '@id': url,
      permissions: [...table.permissions],
      items: rows.map((row) => rowJson(context, table.permissions, row)),
      ...(next === undefined ? {} : { batching: { '@id': url, next: `${url}?${following}` } }),
    });
  },
});

/** The table as CSV: a line for each object and each role, user or group. */
async function* exported(db: Queryable, table: TableRequest): AsyncGenerator<string> {
  yield formatCsv([
    ['path', 'title', 'type', 'review_state', 'principal_type', 'principal', 'principal_title', ...table.permissions],
  ]);
  for (let after: string | undefined = ''; after !== undefined; ) {
    const part: TablePart = await loadPart(db, table, { after, size: MAX_ROWS, maxEntries: MAX_ENTRIES });
    const lines = part.rows.flatMap(({ node, principals }) =>
      principals.map(({ principal: { type, id, title }, allowed }) => {
        const marks = allowed.map((one) => (one ? 'yes' : 'no'));
        return [node.path, node.title, node.type, stateOf(table.site, node)?.id ?? '', type, id, title, ...marks];
      }),
    );
    if (lines.length > 0) yield formatCsv(lines);
    after = part.next;
  }
}

/** GET `@explain-access/export`: the whole table as a file. */
const getExport = defineService({
  ...common,
  summary:
    'Exports who may view, change and share content here and below as CSV, a line for each role, user and group.',
  rest: ['export'],
  query: Type.Object(Filters),
  responses: {
    200: { description: 'A line for each object and each role, user or group.', contentType: 'text/csv' },
    400: { description: 'There is too much content, or no such permission, role, user or group.' },
  },
  async run(context) {
    const { kernel, db, query } = context;
    const table = await tableOf(context, query);
    const count = await countViewableBelow(db, viewersAt(table), { path: table.path, limit: MAX_EXPORTED + 1 });
    if (count > MAX_EXPORTED)
      throw new BadRequest(
        `There are more than ${MAX_EXPORTED} objects here. Ask for the parts of this folder one by one.`,
      );
    return {
      status: 200,
      headers: { 'Content-Disposition': contentDisposition('attachment', 'access.csv') },
      contentType: 'text/csv; charset=utf-8',
      stream: downloads.loggedStream(kernel.log, () => exported(db, table)),
    };
  },
});

export const tableServices: Service[] = [getTable, getExport];
