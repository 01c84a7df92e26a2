import { useData } from '../lib/data.ts';
import { ask, site } from '../lib/site.ts';
import type { FieldSchema } from './schema.ts';

export type Term = { token: string; title: string };

/** Terms of one request. */
const MAX_TERMS = 500;

/** The service of a vocabulary by its address, below the site root. */
const serviceOf = (address: string): string =>
  (site().pathOf(address) ?? address).replace(/^.*\/(?=@(?:vocabularies|sources|querysources)\b)/, '');

/** The choices of a field: those that it has itself, or those of its vocabulary. */
export function useTerms(field: FieldSchema): { terms: readonly Term[]; isLoading: boolean; error: unknown } {
  const own = field.choices ?? field.items?.choices;
  const vocabulary = field.vocabulary ?? field.items?.vocabulary;
  const { data, isLoading, error } = useData(`terms ${own ? '' : (vocabulary?.['@id'] ?? '')}`, async (signal) => {
    if (own || !vocabulary) return [];
    const { items } = await ask<{ items: Term[] }>('GET', serviceOf(vocabulary['@id']), {
      signal,
      query: { b_size: MAX_TERMS },
    });
    return items;
  });
  if (own)
    return {
      terms: own.map(([token, title]) => ({ token, title: title ?? token })),
      isLoading: false,
      error: undefined,
    };
  return { terms: data ?? [], isLoading, error };
}
