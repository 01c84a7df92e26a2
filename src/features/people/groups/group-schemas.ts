import { Type } from 'typebox';

/** A group in an answer. */
export const Group = Type.Object(
  {
    '@id': Type.String(),
    id: Type.String(),
    groupname: Type.String(),
    title: Type.String(),
    description: Type.String(),
    email: Type.String(),
    roles: Type.Array(Type.String()),
    members: Type.Object(
      { '@id': Type.String(), items: Type.Array(Type.String()), items_total: Type.Integer() },
      { additionalProperties: true },
    ),
  },
  { additionalProperties: true },
);

/** Keys of a group that POST and PATCH read. The domain says what is wrong with each; other keys are passed over. */
const KEYS = {
  title: Type.Optional(Type.Unknown({ description: 'Title.' })),
  description: Type.Optional(Type.Unknown({ description: 'Description.' })),
  email: Type.Optional(Type.Unknown({ description: 'E-mail address.' })),
  roles: Type.Optional(Type.Unknown({ description: 'List of roles, or a map of role to true or false.' })),
  users: Type.Optional(Type.Unknown({ description: 'Members: a list of ids, or a map of id to true or false.' })),
  groups: Type.Optional(
    Type.Unknown({ description: 'Groups that are members: a list of ids, or a map of id to true or false.' }),
  ),
};

/** Body of POST `@groups`. */
export const NewGroupBody = Type.Object(
  { groupname: Type.Optional(Type.Unknown({ description: 'Id of the group. Required.' })), ...KEYS },
  { additionalProperties: true },
);

/** Body of PATCH `@groups/<id>`. */
export const GroupBody = Type.Object(KEYS, { additionalProperties: true });
