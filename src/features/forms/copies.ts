import { contentRows, findContents, has, type Kernel, MODIFY } from '#core';
import { withoutSecrets } from './serve-form.ts';
import { copiesWithForms } from './statements/copies.ts';

/** Copies that are looked at at once. */
const BATCH = 100;

/**
 * Removes from a copy the parts of its forms that only editors may see, unless the caller may edit the original: the caller owns
 * the copy, and could read these parts there.
 */
export function subscribeToCopies({ events }: Pick<Kernel, 'events'>): void {
  events.on('content.copied', async ({ from, to, site }, { tx, caller }) => {
    if (caller.roles.includes('Manager')) return;
    for (let after = 0; ; ) {
      const copies = await copiesWithForms(tx, { from, to, after, size: BATCH });
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
      if (copies.length < BATCH) return;
      after = copies.at(-1)?.oid ?? 0;
    }
  });
}
