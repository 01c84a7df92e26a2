import fc from 'fast-check';
import { cancelCheckOut, checkIn } from '../../../src/features/working-copies/check-in.ts';
import { checkOut } from '../../../src/features/working-copies/check-out.ts';
import { valuesOf } from '../model.ts';
import { ADMIN } from '../people.ts';
import { pickFrom, type Tree } from '../tree.ts';
import { appendCopy } from './copy.ts';
import { newEntry } from './remove.ts';
import { attempt, steps, type World, which } from './step.ts';

/** Checks out the content that a number selects. */
async function checkOutOne({ kernel, tree }: World, number: number): Promise<void> {
  const node = tree.pickBelow(number);
  if (!node?.parent) return;
  const refusal = tree.sidesOf(node) ? 403 : undefined;
  const made = await attempt(refusal, () =>
    checkOut(kernel, { caller: ADMIN, path: tree.path(node), lockToken: undefined }),
  );
  if (!made) return;
  const about = { source: node, container: node.parent, owner: 'admin', goesAlong: () => false };
  const copy = await appendCopy(kernel, tree, about);
  copy.effective = node.effective;
  copy.inherits = node.inherits;
  tree.checkedOut.set(copy, node);
  if (made.path !== tree.path(copy)) throw new Error(`The copy is at ${made.path}, not at ${tree.path(copy)}`);
}

export const checkOuts = steps('check out', fc.record({ which }), (world, asked) => checkOutOne(world, asked.which));

type Sides = NonNullable<ReturnType<Tree['sidesOf']>>;

/** Copies the values of the working copy to the original, as one change. */
function takeOver({ copy, baseline }: Sides): void {
  const values = valuesOf(copy);
  const effective = copy.effective ?? baseline.effective;
  const before = baseline.versions.length;
  const isSame = JSON.stringify(values) === JSON.stringify(valuesOf(baseline));
  if (!isSame || effective !== baseline.effective) baseline.versions.push(values);
  if (baseline.versions.length > before) baseline.effective = effective;
}

/** Ends a check-out, from either side: checks the copy in, or cancels. */
export const checkIns = steps('check in', fc.record({ which, cancel: fc.boolean() }), async (world: World, asked) => {
  const { kernel, tree, bin } = world;
  const out = [...tree.checkedOut].flat();
  // Nothing is checked out yet, so that this step checks something out for later steps.
  if (out.length === 0 && asked.which % 4 > 0) return checkOutOne(world, asked.which);
  const node = (asked.which % 4 > 0 ? pickFrom(out, asked.which) : undefined) ?? tree.pick(asked.which);
  const sides = tree.sidesOf(node);
  const refusal = !sides || tree.isLocked(sides.copy) ? 403 : sides.copy.children.length > 0 ? 409 : undefined;
  const request = { caller: ADMIN, path: tree.path(node), lockToken: undefined };
  await attempt(refusal, () => (asked.cancel ? cancelCheckOut : checkIn)(kernel, request));
  if (refusal !== undefined || !sides) return;
  if (!asked.cancel) takeOver(sides);
  bin.remove(sides.copy, asked.cancel ? await newEntry(kernel, bin) : undefined);
});
