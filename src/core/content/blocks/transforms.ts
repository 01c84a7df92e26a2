import { isJsonObject, type JsonObject, mapItems, mapKey } from '../../../lib/json-object.ts';
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

type StepsOf<Context> = (type: unknown) => readonly Step<Context>[];

/**
 * The steps for blocks by their types. They depend on the registry only, so they are made once for each of its types; all other types share the
 * steps of an unknown type.
 */
function stepsByType<Context>(
  declared: (registry: BlockRegistry, type: unknown) => Block[],
  stepsFor: (block: Block) => Step<Context>[],
): (registry: BlockRegistry) => StepsOf<Context> {
  const known = new WeakMap<BlockRegistry, StepsOf<Context>>();
  const make = (registry: BlockRegistry): StepsOf<Context> => {
    const ofType = (type: unknown) => declared(registry, type).flatMap(stepsFor);
    const byType = new Map<unknown, Step<Context>[]>(registry.types.map((type) => [type, ofType(type)]));
    const ofOthers = ofType(undefined);
    return (type) => byType.get(type) ?? ofOthers;
  };
  return (registry) => {
    const stepsOf = known.get(registry) ?? make(registry);
    known.set(registry, stepsOf);
    return stepsOf;
  };
}

const writingSteps = stepsByType((registry, type) => registry.writers(type), writeSteps);
const readingSteps = stepsByType((registry, type) => registry.readers(type), servingSteps);

function run<Context>(
  blocks: unknown,
  stepsOf: StepsOf<Context>,
  contextOf: (isSubBlock: (value: object) => boolean) => Context,
): unknown {
  const done = new Set<object>();
  const context = contextOf((value) => done.has(value));
  return mapBlocks(blocks, (block) => {
    const result = stepsOf(block['@type']).reduce((before, step) => step(before, context), block);
    done.add(result);
    return result;
  });
}

const written = (
  registry: BlockRegistry,
  blocks: unknown,
  { resolve, sanitize }: Omit<BlockWriteContext, 'isSubBlock'>,
): unknown => run(blocks, writingSteps(registry), (isSubBlock) => ({ resolve, sanitize, isSubBlock }));

type Collected = { links: ReadonlySet<string>; html: ReadonlySet<string> };

/** The links and HTML of blocks that are still in memory. */
const collected = new WeakMap<BlockRegistry, WeakMap<object, Collected>>();

/** The links and the HTML in blocks. A write asks for both of what it was sent, and for the links of what it stores, which is mostly the same object. */
function collect(registry: BlockRegistry, blocks: unknown): Collected {
  const kept = collected.get(registry) ?? new WeakMap<object, Collected>();
  const known = isJsonObject(blocks) ? kept.get(blocks) : undefined;
  if (known) return known;
  const [links, html] = [new Set<string>(), new Set<string>()];
  const addTo = (texts: Set<string>) => (text: string) => {
    texts.add(text);
    return text;
  };
  written(registry, blocks, { resolve: addTo(links), sanitize: addTo(html) });
  if (isJsonObject(blocks)) collected.set(registry, kept.set(blocks, { links, html }));
  return { links, html };
}

/**
 * Every string in blocks that may be an internal link, in any of its forms, so that one statement can
 * resolve them all before `storeBlocks`. Throws BadRequest when blocks are nested too deep.
 */
export const collectLinks = (registry: BlockRegistry, blocks: unknown): ReadonlySet<string> =>
  collect(registry, blocks).links;

/**
 * The HTML in blocks, so that it can be cleaned before `storeBlocks`. Throws BadRequest when blocks are nested too deep.
 */
export const collectHtml = (registry: BlockRegistry, blocks: unknown): ReadonlySet<string> =>
  collect(registry, blocks).html;

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
): unknown => run(blocks, readingSteps(registry), (isSubBlock) => ({ ...context, isSubBlock }));

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
