import { isJsonObject, type JsonObject, omit } from '../../../lib/json-object.ts';
import type { BlockReadContext } from '../../types/block.ts';
import { parseReference } from './resolve-uid.ts';

/** Texts of the block that come from its target unless `overwrite` is set. */
const PULLED = ['title', 'description', 'head_title'];

/** The selected target as an object with an `@id`, in any of the forms that clients send; undefined without one. */
function selectionOf(href: unknown): JsonObject | undefined {
  const first: unknown = Array.isArray(href) ? href[0] : href;
  if (isJsonObject(first)) return first;
  return typeof first === 'string' && first !== '' ? { '@id': first } : undefined;
}

/**
 * A teaser with the present summary of its target in `href`, and with the target's title, description and head title when `overwrite` is false. If
 * the target is removed or hidden from the caller, `href` is empty and no text comes from the target. A block without the key `overwrite` is an old
 * block with its own texts: it gets `overwrite: true`. (plone.restapi, TeaserBlockSerializer)
 */
export function serveTeaser(block: JsonObject, { targets }: BlockReadContext): JsonObject {
  const selection = selectionOf(block.href);
  if (selection === undefined) return block;
  if (!Object.hasOwn(block, 'overwrite')) return { ...block, overwrite: true };
  const link = typeof selection['@id'] === 'string' ? selection['@id'] : '';
  const reference = parseReference(link);
  const target = reference && targets(reference.uid);
  if (reference === undefined && /^[a-z][a-z\d+.-]*:/i.test(link)) return block;
  const own = block.overwrite ? block : omit(block, (key) => PULLED.includes(key));
  if (reference === undefined || !target?.visible) return { ...own, href: [] };
  const rest = Array.isArray(block.href) ? block.href.slice(1) : [];
  const summary = { ...selection, ...target.summary, '@id': target.url + reference.suffix };
  const pulled = block.overwrite ? {} : omit(target.summary, (key) => !PULLED.includes(key));
  return { ...own, ...pulled, href: [summary, ...rest] };
}
