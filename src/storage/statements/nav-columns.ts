/** Fields of an object without those that no listing shows and that may be large. */
export const INDEX_FIELDS = `c.fields - array['blocks', 'blocks_layout', 'text']`;
