import fc from 'fast-check';
import { removeContent } from '../../../src/core/content/remove-content.ts';
import type { Kernel } from '../../../src/core/kernel/kernel.ts';
import type { Bin } from '../bin.ts';
import { ADMIN } from '../people.ts';
import { pickFrom } from '../tree.ts';
import { attempt, steps, type World, which } from './step.ts';

/** The id of the entry of the bin that the model does not know yet. */
export async function newEntry(kernel: Kernel, bin: Bin): Promise<string> {
  const rows = await kernel.db.query<{ id: string }>({
    text: 'select id from recycled where id <> all($1)',
    values: [bin.entries.map(({ id }) => id)],
  });
  const [entry] = rows;
  if (!entry || rows.length > 1) throw new Error(`There are ${rows.length} new entries in the bin`);
  return entry.id;
}

/** Deletes the object that a number selects, half of the time one with children. */
export async function remove({ kernel, tree, bin }: World, number: number): Promise<void> {
  const containers = tree.all().filter(({ parent, children }) => parent && children.length > 0);
  const node = (number % 2 > 0 ? pickFrom(containers, number) : undefined) ?? tree.pickBelow(number);
  if (!node) return;
  const refusal = tree.isLocked(node) ? 403 : undefined;
  await attempt(refusal, () => removeContent(kernel, { caller: ADMIN, path: tree.path(node), lockToken: undefined }));
  if (refusal === undefined) bin.remove(node, await newEntry(kernel, bin));
}

export const removals = steps('remove', fc.record({ which }), (world, asked) => remove(world, asked.which));
