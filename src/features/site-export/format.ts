import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { ConfigError } from '#core';

/** An export or an import cannot be done. The message is one line for the operator, and says what to do. */
export class ExportRefused extends ConfigError {}

/**
 * The files of an export. What plone.exportimport has stands at its places there; what that form cannot hold is in the folder
 * `canopy`, as the rows of the tables.
 */
export const PLONE_FILES = {
  content: 'content',
  metadata: '__metadata__.json',
  item: 'data.json',
  principals: 'principals.json',
  redirects: 'redirects.json',
  translations: 'translations.json',
  relations: 'relations.json',
  discussions: 'discussions.json',
  portlets: 'portlets.json',
} as const;

/** Keys of this server beside those of plone.exportimport, which leaves them alone: the hashes of passwords, the ids of comments. */
export const OWN_PASSWORDS = 'canopy_passwords';
export const OWN_COMMENT_ID = 'canopy_id';

/** The folder of the site root, whatever its UID is. */
export const ROOT_FOLDER = 'plone_site_root';

/** The folder of what plone.exportimport cannot hold, and its files. */
export const OWN_FOLDER = 'canopy';
export const MANIFEST = `${OWN_FOLDER}/manifest.json`;
export const BLOB_LIST = `${OWN_FOLDER}/blobs.jsonl`;
export const tableFile = (table: string): string => `${OWN_FOLDER}/tables/${table}.jsonl`;
export const blobFile = (hash: string): string => `${OWN_FOLDER}/blobs/${hash.slice(0, 2)}/${hash}`;

/** The version of this form. A reader refuses a greater one. In version 1 migrations had the numbers of before the first release. */
export const FORMAT_VERSION = 2;

const Manifest = Type.Object({
  format: Type.Literal('canopy.export'),
  version: Type.Number(),
  /** When the site looked like this. */
  at: Type.String(),
  /** Number of the last migration of its database. */
  schema: Type.Number(),
  /** The part of the site that it is, `/` for all of it. */
  path: Type.String(),
  /** Rows by table. */
  tables: Type.Record(Type.String(), Type.Number()),
  /** The last numbers that the columns have given out, by `table.column`. */
  numbers: Type.Record(Type.String(), Type.Number()),
  /** Types of the content. */
  types: Type.Array(Type.String()),
  blobs: Type.Number(),
  /** The check of the passphrase of the secrets; null when they are not in the export. */
  secrets: Type.Union([Type.Object({ salt: Type.String(), proof: Type.String() }), Type.Null()]),
});

export type Manifest = Type.Static<typeof Manifest>;

const manifest = Compile(Manifest);

/** True if a value is a manifest. */
export const isManifest = (value: unknown): value is Manifest => manifest.Check(value);

const BlobLine = Type.Object({
  hash: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  size: Type.Number(),
  file: Type.String(),
});

/** A file whose bytes are in the export. */
export type BlobLine = Type.Static<typeof BlobLine>;

const blobLine = Compile(BlobLine);

/** True if a value is a line of the list of files. */
export const isBlobLine = (value: unknown): value is BlobLine => blobLine.Check(value);

/** A path as people type it, in the form of the database: `/` or `/a/b`. */
export const normalPath = (typed: string): string =>
  `/${typed
    .split('/')
    .filter((name) => name !== '')
    .join('/')}`;
