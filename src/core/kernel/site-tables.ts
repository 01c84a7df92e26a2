import type { TableChanges } from '../cache/change-triggers.ts';

/** A table whose rows belong to the site: an export takes them along, and an import brings them back as they were. */
export type KeptTable = {
  name: string;
  /** Columns that tell the rows apart, in whose order they are read; `ctid` for a table without such. */
  key: readonly string[];
  /** The column with the number of the content that a row hangs on: the export of a part of the site has these rows. */
  content?: string;
  /** Further columns with numbers of content. A row of a part stays behind where one of them is not in the part. */
  otherContent?: readonly string[];
  /** The column with an address that no content has: it moves along with a part. */
  address?: string;
  /** Columns that the database numbers: rows of a part get new numbers. */
  numbered?: readonly string[];
  /** The column with the key of another row of the table, which may come behind it. */
  within?: string;
  /** Columns whose values stay behind and are null on the new site, each with the reason. */
  emptied?: Readonly<Record<string, string>>;
  /** Columns of JSON in which values of fields, or settings, stand under their names. Secrets among them are not written in clear. */
  values?: readonly string[];
  /** Columns whose texts the site has encrypted with its own key, for the place that is returned (`core/people/secret-box.ts`). */
  sealed?: Readonly<Record<string, (row: Readonly<Record<string, unknown>>) => string>>;
};

/** A table whose rows stay where they are. */
export type LeftTable = {
  name: string;
  /** Why, for people: in the documentation, and where an export tells what it does not have. */
  left: string;
  /** Its rows mean nothing in another database, so that a backup has none of them. */
  local?: true;
};

/** A table of a feature: whether an export takes its rows along (docs/export.md), and how its changes end cached responses. */
export type SiteTable = (KeptTable | LeftTable) & { changes: TableChanges };
