import { createKernel } from '../../../src/app/create-kernel.ts';
import { createServer } from '../../../src/app/create-server.ts';
import type { Caller } from '../../security/matrix/callers.ts';
import type { Scene } from '../../security/matrix/scene.ts';
import { createTagClient, type TagClient } from './tag-client.ts';

type Seen = { tag: string; status: number; text: string };

/** A server that keeps responses, beside one of the same database that keeps nothing. */
export type KeptAndFresh = {
  /** Has the responses to addresses kept, for each reader. */
  warm(addresses: readonly string[]): Promise<void>;
  /** Reads the addresses for each reader from both servers. Returns those whose responses differ. */
  stale(addresses: readonly string[]): Promise<string[]>;
  close(): Promise<void>;
};

/** Starts the server that keeps nothing, and compares for the readers what it tells with what the site of the scene tells. */
export async function compareKept({ site }: Scene, readers: readonly Caller[]): Promise<KeptAndFresh> {
  const { config, log, blobs, db } = site.kernel;
  const sizes = Object.keys(config).filter((name) => name.endsWith('CacheBytes'));
  const without = { ...config, ...Object.fromEntries(sizes.map((name) => [name, 0])) };
  const { app, close } = await createServer(createKernel({ config: without, log, db, blobs }));
  const { host } = new URL(site.url);
  const kept = createTagClient(site.url, host);
  const fresh = createTagClient(await app.listen({ port: 0, host: '127.0.0.1' }), host);
  const seen = new Map<string, Seen>();

  /** The response of the server that keeps responses: what the client has already where it says so. */
  async function readKept(address: string, { name, token }: Caller): Promise<Seen> {
    const key = `${name} ${address}`;
    const before = seen.get(key);
    const response = await kept.get(address, { token, tag: before?.tag });
    if (response.status === 304 && before) return before;
    seen.set(key, response);
    return response;
  }

  const each = async (addresses: readonly string[], work: (address: string, reader: Caller) => Promise<void>) => {
    for (const reader of readers) for (const address of addresses) await work(address, reader);
  };
  return {
    warm: (addresses) => each(addresses, async (address, reader) => void (await readKept(address, reader))),
    async stale(addresses) {
      const differing: string[] = [];
      await each(addresses, async (address, reader) => {
        const { status, text } = await readKept(address, reader);
        const now = await fresh.get(address, { token: reader.token, tag: undefined });
        if (status !== now.status || text !== now.text) differing.push(`${reader.name} ${address}`);
      });
      return differing;
    },
    async close() {
      for (const client of [kept, fresh] satisfies TagClient[]) client.close();
      await close();
    },
  };
}
