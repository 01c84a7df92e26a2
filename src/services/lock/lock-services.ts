import { Type } from 'typebox';
import { activeLock, readLockOptions, refreshLock, releaseLock, takeLock } from '../../content/locking.ts';
import { BadRequest } from '../../lib/errors.ts';
import { MODIFY, VIEW } from '../../security/permissions.ts';
import { lockInfo } from '../../serializer/lock-info.ts';
import { LockInfo } from '../content/content-schemas.ts';
import { documented } from '../openapi/documented.ts';
import { defineService, ok } from '../service.ts';

const responses = { 200: { description: 'The lock, or that there is none.', schema: LockInfo } };

/** GET `@lock`: whether the content is locked, and by whom. */
export const getLock = defineService({
  name: '@lock',
  method: 'GET',
  context: 'content',
  permission: VIEW,
  summary: 'Tells whether content is locked.',
  responses,
  run: async (context) => ok(lockInfo(context, activeLock(context.resolved.object))),
});

/** POST `@lock`: takes a lock. */
export const postLock = defineService({
  name: '@lock',
  method: 'POST',
  context: 'content',
  permission: MODIFY,
  summary: 'Locks content: changes then need the header Lock-Token.',
  body: Type.Object(
    {
      stealable: Type.Optional(
        documented(Type.Boolean({ description: 'Whether others may remove the lock by force.', default: true })),
      ),
      timeout: Type.Optional(
        documented(Type.Integer({ description: 'Seconds that the lock lasts.', minimum: 1, default: 600 })),
      ),
    },
    { examples: [{ timeout: 3600 }] },
  ),
  responses,
  run: async ({ kernel, caller, base, resolved, body }) =>
    ok(lockInfo({ base, caller }, await takeLock(kernel, caller, resolved.object.path, readLockOptions(body)))),
});

/** PATCH `@lock`: starts the time of one's own lock anew. */
export const patchLock = defineService({
  name: '@lock',
  method: 'PATCH',
  context: 'content',
  permission: MODIFY,
  summary: "Refreshes one's own lock.",
  responses,
  run: async ({ kernel, caller, base, resolved }) =>
    ok(lockInfo({ base, caller }, await refreshLock(kernel, caller, resolved.object.path))),
});

/** DELETE `@lock`: releases a lock. */
export const deleteLock = defineService({
  name: '@lock',
  method: 'DELETE',
  context: 'content',
  permission: MODIFY,
  summary: "Releases one's own lock, or with force a stealable one of somebody else.",
  body: Type.Object(
    {
      force: Type.Optional(
        documented(
          Type.Boolean({ description: 'Whether to remove a stealable lock of somebody else.', default: false }),
        ),
      ),
    },
    { examples: [{ force: true }] },
  ),
  responses,
  async run({ kernel, caller, base, resolved, body }) {
    const { force = false } = body;
    if (typeof force !== 'boolean') throw new BadRequest('"force" must be true or false.');
    return ok(lockInfo({ base, caller }, await releaseLock(kernel, caller, resolved.object.path, force)));
  },
});
