import { isJsonObject, type JsonObject, mapItems, mapValues } from '../../../lib/json-object.ts';
import type { BlockReadContext } from '../../types/block.ts';
import { isLinkKey, parseReference, referenceKeys } from './resolve-uid.ts';
import { serveLink } from './serve-link.ts';
import { withoutSummary } from './summary-keys.ts';
import { checkDepth } from './walk.ts';

/** The pictures of the first visible target among the references of a stored object, or undefined. */
function picturesOf(stored: JsonObject, { targets }: BlockReadContext): JsonObject | undefined {
  for (const key of referenceKeys(stored)) {
    const link = stored[key];
    const reference = typeof link === 'string' ? parseReference(link) : undefined;
    const target = reference && targets(reference.uid);
    if (!target?.visible) continue;
    const { image_scales: scales, image_field: field } = target.summary;
    if (!isJsonObject(scales) || Object.keys(scales).length === 0) continue;
    // The picture of the target that the author chose stays as long as the target has it.
    const chosen = stored.image_field;
    if (typeof chosen === 'string' && Object.hasOwn(scales, chosen)) return { image_scales: scales };
    return { image_scales: scales, ...(typeof field === 'string' ? { image_field: field } : {}) };
  }
  return undefined;
}

/** The summary of the target of `@id` when the caller must not see it, or undefined. */
function hiddenSummary(stored: JsonObject, { targets }: BlockReadContext): JsonObject | undefined {
  const reference = typeof stored['@id'] === 'string' ? parseReference(stored['@id']) : undefined;
  const target = reference && targets(reference.uid);
  return target !== undefined && !target.visible ? target.summary : undefined;
}

type Walk = { context: BlockReadContext; pictures: boolean };

function serveObject(object: JsonObject, walk: Walk, depth: number): JsonObject {
  const keys = referenceKeys(object);
  const served = mapValues(object, (value, key) =>
    typeof value === 'string' && keys.includes(key)
      ? serveLink(value, walk.context.targets)
      : serveValue(value, key, walk, depth + 1),
  );
  const pictures = walk.pictures ? picturesOf(object, walk.context) : undefined;
  return pictures === undefined ? served : { ...served, ...pictures };
}

function serveValue(value: unknown, key: string, walk: Walk, depth: number): unknown {
  checkDepth(depth);
  if (typeof value === 'string') return isLinkKey(key) ? serveLink(value, walk.context.targets) : value;
  if (Array.isArray(value)) return mapItems(value, (item) => serveValue(item, key, walk, depth + 1));
  if (!isJsonObject(value) || walk.context.isSubBlock(value)) return value;
  const hidden = hiddenSummary(value, walk.context);
  return serveObject(hidden === undefined ? value : withoutSummary(value, hidden), walk, depth);
}

/**
 * The block with every reference as the present address of its target, and `image_scales` and `image_field` next to references whose target has
 * pictures. Objects that refer to a target that the caller may not view lose the members that were copied from the target. (plone.restapi,
 * ResolveUIDSerializer)
 */
export const serveReferences = (block: JsonObject, context: BlockReadContext): JsonObject =>
  serveObject(block, { context, pictures: true }, 0);

/** Serves the references of a rich text inside a block, whose links need no pictures. */
export const serveTextReferences = (text: unknown, context: BlockReadContext): unknown =>
  serveValue(text, '', { context, pictures: false }, 0);
