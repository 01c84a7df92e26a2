import { Type } from 'typebox';
import { DEFAULT_TIMEOUT, MAX_TIMEOUT, refreshLock, releaseLock, takeLock } from '../content/locking.ts';
import { opensLock } from '../content/opened-token.ts';
import { MODIFY, VIEW } from '../security/permissions.ts';
import { LockInfo } from '../serializer/content-shapes.ts';
import { lockInfo, lockOf } from '../serializer/object.ts';
import { headerOf } from './content/represent-path.ts';
import { ok } from './response.ts';
import { defineService, type Service } from './service.ts';

const responses = { 200: { description: 'The lock, or that there is no lock.', schema: LockInfo } };

/** GET `@lock`: the lock of the content and its owner. */
const getLock = defineService({
  name: '@lock',
  method: 'GET',
  context: 'content',
  permission: VIEW,
  summary: 'Tells whether content is locked.',
  responses,
  run: async (context) => ok(lockOf(context, context.resolved.object)),
});

/** POST `@lock`: takes a lock. */
const postLock = defineService({
  name: '@lock',
  method: 'POST',
  context: 'content',
  permission: MODIFY,
  summary:
    'Locks content: changes then need the header Lock-Token. A lock of another user stays, and is returned; the token then only names the present state, for a change that is sent once that lock has ended.',
  body: Type.Object(
    {
      stealable: Type.Boolean({
        description: 'Whether others may remove the lock by force.',
        default: true,
        message: 'must be true or false',
      }),
      timeout: Type.Integer({
        description: 'Seconds that the lock lasts.',
        minimum: 1,
        maximum: MAX_TIMEOUT,
        default: DEFAULT_TIMEOUT,
        message: 'must be a number of seconds, at least 1',
      }),
    },
    { examples: [{ timeout: 3600 }] },
  ),
  responses,
  async run({ kernel, caller, base, resolved, body: { stealable, timeout } }) {
    const { lock, token } = await takeLock(kernel, caller, resolved.object.path, { stealable, timeout });
    return ok(lockInfo({ base, caller }, lock, token));
  },
});

/** PATCH `@lock`: restarts the timeout of the caller's own lock. */
const patchLock = defineService({
  name: '@lock',
  method: 'PATCH',
  context: 'content',
  permission: MODIFY,
  summary: "Refreshes one's own lock.",
  headers: { 'Lock-Token': { description: 'Token of the lock in the form that asks: the response has it again.' } },
  responses,
  async run({ kernel, caller, base, resolved, headers }) {
    const lock = await refreshLock(kernel, caller, resolved.object.path);
    const sent = headerOf({ headers }, 'lock-token');
    return ok(lockInfo({ base, caller }, lock, lock && sent !== undefined && opensLock(lock, sent) ? sent : undefined));
  },
});

/** DELETE `@lock`: releases a lock. */
const deleteLock = defineService({
  name: '@lock',
  method: 'DELETE',
  context: 'content',
  permission: MODIFY,
  summary: "Releases one's own lock, or with force a stealable one of somebody else.",
  body: Type.Object(
    {
      force: Type.Boolean({
        description: 'Whether to remove a stealable lock of somebody else.',
        default: false,
        message: 'must be true or false',
      }),
    },
    { examples: [{ force: true }] },
  ),
  responses,
  run: async ({ kernel, caller, base, resolved, body: { force } }) =>
    ok(lockInfo({ base, caller }, await releaseLock(kernel, caller, resolved.object.path, force))),
});

export const lockServices: Service[] = [getLock, postLock, patchLock, deleteLock];
