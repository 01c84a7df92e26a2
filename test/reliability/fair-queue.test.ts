import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { FairQueue, type QueueLimits } from '../../src/core/http/fair-queue.ts';
import { ServiceUnavailable } from '../../src/lib/errors.ts';

const LIMITS: QueueLimits = { places: 1, reserved: 0, perClient: 1, maxWaiting: 100, maxWaitingPerClient: 50 };

/** The end of a request, by a signal. */
const endBy = (signal: AbortSignal) => ({
  throwIfOver: () => signal.throwIfAborted(),
  onOver(stop: (reason: Error) => void) {
    const stopped = () => stop(signal.reason);
    signal.addEventListener('abort', stopped);
    return () => signal.removeEventListener('abort', stopped);
  },
});
const never = endBy(new AbortController().signal);

/** Queues each of a list, and returns them in the order in which the queue lets them in. */
async function orderOf(
  queue: FairQueue,
  applicants: [client: string, subject: string, isKnown?: boolean][],
): Promise<string[]> {
  const order: string[] = [];
  const first = await queue.enter({ client: 'first', subject: '/', isKnown: true }, never);
  const all = applicants.map(async ([client, subject, isKnown = false]) => {
    const leave = await queue.enter({ client, subject, isKnown }, never);
    order.push(`${client} ${subject}`);
    await sleep(1);
    leave();
  });
  first();
  await Promise.all(all);
  return order;
}

describe('a queue for places', () => {
  it('in a queue clients take turns, however many requests each of them has', async () => {
    const greedy = Array.from({ length: 5 }, () => ['greedy', '/'] as [string, string]);
    const order = await orderOf(new FairQueue(LIMITS), [...greedy, ['a', '/'], ['b', '/']]);
    expect(order.slice(0, 3).sort()).toEqual(['a /', 'b /', 'greedy /']);
  });

  it('in a queue the different requests of one client take turns', async () => {
    const searches = Array.from({ length: 5 }, () => ['proxy', '/@search'] as [string, string]);
    const order = await orderOf(new FairQueue(LIMITS), [...searches, ['proxy', '/']]);
    expect(order.indexOf('proxy /')).toBeLessThan(2);
  });

  it('a queue reserves places for users who are logged in', async () => {
    const queue = new FairQueue({ ...LIMITS, places: 2, reserved: 1, perClient: 2 });
    await queue.enter({ client: 'a', subject: '/', isKnown: false }, never);
    let isIn = false;
    const end = new AbortController();
    const waiting = queue.enter({ client: 'b', subject: '/', isKnown: false }, endBy(end.signal)).then(() => {
      isIn = true;
    });
    await queue.enter({ client: 'c', subject: '/', isKnown: true }, never);
    expect([isIn, queue.running, queue.waiting]).toEqual([false, 2, 1]);
    end.abort(new Error('over'));
    await expect(waiting).rejects.toThrow('over');
  });

  it('work that is slow leaves its place to others that wait, and that of a user to users only', async () => {
    const queue = new FairQueue(LIMITS);
    const displaced: string[] = [];
    const enter = async (client: string, isKnown: boolean, isSlow: () => boolean) => {
      const holder = {
        isSlow,
        displace() {
          displaced.push(client);
          leave();
        },
      };
      const leave = await queue.enter({ client, subject: '/', isKnown }, never, holder);
      return leave;
    };
    let isSlow = false;
    await enter('stranger', false, () => isSlow);
    const user = enter('user', true, () => true);
    await sleep(250);
    expect(displaced).toEqual([]);
    isSlow = true;
    const leave = await user;
    expect(displaced).toEqual(['stranger']);
    const end = new AbortController();
    const other = queue.enter({ client: 'other', subject: '/', isKnown: false }, endBy(end.signal));
    await sleep(250);
    expect([displaced, queue.running, queue.waiting]).toEqual([['stranger'], 1, 1]);
    leave();
    (await other)();
    expect([queue.running, queue.waiting]).toEqual([0, 0]);
  });

  it('a queue removes a client that disconnects at once, and continues with the next', async () => {
    const queue = new FairQueue(LIMITS);
    const leave = await queue.enter({ client: 'a', subject: '/', isKnown: false }, never);
    const gone = new AbortController();
    const waiting = queue.enter({ client: 'b', subject: '/', isKnown: false }, endBy(gone.signal));
    const next = queue.enter({ client: 'c', subject: '/', isKnown: false }, never);
    gone.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    expect(queue.waiting).toBe(1);
    leave();
    (await next)();
    expect([queue.running, queue.waiting]).toEqual([0, 0]);
  });

  it('a queue rejects a request when too many of all clients or of the same client wait', async () => {
    const queue = new FairQueue({ ...LIMITS, maxWaiting: 3, maxWaitingPerClient: 2 });
    await queue.enter({ client: 'a', subject: '/', isKnown: false }, never);
    const end = new AbortController();
    const enter = (client: string) => queue.enter({ client, subject: '/', isKnown: false }, endBy(end.signal));
    const waiting = [enter('b'), enter('b')];
    await expect(enter('b')).rejects.toThrow(ServiceUnavailable);
    waiting.push(enter('c'));
    await expect(enter('d')).rejects.toThrow(ServiceUnavailable);
    expect([waiting.length, queue.waiting]).toEqual([3, 3]);
    end.abort(new Error('over'));
    for (const { status } of await Promise.allSettled(waiting)) expect(status).toBe('rejected');
  });
});
