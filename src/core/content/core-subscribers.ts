import type { Transaction } from '../../database/database.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { indexCopies } from './copy-content.ts';
import { indexContent, indexNewContent, indexRenamed } from './index-content.ts';
import { locate } from './locate.ts';
import { areSeenAlike, indexSecurity } from './security-index.ts';
import { pathOf } from './statements/load-content.ts';
import { forgetRedirects, forgetUsedAddresses } from './statements/redirects.ts';
import { nameOf, parentPath } from './tree-path.ts';
import { subscribeUniqueValues } from './unique-values.ts';

/** Loads the object of an event with its containers in the transaction. */
const read = async (kernel: Kernel, tx: Transaction, oid: number) => readAt(kernel, tx, await pathOf(tx, oid));

/** The same by its path. */
async function readAt(kernel: Kernel, tx: Transaction, path: string) {
  const { site, resolved } = await locate(kernel, path, tx);
  if (!resolved) throw new Error(`The content of an event is not at ${path}`);
  return { site, resolved };
}

/** Subscribes the core to events, in their transactions: catalog, references, viewers, old addresses. */
export function subscribeCore(kernel: Kernel): void {
  const { events } = kernel;
  subscribeUniqueValues(events);
  events.on('content.created', async ({ oid, site: known, written }, { tx }) => {
    const isNew = known !== undefined && written !== undefined;
    const { site, resolved } = isNew ? { site: known, resolved: written } : await read(kernel, tx, oid);
    // Another subscriber of the creation may have indexed the object already.
    await (isNew ? indexNewContent(kernel, tx, site, resolved) : indexContent(kernel, tx, site, { resolved }));
    await forgetRedirects(tx, [resolved.object.path]);
  });
  events.on('content.modified', async ({ oid, site: known, before, written }, { tx }) => {
    const { site, resolved } = written ? { site: known, resolved: written } : await read(kernel, tx, oid);
    await indexContent(kernel, tx, site, { resolved, before: written && before });
  });
  const indexViewers = async ({ oid }: { oid: number }, { tx }: { tx: Transaction }) => {
    const { site, resolved } = await read(kernel, tx, oid);
    await indexSecurity(tx, site, resolved.object.path, resolved.ancestors);
  };
  events.on('content.shared', indexViewers);
  events.on('content.copied', async ({ oid, from, to }, { tx }) => {
    const { site, resolved } = await read(kernel, tx, oid);
    await indexCopies(tx, site, { from, to, ancestors: resolved.ancestors });
    if (nameOf(from) !== nameOf(to)) await indexRenamed(tx, site, resolved);
    await forgetUsedAddresses(tx, to);
  });
  events.on('content.moved', async ({ from, to, left }, { tx }) => {
    const { site, resolved } = await readAt(kernel, tx, to);
    // A new id does not change the viewers; another container may.
    const isSeenAlike = parentPath(from) === parentPath(to) || areSeenAlike(site, left, resolved.ancestors);
    if (!isSeenAlike) await indexSecurity(tx, site, to, resolved.ancestors);
    if (nameOf(from) !== nameOf(to)) await indexRenamed(tx, site, resolved);
  });
}
