import type { JsonObject } from '#lib/json-object';

/** An action for the audit log. It contains no secrets and no whole bodies: `data` has the names of the changed parts. */
export type AuditEntry = {
  /** The kind of object and its change, such as `content.moved` or `user.created`. */
  action: string;
  /** The number of the object, if it is content. `path` defaults to the path of the object at the end of the transaction. */
  content: number | null;
  path?: string;
  /** The id of the changed object, if it is not content. */
  name?: string;
  data: JsonObject;
};

/** Maximum number of names in one entry; further names are left out. */
const MAX_NAMES = 100;
/** Characters of one name. */
const MAX_NAME_LENGTH = 200;

/** The names of the changes, cut to the number and the length that an entry stores. */
export const auditNames = (names: readonly string[]): string[] =>
  names.slice(0, MAX_NAMES).map((name) => name.slice(0, MAX_NAME_LENGTH));
