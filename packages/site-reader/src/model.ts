/**
 * The model of an exported site. The readers of the formats yield it, one object at a time; the program that stores it knows nothing of the
 * formats.
 */

/** A file of an object: on disk at `path` (absolute), or embedded as `base64`; neither when it is missing. */
export type ExportedFile = {
  /** Name of the object's field that holds it. */
  field: string;
  path: string | null;
  base64?: string;
  filename: string;
  contentType: string;
  /** In bytes: of the file on disk, else what the export says. */
  size: number | null;
  /** In pixels, for images, as exported. */
  width?: number;
  height?: number;
};

export type ExportedWorkflowEntry = {
  workflow: string;
  /** Null for the creation of the object. */
  action: string | null;
  actor: string;
  comments: string;
  review_state: string;
  time: Date;
};

export type ExportedPermission = { roles: string[]; acquire: boolean };
export type ExportedConstrains = { locallyAllowed: string[]; immediatelyAddable: string[] };

/** An object as it was before: what is not among its fields was as in the next version. */
export type ExportedVersion = {
  /** From 0; those of one object ascend. */
  number: number;
  at: Date | null;
  actor: string | null;
  note: string;
  layout: string | null;
  /** As those of the object, `creators` among them. */
  fields: Record<string, unknown>;
  dates: { effective?: Date | null; expires?: Date | null };
  files: ExportedFile[];
};

export type ExportedItem = {
  /** As exported; a substitute made from the path when it is missing or taken. */
  uid: string;
  /** Below the site root, decoded; `/` for the root itself. */
  path: string;
  type: string;
  id: string;
  /** Null for the root. */
  parentPath: string | null;
  /** Among its siblings, from 0, possibly with gaps; null when the export has none. */
  position: number | null;
  /**
   * Content fields only: no addresses, dates or settings that have a property of their own here, no files.
   * Choices are tokens, dates without a zone are marked as UTC, links into the exported site are paths.
   */
  fields: Record<string, unknown>;
  /** Names of the exported fields, also of empty ones, that are separate properties here (`effective`, …). */
  given: string[];
  /** Titles of the tokens of choices, by field. */
  terms: Record<string, [token: string, title: string][]>;
  created: Date | null;
  modified: Date | null;
  effective: Date | null;
  expires: Date | null;
  reviewState: string | null;
  /** Entries of all workflows that the object went through, oldest first. */
  workflowHistory: ExportedWorkflowEntry[];
  owner: string | null;
  creators: string[];
  language: string | null;
  layout: string | null;
  isFolderish: boolean;
  /** Principal (user or group) to roles. */
  localRoles: Record<string, string[]>;
  blockLocalRoles: boolean;
  /** Permission title to roles. */
  localPermissions: Record<string, ExportedPermission>;
  files: ExportedFile[];
  constrains: ExportedConstrains | null;
  /** Id of the child that is shown in the object's place. */
  defaultPage: string | null;
  typeTitle: string | null;
  /** Older versions, the oldest first. */
  versions: ExportedVersion[];
  /** The change that made the object what it is: what its author noted. */
  change: { note: string; actor: string | null };
};

export type ExportedUser = {
  username: string;
  fullname: string;
  email: string;
  description: string;
  home_page: string;
  location: string;
  /** The name to log in with; the id where the export has none. */
  login: string;
  /** A hash with its scheme (`{SSHA}…`, `$2b$…`); never a password in clear. */
  password: string | null;
  /** The picture; null for none. */
  portrait: ExportedFile | null;
  /** Further properties that have a value, by their names. */
  others: Record<string, unknown>;
  roles: string[];
  groups: string[];
};

export type ExportedGroup = {
  id: string;
  title: string;
  description: string;
  email: string;
  roles: string[];
  /** Groups that this group belongs to. */
  groups: string[];
  /** Users and groups that belong to this group. */
  members: string[];
};

/** `from` is a path below the root; `to` is one too, or an absolute URL. */
export type ExportedRedirect = { from: string; to: string };
/** Language code to UID, at least two. An object whose language only the object itself knows stands under an empty text. */
export type ExportedTranslationGroup = Record<string, string>;
export type ExportedRelation = { from_uuid: string; to_uuid: string; relation: string };

/** A comment; `id` is unique within its content only. A reply comes after the comment it answers. */
export type ExportedComment = {
  contentUid: string;
  id: string;
  inReplyTo: string | null;
  text: string;
  mimeType: string;
  /** User name; null for an anonymous author. */
  author: string | null;
  authorName: string | null;
  created: Date | null;
  modified: Date | null;
};

/**
 * A content type as the old site defined it. The site makes it where it has none of the name, without the fields that its own behaviors
 * bring; a type that it has gets the fields that it lacks.
 */
export type ExportedType = {
  id: string;
  title: string;
  description: string;
  /** By their names there. One that the site does not have is left out; `properties` has its fields. */
  behaviors: string[];
  fieldsets: { id: string; title: string; fields: string[] }[];
  /** All fields by their names, in the form of plone.restapi's `@types`: `title`, `type`, `factory`, `widget`, `choices` and others. */
  properties: Record<string, Record<string, unknown>>;
  /** Names of the fields that must have a value. */
  required: string[];
  /** True if content of the type may be added anywhere that does not say otherwise. */
  isAddable: boolean;
  /** The only types that may be added inside; null for any. */
  allowedTypes: string[] | null;
  layouts: string[];
  /** Null for none. */
  workflow: string | null;
};

/** Where an object is in the export, and what it is. `path` and `uid` are those that its item has. */
export type ExportedAddress = {
  path: string;
  uid: string;
  type: string;
  file: string;
  /** Names of the fields that have a value; null when the export has too many different ones to know them beforehand. */
  keys?: readonly string[] | null;
  /** Its view; null for none. */
  layout?: string | null;
};

/** Parts that exports keep beside their objects. */
export type ExportedPart =
  | 'positions'
  | 'localRoles'
  | 'localPermissions'
  | 'defaultPages'
  | 'constrains'
  | 'principals'
  | 'redirects'
  | 'translations'
  | 'relations'
  | 'comments';

export interface ExportSource {
  /** The name of the format, for reports. */
  format: string;
  /** The parts that the export has. One that it does not have says nothing about the old site. */
  parts(): Promise<ReadonlySet<ExportedPart>>;
  /** Returns how positions are looked up: among siblings, from 0, possibly with gaps; null where the export has none. */
  positions(): Promise<(address: Pick<ExportedAddress, 'uid' | 'path'>) => number | null>;
  /** Number of items that `items()` will try to yield. Reads the whole export once. */
  count(): Promise<number>;
  /** Addresses of all objects, parents before children, otherwise in the order of the export. */
  addresses(): Promise<readonly ExportedAddress[]>;
  /** The objects (of those that are `wanted`), in the order of their addresses. May be called again. */
  items(wanted?: (address: ExportedAddress) => boolean): AsyncIterable<ExportedItem>;
  /** The content types, where the export has them; others are inferred from their objects. */
  types?(): AsyncIterable<ExportedType>;
  users(): AsyncIterable<ExportedUser>;
  groups(): AsyncIterable<ExportedGroup>;
  redirects(): AsyncIterable<ExportedRedirect>;
  translations(): AsyncIterable<ExportedTranslationGroup>;
  relations(): AsyncIterable<ExportedRelation>;
  comments(): AsyncIterable<ExportedComment>;
  /** Removes what reading has put beside the source. Called once, also after a failure. */
  close?(): Promise<void>;
}
