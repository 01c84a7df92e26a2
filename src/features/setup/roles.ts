import { Type } from 'typebox';
import {
  configuration,
  created,
  defineService,
  MANAGE_PORTAL,
  noContent,
  pieceUse,
  type Service,
  type Site,
  schemas,
  sitePieces,
} from '#core';
import { BadRequest, NotFound, ValidationFailed } from '#lib/errors';
import { RoleSchema, roleJson } from '../people/roles.ts';
import { changeSetup, nextPosition, rowWith, type SetupChange } from './change-setup.ts';
import { addonWith } from './check-data.ts';

const MAX_ROLES = 200;
const ID = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,99}$/u;

const TEXTS = {
  title: schemas.Text({ description: 'How people call it.', minLength: 1, maxLength: 200 }),
  description: schemas.Text({ description: 'Who has it.', maxLength: 2000, default: '' }),
};
const NewRole = Type.Object(
  {
    id: Type.Optional(schemas.Text({ description: 'Its name in permissions; the title unless given.' })),
    ...TEXTS,
  },
  { additionalProperties: false },
);

const addressOf = (id: string): string => `/@roles/${id}`;

/** Throws ValidationFailed for an invalid id, or an id that is too similar to that of another role. */
function requireFreeId({ roles }: Site, id: string, field: string): void {
  const reject = (message: string): never => {
    throw new ValidationFailed([{ field, message }]);
  };
  if (!ID.test(id))
    reject(
      'A role needs an id of up to 100 letters, digits, spaces, ".", "_" and "-" that begins with a letter or digit.',
    );
  const taken = roles.find((role) => role.id.toLowerCase() === id.toLowerCase());
  if (taken) reject(`There is a role "${taken.id}" already.`);
  if (roles.length >= MAX_ROLES) reject(`A site has at most ${MAX_ROLES} roles.`);
}

/** POST `@roles`: makes a role. */
const postRole = defineService({
  name: '@roles',
  method: 'POST',
  context: 'site',
  permission: MANAGE_PORTAL,
  summary: 'Makes a role. It has no permission until `@permissions` or a workflow gives it one.',
  body: NewRole,
  responses: {
    201: { description: 'The role.', schema: RoleSchema, headers: { Location: { description: 'Its address.' } } },
    400: { description: 'The id cannot be, or is taken.' },
  },
  async run({ kernel, caller, base, body: { title, description, id = title } }) {
    const role = { id: id.trim(), title: title.trim(), description };
    await changeSetup(kernel, { caller }, (change) => {
      requireFreeId(change.site, role.id, id === title ? 'title' : 'id');
      const row = {
        kind: configuration.KINDS.role,
        id: role.id,
        position: nextPosition(change, configuration.KINDS.role),
        data: role,
      };
      return { write: [row] };
    });
    return created(roleJson(base, role), { Location: `${base}/@roles/${encodeURIComponent(role.id)}` });
  },
});

/** Returns the role with an id. Throws NotFound. */
function requireRole({ site }: SetupChange, id: string): Site['roles'][number] {
  const role = site.roles.find((one) => one.id === id);
  if (!role) throw new NotFound(addressOf(id));
  return role;
}

/** Members of the response that clients send back. */
const SHOWN = {
  '@id': Type.String({ description: 'Its address, which stays.' }),
  '@type': Type.Literal('role'),
  id: Type.String({ description: 'Its id, which stays.' }),
};

/** PATCH `@roles/<role>`: changes title and description. */
const patchRole = defineService({
  name: '@roles',
  method: 'PATCH',
  context: 'site',
  permission: MANAGE_PORTAL,
  summary: 'Changes title and description of a role. Its id stays.',
  rest: ['{id}'],
  body: schemas.Changes(Type.Object({ ...SHOWN, ...TEXTS }), { additionalProperties: false }),
  check: (_context, { params, body: { id } }) =>
    id === undefined || id === params.id ? [] : [{ field: 'id', message: 'cannot be changed: make another role' }],
  responses: { 204: { description: 'Changed.' }, 404: { description: 'There is no such role.' } },
  async run({ kernel, caller, params: { id }, body: { '@id': _address, '@type': _type, id: _same, ...texts } }) {
    await changeSetup(kernel, { caller }, (change) => ({
      write: [rowWith(change, { kind: configuration.KINDS.role, id }, { ...requireRole(change, id), ...texts })],
    }));
    return noContent();
  },
});

/** Throws BadRequest while a role is part of the server or of an add-on, or a user, group or rule has it. */
async function requireUnused({ tx, site }: SetupChange, id: string): Promise<void> {
  if (pieceUse.BUILT_IN_ROLES.has(id))
    throw new BadRequest(`The role "${id}" is part of the server and cannot be removed.`);
  const addon = addonWith(site, configuration.KINDS.role, id);
  if (addon !== undefined) throw new BadRequest(`The role "${id}" belongs to the add-on "${addon}" and goes with it.`);
  const uses = await pieceUse.roleUses(tx, site, id);
  if (uses.length > 0)
    throw new BadRequest(`The role "${id}" is in use: ${uses.join(', ')}. Take it away there first.`);
}

/** DELETE `@roles/<role>`: removes a role that nobody has. */
const deleteRole = defineService({
  name: '@roles',
  method: 'DELETE',
  context: 'site',
  permission: MANAGE_PORTAL,
  summary: 'Removes a role that nobody has and no workflow names. Permissions forget it.',
  rest: ['{id}'],
  responses: {
    204: { description: 'Removed.' },
    400: { description: 'The role is part of the server or of an add-on, or in use.' },
    404: { description: 'There is no such role.' },
  },
  async run({ kernel, caller, params: { id } }) {
    await changeSetup(kernel, { caller, people: true }, async (change) => {
      requireRole(change, id);
      await requireUnused(change, id);
      const own = change.rows.filter(
        ({ kind, id: name }) => kind === configuration.KINDS.permission && name === sitePieces.delegationOf(id),
      );
      const write = Object.entries(change.site.roleMap)
        .filter(([name, roles]) => roles.includes(id) && name !== sitePieces.delegationOf(id))
        .map(([name, roles]) =>
          rowWith(
            change,
            { kind: configuration.KINDS.permission, id: name },
            roles.filter((role) => role !== id),
          ),
        );
      return { write, remove: [{ kind: configuration.KINDS.role, id }, ...own] };
    });
    return noContent();
  },
});

/** Making, changing and removing roles. */
export const roleServices: Service[] = [postRole, patchRole, deleteRole];
