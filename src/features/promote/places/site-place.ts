import { callers, type Kernel } from '#core';
import { applyPlan } from '../apply/apply-plan.ts';
import { isWithin } from '../forms/scope.ts';
import { openFile, type Reading, readObjects, readPage } from '../read-objects.ts';
import { readSetup } from '../read-setup.ts';
import type { Place } from './place.ts';

/** The site of a kernel, read and changed with all rights: by a command of its operator. */
export function sitePlace(kernel: Kernel, label: string, close: () => Promise<void> = async () => {}): Place {
  const caller = callers.system();
  const reading = async (): Promise<Reading> => ({
    kernel,
    db: kernel.db,
    site: await kernel.sites.current(),
    caller,
  });
  return {
    label,
    async *objects(scope) {
      const { path, types } = scope;
      for (let after: string | null = ''; after !== null; ) {
        const page: Awaited<ReturnType<typeof readPage>> = await readPage(await reading(), { path, types, after });
        yield* page.items.filter((item) => isWithin(scope, item));
        after = page.next;
      }
    },
    load: async (uids) => readObjects(await reading(), uids),
    setup: () => readSetup(kernel),
    file: async (hash, uid) => openFile(await reading(), { uid, hash }),
    apply: ({ plan, rule, dryRun, open }) =>
      applyPlan(kernel, {
        ...{ plan, caller, rule, dryRun },
        async fileOf(hash) {
          const stream = await open(hash);
          if (!stream) return undefined;
          const stored = await kernel.blobs.put(stream);
          return stored.hash === hash ? stored : undefined;
        },
      }),
    close,
  };
}
