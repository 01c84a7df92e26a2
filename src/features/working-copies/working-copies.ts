import type { JsonObject } from '../../lib/json-object.ts';
import { type RenderContext, urlOf } from '../../serializer/render-context.ts';
import type { CheckedOut, ResolvedNode } from '../../storage/content-row.ts';
import { seesWorkingCopies } from './working-copy-rights.ts';

/** A working copy with who checked it out, and when. */
const copyInfo = (base: string, { path, title, lock }: CheckedOut): JsonObject => ({
  '@id': urlOf(base, path),
  title,
  created: lock.created,
  creator_name: lock.creator_name,
  creator_url: `${base}/author/${encodeURIComponent(lock.creator)}`,
});

/**
 * `working_copy` and `working_copy_of` of an object (plone.restapi §3.1). Both name the copy: at the copy it is the
 * object itself. Both are null for callers who may neither modify the object nor check it out.
 */
export function workingCopies({ site, caller, base }: RenderContext, resolved: ResolvedNode): JsonObject {
  const { path, title, workingCopy, workingCopyOf: baseline } = resolved.object;
  const copy = workingCopy ?? (baseline && { path, title, lock: baseline.lock });
  if (!copy || !seesWorkingCopies(site, caller, resolved)) return { working_copy: null, working_copy_of: null };
  return {
    working_copy: copyInfo(base, copy),
    working_copy_of: baseline && { '@id': urlOf(base, baseline.path), title: baseline.title },
  };
}
