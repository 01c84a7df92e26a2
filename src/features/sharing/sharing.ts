import { Type } from 'typebox';
import { has } from '../../content/permissions.ts';
import { type FieldProblem, ValidationFailed } from '../../lib/errors.ts';
import { isJsonObject, type JsonObject } from '../../lib/json-object.ts';
import { DELEGATE_ROLES, VIEW } from '../../security/permissions.ts';
import { documentedQuery } from '../../services/openapi/documented.ts';
import { defineService, noContent, ok, type RequestContext, type Service } from '../../services/service.ts';
import { shareContent } from './share-content.ts';
import { sharingOf } from './sharing-entries.ts';

/** Whether the caller may view the content and delegate roles there. */
const mayShare = ({ site, caller, resolved }: RequestContext): boolean =>
  has(site, caller, resolved, VIEW) && has(site, caller, resolved, DELEGATE_ROLES);

/** Roles of one principal in a request: `true` gives a role, `false` takes it, absent ones stay. */
export type SharingEntry = { id: string; type: 'user' | 'group' | undefined; roles: Map<string, boolean> };

/** Values that clients send back as they were shown; they change nothing. */
const SHOWN_ONLY = new Set<unknown>(['global', 'acquired', null]);

/** Parses the body of POST `@sharing`. Throws ValidationFailed with a problem for each invalid field. */
function parseSharingBody({ entries = [], inherit }: JsonObject): {
  entries: SharingEntry[];
  inherit: boolean | undefined;
} {
  const problems: FieldProblem[] = [];
  if (inherit !== undefined && typeof inherit !== 'boolean')
    problems.push({ field: 'inherit', message: 'Must be true or false.' });
  if (!Array.isArray(entries))
    throw new ValidationFailed([...problems, { field: 'entries', message: 'Must be a list.' }]);
  const parsed = entries.flatMap((entry, at) => parseEntry(problems, `entries.${at}`, entry) ?? []);
  if (problems.length > 0) throw new ValidationFailed(problems.slice(0, 20));
  return { entries: parsed, inherit: inherit === true || inherit === false ? inherit : undefined };
}

function parseEntry(problems: FieldProblem[], field: string, entry: unknown): SharingEntry | undefined {
  if (!isJsonObject(entry)) {
    problems.push({ field, message: 'Must be an object.' });
    return undefined;
  }
  const { id, type, roles = {} } = entry;
  const before = problems.length;
  if (typeof id !== 'string' || id === '')
    problems.push({ field: `${field}.id`, message: 'Must be the id of a user or a group.' });
  if (type !== undefined && type !== 'user' && type !== 'group')
    problems.push({ field: `${field}.type`, message: 'Must be user or group.' });
  const values = new Map<string, boolean>();
  if (!isJsonObject(roles))
    problems.push({ field: `${field}.roles`, message: 'Must be a map of role to true or false.' });
  else {
    for (const [role, value] of Object.entries(roles)) {
      if (typeof value === 'boolean') values.set(role, value);
      else if (!SHOWN_ONLY.has(value))
        problems.push({
          field: `${field}.roles`,
          message: `The value of "${role.slice(0, 100)}" must be true or false.`,
        });
    }
  }
  if (problems.length > before || typeof id !== 'string') return undefined;
  return { id, type: type === 'user' || type === 'group' ? type : undefined, roles: values };
}

const SharingSchema = Type.Object({
  available_roles: Type.Array(Type.Object({ id: Type.String(), title: Type.String() })),
  entries: Type.Array(
    Type.Object(
      {
        id: Type.String(),
        title: Type.String(),
        type: Type.Union([Type.Literal('user'), Type.Literal('group')]),
        roles: Type.Record(
          Type.String(),
          Type.Union([Type.Boolean(), Type.Literal('acquired'), Type.Literal('global')]),
        ),
      },
      { additionalProperties: true },
    ),
  ),
  inherit: Type.Boolean(),
});

/** GET `@sharing`: who has local roles on content. */
const getSharing = defineService({
  name: '@sharing',
  method: 'GET',
  context: 'content',
  permission: DELEGATE_ROLES,
  checkPermission: mayShare,
  summary: 'Shows who has which role on content, from here, from a container or for the whole site.',
  query: documentedQuery(
    Type.Object({
      search: Type.Optional(Type.String({ description: 'Adds users and groups with this in their id or name.' })),
    }),
  ),
  responses: { 200: { description: 'Roles that can be given, and who has them.', schema: SharingSchema } },
  run: async ({ db, site, caller, resolved, searchParams }) =>
    ok(await sharingOf(db, { site, caller, resolved, search: searchParams.get('search')?.trim() ?? '' })),
});

/** POST `@sharing`: gives and takes local roles. */
const postSharing = defineService({
  name: '@sharing',
  method: 'POST',
  context: 'content',
  permission: DELEGATE_ROLES,
  checkPermission: mayShare,
  summary: 'Gives and takes roles on content and everything below it. Roles that the caller may not delegate stay.',
  body: Type.Object(
    {
      entries: Type.Optional(
        Type.Unknown({ description: 'List of {id, type, roles}; roles is a map of role to true or false.' }),
      ),
      inherit: Type.Optional(Type.Unknown({ description: 'Whether roles given on containers count here.' })),
    },
    { additionalProperties: true },
  ),
  responses: {
    204: { description: 'Changed.' },
    400: { description: 'A user or group does not exist, or the body cannot be read.' },
  },
  async run({ kernel, caller, resolved, body }) {
    await shareContent(kernel, { caller, path: resolved.object.path, ...parseSharingBody(body) });
    return noContent();
  },
});

export const sharingServices: Service[] = [getSharing, postSharing];
