import type { FieldProblem } from '../lib/errors.ts';
import type { JobAction } from '../site/job-actions.ts';
import { reindexSite } from './reindex-site.ts';

/** The schema has seen to it that they are texts. */
const namesOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

/** Builds catalog and references anew. What it makes is the same however often it is begun, so it can be broken off. */
export const reindex: JobAction = {
  name: 'reindex',
  title: 'Reindex items',
  description: 'Builds the catalog of the site anew while it is in use.',
  schema: {
    fieldsets: [{ id: 'default', title: 'Default', fields: ['type'] }],
    properties: {
      type: {
        title: 'Content type',
        description: 'Content types of the objects that are indexed; an empty list for all.',
        type: 'array',
        factory: 'Multiple Choice',
        items: { type: 'string', vocabulary: { '@id': 'types' } },
        uniqueItems: true,
        additionalItems: true,
      },
    },
    required: ['type'],
  },
  exclusive: true,
  check({ type: names }, site) {
    const unknown = namesOf(names).filter((name) => !site.types.has(name));
    return unknown.map((name): FieldProblem => ({ field: 'type', message: `There is no content type "${name}"` }));
  },
  run: async ({ kernel, params, signal, progress }) => {
    const types = namesOf(params.type);
    return { objects: await reindexSite(kernel, { signal, progress, ...(types.length > 0 ? { types } : {}) }) };
  },
};
