import { expect } from 'vitest';
import { locate } from '../../src/core/content/locate.ts';
import { removeContent } from '../../src/core/content/remove-content.ts';
import type { Kernel } from '../../src/core/kernel/kernel.ts';
import { emptyBin } from '../../src/features/recycle-bin/access.ts';
import { make } from '../content/make.ts';
import { addFields, integerField } from '../search/declare.ts';
import { Bin } from './bin.ts';
import { checkAddresses } from './checks/check-addresses.ts';
import { checkBin } from './checks/check-bin.ts';
import { checkCatalog } from './checks/check-catalog.ts';
import { checkListing } from './checks/check-listing.ts';
import { checkStorage, rowCounts } from './checks/check-storage.ts';
import { checkTree } from './checks/check-tree.ts';
import { ADMIN } from './people.ts';
import type { Step } from './steps/step.ts';
import { Tree } from './tree.ts';

/** Creates a user and a group to share content with, and a type with an index. */
export async function prepare(kernel: Kernel): Promise<void> {
  await addFields(kernel, 'Page', { rating: integerField({ index: 'number' }) });
  await kernel.db.query({ text: `insert into account (id, login) values ('ann', 'ann')` });
  await kernel.db.query({ text: `insert into principal_group (id) values ('staff')` });
}

/** Removes what an earlier run has left when it failed. */
async function clear(kernel: Kernel): Promise<void> {
  await kernel.db.query({ text: `delete from content where path = '/life'` });
  await kernel.db.query({ text: 'delete from recycled' });
}

/** Begins the life of a new folder: the model of its tree, its bin, its path, and the UID of its container. */
export async function beginLife(kernel: Kernel): Promise<{ path: string; tree: Tree; bin: Bin; container: string }> {
  await clear(kernel);
  const path = await make(kernel, '/', { '@type': 'Folder', id: 'life' });
  const { resolved } = await locate(kernel, path);
  const tree = new Tree('life', resolved?.object.uid ?? '');
  return { path, tree, bin: new Bin(tree), container: resolved?.ancestors[0]?.uid ?? '' };
}

/**
 * Runs the steps in a new folder. After each step the tree must equal the model; after the last one everything else
 * as well: catalog, redirects, recycle bin. When all is deleted and purged, no row may be left.
 */
export async function live(kernel: Kernel, steps: readonly Step[]): Promise<void> {
  await clear(kernel);
  const before = await rowCounts(kernel);
  const { path, tree, bin, container } = await beginLife(kernel);
  for (const [at, step] of steps.entries()) {
    tree.now += 1;
    try {
      await step.run({ kernel, tree, bin });
      await checkTree(kernel, tree, container);
    } catch (error) {
      throw new Error(`Step ${at}, ${step}: ${error instanceof Error ? error.message : error}`, { cause: error });
    }
  }
  await checkCatalog(kernel, path);
  await checkListing(kernel, tree);
  await checkAddresses(kernel, tree);
  await checkBin(kernel, bin);
  await checkStorage(kernel);
  await removeContent(kernel, { caller: ADMIN, path, lockToken: undefined });
  await emptyBin(kernel, ADMIN);
  expect(await rowCounts(kernel), 'rows that are left').toEqual(before);
}
