import { BadRequest } from '../../../lib/errors.ts';
import { isJsonObject, type JsonObject, mapItems, mapKey, mapValues } from '../../../lib/json-object.ts';

/** Maximum depth of blocks in blocks, and of values inside one block. Real pages stay below 30. */
export const MAX_DEPTH = 200;

/** Throws BadRequest beyond MAX_DEPTH. Every recursion over a client's blocks is bounded by this check. */
export function checkDepth(depth: number): void {
  if (depth > MAX_DEPTH) throw new BadRequest(`Blocks are nested deeper than ${MAX_DEPTH} levels.`);
}

type Change = (block: JsonObject) => JsonObject;

const mapContainer = (blocks: unknown, change: Change): unknown =>
  isJsonObject(blocks) ? mapValues(blocks, (block) => (isJsonObject(block) ? change(block) : block)) : blocks;

/** Changes nodes of the plate editor: nodes with an `@type` are blocks, at any depth; inner blocks come first. */
function mapNodes(nodes: unknown, change: Change, depth: number): unknown {
  checkDepth(depth);
  if (!Array.isArray(nodes)) return nodes;
  return mapItems(nodes, (node) => {
    if (!isJsonObject(node)) return node;
    const inner = mapKey(node, 'children', (children) => mapNodes(children, change, depth + 1));
    return typeof node['@type'] === 'string' ? change(inner) : inner;
  });
}

/**
 * The block with changed sub-blocks: the blocks in `blocks`, in `data.blocks` and among the nodes of a `__somersault__` block (plone.restapi,
 * IBlockVisitor). `change` must change the sub-blocks of a sub-block itself.
 */
function mapSubBlocks(block: JsonObject, change: Change): JsonObject {
  const inBlocks = mapKey(block, 'blocks', (blocks) => mapContainer(blocks, change));
  const inData = mapKey(inBlocks, 'data', (data) =>
    isJsonObject(data) ? mapKey(data, 'blocks', (blocks) => mapContainer(blocks, change)) : data,
  );
  return block['@type'] === '__somersault__' ? mapKey(inData, 'value', (nodes) => mapNodes(nodes, change, 0)) : inData;
}

/** The sub-blocks of a block, without those inside them. */
export function subBlocks(block: JsonObject): JsonObject[] {
  const found: JsonObject[] = [];
  mapSubBlocks(block, (inner) => {
    found.push(inner);
    return inner;
  });
  return found;
}

/**
 * A `blocks` object with every block changed, inner blocks before outer ones. The input is not altered, and is returned itself when no block changes;
 * entries that are no objects stay. Throws BadRequest when blocks are nested deeper than MAX_DEPTH.
 */
export function mapBlocks(blocks: unknown, change: Change): unknown {
  const within = (block: JsonObject, depth: number): JsonObject => {
    checkDepth(depth);
    return change(mapSubBlocks(block, (inner) => within(inner, depth + 1)));
  };
  return mapContainer(blocks, (block) => within(block, 0));
}

/** Calls `visit` with every block in a `blocks` object, inner blocks first. Throws as mapBlocks does. */
export function visitBlocks(blocks: unknown, visit: (block: JsonObject) => void): void {
  mapBlocks(blocks, (block) => {
    visit(block);
    return block;
  });
}
