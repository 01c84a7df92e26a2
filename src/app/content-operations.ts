import { createContent as create } from '../core/content/create-content.ts';
import { removeContent as remove } from '../core/content/remove-content.ts';
import { updateContent as update } from '../core/content/update-content.ts';
import type { Kernel } from '../core/kernel/kernel.ts';
import type { Caller } from '../core/security/caller.ts';
import type { Transaction } from '../database/database.ts';

/** The database of these functions: the pool, or the caller's transaction. */
type Within = { kernel: Kernel; tx?: Transaction | undefined };

/**
 * Creates an object in the container at a path and returns the path of the object. `input` is a body of POST: `@type`, fields, and optionally `id`.
 * The rules and permissions of POST apply. With `tx` everything is written in that transaction, and files cannot be part of the input.
 * @throws NotFound, BadRequest, ValidationFailed, Unauthorized, Forbidden; then nothing has been created
 */
export async function createContent(
  { kernel, tx }: Within,
  { caller, container, input }: { caller: Caller; container: string; input: Record<string, unknown> },
): Promise<string> {
  return (await create(kernel, { caller, container, input, bases: [] }, { tx })).path;
}

/**
 * Changes the fields of an object that are in `input`, like PATCH, and returns its path, which a change of `id` alters. With `tx` everything is
 * written in that transaction, and files cannot be part of the input.
 * @throws NotFound, BadRequest, ValidationFailed, Unauthorized, Forbidden; then nothing has changed
 */
export const updateContent = (
  { kernel, tx }: Within,
  {
    caller,
    path,
    input,
    lockToken,
  }: { caller: Caller; path: string; input: Record<string, unknown>; lockToken?: string },
): Promise<string> => update(kernel, { caller, path, input, bases: [], lockToken }, { tx });

/**
 * Removes an object and everything below it, like DELETE: into the recycle bin if the site has one.
 * @throws NotFound, Unauthorized, Forbidden, and MethodNotAllowed for the site root
 */
export const removeContent = (
  kernel: Kernel,
  { caller, path, lockToken }: { caller: Caller; path: string; lockToken?: string },
): Promise<void> => remove(kernel, { caller, path, lockToken });
