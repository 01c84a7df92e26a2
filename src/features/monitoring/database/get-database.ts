import { Type } from 'typebox';
import type { JsonObject } from '../../../lib/json-object.ts';
import { defineService, ok, type RequestContext } from '../../../services/service.ts';
import { keptFigures } from './kept-figures.ts';
import { sizeText } from './size-text.ts';

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
