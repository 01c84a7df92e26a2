import type { TableChanges } from '../cache/change-triggers.ts';

/** A table whose rows belong to the site: an export contains them, and an import restores them unchanged. */
export type KeptTable = {
  name: string;
  /** Columns that identify the rows and by which they are sorted; `ctid` for a table without such columns. */
  key: readonly string[];
  /** The column with the number of the content that a row belongs to: the export of a part of the site has the rows of its content. */
  content?: string;
  /** Further columns with numbers of content. The export of a part leaves out a row that refers to content outside of the part. */
  otherContent?: readonly string[];
  /** The column with an address without content, which is moved with a part. */
  address?: string;
  /** Columns that the database numbers: rows of a part get new numbers. */
  numbered?: readonly string[];
  /** The column with the key of another row of the table, which may come later. */
  within?: string;
  /** Columns whose values are not exported and are null on the new site, each with the reason. */
  emptied?: Readonly<Record<string, string>>;
  /** Columns of JSON with values of fields, or settings, under their names. Secrets among these values are not exported in clear text. */
  values?: readonly string[];
  /** Columns of JSON with the value of the field of their name, which may be a secret as well. */
  fields?: readonly string[];
  /** Columns whose texts the site has encrypted with its own key, for the place that the function returns (`core/people/secret-box.ts`). */
  sealed?: Readonly<Record<string, (row: Readonly<Record<string, unknown>>) => string>>;
};

/** A table whose rows are not exported. */
export type LeftTable = {
  name: string;
  /** The reason, for the documentation and for the report of an export. */
  left: string;
  /** Its rows have no meaning in another database, so a backup leaves them out. */
  local?: true;
};

/** A table of a feature: says if an export contains its rows (docs/export.md), and how its changes invalidate cached responses. */
export type SiteTable = (KeptTable | LeftTable) & { changes: TableChanges };
