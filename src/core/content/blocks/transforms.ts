import { type JsonObject, mapItems, mapKey } from '../../../lib/json-object.ts';
import { type SanitizeHtml, sanitizeHtml } from '../../../lib/text/sanitize-html.ts';
import type { Block, BlockReadContext, BlockRegistry, BlockWriteContext } from '../../types/block.ts';
import { parseReference } from './resolve-uid.ts';
import { serveLink } from './serve-link.ts';
import { mapBlocks } from './walk.ts';

type Step<Context> = (block: JsonObject, context: Context) => JsonObject;

/** The block with the addresses under its own link keys changed. */
const mapLinks = (block: JsonObject, keys: readonly string[], change: (link: string) => string): JsonObject =>
  keys.reduce(
    (before, key) =>
      mapKey(before, key, (value) => {
        if (typeof value === 'string') return change(value);
        return Array.isArray(value)
          ? mapItems(value, (item) => (typeof item === 'string' ? change(item) : item))
          : value;
      }),
    block,
  );

const writeSteps = ({ links = [], write }: Block): Step<BlockWriteContext>[] => [
  ...(links.length > 0 ? [(block: JsonObject, { resolve }: BlockWriteContext) => mapLinks(block, links, resolve)] : []),
  ...(write ? [write] : []),
];

const servingSteps = ({ links = [], read }: Block): Step<BlockReadContext>[] => [
  ...(read ? [read] : []),
  ...(links.length > 0
    ? [(block: JsonObject, { targets }: BlockReadContext) => mapLinks(block, links, (link) => serveLink(link, targets))]
    : []),
];

function run<Context>(
  blocks: unknown,
  stepsOf: (type: unknown) => Step<Context>[],
  contextOf: (isSubBlock: (value: object) => boolean) => Context,
): unknown {
  const done = new WeakSet<object>();
  const context = contextOf((value) => done.has(value));
  const known = new Map<unknown, Step<Context>[]>();
  return mapBlocks(blocks, (block) => {
    const type = block['@type'];
    const steps = known.get(type) ?? stepsOf(type);
    known.set(type, steps);
    const result = steps.reduce((before, step) => step(before, context), block);
    done.add(result);
    return result;
  });
}

const written = (registry: BlockRegistry, blocks: unknown, tools: Omit<BlockWriteContext, 'isSubBlock'>): unknown =>
  run(
    blocks,
    (type) => registry.writers(type).flatMap(writeSteps),
    (isSubBlock) => ({ ...tools, isSubBlock }),
  );

/**
 * Every string in blocks that may be an internal link, in any of its forms, so that one statement can
 * resolve them all before `storeBlocks`. Throws BadRequest when blocks are nested too deep.
 */
export function collectLinks(registry: BlockRegistry, blocks: unknown): Set<string> {
  const links = new Set<string>();
  const resolve = (link: string): string => {
    links.add(link);
    return link;
  };
  written(registry, blocks, { resolve, sanitize: (html) => html });
  return links;
}

/**
 * The HTML in blocks, so that it can be cleaned before `storeBlocks`. Throws BadRequest when blocks are nested too deep.
 */
export function collectHtml(registry: BlockRegistry, blocks: unknown): Set<string> {
  const texts = new Set<string>();
  const sanitize = (html: string): string => {
    texts.add(html);
    return html;
  };
  written(registry, blocks, { resolve: (link) => link, sanitize });
  return texts;
}

/**
 * The blocks that a client sent in the form in which they are stored: internal links in the form that `resolve` returns (other strings unchanged),
 * HTML sanitised. The input is not altered; blocks without anything to change come back as they are. Throws BadRequest when blocks are nested too
 * deep.
 */
export const storeBlocks = (
  registry: BlockRegistry,
  blocks: unknown,
  resolve: (link: string) => string,
  sanitize: SanitizeHtml = sanitizeHtml,
): unknown => written(registry, blocks, { resolve, sanitize });

/**
 * Stored blocks as the caller gets them: references as the present address of their target, with its pictures; teasers with its summary. `targets`
 * finds all targets of `collectUids(blocks)`. The input is not altered.
 */
export const serveBlocks = (
  registry: BlockRegistry,
  blocks: unknown,
  context: Omit<BlockReadContext, 'isSubBlock'>,
): unknown =>
  run(
    blocks,
    (type) => registry.readers(type).flatMap(servingSteps),
    (isSubBlock) => ({ ...context, isSubBlock }),
  );

/**
 * UIDs that links in stored blocks refer to, for the index of link integrity: exactly the links that reading replaces (plone.restapi,
 * IBlockFieldLinkIntegrityRetriever).
 */
export function linkedUids(registry: BlockRegistry, stored: unknown): Set<string> {
  const uids = new Set<string>();
  for (const link of collectLinks(registry, stored)) {
    const reference = parseReference(link);
    if (reference !== undefined) uids.add(reference.uid);
  }
  return uids;
}
