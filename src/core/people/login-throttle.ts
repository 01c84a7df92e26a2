import { createHash } from 'node:crypto';
import type { Queryable } from '../../database/database.ts';
import { TooManyRequests } from '../../lib/errors.ts';
import { createWorkQueue, type WorkQueue } from '../../lib/process/work-queue.ts';
import { MINUTE_MS } from '../../lib/time/milliseconds.ts';
import { clientNetwork } from './credentials.ts';
import { LOGINS_REFUSED } from './passwords.ts';
import { clearFailures, type LoginFailures, loadFailures, recordFailure } from './statements/login-failures.ts';

const WINDOW_MS = 5 * MINUTE_MS;
/** Failures of one login from one address in the window, after which this pair must wait. */
const PAIR_LIMIT = 10;
/** Failures of one login from all addresses in the window, after which each pair is allowed only one failure. */
const ACCOUNT_LIMIT = 100;
/** Number of failures from one address in the window for which its attempts wait a second longer. */
const ADDRESS_STEP = 100;
const MAX_DELAY_SECONDS = 5;
const MAX_DELAYED = 100;
/** The limits of the queue for attempts of one pair. */
const ONE_PAIR = { concurrency: 1, maxWaiting: 500, ...LOGINS_REFUSED };
/** Maximum number of counted failures of each kind; more make no difference. */
const COUNTED = { pair: PAIR_LIMIT, account: ACCOUNT_LIMIT, address: ADDRESS_STEP * MAX_DELAY_SECONDS };

/** Slows guessing of passwords. See `createLoginThrottle` for its rules. */
export type LoginThrottle = {
  /**
   * Runs one attempt to log in, `verify`, which returns null when the credentials are wrong. A null is counted, a success clears the count of the
   * pair, an error does neither. `tried` names the login and the kind of proof if `login` is another name for both.
   * @throws TooManyRequests, with the seconds to wait, when the attempt is rejected; `verify` is not run then.
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
 * - A pair of login and address with 10 failures in five minutes is rejected until the oldest of them is five minutes old. The same user elsewhere,
 *   and other users at this address, are not rejected.
 * - A login that failed 100 times from all addresses is under a distributed attack: each address is allowed one failure instead of ten. The owner,
 *   whose own address has no failure, can still log in.
 * - An address with 100 failures over many logins is an attacker or a busy office. It is not rejected, because that would lock out the office: each
 *   attempt waits one second for each hundred failures, at most five. Many parallel attempts meet the limit of waiting attempts and the limit of
 *   hashes.
 *
 * So no attempt is rejected because of other users, except while these limits are reached. Open sessions are not affected. A rejected attempt is not
 * counted, so the waiting always ends. The typed login is stored as a digest, to have a fixed size, and because people type passwords into this field
 * by mistake. Known and unknown logins take the same steps.
 *
 * Attempts of one pair run one after another in a process: concurrent attempts cannot bypass the count. `sleep` waits for milliseconds; `onFailure`
 * is awaited.
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
