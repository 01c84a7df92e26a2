import { Type } from 'typebox';
import type { JsonObject } from '../../lib/json-object.ts';
import { defineService, ok, type RequestContext } from '../../services/service.ts';
import type { Kernel } from '../../site/kernel.ts';
import { type ContentFigures, contentFigures } from '../../storage/statements/figures-content.ts';

/** Milliseconds for which the figures are kept: counting reads all content. */
const KEPT = 60_000;

const counted = new WeakMap<Kernel, { at: number; figures: Promise<ContentFigures> }>();

/** The figures of the content, counted at most once a minute by each process, however many ask. */
export function keptFigures(kernel: Kernel, now = Date.now()): Promise<ContentFigures> {
  const known = counted.get(kernel);
  if (known && now - known.at < KEPT) return known.figures;
  const figures = contentFigures(kernel.db);
  counted.set(kernel, { at: now, figures });
  // Whoever waits gets the failure; whoever comes next counts again.
  figures.catch(() => counted.delete(kernel));
  return figures;
}

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'];

/** A number of bytes for people, in steps of 1024 and without decimals, such as `10 MB` (as PostgreSQL writes sizes). */
export function sizeText(bytes: number): string {
  let size = bytes;
  let unit = 0;
  // A size in the unit below says more as long as it has four digits.
  while (size >= 10_240 && unit < UNITS.length - 1) {
    size /= 1024;
    unit += 1;
  }
  return `${Math.round(size)} ${UNITS[unit]}`;
}

const DatabaseInfo = Type.Object(
  {
    '@id': Type.String({ format: 'uri' }),
    engine: Type.String({ description: '`postgresql`, or `pglite` for the embedded database.' }),
    version: Type.String({ description: 'Version of PostgreSQL.' }),
    db_name: Type.String(),
    db_size: Type.String({ description: 'Size of the database on the disk, such as `10 MB`.' }),
    blob_size: Type.String({ description: 'Size of the files of the content, each counted once.' }),
    database_size: Type.Integer({ description: 'Number of content objects.' }),
  },
  { additionalProperties: true },
);

/** Figures of the engine in use (Nick), with the keys of Plone's ZODB that Volto reads. */
async function databaseInfo({ kernel, base }: RequestContext): Promise<JsonObject> {
  const { engine, version, name, bytes } = await kernel.db.figures();
  const { objects, blobBytes } = await keptFigures(kernel);
  return {
    '@id': `${base}/@database`,
    engine,
    version,
    db_name: name,
    db_size: sizeText(bytes),
    blob_size: sizeText(blobBytes),
    database_size: objects,
    // No objects of the database are kept in the process, unlike in Plone's.
    cache_size: 0,
    cache_length: 0,
    cache_length_bytes: 0,
    cache_detail_length: [],
  };
}

/** GET `@database`: name and size of the database. */
export const getDatabase = defineService({
  name: '@database',
  method: 'GET',
  context: 'site',
  permission: 'Overview control panel',
  summary: 'Name, engine and size of the database, and the size of the files. Counted at most once a minute.',
  responses: { 200: { description: 'The figures.', schema: DatabaseInfo } },
  run: async (context) => ok(await databaseInfo(context)),
});
