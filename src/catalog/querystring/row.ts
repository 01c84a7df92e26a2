import { BadRequest } from '../../lib/errors.ts';
import { isJsonObject } from '../../lib/json-object.ts';

/** One condition of a listing: index, operation, value. */
export type Row = { index: string; operation: string; value: unknown };

/** Conditions of one query. */
const MAX_ROWS = 100;

/** The full names of operations begin with this; short ones are understood too (Nick). */
export const PREFIX = 'plone.app.querystring.operation.';

/** Reads the conditions of a query as clients send and collections keep them. Throws BadRequest for what is none. */
export function readRows(value: unknown): Row[] {
  if (!Array.isArray(value) || value.length === 0) throw new BadRequest('No query supplied');
  if (value.length > MAX_ROWS) throw new BadRequest(`A query has ${MAX_ROWS} conditions at most.`);
  return value.map((row: unknown) => {
    if (!isJsonObject(row) || typeof row.i !== 'string' || typeof row.o !== 'string') {
      throw new BadRequest(
        'Invalid query. Each condition is an object with "i" (index), "o" (operation) and "v" (value).',
      );
    }
    const operation = row.o.startsWith(PREFIX) ? row.o.slice(PREFIX.length) : row.o;
    return { index: row.i, operation, value: row.v };
  });
}

/** Whether a value says nothing yet: such conditions are passed over, as editors send them. */
export const isEmptyValue = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.every(isEmptyValue));

/** A value as a list of what is in it. */
export const valuesOf = (value: unknown): unknown[] =>
  (Array.isArray(value) ? value : [value]).filter((one) => !isEmptyValue(one));
