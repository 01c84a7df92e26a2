import { contentRows, findContents, has, type Kernel, MODIFY } from '#core';
import { loadBatches } from '#lib/batches';
import { withoutSecrets } from './serve-form.ts';
import { copiesWithForms } from './statements/copies.ts';

/** Number of copies that are loaded at once. */
const BATCH = 100;

/**
 * Removes from a copy the parts of its forms that only editors may see, unless the caller may edit the original: the caller owns
 * the copy, and could read these parts there.
 */
export function subscribeToCopies({ events }: Pick<Kernel, 'events'>): void {
  events.on('content.copied', async ({ from, to, site }, { tx, caller }) => {
    if (caller.roles.includes('Manager')) return;
    const load = (last: { oid: number } | undefined) =>
      copiesWithForms(tx, { from, to, after: last?.oid ?? 0, size: BATCH });
    for await (const copies of loadBatches(BATCH, load)) {
      const originals = await findContents(tx, { oids: copies.map(({ original }) => original) });
      const editable = new Set(
        originals.filter((node) => has(site, caller, node, MODIFY)).map(({ object }) => object.oid),
      );
      const foreign = copies.filter(({ original }) => !editable.has(original));
      if (foreign.length > 0)
        await contentRows.replaceBlocks(
          tx,
          foreign.map(({ oid, blocks }) => ({ oid, blocks: withoutSecrets(blocks) })),
        );
    }
  });
}
