import { createHash } from 'node:crypto';
import type { Queryable } from '../../database/database.ts';
import { TooManyRequests } from '../../lib/errors.ts';
import { createWorkQueue, type WorkQueue } from '../../lib/process/work-queue.ts';
import { MINUTE_MS } from '../../lib/time/milliseconds.ts';
import { clientNetwork } from './credentials.ts';
import { LOGINS_REFUSED } from './passwords.ts';
import { clearFailures, type LoginFailures, loadFailures, recordFailure } from './statements/login-failures.ts';

const WINDOW_MS = 5 * MINUTE_MS;
/** Failures of one login from one address in the window, after which this pair has to wait. */
const PAIR_LIMIT = 10;
/** Failures of one login from everywhere in the window, after which one failure is all a pair has. */
const ACCOUNT_LIMIT = 100;
/** For each so many failures from one address in the window, its attempts wait a second longer. */
const ADDRESS_STEP = 100;
const MAX_DELAY_SECONDS = 5;
const MAX_DELAYED = 100;
/** The line of the attempts of one pair. */
const ONE_PAIR = { concurrency: 1, maxWaiting: 500, ...LOGINS_REFUSED };
/** No more failures of a kind change anything. */
const COUNTED = { pair: PAIR_LIMIT, account: ACCOUNT_LIMIT, address: ADDRESS_STEP * MAX_DELAY_SECONDS };

/** Slows guessing of passwords. See `createLoginThrottle` for its rules. */
export type LoginThrottle = {
  /**
   * Runs one attempt to log in, `verify`, which returns null when the credentials are wrong. A null
   * is counted, a success clears the count of the pair, a thrown error is neither.
   * `tried` says which login and what of it are tried where `login` is another name for them.
   * @throws TooManyRequests, with the seconds to wait, when the attempt is refused; `verify` is not run then.
   */
  attempt<T>(login: string, address: string, verify: () => Promise<T | null>, tried?: TriedLogin): Promise<T | null>;
};

/** An attempt to log in: the login as it was typed, which may be any text, and the kind of proof. */
type TriedLogin = { login: string; factor: 'password' | 'code' };

/** Callback for each failed attempt. */
export type OnLoginFailure = (failure: TriedLogin & { address: string }) => Promise<void>;

/**
 * The throttle of a site. Failures are counted in the table `login_failure`, for all processes.
 *
 * - A pair of login and address with 10 failures in five minutes is refused until the oldest of
 *   them is five minutes old. Nobody else is: neither the same user elsewhere nor others there.
 * - A login that failed 100 times from everywhere is under a distributed attack: each address is
 *   left one failure instead of ten. The owner, whose own address has none, still gets in.
 * - An address with 100 failures, over many logins, is tried passwords from or a busy office. It is
 *   not refused, for that would lock out the office: each attempt waits one second for each
 *   hundred, five at most. Somebody who tries many in parallel meets the bound on those who wait
 *   and the bound on hashes.
 *
 * So no attempt is refused for what others did, save for the moment that those bounds are full.
 * Open sessions never come here. A refused attempt is not counted: waiting always ends. What was
 * typed as the login is kept as a digest, of one size, and because people mistake the field for
 * that of the password. Known and unknown logins take the same steps.
 *
 * Attempts of one pair run one after another in a process: many at once cannot outrun the count.
 * `sleep` waits for milliseconds; `onFailure` is waited for.
 */
export function createLoginThrottle(
  db: Queryable,
  now: () => Date,
  sleep: (milliseconds: number) => Promise<void>,
  onFailure: OnLoginFailure = async () => undefined,
): LoginThrottle {
  const pairs = new Map<string, WorkQueue>();
  const delays = createWorkQueue({ concurrency: MAX_DELAYED, maxWaiting: 0, ...LOGINS_REFUSED });

  async function guarded<T>(account: string, address: string, verify: () => Promise<T | null>): Promise<T | null> {
    const failures = await loadFailures(db, { account, address, since: windowStart(now()) }, COUNTED);
    rejectGuessing(failures, now());
    const delay = Math.min(Math.floor(failures.ofAddress / ADDRESS_STEP), MAX_DELAY_SECONDS);
    if (delay > 0) await delays.run(() => sleep(delay * 1000));
    const result = await verify();
    if (result === null) await recordFailure(db, { account, address, at: now(), since: windowStart(now()) });
    else if (failures.ofPair.length > 0) await clearFailures(db, account, address);
    return result;
  }

  return {
    async attempt(login, address, verify, tried = { login, factor: 'password' }) {
      const account = createHash('sha256').update(login).digest('base64url');
      const network = clientNetwork(address);
      const pair = `${account} ${network}`;
      const line = pairs.get(pair) ?? createWorkQueue(ONE_PAIR);
      pairs.set(pair, line);
      try {
        const result = await line.run(() => guarded(account, network, verify));
        if (result === null) await onFailure({ ...tried, address });
        return result;
      } finally {
        if (line.idle()) pairs.delete(pair);
      }
    },
  };
}

function rejectGuessing({ ofPair, ofAccount }: LoginFailures, now: Date): void {
  const limit = ofAccount >= ACCOUNT_LIMIT ? 1 : PAIR_LIMIT;
  const deciding = ofPair[limit - 1];
  if (deciding === undefined) return;
  const retryAfter = Math.max(1, Math.ceil((deciding + WINDOW_MS - now.getTime()) / 1000));
  throw new TooManyRequests(`Too many failed logins. Try again in ${retryAfter} seconds.`, retryAfter);
}

function windowStart(now: Date): Date {
  return new Date(now.getTime() - WINDOW_MS);
}
