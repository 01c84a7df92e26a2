import { type RequestContext, requests } from '#core';
import { TooManyRequests } from '#lib/errors';
import { MAX_ANSWER_SECONDS } from './panel.ts';
import { admitQuestion, finishQuestion } from './statements.ts';

const HOUR_SECONDS = 3600;
/** Questions of one caller that are answered at once. */
const MAX_CONCURRENT = 3;

/** The unit of counting: a user, or a network where the site lets visitors ask. */
const callerKey = ({ caller, clientAddress }: Pick<RequestContext, 'caller' | 'clientAddress'>): string =>
  caller.id === null ? `address:${requests.networkOf(clientAddress)}` : `user:${caller.id}`;

/**
 * Admits a question of the caller, counted over all processes. Returns a function to call once the question is answered or given up; it never throws.
 * Throws TooManyRequests.
 */
export async function admit(
  context: Pick<RequestContext, 'kernel' | 'caller' | 'clientAddress'>,
  requestsPerHour: number,
): Promise<() => Promise<void>> {
  const { db, log } = context.kernel;
  const key = callerKey(context);
  const admission = await admitQuestion(db, key, {
    requests: requestsPerHour,
    seconds: HOUR_SECONDS,
    concurrent: MAX_CONCURRENT,
    answerSeconds: MAX_ANSWER_SECONDS,
  });
  if ('tooMany' in admission) {
    const { tooMany, retryAfter } = admission;
    throw new TooManyRequests(
      tooMany === 'requests'
        ? 'You have asked the language model too often. Try again later.'
        : 'Other questions of yours are still being answered. Wait for their answers.',
      retryAfter,
    );
  }
  return async () => {
    try {
      await finishQuestion(db, key, admission.asked);
    } catch (error) {
      // The entry does not count any more once it is older than any answer can be.
      log.warn({ err: error }, 'a question to the language model could not be marked as answered');
    }
  };
}
