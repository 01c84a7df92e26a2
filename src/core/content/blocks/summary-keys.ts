import { type JsonObject, omit } from '../../../lib/json-object.ts';

/** Keys that clients copy from a search result into a selection, beyond the keys of the server's own summaries. */
const COPIED_KEYS = new Set([
  ...[
    '@type',
    'id',
    'UID',
    'title',
    'description',
    'head_title',
    'nav_title',
    'type_title',
    'review_state',
    'image_field',
  ],
  ...[
    'image_scales',
    'is_folderish',
    'effective',
    'expires',
    'created',
    'modified',
    'start',
    'end',
    'mime_type',
    'Title',
  ],
  ...['Description', 'Subject', 'Creator', 'getId', 'getURL', 'getPath', 'getRemoteUrl', 'getObjSize', 'getIcon'],
  ...['hasPreviewImage', 'listCreators', 'portal_type', 'path'],
]);

/**
 * A selected object without the members that were copied from its target: a client sends the summary that the author saw, and a reader who may not
 * view the target must not see this summary.
 */
export const withoutSummary = (selected: JsonObject, summary: JsonObject): JsonObject =>
  omit(selected, (key) => COPIED_KEYS.has(key) || (key !== '@id' && Object.hasOwn(summary, key)));
