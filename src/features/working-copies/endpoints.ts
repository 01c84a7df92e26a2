import { type Static, Type } from 'typebox';
import {
  type ContentObject,
  created,
  defineService,
  type Kernel,
  noContent,
  ok,
  type RenderContext,
  type ResolvedNode,
  requests,
  type Service,
  schemas,
  urlOf,
  VIEW,
} from '#core';
import { type CheckInRequest, cancelCheckOut, checkIn } from './check-in.ts';
import { checkOut } from './check-out.ts';
import { CHECK_IN, CHECK_OUT, seesWorkingCopies } from './sides.ts';

const Copy = Type.Object({
  '@id': schemas.Address,
  title: Type.String(),
  created: Type.String({ format: 'date-time', description: 'When it was checked out.' }),
  creator_name: Type.String(),
  creator_url: schemas.Address,
});

/** Both sides of a check-out. */
const Sides = Type.Object({
  working_copy: schemas.Nullable(Copy),
  working_copy_of: schemas.Nullable(Type.Object({ '@id': schemas.Address, title: Type.String() })),
});

/** A working copy, with the user who checked it out and the time. */
const copyInfo = (
  base: string,
  { path, title, lock }: NonNullable<ContentObject['workingCopy']>,
): Static<typeof Copy> => ({
  '@id': urlOf(base, path),
  title,
  created: lock.created,
  creator_name: lock.creator_name,
  creator_url: `${base}/author/${encodeURIComponent(lock.creator)}`,
});

/**
 * `working_copy` and `working_copy_of` of an object (plone.restapi §3.1). The first names the copy on both sides. Both are
 * null for callers who may neither modify the object nor check it out.
 */
export function workingCopies({ site, caller, base }: RenderContext, resolved: ResolvedNode): Static<typeof Sides> {
  const { path, title, workingCopy, workingCopyOf: baseline } = resolved.object;
  const copy = workingCopy ?? (baseline && { path, title, lock: baseline.lock });
  if (!copy || !seesWorkingCopies(site, caller, resolved)) return { working_copy: null, working_copy_of: null };
  return {
    working_copy: copyInfo(base, copy),
    working_copy_of: baseline && { '@id': urlOf(base, baseline.path), title: baseline.title },
  };
}

/** GET `@workingcopy`: both sides of a check-out, seen from either. */
export const getWorkingcopy = defineService({
  name: '@workingcopy',
  method: 'GET',
  context: 'content',
  permission: VIEW,
  summary: 'Names the working copy of content, or the content that it is the working copy of.',
  responses: {
    200: {
      description: 'Both are null where nothing is checked out, and for who may neither modify nor check out.',
      schema: Sides,
    },
  },
  run: async (context) => ok(workingCopies(context, context.resolved)),
});

/** POST `@workingcopy`: checks content out. */
export const postWorkingcopy = defineService({
  name: '@workingcopy',
  method: 'POST',
  context: 'content',
  permission: CHECK_OUT,
  summary: 'Makes a working copy of content beside it, and locks the content while the copy is there.',
  headers: requests.LOCK_TOKEN,
  responses: {
    201: {
      description: 'Where the working copy is.',
      schema: Type.Object({ '@id': Type.String({ format: 'uri' }), title: Type.String() }),
      headers: { Location: { description: 'Address of the content that it is a copy of.' } },
    },
  },
  async run(context) {
    const { kernel, caller, base, resolved } = context;
    const { path } = resolved.object;
    const copy = await checkOut(kernel, { caller, path, lockToken: requests.headerOf(context, 'lock-token') });
    return created({ '@id': urlOf(base, copy.path), title: copy.title }, { Location: urlOf(base, path) });
  },
});

/** A service that ends a check-out, for the address of either side. */
type Ending = {
  method: 'PATCH' | 'DELETE';
  summary: string;
  /** The description of the response 204. */
  done: string;
  end(kernel: Kernel, request: CheckInRequest): Promise<void>;
};

/** Declares a service that removes the working copy and unlocks the content. */
const defineEnding = ({ method, summary, done, end }: Ending): Service =>
  defineService({
    name: '@workingcopy',
    method,
    context: 'content',
    permission: CHECK_IN,
    summary,
    headers: requests.LOCK_TOKEN,
    responses: {
      204: { description: done },
      409: { description: 'There is content in the working copy.' },
    },
    async run(context) {
      const { kernel, caller, resolved } = context;
      await end(kernel, { caller, path: resolved.object.path, lockToken: requests.headerOf(context, 'lock-token') });
      return noContent();
    },
  });

/** PATCH `@workingcopy`: checks a working copy in. */
export const patchWorkingcopy = defineEnding({
  method: 'PATCH',
  summary: 'Gives content the values of its working copy, which goes. For the address of either.',
  done: 'Checked in.',
  end: checkIn,
});

/** DELETE `@workingcopy`: cancels a check-out. */
export const deleteWorkingcopy = defineEnding({
  method: 'DELETE',
  summary: 'Removes the working copy of content, which stays as it is and is free again. For the address of either.',
  done: 'Given up.',
  end: cancelCheckOut,
});
