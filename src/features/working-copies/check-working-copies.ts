import { callers, locks, type SiteCheck } from '#core';
import { isJsonObject } from '#lib/json-object';
import { checkedOutPairs, replaceLock } from './statements.ts';

/** Number of check-outs that one statement checks. */
const BATCH = 500;

/** Says if a lock has the members that readers of locks need. */
const isLock = (lock: unknown): boolean =>
  isJsonObject(lock) &&
  ['token', 'creator', 'created', 'name'].every((key) => typeof lock[key] === 'string') &&
  typeof lock.timeout === 'number' &&
  !Number.isNaN(Date.parse(String(lock.created)));

/** The check of working copies. */
export const workingCopiesCheck: SiteCheck = {
  name: 'working-copies',
  kinds: {
    'working-copy-lock': {
      title: 'Checked out content without a lock that holds',
      advice: '--repair locks it again, for the owner of the working copy.',
    },
    'working-copy-type': {
      title: 'Working copies of another type than their originals',
      advice: 'Cancel the working copy (DELETE @workingcopy); its content can be read before.',
    },
  },
  async *find({ db }) {
    for (let after = 0; ; ) {
      const pairs = await checkedOutPairs(db, after, BATCH);
      for (const { copy, path, owner, types, lock } of pairs) {
        const caller = callers.of({ id: owner, login: owner, fullname: '', roles: [], groups: [] });
        if (!isLock(lock))
          yield {
            problems: [{ kind: 'working-copy-lock', address: path }],
            mend: (tx) => replaceLock(tx, copy, locks.ofWorkingCopy(caller, new Date())),
          };
        if (new Set(types).size > 1)
          yield { problems: [{ kind: 'working-copy-type', address: path, detail: types.join(' of ') }] };
      }
      after = pairs.at(-1)?.copy ?? after;
      if (pairs.length < BATCH) return;
    }
  },
};
