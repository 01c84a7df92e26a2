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
const work = {
  request: { method: 'GET', headers: {}, end: () => ({ signal: { aborted: false } }) },
  address: { service: '@@images' },
} as unknown as RequestInWork;

it.each([
  ['is not confirmed', async (): Promise<boolean> => false],
  ['is lost', async (): Promise<boolean> => Promise.reject(new Error('Connection terminated'))],
] as const)('the file that a replica led to is closed when the replica %s', async (_case, confirm) => {
  const streams: Readable[] = [];
  const response = await onReplicas(places(confirm))(async () => {
    const stream: Readable = Readable.from(['bytes']);
    streams.push(stream);
    return { status: 200, stream };
  })(work);
  expect(streams.map(({ destroyed }) => destroyed)).toEqual([true, false]);
  expect(response.stream).toBe(streams[1]);
});
