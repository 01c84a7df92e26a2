import type { JsonObject } from '../../lib/json-object.ts';

const LINK_KEYS = ['url', 'href', 'preview_image'];

/** Whether strings under this key, also in lists, are links (plone.restapi, ResolveUIDDeserializerBase). */
export const isLinkKey = (key: string): boolean => LINK_KEYS.includes(key);

/**
 * Keys of an object whose strings are links, in the order in which their pictures are preferred:
 * the value of a `{"@type": "URL", "value"}`, the `@id` of any object, and the link keys.
 */
export const referenceKeys = (object: JsonObject): string[] =>
  object['@type'] === 'URL' ? ['value', '@id', ...LINK_KEYS] : ['@id', ...LINK_KEYS];
