import { type StaticDecode, Type } from 'typebox';
import { callers, type Field, schemas } from '#core';
import { type FieldProblem, ValidationFailed } from '#lib/errors';
import { isJsonObject, type JsonObject } from '#lib/json-object';
import { MAX_PROBLEMS } from '#lib/schema/schema-problems';
import { unknownMember } from '#lib/schema/unknown-members';
import { MAX_NAME } from './person-rules.ts';
import { RoleChanges } from './roles.ts';
import { PlainText, WRONG_PARAMETER } from './user-input.ts';

const GroupId = Type.Union([Type.String(), Type.Object({ id: Type.String() })]);

const idsOf = (groups: readonly StaticDecode<typeof GroupId>[]): string[] => [
  ...new Set(groups.map((group) => (isJsonObject(group) ? group.id : group))),
];

/**
 * The groups of a new user: a list of ids, or an object with such a list as `items`, as in representations. `run` gets the ids without the group of
 * all users; null means no groups.
 */
const Groups = Type.Decode(
  Type.Union([Type.Array(GroupId), Type.Object({ items: Type.Optional(Type.Array(GroupId)) }), Type.Null()], {
    description: 'List of ids of groups.',
    message: 'Must be a list of ids of groups.',
  }),
  (value) =>
    idsOf(Array.isArray(value) ? value : (value?.items ?? [])).filter((id) => id !== callers.AUTHENTICATED_USERS),
);

/** A picture. The address from a GET leaves the picture unchanged (plone.restapi, U15). */
const Portrait = Type.Union(
  [
    schemas.OpenObject({
      data: Type.Optional(Type.String({ description: 'The bytes in base64.' })),
      encoding: Type.Optional(Type.String({ examples: ['base64'] })),
      'content-type': Type.Optional(Type.String()),
      filename: Type.Optional(Type.String()),
      scale: Type.Optional(schemas.Nullable(Type.Boolean(), { description: 'Whether the picture is made smaller.' })),
    }),
    Type.String({ description: 'The address of the present picture, which stays.' }),
    Type.Null({ description: 'Removes the picture.' }),
  ],
  { message: 'Must be a picture.' },
);

const Password = schemas.Nullable(Type.String(), {
  description: 'Password, of 8 characters or more. An empty one counts as absent.',
  message: 'Must be a text.',
});

/** The members of POST and PATCH of a user, besides the properties of the site's schema of users, which the kinds of their fields check. */
const USER_KEYS = {
  username: Type.Optional(PlainText({ description: 'The name to log in with.', max: MAX_NAME })),
  email: Type.Optional(PlainText({ description: 'E-mail address.', max: MAX_NAME })),
  fullname: Type.Optional(PlainText({ description: 'Full name.', max: 1000 })),
  password: Type.Optional(Password),
  portrait: Type.Optional(Portrait),
  roles: Type.Optional(RoleChanges),
};

/** Members of a user that clients send back. They change nothing. */
const SHOWN = ['@id', '@type', 'id', 'second_factor', 'last_login'];

const TRUE_OR_FALSE = 'Must be true or false.';

const STATE = {
  enabled: Type.Optional(
    Type.Boolean({
      description: 'False: the user cannot log in, also not with existing tokens. For managers of users.',
      message: TRUE_OR_FALSE,
    }),
  ),
  disabled: Type.Optional(
    Type.Boolean({ description: 'The contrary of `enabled`, for older clients.', message: TRUE_OR_FALSE }),
  ),
};

/** True if a body enables the user, false if it disables the user; undefined for neither. Throws ValidationFailed for both. */
export function wantedState({
  enabled,
  disabled,
}: {
  enabled?: boolean | undefined;
  disabled?: boolean | undefined;
}): boolean | undefined {
  if (enabled !== undefined && enabled === disabled)
    throw new ValidationFailed([{ field: 'enabled', message: 'Is the contrary of "disabled".' }], WRONG_PARAMETER);
  return enabled ?? (disabled === undefined ? undefined : !disabled);
}

const PROPERTIES = {
  description: 'Further members are the properties of the schema of users, see `@userschema`.',
};

/** Body of PATCH `@users/<id>`. */
export const UserBody = schemas.OpenObject(
  {
    ...USER_KEYS,
    ...STATE,
    ...schemas.sentBack([...SHOWN, 'groups', 'sendPasswordReset']),
  },
  PROPERTIES,
);

/** Body of POST `@users`. */
export const NewUserBody = schemas.OpenObject(
  {
    ...USER_KEYS,
    ...STATE,
    ...schemas.sentBack(SHOWN),
    groups: Type.Optional(Groups),
    file: Type.Optional(
      Type.String({
        description:
          'Instead of all others: a CSV file, whose columns are keys of users; lists are separated by commas.',
      }),
    ),
    sendPasswordReset: Type.Optional(
      schemas.Nullable(Type.Boolean(), {
        description: 'Let the user set a password by mail, instead of `password`.',
        message: 'Must be true or false.',
      }),
    ),
  },
  PROPERTIES,
);

/** A problem for each member of a body that is neither declared nor a property of the site's schema of users. */
export function unknownKeys(
  body: JsonObject,
  { schema, properties }: { schema: Pick<typeof UserBody, 'properties'>; properties: readonly Field[] },
): FieldProblem[] {
  const known = new Set([...Object.keys(schema.properties), ...properties.map(({ name }) => name)]);
  return Object.keys(body)
    .filter((name) => !known.has(name))
    .slice(0, MAX_PROBLEMS)
    .map((name) => ({ field: name.slice(0, 100), message: unknownMember(name, [...known]) }));
}

/** The checked body of a PATCH of a user. */
export type UserInput = StaticDecode<typeof UserBody> & JsonObject;

/** The checked body of a new user. */
export type NewUserInput = StaticDecode<typeof NewUserBody> & JsonObject;
