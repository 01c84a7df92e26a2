import { type Static, Type } from 'typebox';
import { defineService, ok, type Queryable, REPLICAS, type RequestContext } from '#core';
import { Slot } from '#lib/slots';
import { type ContentFigures, contentFigures } from './statements.ts';

/** Milliseconds for which counted figures are reused: counting reads all content. */
const FIGURES_KEEP_MS = 60_000;

/** The figures of the content of a kernel's site, counted at most once a minute. */
export class CountedFigures {
  #last: { at: number; figures: Promise<ContentFigures> } | undefined;

  /** Returns the figures; a failed count rejects all waiting calls, and the next call counts again. */
  current(db: Queryable, now = Date.now()): Promise<ContentFigures> {
    if (this.#last && now - this.#last.at < FIGURES_KEEP_MS) return this.#last.figures;
    const figures = contentFigures(db);
    const counted = { at: now, figures };
    this.#last = counted;
    figures.catch(() => {
      if (this.#last === counted) this.#last = undefined;
    });
    return figures;
  }
}

export const COUNTED_FIGURES = new Slot<CountedFigures>('figures of the content');

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'];

/** Formats a number of bytes in steps of 1024 and without decimals, such as `10 MB` (as PostgreSQL formats sizes). */
export function sizeText(bytes: number): string {
  let size = bytes;
  let unit = 0;
  // Like PostgreSQL, use a larger unit only from ten on, because the smaller unit is more exact.
  while (size >= 10_240 && unit < UNITS.length - 1) {
    size /= 1024;
    unit += 1;
  }
  return `${Math.round(size)} ${UNITS[unit]}`;
}

const DatabaseInfo = Type.Object({
  '@id': Type.String({ format: 'uri' }),
  engine: Type.String({ description: '`postgresql`, or `pglite` for the embedded database.' }),
  version: Type.String({ description: 'Version of PostgreSQL.' }),
  db_name: Type.String(),
  db_size: Type.String({ description: 'Size of the database on the disk, such as `10 MB`.' }),
  blob_size: Type.String({ description: 'Size of the files of the content, each counted once.' }),
  database_size: Type.Integer({ description: 'Number of content objects.' }),
  replicas: Type.Optional(
    Type.Array(
      Type.Object({
        address: Type.String({ description: 'Host, port and name of the database.' }),
        state: Type.String({
          description:
            '`reading`; `behind` while it lacks what requests need; `lost`; `foreign` when it follows no primary of this site.',
        }),
        behind_bytes: Type.Union([Type.Integer(), Type.Null()], {
          description: 'What it lacks, in bytes of the log of writes.',
        }),
        reads: Type.Integer({ description: 'Requests that it has answered for this process.' }),
        repeated: Type.Integer({ description: 'Requests that it began and the primary answered.' }),
      }),
      { description: 'Copies of the database that answer reading requests, where there are some.' },
    ),
  ),
  cache_size: Type.Literal(0),
  cache_length: Type.Literal(0),
  cache_length_bytes: Type.Literal(0),
  cache_detail_length: Type.Array(Type.Never(), { maxItems: 0 }),
});

/** Figures of the engine (Nick), with the keys of Plone's ZODB that Volto reads. */
async function databaseInfo({ kernel, base }: RequestContext): Promise<Static<typeof DatabaseInfo>> {
  const { engine, version, name, bytes } = await kernel.db.figures();
  const replicas = kernel.slots.find(REPLICAS);
  const { objects, blobBytes } = await kernel.slots.get(COUNTED_FIGURES).current(kernel.db);
  return {
    '@id': `${base}/@database`,
    engine,
    version,
    db_name: name,
    db_size: sizeText(bytes),
    blob_size: sizeText(blobBytes),
    database_size: objects,
    ...(replicas && {
      replicas: replicas.figures().map(({ behindBytes, ...figures }) => ({ ...figures, behind_bytes: behindBytes })),
    }),
    // Unlike Plone, the process has no cache of database objects.
    cache_size: 0,
    cache_length: 0,
    cache_length_bytes: 0,
    cache_detail_length: [],
  };
}

/** GET `@database`: the name and the size of the database. */
export const getDatabase = defineService({
  name: '@database',
  method: 'GET',
  context: 'site',
  permission: 'Overview control panel',
  summary: 'Name, engine and size of the database, and the size of the files. Counted at most once a minute.',
  responses: { 200: { description: 'The figures.', schema: DatabaseInfo } },
  run: async (context) => ok(await databaseInfo(context)),
});
