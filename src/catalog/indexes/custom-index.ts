import type { CatalogIndex, IndexSource, OfferedIndex } from '../catalog-index.ts';
import { CATALOG_NAME, keptValue } from '../kept-values.ts';
import { parseClientDate } from '../read-value.ts';
import { type KeptKind, keptIndex } from './kept-index.ts';

const SORTED: ReadonlySet<KeptKind> = new Set(['field', 'boolean', 'number', 'date']);

/** The form in which a value is kept; undefined for what the kind cannot hold. */
const FORMS: Record<KeptKind, (value: unknown) => unknown> = {
  field: (value) => (typeof value === 'string' || typeof value === 'number' ? String(value) : undefined),
  keyword: (value) => (Array.isArray(value) ? value : [value]),
  boolean: (value) => (typeof value === 'boolean' ? value : undefined),
  number: (value) => (typeof value === 'number' ? value : undefined),
  date: (value) => parseClientDate(value)?.toISOString(),
};

/**
 * An index that an add-on registers with a function of its own. Its values are kept in the catalog under its name: what
 * is there already gets them by a reindex. The editor of queries offers it when `offered` says how.
 */
export function customIndex(
  name: string,
  kind: KeptKind,
  value: (source: IndexSource) => unknown,
  offered?: Pick<OfferedIndex, 'title'> & Partial<OfferedIndex>,
): CatalogIndex {
  if (!CATALOG_NAME.test(name)) throw new Error(`No index can be called ${JSON.stringify(name)}`);
  const sortable = SORTED.has(kind) && offered?.sortable !== false;
  return {
    ...keptIndex({ name, key: name, kind, sortable }),
    store: (source) => keptValue(FORMS[kind](value(source))),
    ...(offered === undefined
      ? {}
      : {
          offered: {
            description: '',
            group: kind === 'date' ? 'Dates' : 'Metadata',
            enabled: true,
            ...offered,
            kind,
            sortable,
          },
        }),
  };
}
