import { Type } from 'typebox';
import { isFrozenWhole } from '../../../lib/frozen-json.ts';
import { isJsonObject } from '../../../lib/json-object.ts';
import type { UnparsedJson } from '../../../lib/unparsed-json.ts';
import type { BlockRegistry } from '../../types/block.ts';
import { FieldError, type FieldKind } from '../../types/field-kind.ts';
import type { KindMark } from '../../types/field-kinds.ts';
import { blockShape, sameShape } from '../../types/value-shapes.ts';
import { collectUids, hasReferences } from '../blocks/resolve-uid.ts';
import { rewriteBlocks } from '../blocks/rewrite-texts.ts';
import { blocksText, nodesText } from '../blocks/searchable-text.ts';
import { collectHtml, collectLinks, linkedUids, serveBlocks, storeBlocks } from '../blocks/transforms.ts';
import { mergeJson } from '../merge/merge-json.ts';
import { checkJson } from './check-json.ts';

/** Puts a JSON value that has no blocks into one block, to be walked as in plone.restapi (S23); a list becomes the only member of an object. */
const asBlocks = (value: unknown) => ({ field: Array.isArray(value) ? { list: value } : value });

/** Takes a value out of such a block again. */
function fromBlocks(blocks: unknown, value: unknown): unknown {
  const field = isJsonObject(blocks) ? blocks.field : undefined;
  return Array.isArray(value) && isJsonObject(field) ? field.list : field;
}

/** Frozen values without references, and the values that are served as stored: to readers, and to editors. */
const withoutUids = new WeakSet<object>();
const asStored = { readers: new WeakSet<object>(), editors: new WeakSet<object>() };

/** The UIDs in a stored value. A large value is searched once while it is in memory. */
function uidsIn(stored: unknown): ReadonlySet<string> {
  if (!isFrozenWhole(stored)) return collectUids(stored);
  if (withoutUids.has(stored)) return new Set();
  const uids = collectUids(stored);
  if (uids.size === 0) withoutUids.add(stored);
  return uids;
}

/**
 * Returns the result of `serve` for a stored value. The result for a value without references depends only on the reader's right to edit. If the
 * result was once the stored value itself, it is always that value.
 */
function servedOnce(stored: unknown, mayEdit: boolean, serve: () => unknown): unknown {
  if (!isFrozenWhole(stored)) return serve();
  const known = mayEdit ? asStored.editors : asStored.readers;
  if (known.has(stored)) return stored;
  const served = serve();
  if (served === stored && uidsIn(stored).size === 0) known.add(stored);
  return served;
}

/** The key of the type of a block in a stored text, after its `@`. */
const TYPE_KEY = 'type":';

/**
 * Says if blocks have no reference and no block of a type that is served in another form. The text has no escapes but for quotes, backslashes and
 * control characters, so that references and types are found wherever they are. It may be large, so only rare characters are looked for.
 */
function areServedAsStored({ changed }: BlockRegistry, { text }: UnparsedJson): boolean {
  if (changed === undefined) return false;
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    if (!text.startsWith(TYPE_KEY, at + 1)) continue;
    // Texts that were binary JSON of PostgreSQL once have a space behind the colon.
    const begin = text.indexOf('"', at + 1 + TYPE_KEY.length) + 1;
    if (changed.has(text.slice(begin, text.indexOf('"', begin)))) return false;
  }
  return !hasReferences(text);
}

const isBlocksField = (name: string): boolean => name === 'blocks';

/** The words of a JSON value that an editor makes: nodes of slate, or blocks with their layout. Other values have none. */
function jsonWords(blocks: BlockRegistry, stored: unknown): string {
  if (Array.isArray(stored)) return nodesText(stored);
  return isJsonObject(stored) ? blocksText(blocks, stored.blocks, stored.blocks_layout) : '';
}

const BlocksLayout = Type.Object({ items: Type.Array(Type.String({ description: 'Id of a block.' })) });

/**
 * Any JSON: `blocks`, `blocks_layout` and fields of types made over the API. Internal links in it are stored by UID and
 * served as addresses.
 */
const jsonField = (blocks: BlockRegistry): FieldKind => {
  /** Known results for texts that stay in memory. */
  const servedAsStored = new WeakMap<UnparsedJson, boolean>();
  const Blocks = Type.Record(Type.String(), blockShape(blocks), { description: 'Blocks by their ids.' });
  return {
    factories: [
      { name: 'JSONField', tokens: ['JSONField'], property: { type: 'dict', widget: 'json' } },
      // Volto chooses the editor by the factory if the field has no widget.
      { name: 'SlateJSONField', property: { type: 'dict' } },
      { name: 'Dict', property: { type: 'dict' } },
    ],
    missing: null,
    shape: ({ name }) =>
      sameShape(isBlocksField(name) ? Blocks : name === 'blocks_layout' ? BlocksLayout : Type.Unknown()),
    links: (value, { name }) => collectLinks(blocks, isBlocksField(name) ? value : asBlocks(value)),
    html: (value, { name }) => collectHtml(blocks, isBlocksField(name) ? value : asBlocks(value)),
    deserialize(value, field, context) {
      checkJson(value);
      if (isBlocksField(field.name)) {
        if (typeof value !== 'object' || value === null || Array.isArray(value))
          throw new FieldError('Must be an object of blocks by their ids.');
        for (const block of Object.values(value)) {
          if (typeof block !== 'object' || block === null || Array.isArray(block))
            throw new FieldError('Every block must be an object.');
        }
        return storeBlocks(blocks, value, context.resolveLink, context.sanitize);
      }
      if (field.name === 'blocks_layout') {
        const items = typeof value === 'object' && value !== null && 'items' in value ? value.items : undefined;
        if (!Array.isArray(items) || !items.every((id) => typeof id === 'string'))
          throw new FieldError('Must be an object with items, a list of block ids.');
        return value;
      }
      return fromBlocks(storeBlocks(blocks, asBlocks(value), context.resolveLink, context.sanitize), value);
    },
    uids: (stored) => uidsIn(stored),
    references: (stored, field) => (isBlocksField(field.name) ? linkedUids(blocks, stored) : collectUids(stored)),
    serialize: (stored, field, { target, mayEdit, slots }) =>
      servedOnce(stored, mayEdit, () =>
        isBlocksField(field.name)
          ? serveBlocks(blocks, stored, { targets: target, mayEdit, slots })
          : fromBlocks(serveBlocks(blocks, asBlocks(stored), { targets: target, mayEdit, slots }), stored),
      ),
    isServedAsStored(stored) {
      const known = servedAsStored.get(stored);
      if (known !== undefined) return known;
      const found = areServedAsStored(blocks, stored);
      servedAsStored.set(stored, found);
      return found;
    },
    words: (stored, field, fields) =>
      isBlocksField(field.name) ? blocksText(blocks, stored, fields.blocks_layout) : jsonWords(blocks, stored),
    rewrite: (stored, field, rewriter) => (isBlocksField(field.name) ? rewriteBlocks(stored, rewriter) : stored),
    merge(sides, { prefer, budget }) {
      const merging = { prefer, budget, conflicts: [] };
      const value = mergeJson(merging, sides, []);
      return { value, conflicts: merging.conflicts.length > 0 };
    },
    recognizes: () => true,
    breadth: 9,
  };
};

/** The kind of JSON values, and the kind of fields whose factory no feature has, such as a factory of a removed add-on. */
export function jsonFieldKinds(blocks: BlockRegistry): {
  json: FieldKind;
  /** Values of fields with an unknown factory are stored unchanged; numbers and truth values can be found and listed. */
  unknown: (mark: KindMark) => FieldKind;
} {
  const json = jsonField(blocks);
  const { recognizes: _all, ...kind } = json;
  const number: FieldKind = { ...kind, narrows: json, indexes: ['number'], column: true };
  const boolean: FieldKind = { ...kind, narrows: json, indexes: ['boolean'], column: true };
  return {
    json,
    unknown: ({ type }) => (type === 'integer' || type === 'number' ? number : type === 'boolean' ? boolean : json),
  };
}
