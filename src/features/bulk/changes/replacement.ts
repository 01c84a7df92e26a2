import { findContent, type Kernel, locks, MODIFY, references, requirePermission } from '#core';
import { ClientError } from '#lib/errors';
import { replaceIn, replacementFor } from '../../replace/replace-content.ts';
import type { ReplaceOptions } from '../../replace/replace-values.ts';
import { withReplacer } from '../../replace/text-replacer.ts';
import type { Operation } from './operation.ts';

/** A replacement of text, as `@replace` makes it. */
export type Replacement = {
  pattern: string;
  replacement: string;
  regularExpression: boolean;
  ignoreCase: boolean;
  urls: boolean;
};

/** Replaces a pattern in the texts of content. The worker thread that does it runs before the transaction, and no longer than needed. */
export function replaceTexts(kernel: Kernel, request: Replacement, bases: readonly string[]): Operation {
  /** The prepared replacements by UIDs, or the error that prevented one. */
  const prepared = new Map<string, ReplaceOptions | ClientError | undefined>();
  return {
    async prepare(objects) {
      prepared.clear();
      const paths = await references.pathsOfUids(
        kernel.db,
        objects.map(({ uid }) => uid),
      );
      await withReplacer(request, async (replacer) => {
        const site = await kernel.sites.current();
        for (const [uid, path] of paths) {
          const found = await findContent(kernel, path);
          if (found?.object.uid !== uid) continue;
          const options = replacementFor(kernel, { site, object: found.object }, request.urls, replacer);
          prepared.set(
            uid,
            await options.catch((error: unknown) => {
              if (error instanceof ClientError) return error;
              throw error;
            }),
          );
        }
      });
    },
    async apply({ kernel: { ...own }, tx, caller, site, resolved }) {
      const { uid, path } = resolved.object;
      requirePermission(site, caller, resolved, MODIFY);
      locks.requireUnlocked(resolved.object, undefined);
      const options = prepared.get(uid);
      if (options instanceof ClientError) throw options;
      if (!options) return { changed: false };
      const outcome = await replaceIn(own, tx, path, { ...request, caller, bases, dryRun: false }, options);
      return { changed: 'fields' in outcome && outcome.fields.length > 0 };
    },
  };
}
