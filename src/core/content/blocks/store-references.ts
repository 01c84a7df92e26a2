import { isJsonObject, type JsonObject, mapItems, mapValues, omit } from '../../../lib/json-object.ts';
import type { BlockWriteContext } from '../../types/block.ts';
import { isLinkKey, parseReference, referenceKeys } from './resolve-uid.ts';
import { checkDepth } from './walk.ts';

function storeObject(object: JsonObject, context: BlockWriteContext, depth: number): JsonObject {
  const keys = referenceKeys(object);
  let refers = false;
  const stored = mapValues(object, (value, key) => {
    if (typeof value !== 'string' || !keys.includes(key)) return storeValue(value, key, context, depth + 1);
    const reference = context.resolve(value);
    refers ||= reference !== value || parseReference(value) !== undefined;
    return reference;
  });
  return refers ? omit(stored, (key) => key === 'image_scales') : stored;
}

function storeValue(value: unknown, key: string, context: BlockWriteContext, depth: number): unknown {
  checkDepth(depth);
  if (typeof value === 'string') return isLinkKey(key) ? context.resolve(value) : value;
  if (Array.isArray(value)) return mapItems(value, (item) => storeValue(item, key, context, depth + 1));
  return isJsonObject(value) && !context.isSubBlock(value) ? storeObject(value, context, depth) : value;
}

/**
 * The block with every link in its stored form: strings under link keys, `@id` of objects and `{"@type": "URL"}` values, at any depth; the links of
 * slate, slate tables and DraftJS are among them. The `image_scales` next to a reference are removed, because reading makes them anew from the
 * target. (plone.restapi, ResolveUIDDeserializer)
 */
export const storeReferences = (block: JsonObject, context: BlockWriteContext): JsonObject =>
  storeObject(block, context, 0);
