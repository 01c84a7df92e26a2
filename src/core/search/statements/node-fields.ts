import { textOf } from '../../../lib/json-object.ts';
import type { ContentObject } from '../../types/content-row.ts';

/** Parts of an object that are stored in its fields, and that its row also has as columns. */
type NodeFields = Pick<ContentObject, 'title' | 'description' | 'navTitle' | 'linksNeighbours'>;

/** Each part as SQL of the content `c`, and as a function for objects that are not loaded again after a write. */
const PARTS: { [Name in keyof NodeFields]: { sql: string; of(fields: ContentObject['fields']): NodeFields[Name] } } = {
  title: { sql: `coalesce(c.fields->>'title', '')`, of: ({ title }) => textOf(title) },
  description: { sql: `coalesce(c.fields->>'description', '')`, of: ({ description }) => textOf(description) },
  navTitle: { sql: `nullif(c.fields->>'nav_title', '')`, of: ({ nav_title }) => textOf(nav_title) || null },
  linksNeighbours: {
    sql: `coalesce(c.fields->'nextPreviousEnabled' = 'true', false)`,
    of: ({ nextPreviousEnabled }) => nextPreviousEnabled === true,
  },
};

/** Some of the parts as columns of the content `c`. */
export const fieldColumns = (...names: (keyof NodeFields)[]): string =>
  names.map((name) => `${PARTS[name].sql} as "${name}"`).join(', ');

/** All of them. */
export const FIELD_COLUMNS = fieldColumns('title', 'description', 'navTitle', 'linksNeighbours');

/** The parts of an object with these fields. */
export const nodeFields = (fields: ContentObject['fields']): NodeFields => ({
  title: PARTS.title.of(fields),
  description: PARTS.description.of(fields),
  navTitle: PARTS.navTitle.of(fields),
  linksNeighbours: PARTS.linksNeighbours.of(fields),
});
