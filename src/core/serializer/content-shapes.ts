import { type Static, Type } from 'typebox';
import { Address, AnyObject, Extensible, Nullable } from '../../lib/schema/shapes.ts';

/** State of the lock; `locked` is false without a lock. */
export const LockInfo = Type.Object(
  {
    locked: Type.Boolean(),
    stealable: Type.Boolean({ description: 'Whether others may remove the lock by force.' }),
    creator: Type.Optional(Type.String({ description: 'Id of the user who holds it.' })),
    creator_name: Type.Optional(Type.String()),
    creator_url: Type.Optional(Address),
    created: Type.Optional(Type.String({ format: 'date-time' })),
    time: Type.Optional(Type.Number({ description: '`created` in seconds since 1970.' })),
    timeout: Type.Optional(Type.Integer({ description: 'Seconds that it lasts.' })),
    token: Type.Optional(
      Type.String({
        description:
          'What the header Lock-Token must say. For those who do not hold the lock it opens nothing, and names the present state.',
      }),
    ),
    name: Type.Optional(Type.String()),
  },
  { $id: 'Lock' },
);

/** The members of a summary that the server makes. Further members of a summary are the columns of its listing. */
export const SUMMARY = {
  '@id': Address,
  '@type': Type.String(),
  title: Type.String(),
  description: Type.String(),
  review_state: Nullable(Type.String()),
  type_title: Type.String(),
};
const WholeSummary = Extensible(SUMMARY);
export type WholeSummary = Static<typeof WholeSummary>;

/** The members of content of all types that do not depend on the request. Further members are the fields of the type. */
export const OBJECT = {
  '@id': Address,
  '@type': Type.String({ description: 'Name of the content type.' }),
  type_title: Type.String(),
  id: Type.String(),
  UID: Type.String(),
  created: Type.String({ format: 'date-time' }),
  modified: Type.String({ format: 'date-time' }),
  owner: Nullable(Type.String()),
  review_state: Nullable(Type.String()),
  layout: Type.String(),
  is_folderish: Type.Boolean(),
  lock: LockInfo,
  version: Type.Optional(Type.Union([Type.String(), Type.Integer()])),
  targetUrl: Type.Optional(Type.String({ description: 'Where it leads a caller who cannot edit it.' })),
};
const ContentMembers = Extensible(OBJECT);
export type ContentMembers = Static<typeof ContentMembers>;

/** Members that representations of all types have. */
export const AnyContent = Extensible(
  {
    ...OBJECT,
    parent: Type.Optional(AnyObject({ description: 'The container in short; empty for the site root.' })),
    items: Type.Optional(Type.Array(AnyObject())),
    items_total: Type.Optional(Type.Integer()),
    '@components': Type.Record(Type.String(), Type.Union([AnyObject(), Type.Array(AnyObject())])),
  },
  { $id: 'AnyContent' },
);
export type AnyContent = Static<typeof AnyContent>;
