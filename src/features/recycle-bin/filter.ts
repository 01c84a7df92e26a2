import { BadRequest } from '../../lib/errors.ts';
import { parseInstant } from '../../lib/iso-date.ts';
import { booleanParameter } from '../../serializer/item-options.ts';
import type { RecycledFilter, RecycledSort } from './statements/entries.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

const text = (query: URLSearchParams, name: string): string | undefined => query.get(name)?.trim() || undefined;

/** Parses a date, or a date and time; with `end` a date alone stands for its last instant. Throws BadRequest. */
function instant(query: URLSearchParams, name: string, end: boolean): Date | undefined {
  const value = text(query, name);
  if (value === undefined) return undefined;
  const date = parseInstant(value);
  if (!date) throw new BadRequest(`Invalid ${name}: Not a date, such as 2026-05-01, or a date and time.`);
  return end && value.length === 10 ? new Date(date.getTime() + DAY_MS) : date;
}

/** Parses `has_subitems`, which is a boolean or one of the values of Plone's form. */
function hasSubitems(query: URLSearchParams): boolean | undefined {
  const value = text(query, 'has_subitems');
  if (value === undefined) return undefined;
  if (value === 'with_subitems') return true;
  if (value === 'without_subitems') return false;
  return booleanParameter(query, 'has_subitems', false);
}

/** Parses the filters of a list of the bin. Throws BadRequest. */
export const parseFilter = (query: URLSearchParams): RecycledFilter => ({
  title: text(query, 'title'),
  path: text(query, 'path'),
  type: text(query, 'portal_type'),
  from: instant(query, 'date_from', false),
  until: instant(query, 'date_to', true),
  deletedBy: text(query, 'deleted_by'),
  hasChildren: hasSubitems(query),
  language: text(query, 'language'),
  reviewState: text(query, 'review_state'),
});

const SORTS: Readonly<Record<string, RecycledSort['on']>> = {
  date: 'deleted',
  deletion_date: 'deleted',
  title: 'title',
  path: 'path',
  id: 'name',
  type: 'type',
  portal_type: 'type',
  deleted_by: 'deletedBy',
  language: 'language',
  review_state: 'reviewState',
  size: 'objects',
};

/** Values of `sort_on`. */
export const SORT_NAMES = Object.keys(SORTS);

/** Parses the order of a list of the bin; by default the newest deletion comes first. Throws BadRequest. */
export function parseSort(query: URLSearchParams): RecycledSort {
  const name = text(query, 'sort_on') ?? 'deletion_date';
  const on = Object.hasOwn(SORTS, name) ? SORTS[name] : undefined;
  if (!on) throw new BadRequest(`Invalid sort_on: It must be one of ${SORT_NAMES.join(', ')}.`);
  const order = text(query, 'sort_order')?.toLowerCase();
  if (order === undefined) return { on, descending: on === 'deleted' };
  if (['descending', 'desc', 'reverse'].includes(order)) return { on, descending: true };
  if (['ascending', 'asc'].includes(order)) return { on, descending: false };
  throw new BadRequest('Invalid sort_order: It must be ascending or descending.');
}
