import { type Static, Type } from 'typebox';
import {
  type ContentObject,
  created,
  defineService,
  merging,
  noContent,
  ok,
  type RenderContext,
  type ResolvedNode,
  requests,
  schemas,
  urlOf,
  VIEW,
} from '#core';
import { cancelCheckOut, checkIn } from './check-in.ts';
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
 * `working_copy` and `working_copy_of` of an object (plone.restapi §3.1). `working_copy` names the copy on both sides. Both are null for callers who
 * may neither modify the object nor check it out.
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

/** GET `@workingcopy`: both sides of a check-out, from either side. */
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

/** Declarations that both ways to end a check-out share. */
const ENDING = {
  name: '@workingcopy',
  context: 'content',
  permission: CHECK_IN,
  headers: requests.LOCK_TOKEN,
} as const;

/** PATCH `@workingcopy`: checks a working copy in. */
export const patchWorkingcopy = defineService({
  ...ENDING,
  method: 'PATCH',
  summary:
    'Gives content what its working copy has changed, merged with later changes of the content; the copy goes. For the address of either.',
  query: Type.Object(merging.CONFLICT_PARAMETER),
  responses: {
    204: { description: 'Checked in.' },
    409: {
      description:
        'The content was changed in the same place since the check-out, or there is content in the working copy.',
      schema: merging.ContentConflict,
    },
  },
  async run(context) {
    const { kernel, caller, resolved, query } = context;
    const lockToken = requests.headerOf(context, 'lock-token');
    const request = { caller, path: resolved.object.path, lockToken, prefer: query.on_conflict };
    await merging.withConflicts(context, () => checkIn(kernel, request));
    return noContent();
  },
});

/** DELETE `@workingcopy`: cancels a check-out. */
export const deleteWorkingcopy = defineService({
  ...ENDING,
  method: 'DELETE',
  summary: 'Removes the working copy of content, which stays as it is and is free again. For the address of either.',
  responses: { 204: { description: 'Given up.' }, 409: { description: 'There is content in the working copy.' } },
  async run(context) {
    const { kernel, caller, resolved } = context;
    const lockToken = requests.headerOf(context, 'lock-token');
    await cancelCheckOut(kernel, { caller, path: resolved.object.path, lockToken });
    return noContent();
  },
});
