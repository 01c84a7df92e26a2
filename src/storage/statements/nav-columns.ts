import { NODE_COLUMNS } from './content-columns.ts';

/** Fields of an object without those that no listing shows and that may be large. */
export const INDEX_FIELDS = `c.fields - array['blocks', 'blocks_layout', 'text']`;

/** What listings show of an object. */
export const LISTED_COLUMNS = `${NODE_COLUMNS}, c.created, c.modified, c.effective, c.expires, ${INDEX_FIELDS} as fields`;
