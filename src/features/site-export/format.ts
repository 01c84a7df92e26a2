import { Type } from 'typebox';
import { ConfigError } from '#core';
import { LateValidator } from '#lib/schema/late-validator';

/** Thrown when an export or an import cannot be done. The message is one line for the operator, and says what to do. */
export class ExportRefused extends ConfigError {}

/**
 * The files of an export. Data that plone.exportimport has are in its format and at its places; other data are in the folder `canopy`, as the rows of
 * the tables.
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

/** Additional keys of this server, for the hashes of passwords and the ids of comments. plone.exportimport ignores them. */
export const OWN_PASSWORDS = 'canopy_passwords';
export const OWN_COMMENT_ID = 'canopy_id';

/** The folder of the site root, whatever its UID is. */
export const ROOT_FOLDER = 'plone_site_root';

/** The folder of the data that plone.exportimport cannot represent, and its files. */
export const OWN_FOLDER = 'canopy';
export const MANIFEST = `${OWN_FOLDER}/manifest.json`;
export const BLOB_LIST = `${OWN_FOLDER}/blobs.jsonl`;
export const tableFile = (table: string): string => `${OWN_FOLDER}/tables/${table}.jsonl`;
export const blobFile = (hash: string): string => `${OWN_FOLDER}/blobs/${hash.slice(0, 2)}/${hash}`;

/** The version of this format. Readers reject a greater version. In version 1 migrations had the numbers from before the first release. */
export const FORMAT_VERSION = 2;

const Manifest = Type.Object({
  format: Type.Literal('canopy.export'),
  version: Type.Number(),
  /** The moment of the state of the site. */
  at: Type.String(),
  /** Number of the last migration of its database. */
  schema: Type.Number(),
  /** The path of the exported part, `/` for the whole site. */
  path: Type.String(),
  /** Rows by table. */
  tables: Type.Record(Type.String(), Type.Number()),
  /** The last numbers that identity columns have given out, by `table.column`. */
  numbers: Type.Record(Type.String(), Type.Number()),
  /** Types of the content. */
  types: Type.Array(Type.String()),
  blobs: Type.Number(),
  /** The check of the passphrase of the secrets; null when the export has no secrets. */
  secrets: Type.Union([Type.Object({ salt: Type.String(), proof: Type.String() }), Type.Null()]),
});

export type Manifest = Type.Static<typeof Manifest>;

const manifest = new LateValidator(Manifest);

/** True if a value is a manifest. */
export const isManifest = (value: unknown): value is Manifest => manifest.Check(value);

const BlobLine = Type.Object({
  hash: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  size: Type.Number(),
  file: Type.String(),
});

/** A file whose bytes are in the export. */
export type BlobLine = Type.Static<typeof BlobLine>;

const blobLine = new LateValidator(BlobLine);

/** True if a value is a line of the list of files. */
export const isBlobLine = (value: unknown): value is BlobLine => blobLine.Check(value);

/** Converts a typed path to the form of the database: `/` or `/a/b`. */
export const normalPath = (typed: string): string =>
  `/${typed
    .split('/')
    .filter((name) => name !== '')
    .join('/')}`;
