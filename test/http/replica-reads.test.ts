import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { onReplicas, type ReadPlaces } from '../../src/core/http/replica-reads.ts';
import type { RequestInWork } from '../../src/core/http/request-layers.ts';

/** A request for a picture, at a replica of which nobody knows if it was new enough. */
const places = (confirm: () => Promise<boolean>): ReadPlaces =>
  ({
    db: {},
    replicas: { find: async () => ({ db: {}, confirm, failed: () => {} }) },
    changes: { snapshot: async () => '' },
    services: { isCacheable: () => true },
  }) as unknown as ReadPlaces;
const workOf = (aborted: boolean) =>
  ({
    request: { method: 'GET', headers: {}, end: () => ({ signal: { aborted } }) },
    address: { service: '@@images' },
  }) as unknown as RequestInWork;
const lost = async (): Promise<boolean> => Promise.reject(new Error('Connection terminated'));

it.each([
  ['is not confirmed', async (): Promise<boolean> => false],
  ['is lost', lost],
] as const)('the file that a replica led to is closed when the replica %s', async (_case, confirm) => {
  const streams: Readable[] = [];
  const response = await onReplicas(places(confirm))(async () => {
    const stream: Readable = Readable.from(['bytes']);
    streams.push(stream);
    return { status: 200, stream };
  })(workOf(false));
  expect(streams.map(({ destroyed }) => destroyed)).toEqual([true, false]);
  expect(response.stream).toBe(streams[1]);
});

it('the file is closed when the client has left, too, and it stays open for a client that gets it', async () => {
  const stream: Readable = Readable.from(['bytes']);
  const perform = async () => ({ status: 200, stream });
  expect((await onReplicas(places(async () => true))(perform)(workOf(false))).stream).toBe(stream);
  expect(stream.destroyed).toBe(false);
  await expect(onReplicas(places(lost))(perform)(workOf(true))).rejects.toThrow('Connection terminated');
  expect(stream.destroyed).toBe(true);
});
