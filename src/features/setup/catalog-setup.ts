import { Type } from 'typebox';
import { MANAGE_PORTAL } from '../../security/permissions.ts';
import { AnyObject } from '../../services/schemas.ts';
import { defineService, noContent, ok, type Service } from '../../services/service.ts';
import { KINDS } from '../../site/site.ts';
import type { ConfigurationRow } from '../../storage/statements/configuration.ts';
import { loadConfiguration } from '../../storage/statements/configuration.ts';
import { changeSetup } from './change-setup.ts';
import { rejectField, requireForm } from './check-data.ts';

const MAX_DECLARATIONS = 200;

/** The members of `catalog.json`, each with the kind of its pieces. */
const LISTS = { indexes: KINDS.index, metadata: KINDS.column } as const;
type ListName = keyof typeof LISTS;
const NAMES: readonly ListName[] = ['indexes', 'metadata'];

const Declarations = (what: string) =>
  Type.Array(AnyObject(), { description: what, maxItems: MAX_DECLARATIONS, message: 'Must be a list of objects.' });

const dataOf = (rows: readonly ConfigurationRow[], name: ListName): unknown[] =>
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
    const { rows } = await loadConfiguration(db);
    return ok({ indexes: dataOf(rows, 'indexes'), metadata: dataOf(rows, 'metadata') });
  },
});

/** The rows of a list that was sent. Throws ValidationFailed. */
function rowsOf(name: ListName, sent: readonly unknown[]): ConfigurationRow[] {
  const known = new Set<string>();
  return sent.map((data, position) => {
    const at = `${name}.${position}`;
    requireForm(LISTS[name], data, at);
    const id = typeof data === 'object' && data !== null && 'name' in data ? String(data.name) : '';
    if (known.has(id)) rejectField(`${at}.name`, `There are two of the name "${id}".`);
    known.add(id);
    return { kind: LISTS[name], id, position, data };
  });
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
      indexes: Type.Optional(Declarations('Indexes, in the form of `catalog.json`.')),
      metadata: Type.Optional(Declarations('Columns, in the form of `catalog.json`.')),
    },
    { additionalProperties: false, examples: [{ indexes: [{ name: 'place', type: 'field', attr: 'location' }] }] },
  ),
  responses: {
    204: { description: 'Changed.' },
    400: { description: 'A problem for each place: keys, kinds and fields that there are not, names that are taken.' },
  },
  async run({ kernel, caller, body }) {
    await changeSetup(kernel, { caller }, ({ rows }) => {
      const write = NAMES.flatMap((name) => rowsOf(name, body[name] ?? []));
      const sent = NAMES.filter((name) => body[name] !== undefined).map((name) => LISTS[name]);
      const remove = rows.filter(
        ({ kind, id }) => sent.includes(kind) && !write.some((row) => row.kind === kind && row.id === id),
      );
      return { write, remove };
    });
    return noContent();
  },
});

/** The indexes and columns of a site. */
export const catalogServices: Service[] = [getCatalogSetup, patchCatalogSetup];
