import { Type } from 'typebox';
import { configuration, defineService, MANAGE_PORTAL, noContent, ok, type Service, schemas } from '#core';
import { changeSetup, type SetupChange } from './change-setup.ts';
import { addonWith, rejectField } from './check-data.ts';

const MAX_DECLARATIONS = 200;

/** The members of `catalog.json`, each with the kind of its pieces. */
const LISTS = { indexes: configuration.KINDS.index, metadata: configuration.KINDS.column } as const;
type ListName = keyof typeof LISTS;
const NAMES: readonly ListName[] = ['indexes', 'metadata'];

const NAMED = {
  name: schemas.Text({ description: 'By which searches know it.', minLength: 1, maxLength: 200 }),
  attr: Type.Optional(schemas.Text({ description: 'The field; the name unless given.', minLength: 1, maxLength: 200 })),
};
const Index = Type.Object(
  {
    ...NAMED,
    type: schemas.Text({ description: 'The kind of index.', minLength: 1, maxLength: 200 }),
    title: Type.Optional(schemas.Text({ maxLength: 200 })),
    description: Type.Optional(schemas.Text({ maxLength: 2000 })),
    group: Type.Optional(schemas.Text({ maxLength: 200 })),
    enabled: Type.Optional(Type.Boolean({ description: 'Whether searches in forms offer it.' })),
    sortable: Type.Optional(Type.Boolean({ description: 'Whether searches in forms sort by it.' })),
  },
  { additionalProperties: false },
);
const Column = Type.Object(NAMED, { additionalProperties: false });

const dataOf = (rows: readonly configuration.Row[], name: ListName): unknown[] =>
  rows.filter(({ kind }) => kind === LISTS[name]).map(({ data }) => data);

/** GET `@catalog-setup`: the indexes and columns that the site declares, in the form of `catalog.json`. */
const getCatalogSetup = defineService({
  name: '@catalog-setup',
  method: 'GET',
  context: 'site',
  permission: MANAGE_PORTAL,
  summary: 'The indexes and columns that the site declares for all types, in the form of `catalog.json`.',
  responses: {
    200: {
      description: 'The declarations.',
      schema: Type.Object({ indexes: Type.Array(Type.Unknown()), metadata: Type.Array(Type.Unknown()) }),
    },
  },
  async run({ db }) {
    const { rows } = await configuration.load(db);
    return ok({ indexes: dataOf(rows, 'indexes'), metadata: dataOf(rows, 'metadata') });
  },
});

/** The rows of a sent list. Throws ValidationFailed for a duplicate name. */
function rowsOf(name: ListName, sent: readonly { name: string }[]): configuration.Row[] {
  const known = new Set<string>();
  return sent.map((data, position) => {
    if (known.has(data.name)) rejectField(`${name}.${position}.name`, `There are two of the name "${data.name}".`);
    known.add(data.name);
    return { kind: LISTS[name], id: data.name, position, data };
  });
}

/** The pieces of a list that were not sent, which are removed. Throws ValidationFailed for a piece of an add-on. */
function leftOut({ site, rows }: SetupChange, name: ListName, sent: readonly configuration.Row[]): configuration.Row[] {
  const gone = rows.filter(({ kind, id }) => kind === LISTS[name] && !sent.some((row) => row.id === id));
  for (const { kind, id } of gone) {
    const addon = addonWith(site, kind, id);
    if (addon !== undefined) rejectField(name, `"${id}" belongs to the add-on "${addon}" and goes with it.`);
  }
  return gone;
}

/** PATCH `@catalog-setup`: replaces the indexes, the columns, or both. */
const patchCatalogSetup = defineService({
  name: '@catalog-setup',
  method: 'PATCH',
  context: 'site',
  permission: MANAGE_PORTAL,
  summary: 'Replaces the indexes or the columns that the site declares. A job brings content into the new ones.',
  body: Type.Object(
    {
      indexes: Type.Optional(Type.Array(Index, { description: 'All indexes.', maxItems: MAX_DECLARATIONS })),
      metadata: Type.Optional(Type.Array(Column, { description: 'All columns.', maxItems: MAX_DECLARATIONS })),
    },
    { additionalProperties: false, examples: [{ indexes: [{ name: 'place', type: 'field', attr: 'location' }] }] },
  ),
  responses: {
    204: { description: 'Changed.' },
    400: { description: 'A problem for each place: unknown keys, kinds and fields, and names that are taken.' },
  },
  async run({ kernel, caller, body }) {
    await changeSetup(kernel, { caller }, (change) => {
      const lists = NAMES.flatMap((name) => {
        const sent = body[name];
        return sent ? [{ name, sent: rowsOf(name, sent) }] : [];
      });
      return {
        write: lists.flatMap(({ sent }) => sent),
        remove: lists.flatMap(({ name, sent }) => leftOut(change, name, sent)),
      };
    });
    return noContent();
  },
});

/** The indexes and columns of a site. */
export const catalogServices: Service[] = [getCatalogSetup, patchCatalogSetup];
