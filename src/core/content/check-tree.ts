import type { Transaction } from '../../database/database.ts';
import { Conflict } from '../../lib/errors.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { FoundProblems, SiteCheck } from '../kernel/site-check.ts';
import { reindexIn } from './reindex-site.ts';
import { renumberChildren } from './statements/child-order.ts';
import { lockRows } from './statements/load-content.ts';
import { forgetRedirects, rememberMove } from './statements/redirects.ts';
import {
  type Misplaced,
  mendParent,
  mendPath,
  misplacedIn,
  nextWindow,
  type ObjectWindow,
  reachesRoot,
  strangersIn,
  unplacedIn,
  usedAddressesIn,
} from './statements/tree-checks.ts';
import { parentPath, ROOT } from './tree-path.ts';

/** Number of objects that one statement reads. */
const WINDOW = 5000;

/** Yields the windows of all objects, in the order of their numbers. */
export async function* objectWindows({ db }: Pick<Kernel, 'db'>, size = WINDOW): AsyncGenerator<ObjectWindow> {
  for (let after = 0; ; ) {
    const window = await nextWindow(db, after, size);
    if (!window) return;
    yield window;
    after = window.last;
  }
}

/** Locks the whole tree, because nothing may move during a repair; repairs are rare. */
const lockTree = (tx: Transaction) => lockRows(tx, [ROOT], 'exclusive');

async function mendPlace(kernel: Kernel, tx: Transaction, { oid }: Misplaced): Promise<void> {
  await lockTree(tx);
  const moved = await mendPath(tx, oid);
  if (!moved) throw new Conflict('The address of its place is taken. Rename or move one of the two.');
  await rememberMove(tx, moved.from, moved.to);
  await reindexIn(kernel, tx, [{ oid, path: moved.to }]);
}

async function mendCircle(kernel: Kernel, tx: Transaction, { oid, path }: Misplaced): Promise<void> {
  await lockTree(tx);
  if (!(await mendParent(tx, oid, parentPath(path) ?? ROOT)))
    throw new Conflict('There is no container at the address that it had.');
  await reindexIn(kernel, tx, [{ oid, path }]);
}

async function misplacedProblem(kernel: Kernel, object: Misplaced): Promise<FoundProblems> {
  const { oid, path, wanted } = object;
  if (await reachesRoot(kernel.db, oid)) {
    const problem = { kind: 'tree-path', address: path, detail: `its place is ${wanted}` };
    return { problems: [problem], mend: (tx) => mendPlace(kernel, tx, object) };
  }
  const problem = { kind: 'tree-circle', address: path, detail: 'its containers do not lead to the root' };
  return { problems: [problem], mend: (tx) => mendCircle(kernel, tx, object) };
}

async function* unplacedProblems({ db }: Kernel, window: ObjectWindow): AsyncGenerator<FoundProblems> {
  const containers = new Map<number, string[]>();
  for (const { path, parent } of await unplacedIn(db, window))
    containers.set(parent, [...(containers.get(parent) ?? []), path]);
  for (const [parent, paths] of containers)
    yield {
      problems: paths.map((address) => ({ kind: 'tree-position', address })),
      mend: (tx) => renumberChildren(tx, parent),
    };
}

/** The check of the tree: places, paths, positions, types, old addresses. */
export const treeCheck: SiteCheck = {
  name: 'tree',
  kinds: {
    'tree-path': {
      title: 'Content whose path is not that of its container',
      advice: '--repair gives it the path of its place, and redirects from the other one.',
    },
    'tree-circle': {
      title: 'Containers that lie in each other',
      advice: '--repair puts each back into the container that its path names.',
    },
    'tree-position': {
      title: 'Content without an order in its container',
      advice: '--repair puts it behind the others.',
    },
    'tree-type': {
      title: 'Content of a type that the site does not have',
      advice: 'Install the add-on or the profile with the type again, or remove the content.',
    },
    'old-address': {
      title: 'Old addresses that content has again',
      advice: '--repair forgets the old address; the content stays.',
    },
  },
  async *find(kernel) {
    const { db, sites } = kernel;
    const types = [...(await sites.current()).types.keys()];
    for await (const window of objectWindows(kernel)) {
      for (const object of await misplacedIn(db, window)) yield await misplacedProblem(kernel, object);
      yield* unplacedProblems(kernel, window);
      for (const { path, type } of await strangersIn(db, window, types))
        yield { problems: [{ kind: 'tree-type', address: path, detail: type }] };
      const used = (await usedAddressesIn(db, window)).map(({ path }) => path);
      if (used.length > 0)
        yield {
          problems: used.map((address) => ({ kind: 'old-address', address })),
          mend: (tx) => forgetRedirects(tx, used),
        };
    }
  },
};
