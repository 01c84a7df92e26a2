import { Type } from 'typebox';
import { ConfigError, fileStores } from '#core';
import { LateValidator } from '#lib/schema/late-validator';

/** Thrown when a backup or a restore cannot be done. The message is one line for the operator, and says what to do. */
export class BackupRefused extends ConfigError {}

/** The version of this format. Readers reject a greater version. */
export const FORMAT_VERSION = 1;

/** Files of a backup, below its own folder. The manifest is written last: a backup with a manifest is whole. */
export const MANIFEST = 'manifest.json';
export const BLOB_LIST = 'blobs.txt.gz';
export const tableFile = (table: string): string => `tables/${table}.jsonl.gz`;

/** A file of the site, which all backups at one place share. */
export const BLOBS = 'blobs/';
export const blobFile = (hash: string): string => `${BLOBS}${fileStores.pathOf(hash)}`;

/** The folder of all backups at one place. */
export const BACKUPS = 'backups/';

const Migrations = Type.Array(Type.Object({ id: Type.Number(), name: Type.String(), checksum: Type.String() }));
const Part = { bytes: Type.Number(), sha256: Type.String() };
const Table = Type.Object({
  name: Type.String(),
  columns: Type.Array(Type.String()),
  rows: Type.Number(),
  /** True if a feature of the program that made the backup declares the table: without it the site is not whole. */
  declared: Type.Boolean(),
  ...Part,
});

const Manifest = Type.Object({
  format: Type.Literal('canopy.backup'),
  version: Type.Number(),
  id: Type.String(),
  /** The version of the program that made the backup, and the engine of its database. */
  program: Type.String(),
  engine: Type.String(),
  /** The moment when the site looked like this. */
  at: Type.String(),
  schema: Type.Object({ program: Migrations, features: Type.Record(Type.String(), Migrations) }),
  tables: Type.Array(Table),
  /** The last numbers that columns have given out, by table and column. */
  numbers: Type.Array(Type.Object({ table: Type.String(), column: Type.String(), last: Type.Number() })),
  blobList: Type.Object(Part),
  /** The files of the site; `sha256` is the hash of their list. */
  blobs: Type.Object({ count: Type.Number(), ...Part }),
});
export type Manifest = Type.Static<typeof Manifest>;
export type TablePart = Type.Static<typeof Table>;

const check = new LateValidator(Manifest);

/** Parses a manifest. Throws BackupRefused for any other text, and for a manifest of a newer program. */
export function parseManifest(text: string, place: string): Manifest {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw new BackupRefused(`${place} is no backup: its manifest is no JSON.`);
    throw error;
  }
  if (!check.Check(data)) throw new BackupRefused(`${place} is no backup that this version can restore.`);
  if (data.version > FORMAT_VERSION)
    throw new BackupRefused(`${place} was made by a newer version (${data.program}). Restore it with that version.`);
  return data;
}

const ID = /^\d{8}T\d{6}Z-[0-9a-f]{8}$/;

/** The id of a backup that begins now: ids sort by time. */
export const newId = (now: Date, random: string): string =>
  `${now.toISOString().replace(/[-:]|\.\d+/g, '')}-${random.slice(0, 8)}`;

export const isBackupId = (text: string): boolean => ID.test(text);

/** The time in an id. */
export const timeOf = (id: string): Date =>
  new Date(id.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z.*$/, '$1-$2-$3T$4:$5:$6Z'));
