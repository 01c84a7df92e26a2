import type { JsonObject } from '#lib/json-object';

/**
 * Something that was done, for the audit log. No part of it is a secret, and none is a whole body: `data` has the names of what
 * was changed.
 */
export type AuditEntry = {
  /** The kind of object and its change, such as `content.moved` or `user.created`. */
  action: string;
  /** The number of the object, where it is content. Without `path` it is where the object is at the end of the transaction. */
  content: number | null;
  path?: string;
  /** The id of the changed object, if it is not content. */
  name?: string;
  data: JsonObject;
};

/** Names in one entry: more are left out. */
const MAX_NAMES = 100;
/** Characters of one name. */
const MAX_NAME_LENGTH = 200;

/** The names of the changes, cut to the number and the length that an entry stores. */
export const auditNames = (names: readonly string[]): string[] =>
  names.slice(0, MAX_NAMES).map((name) => name.slice(0, MAX_NAME_LENGTH));
