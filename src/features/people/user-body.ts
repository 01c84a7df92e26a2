import { type StaticDecode, Type } from 'typebox';
import { isJsonObject, type JsonObject } from '../../lib/json-object.ts';
import { AUTHENTICATED_USERS } from '../../security/caller.ts';
import { Nullable, OpenObject } from '../../services/schemas.ts';
import { MAX_NAME } from './person-rules.ts';
import { RoleChanges } from './roles.ts';
import { PlainText } from './user-input.ts';

const GroupId = Type.Union([Type.String(), Type.Object({ id: Type.String() })]);

const idsOf = (groups: readonly StaticDecode<typeof GroupId>[]): string[] => [
  ...new Set(groups.map((group) => (isJsonObject(group) ? group.id : group))),
];

/**
 * The groups of a new user: a list of ids, or an object with such a list as `items`, as in representations. `run` gets the
 * ids without that of the group of all users; null is none.
 */
const Groups = Type.Decode(
  Type.Union([Type.Array(GroupId), Type.Object({ items: Type.Optional(Type.Array(GroupId)) }), Type.Null()], {
    description: 'List of ids of groups.',
    message: 'Must be a list of ids of groups.',
  }),
  (value) => idsOf(Array.isArray(value) ? value : (value?.items ?? [])).filter((id) => id !== AUTHENTICATED_USERS),
);

/** A picture. The address that a GET returned leaves the picture as it is (plone.restapi, U15). */
const Portrait = Type.Union(
  [
    OpenObject({
      data: Type.Optional(Type.String({ description: 'The bytes in base64.' })),
      encoding: Type.Optional(Type.String({ examples: ['base64'] })),
      'content-type': Type.Optional(Type.String()),
      filename: Type.Optional(Type.String()),
      scale: Type.Optional(Nullable(Type.Boolean(), { description: 'Whether the picture is made smaller.' })),
    }),
    Type.String({ description: 'The address of the present picture, which stays.' }),
    Type.Null({ description: 'Removes the picture.' }),
  ],
  { message: 'Must be a picture.' },
);

const Password = Nullable(Type.String(), {
  description: 'Password, of 8 characters or more. An empty one counts as absent.',
  message: 'Must be a text.',
});

/** What POST and PATCH take of a user, besides the properties of the site's schema of users, which their kinds check. */
const USER_KEYS = {
  username: Type.Optional(PlainText({ description: 'The name to log in with.', max: MAX_NAME })),
  email: Type.Optional(PlainText({ description: 'E-mail address.', max: MAX_NAME })),
  fullname: Type.Optional(PlainText({ description: 'Full name.', max: 1000 })),
  password: Type.Optional(Password),
  portrait: Type.Optional(Portrait),
  roles: Type.Optional(RoleChanges),
};

const PROPERTIES = {
  description: 'Further members are the properties of the schema of users, see `@userschema`.',
};

/** Body of PATCH `@users/<id>`. */
export const UserBody = OpenObject(
  {
    ...USER_KEYS,
    disabled: Type.Optional(
      Type.Boolean({
        description: 'Whether the user cannot log in, also not with tokens that there are. For managers of users.',
        message: 'Must be true or false.',
      }),
    ),
  },
  PROPERTIES,
);

/** Body of POST `@users`. */
export const NewUserBody = OpenObject(
  {
    ...USER_KEYS,
    groups: Type.Optional(Groups),
    file: Type.Optional(
      Type.String({
        description:
          'Instead of all others: a CSV file, whose columns are keys of users; lists are separated by commas.',
      }),
    ),
    sendPasswordReset: Type.Optional(
      Nullable(Type.Boolean(), {
        description: 'Let the user set a password by mail, instead of `password`.',
        message: 'Must be true or false.',
      }),
    ),
  },
  PROPERTIES,
);

/** What a client wants of a user. */
export type UserInput = StaticDecode<typeof UserBody> & JsonObject;

/** What a client wants of a new user. */
export type NewUserInput = StaticDecode<typeof NewUserBody> & JsonObject;
