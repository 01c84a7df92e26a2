import fc from 'fast-check';
import { parentPath } from '../../../src/core/content/tree-path.ts';
import type { Kernel } from '../../../src/core/kernel/kernel.ts';
import { emptyBin, purgeEntry } from '../../../src/features/recycle-bin/access.ts';
import { restoreContent } from '../../../src/features/recycle-bin/restore.ts';
import type { Entry } from '../bin.ts';
import { below, type Node } from '../model.ts';
import { freeName } from '../names.ts';
import { ADMIN } from '../people.ts';
import { pickFrom, type Tree } from '../tree.ts';
import { remove } from './remove.ts';
import { attempt, steps, which } from './step.ts';

/** UIDs of the children of a container, in their order. */
async function orderIn(kernel: Kernel, { uid }: Node): Promise<string[]> {
  const rows = await kernel.db.query<{ uid: string }>({
    text: 'select c.uid from content c join content p on p.oid = c.parent where p.uid = $1 order by c.position, c.oid',
    values: [uid],
  });
  return rows.map((row) => row.uid);
}

/** The container of an entry at its deletion: where it is now, else the object that has its address now. */
const formerContainer = (tree: Tree, { top, paths }: Entry): Node | undefined =>
  top.parent && tree.has(top.parent) ? top.parent : tree.at(parentPath(paths.get(top) ?? '') ?? '');

function refusalOf(tree: Tree, container: Node | undefined, part: Node): number | undefined {
  if (!container) return 400;
  if (container.type === 'Link') return 403;
  const uids = new Set(tree.all().map(({ uid }) => uid));
  return below(part).some(({ uid }) => uids.has(uid)) ? 400 : undefined;
}

const here = fc.constant(undefined);
const whole = fc.constant(0);

const asked = fc.oneof(
  { weight: 3, arbitrary: fc.record({ which, part: whole, into: here }) },
  { weight: 2, arbitrary: fc.record({ which, part: whole, into: which }) },
  { weight: 3, arbitrary: fc.record({ which, part: which, into: which }) },
  // A part of an entry without a target.
  { weight: 1, arbitrary: fc.record({ which, part: which, into: here }) },
);

/** Restores an entry or a part of it, to its container or to another one. */
export const restorations = steps('restore', asked, async (world, { which: number, part: partNumber, into }) => {
  const { kernel, tree, bin } = world;
  const entry = pickFrom(bin.entries, number);
  // The bin is empty, so that this step deletes something for later steps.
  if (!entry) return remove(world, number);
  const part = pickFrom(below(entry.top), partNumber) ?? entry.top;
  const former = part === entry.top ? formerContainer(tree, entry) : undefined;
  const container = into === undefined ? former : tree.pick(into);
  const refusal = refusalOf(tree, container, part);
  const restored = await attempt(refusal, () =>
    restoreContent(kernel, {
      caller: ADMIN,
      id: entry.id,
      target: into === undefined || !container ? undefined : tree.path(container),
      restoreId: part === entry.top ? undefined : part.uid,
      bases: [],
    }),
  );
  if (!restored || !container) return;
  const name = freeName(container, part.name);
  const order = container === part.parent ? await orderIn(kernel, container) : undefined;
  bin.restore(entry, part, { container, name, order });
  if (restored.path !== tree.path(part)) throw new Error(`It is at ${restored.path}, not at ${tree.path(part)}`);
});

/** Removes an entry of the bin for good, or all of them. */
export const purges = steps('purge', fc.record({ which, all: fc.boolean() }), async ({ kernel, bin }, asked) => {
  const entry = pickFrom(bin.entries, asked.which);
  if (!entry) return;
  if (asked.all) await emptyBin(kernel, ADMIN);
  else await purgeEntry(kernel, ADMIN, entry.id);
  for (const gone of asked.all ? bin.entries : [entry]) bin.purge(gone);
});
