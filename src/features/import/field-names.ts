/** Names that fields of imported types can have: those of Python, and what add-ons of Plone make of them. */
const NAME = /^[A-Za-z_][\w.-]{0,127}$/;

/** Keys by which content is served or written beside its fields. */
const RESERVED = new Set([
  ...['UID', 'id', 'parent', 'items', 'items_total', 'batching', 'created', 'modified', 'review_state', 'owner'],
  ...['layout', 'is_folderish', 'lock', 'version', 'type_title', 'previous_item', 'next_item', 'targetUrl'],
  ...['working_copy', 'working_copy_of', 'ordering', 'translation_of', 'changeNote', 'portal_type', 'default_page'],
]);

/** True if a type can get a field of the name from an import. */
export const mayNameField = (name: string): boolean =>
  NAME.test(name) && !RESERVED.has(name) && !(name in Object.prototype);
