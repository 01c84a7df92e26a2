import { type Static, Type } from 'typebox';
import { Check } from 'typebox/value';
import type { JsonObject } from '#lib/json-object';
import { type Change, ChangeBody, changeOf } from './change-schema.ts';

const Texts = Type.Array(Type.String());

/** The stored data of a change beside its objects: the change, and the facts of the request that it depends on. */
export const StoredData = Type.Object({
  change: ChangeBody,
  /** Addresses that links in values may begin with. */
  bases: Texts,
  /** The limits of the credentials. */
  limits: Type.Object({ methods: Type.Optional(Texts), paths: Type.Optional(Texts) }),
  /** The UID of the container that content is moved or copied into. */
  target: Type.Optional(Type.String()),
});

export type StoredData = Static<typeof StoredData>;

/** The stored data of a change. Throws for data that this program has not stored. */
export function parseStored(data: JsonObject): StoredData & { parsed: Change } {
  const parsed = Check(StoredData, data) ? changeOf(data.change) : undefined;
  if (!Check(StoredData, data) || !parsed) throw new Error('A stored change of many objects is malformed');
  return { ...data, parsed };
}
