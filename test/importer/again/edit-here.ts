import { createContent } from '../../../src/core/content/create-content.ts';
import { findContent, locateAllForWrite } from '../../../src/core/content/locate.ts';
import { placeContent } from '../../../src/core/content/move-content.ts';
import { removeContent } from '../../../src/core/content/remove-content.ts';
import { replaceStored } from '../../../src/core/content/write-change.ts';
import type { Kernel } from '../../../src/core/kernel/kernel.ts';
import { ADMINISTRATOR } from '../../../src/core/security/caller.ts';

/** Gives fields of an object of the site other stored values, as an edit does. */
export async function updateStored(kernel: Kernel, path: string, values: Record<string, unknown>): Promise<void> {
  const site = await kernel.sites.current();
  await kernel.db.transaction(async (tx) => {
    const found = await findContent(kernel, path, tx);
    if (!found) throw new Error(`Nothing is at ${path}`);
    await replaceStored(kernel, tx, { site, object: found.object, caller: ADMINISTRATOR, values });
  });
}

/** Puts an object of the site into a container under a name, as a move or a rename does. */
export async function moveHere(kernel: Kernel, path: string, container: string, name: string): Promise<void> {
  await kernel.db.transaction(async (tx) => {
    const [into, source] = await locateAllForWrite(kernel, tx, [
      { path: container, lockMode: 'add-inside' },
      { path, lockMode: 'change' },
    ]);
    if (!into?.resolved || !source?.resolved) throw new Error(`Nothing is at ${path} or ${container}`);
    const place = { container: into.resolved, source: source.resolved, name, position: 1000 };
    await placeContent(kernel, tx, { caller: ADMINISTRATOR, site: into.site, ...place });
  });
}

/** Deletes an object of the site. */
export const removeHere = (kernel: Kernel, path: string): Promise<void> =>
  removeContent(kernel, { caller: ADMINISTRATOR, path, lockToken: undefined });

/** Creates a page with a UID of its own, which need not be a UUID. */
export async function addHere(kernel: Kernel, container: string, uid: string, title: string): Promise<void> {
  const input = { '@type': 'Page', id: uid, title };
  const { path } = await createContent(kernel, { caller: ADMINISTRATOR, container, input, bases: [] });
  await kernel.db.query({ text: 'update content set uid = $2 where path = $1', values: [path, uid] });
}
