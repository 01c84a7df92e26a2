import fc from 'fast-check';
import { type UpdateRequest, updateContent } from '../../../src/core/content/update-content.ts';
import { revertContent } from '../../../src/features/history/revert-content.ts';
import { type Node, write } from '../model.ts';
import { ADMIN } from '../people.ts';
import { pickFrom } from '../tree.ts';
import { attempt, steps, type World, which } from './step.ts';
import { BASES, bodyOf, readAsked, someValues } from './written-values.ts';

/** PATCH of an object. */
export async function patch(
  { kernel, tree }: World,
  node: Node,
  input: Record<string, unknown>,
  order: Pick<UpdateRequest, 'ordering' | 'sort'> = {},
): Promise<string> {
  const path = tree.path(node);
  const request = { caller: ADMIN, path, input, ...order, bases: BASES, lockToken: undefined };
  return updateContent(kernel, request);
}

type Change = { which: number; values: Parameters<typeof readAsked>[2] };

/** Changes some values of the object that a number selects. */
async function change(world: World, asked: Change): Promise<void> {
  const { tree } = world;
  const node = tree.pick(asked.which);
  const values = readAsked(tree, node.type, asked.values);
  const refusal = tree.isLocked(node) ? 403 : undefined;
  await attempt(refusal, () => patch(world, node, bodyOf(tree, values)));
  if (refusal === undefined) write(node, values);
}

export const changes = steps('change', fc.record({ which, values: someValues }), change);

/** Reverts an object to one of its versions. */
export const reversions = steps(
  'revert',
  fc.record({ which, version: fc.nat({ max: 11 }), values: someValues }),
  async (world, asked) => {
    const { kernel, tree } = world;
    const edited = tree.all().filter(({ versions }) => versions.length > 1);
    // No object has versions to revert to yet, so that this step makes one for later steps.
    if (edited.length === 0 && asked.which % 8 > 0) return change(world, asked);
    const node = (asked.which % 8 > 0 ? pickFrom(edited, asked.which) : undefined) ?? tree.pick(asked.which);
    // The number after the last version is possible, too, and must be rejected.
    const version = asked.version % (node.versions.length + 1);
    const then = node.versions[version];
    const refusal = tree.isLocked(node) ? 403 : then ? undefined : 404;
    const request = { caller: ADMIN, path: tree.path(node), version, lockToken: undefined };
    await attempt(refusal, () => revertContent(kernel, request));
    if (refusal === undefined && then) write(node, then);
  },
);
