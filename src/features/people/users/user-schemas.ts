import { Type } from 'typebox';

/** A user in an answer. */
export const User = Type.Object(
  {
    '@id': Type.String(),
    id: Type.String(),
    username: Type.String({ description: 'The name to log in with.' }),
    fullname: Type.String(),
    email: Type.String(),
    portrait: Type.Union([Type.String(), Type.Null()], { description: 'Address of a picture.' }),
    roles: Type.Array(Type.String(), { description: 'Roles for the whole site, those of groups included.' }),
    groups: Type.Object({
      '@id': Type.String(),
      items: Type.Array(Type.Object({ id: Type.String(), title: Type.String() })),
      items_total: Type.Integer(),
    }),
  },
  { additionalProperties: true },
);

/** Keys of a user that POST and PATCH read, besides those of the user schema. The domain says what is wrong with each; other keys are passed over. */
const KEYS = {
  username: Type.Optional(Type.Unknown({ description: 'The name to log in with.' })),
  email: Type.Optional(Type.Unknown({ description: 'E-mail address.' })),
  fullname: Type.Optional(Type.Unknown({ description: 'Full name.' })),
  description: Type.Optional(Type.Unknown({ description: 'Biography.' })),
  home_page: Type.Optional(Type.Unknown({ description: 'Address of a home page.' })),
  location: Type.Optional(Type.Unknown({ description: 'Where the user lives or works.' })),
  password: Type.Optional(Type.Unknown({ description: 'Password, of 8 characters or more.' })),
  portrait: Type.Optional(
    Type.Unknown({
      description:
        'Picture as `{data, encoding: "base64", content-type, filename}`, with `scale: true` made smaller; null removes it.',
    }),
  ),
  roles: Type.Optional(Type.Unknown({ description: 'List of roles, or a map of role to true or false.' })),
};

/** Body of POST `@users`. */
export const NewUserBody = Type.Object(
  {
    ...KEYS,
    groups: Type.Optional(Type.Unknown({ description: 'List of ids of groups.' })),
    file: Type.Optional(
      Type.String({
        description:
          'Instead of all others: a CSV file, whose columns are keys of users; lists are separated by commas.',
      }),
    ),
    sendPasswordReset: Type.Optional(
      Type.Unknown({ description: 'Let the user set a password by mail, instead of `password`.' }),
    ),
  },
  { additionalProperties: true },
);

/** Body of PATCH `@users/<id>`. */
export const UserBody = Type.Object(KEYS, { additionalProperties: true });
