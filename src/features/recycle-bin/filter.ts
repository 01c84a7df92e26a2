import { type StaticDecode, Type } from 'typebox';
import { batching, schemas } from '#core';
import { parseBoolean } from '#lib/schema/parse-text';
import { parseInstant } from '#lib/time/iso-date';
import { DAY_MS } from '#lib/time/milliseconds';
import type { RecycledFilter, RecycledSort } from './statements/entries.ts';

/** A date, or a date and time, of a deletion. A date without a time stands for the end of the day if it is an `end`. `run` gets a Date. */
const DeletionDate = (name: string, description: string, end: boolean) =>
  Type.Decode(
    Type.Refine(
      schemas.Words({ description, reject: `Invalid ${name}: Not a date, such as 2026-05-01, or a date and time.` }),
      (text) => parseInstant(text) !== undefined,
    ),
    (text) => {
      const date = parseInstant(text) ?? new Date(Number.NaN);
      return end && text.length === 10 ? new Date(date.getTime() + DAY_MS) : date;
    },
  );

/** Parses the values of Plone's form, and words for booleans. */
function parseHasSubitems(text: string): boolean | undefined {
  if (text === 'with_subitems') return true;
  return text === 'without_subitems' ? false : parseBoolean(text);
}

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
const SORT_NAMES = Object.keys(SORTS).join(', ');

const DESCENDING: ReadonlyMap<string, boolean> = new Map([
  ['descending', true],
  ['desc', true],
  ['reverse', true],
  ['ascending', false],
  ['asc', false],
]);

/** The query of lists of the recycle bin. */
export const RecyclebinQuery = Type.Object({
  title: Type.Optional(schemas.Words({ description: 'Part of the title, in any case.' })),
  path: Type.Optional(schemas.Words({ description: 'Part of the path that the content had.' })),
  portal_type: Type.Optional(schemas.Words({ description: 'Name of the type.' })),
  date_from: Type.Optional(DeletionDate('date_from', 'Date, or date and time, of the earliest deletion.', false)),
  date_to: Type.Optional(DeletionDate('date_to', 'Date, or date and time, of the latest deletion.', true)),
  deleted_by: Type.Optional(schemas.Words({ description: 'Id of the user who deleted it.' })),
  has_subitems: Type.Optional(
    Type.Decode(
      Type.Refine(
        schemas.Words({
          description: 'Whether there was other content below it: a boolean, `with_subitems` or `without_subitems`.',
          reject: 'Invalid has_subitems: Not a boolean. Use true or false.',
        }),
        (text) => parseHasSubitems(text) !== undefined,
      ),
      (text) => parseHasSubitems(text) === true,
    ),
  ),
  language: Type.Optional(schemas.Words({ description: 'Its language.' })),
  review_state: Type.Optional(schemas.Words({ description: 'The state of its workflow.' })),
  sort_on: Type.Decode(
    Type.Refine(
      schemas.Words({
        description: `One of ${SORT_NAMES}.`,
        default: 'deletion_date',
        reject: `Invalid sort_on: It must be one of ${SORT_NAMES}.`,
      }),
      (name) => Object.hasOwn(SORTS, name),
    ),
    (name) => SORTS[name] ?? 'deleted',
  ),
  sort_order: Type.Optional(
    Type.Decode(
      Type.Refine(
        schemas.Words({
          description: '`ascending` or `descending`.',
          reject: 'Invalid sort_order: It must be ascending or descending.',
        }),
        (order) => DESCENDING.has(order.toLowerCase()),
      ),
      (order) => DESCENDING.get(order.toLowerCase()) === true,
    ),
  ),
  ...batching.Query('entries', { size: 100 }),
});

type Query = StaticDecode<typeof RecyclebinQuery>;

/** The filters of a query for the statement. */
export const filterOf = (query: Query): RecycledFilter => ({
  title: query.title,
  path: query.path,
  type: query.portal_type,
  from: query.date_from,
  until: query.date_to,
  deletedBy: query.deleted_by,
  hasChildren: query.has_subitems,
  language: query.language,
  reviewState: query.review_state,
});

/** The order of a query for the statement. Without `sort_order` a sort by deletion is descending, and other sorts are ascending. */
export const sortOf = ({ sort_on: on, sort_order: descending = on === 'deleted' }: Query): RecycledSort => ({
  on,
  descending,
});
