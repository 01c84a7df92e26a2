import { Type } from 'typebox';
import { Conflict } from '../../../lib/errors.ts';
import type { JsonObject } from '../../../lib/json-object.ts';
import { INVALID_BASE, parseBase, stateMark } from '../../content/base-state.ts';
import { type Blocks, flattenBlocks, hasBlocks } from '../../content/merge/block-tree.ts';
import { MergeConflict } from '../../content/merge/merge-change.ts';
import { renderObject } from '../../serializer/object.ts';
import type { RenderContext } from '../../serializer/render-context.ts';
import { loadTargets, uidsOf } from '../../serializer/targets.ts';
import { Words } from '../schemas.ts';

/** Conflicts in one response; the others are counted. */
const MAX_CONFLICTS = 100;

/** The parameter that names the base state of a change. */
export const BASE_PARAMETER = {
  base: Type.Optional(
    Type.Decode(
      Words({
        description:
          'The state that the change began from: the ETag that came with it, or the number of a version. What others have changed since is merged with the change. Former states need the permission `CMFEditions: Access previous versions`.',
        examples: ['0'],
        maxLength: 100,
        reject: INVALID_BASE,
      }),
      parseBase,
    ),
  ),
};

/** The parameter that says which side counts at conflicts. */
export const CONFLICT_PARAMETER = {
  on_conflict: Type.Optional(
    Type.Enum(['mine', 'theirs'], {
      description: 'The side that counts where both changed the same. Without it, that is 409.',
      reject: '"on_conflict" must be mine or theirs.',
    }),
  ),
};

const Value = (description: string) => Type.Optional(Type.Unknown({ description }));

/** The response to a change that conflicts with other changes since its base. */
export const ContentConflict = Type.Object({
  type: Type.String(),
  message: Type.String(),
  error: Type.Object({ type: Type.String(), message: Type.String() }),
  base: Type.Optional(
    Type.String({ description: 'Name of the present state, for the parameter `base` of the next change.' }),
  ),
  conflicts: Type.Optional(
    Type.Array(
      Type.Object({
        field: Type.String(),
        block: Type.Optional(Type.String({ description: 'Id of the block, for a conflict in a block.' })),
        base: Value('What both began from; null for nothing.'),
        mine: Value('What this change makes of it.'),
        theirs: Value('What it is now.'),
      }),
      { description: `The first ${MAX_CONFLICTS} parts that both changed. Values that you may not read are left out.` },
    ),
  ),
  conflicts_total: Type.Optional(Type.Integer()),
  merged: Type.Optional(
    Type.Object(
      {},
      {
        additionalProperties: true,
        description: 'The fields of this change as merged, with the present values at the conflicts.',
      },
    ),
  ),
});

/** All blocks of served values, by their ids. */
function servedBlocks(values: JsonObject): ReadonlyMap<string, unknown> {
  const container: unknown = { blocks: values.blocks, blocks_layout: values.blocks_layout };
  const tree = hasBlocks(container) ? (flattenBlocks(container, false) ?? outermost(container)) : undefined;
  return new Map([...(tree?.blocks ?? [])].map(([id, { whole }]) => [id, whole]));
}

const outermost = ({ blocks }: Blocks) => ({
  blocks: new Map(Object.entries(blocks).map(([id, whole]) => [id, { whole }])),
});

/** The body of the response to a conflict, with served values. */
async function conflictBody(context: RenderContext, conflict: MergeConflict): Promise<JsonObject> {
  const nodes = [conflict.base, conflict.mine, conflict.theirs, conflict.merged];
  const targets = await loadTargets(
    context,
    uidsOf(
      context,
      nodes.map(({ object }) => object),
    ),
  );
  const render = { ...context, metadataFields: [] };
  const rendered = nodes.map((node): JsonObject => renderObject(render, node, targets));
  const [base = {}, mine = {}, theirs = {}, merged = {}] = rendered;
  const blocks = { base: servedBlocks(base), mine: servedBlocks(mine), theirs: servedBlocks(theirs) };
  const conflicts = conflict.parts.slice(0, MAX_CONFLICTS).map(({ field, block }) => {
    const part = block === undefined ? { field } : { field, block };
    if (!Object.hasOwn(theirs, field)) return part;
    if (block === undefined)
      return { ...part, base: base[field] ?? null, mine: mine[field] ?? null, theirs: theirs[field] ?? null };
    const of = (side: keyof typeof blocks) => blocks[side].get(block) ?? null;
    return { ...part, base: of('base'), mine: of('mine'), theirs: of('theirs') };
  });
  return {
    base: stateMark(conflict.theirs.object.modified),
    conflicts,
    conflicts_total: conflict.parts.length,
    merged: Object.fromEntries(
      conflict.names.flatMap((name) => (Object.hasOwn(merged, name) ? [[name, merged[name]]] : [])),
    ),
  };
}

/** Does a change. The error of a conflict gets a body with all differences between both sides. */
export async function withConflicts<Result>(context: RenderContext, change: () => Promise<Result>): Promise<Result> {
  try {
    return await change();
  } catch (error) {
    if (!(error instanceof MergeConflict)) throw error;
    throw new Conflict(error.message, {}, await conflictBody(context, error));
  }
}
