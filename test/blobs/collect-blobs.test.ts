import { createHash, randomBytes } from 'node:crypto';
import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { writeConfiguration } from '../../src/core/configuration/statements/configuration.ts';
import { collectBlobs } from '../../src/core/content/collect-blobs.ts';
import { type BlobStore, blobPath } from '../../src/core/files/blobs/blob-store.ts';
import { describeEachEngine } from '../support/database.ts';
import type { Json } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';

const DAY = 24 * 60 * 60 * 1000;
const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** The store, which runs `work` after a blob was found unused and before it is set aside. */
function interrupted(store: BlobStore, work: (hash: string) => Promise<unknown>): BlobStore {
  return new Proxy(store, {
    get(target, name) {
      if (name === 'setAside') {
        return async (hash: string, since: Date) => {
          await work(hash);
          return target.setAside(hash, since);
        };
      }
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}

describeEachEngine('collecting blobs', (engine) => {
  const site = useTestSite(engine);

  /** Makes a stored blob two days old. */
  async function age(hash: string): Promise<void> {
    const then = new Date(Date.now() - 2 * DAY);
    try {
      await utimes(join(site.kernel.config.dataDir, 'blobs', blobPath(hash)), then, then);
    } catch (error) {
      // A concurrent collection may have set it aside already, and then it is even older.
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    }
  }
  /** Stores a blob that nothing refers to and that is two days old. */
  async function stray(bytes = randomBytes(20)): Promise<string> {
    const { hash } = await site.kernel.blobs.put(bytes);
    await age(hash);
    return hash;
  }
  async function send(method: string, path: string, json?: Json): Promise<Json> {
    const { status, text, body } = await site.request(method, path, json === undefined ? {} : { json });
    if (status >= 300) throw new Error(`${status}: ${text}`);
    return body;
  }
  const value = (bytes: Buffer) => ({ data: bytes.toString('base64'), encoding: 'base64', filename: 'a.bin' });
  async function add(bytes: Buffer): Promise<string> {
    const body = await send('POST', '/', { '@type': 'File', title: 'File', file: value(bytes) });
    await age(hashOf(bytes));
    return new URL(body['@id']).pathname;
  }
  const collect = (options: Parameters<typeof collectBlobs>[1] = {}) => collectBlobs(site.kernel, options);
  const inTwoDays = () => new Date(Date.now() + 2 * DAY);
  const isThere = async (hash: string) => (await site.kernel.blobs.size(hash)) !== undefined;
  async function listed(hash: string): Promise<boolean> {
    for await (const blob of site.kernel.blobs.list()) if (blob.hash === hash) return true;
    return false;
  }
  /** Runs the collection until it has removed all unused blobs. */
  async function collectAll(): Promise<void> {
    await collect();
    await collect({ now: inTwoDays() });
  }

  it('a collection sets unused blobs aside, and removes them a day later', async () => {
    const bytes = randomBytes(20);
    const hash = await stray(bytes);
    expect(await collect()).toMatchObject({ setAside: { blobs: 1, bytes: 20 }, removed: { blobs: 0 } });
    expect(await listed(hash)).toBe(false);
    expect(await buffer(await site.kernel.blobs.open(hash))).toEqual(bytes);
    expect(await collect()).toMatchObject({ setAside: { blobs: 0 }, removed: { blobs: 0 } });
    expect(await isThere(hash)).toBe(true);
    expect(await collect({ now: inTwoDays() })).toMatchObject({ removed: { blobs: 1, bytes: 20 } });
    expect(await isThere(hash)).toBe(false);
  });

  it('a collection does not touch blobs that are younger than the grace period', async () => {
    const { hash } = await site.kernel.blobs.put(randomBytes(20));
    expect(await collect()).toMatchObject({ setAside: { blobs: 0 } });
    expect(await collect({ grace: 60_000 })).toMatchObject({ setAside: { blobs: 0 } });
    expect(await listed(hash)).toBe(true);
    await age(hash);
    expect(await collect({ grace: 3 * DAY })).toMatchObject({ setAside: { blobs: 0 } });
    await collectAll();
    expect(await isThere(hash)).toBe(false);
  });

  it('a dry run of a collection changes nothing and reports what would be done', async () => {
    const [fresh, aside] = [await stray(), await stray()];
    await site.kernel.blobs.setAside(aside, new Date());
    const told = { setAside: { blobs: 1, bytes: 20 }, removed: { blobs: 1, bytes: 20 } };
    expect(await collect({ dryRun: true, now: inTwoDays() })).toMatchObject(told);
    expect([await listed(fresh), await isThere(aside)]).toEqual([true, true]);
    await collectAll();
    expect([await isThere(fresh), await isThere(aside)]).toEqual([false, false]);
  });

  it('a collection of blobs can be cancelled', async () => {
    const hash = await stray();
    await expect(collect({ signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough');
    expect(await listed(hash)).toBe(true);
    await collectAll();
  });

  describe('keeps what is referred to by', () => {
    const bytes = randomBytes(30);
    const hash = hashOf(bytes);
    const other = randomBytes(10);

    /** Each creates a reference to the bytes and returns a function that removes it; until then the blob must stay. */
    const referrers: [string, () => Promise<() => Promise<unknown>>][] = [
      [
        'content',
        async () => {
          const path = await add(bytes);
          return async () => {
            await send('DELETE', path);
            await send('DELETE', '/@recyclebin');
          };
        },
      ],
      [
        'an older version',
        async () => {
          const path = await add(bytes);
          await send('PATCH', path, { file: value(other) });
          return async () => {
            await send('DELETE', path);
            await send('DELETE', '/@recyclebin');
          };
        },
      ],
      [
        'the recycle bin',
        async () => {
          await send('DELETE', await add(bytes));
          return () => send('DELETE', '/@recyclebin');
        },
      ],
      [
        'an older version in the recycle bin',
        async () => {
          const path = await add(bytes);
          await send('PATCH', path, { file: value(other) });
          await send('DELETE', path);
          return () => send('DELETE', '/@recyclebin');
        },
      ],
      [
        'a working copy',
        async () => {
          const path = await add(other);
          const copy = new URL((await send('POST', `${path}/@workingcopy`))['@id']).pathname;
          await send('PATCH', copy, { file: value(bytes) });
          return async () => {
            await send('DELETE', `${path}/@workingcopy`);
            await send('DELETE', '/@recyclebin');
          };
        },
      ],
      [
        'a portrait',
        async () => {
          const data = { data: bytes.toString('base64'), encoding: 'base64', 'content-type': 'image/png' };
          await send('PATCH', '/@users/admin', { portrait: { ...data, filename: 'me.png' } });
          return () => send('PATCH', '/@users/admin', { portrait: null });
        },
      ],
      [
        'a setting of the site',
        async () => {
          const write = (data: Record<string, unknown>) =>
            writeConfiguration(site.kernel.db, [{ kind: 'setting', id: 'probe', position: 0, data }]);
          await write({ nested: [`{"hash":"${hash}"}`] });
          return () => write({});
        },
      ],
      [
        'a table that nobody has thought of',
        async () => {
          await site.kernel.db.script(`create table probe (name text, data jsonb[]);
            insert into probe values ('x', array['{"file": {"hash": "${hash}"}}']::jsonb[])`);
          return () => site.kernel.db.script('drop table probe');
        },
      ],
    ];

    it.each(referrers)('a collection keeps blobs that are referred to by %s', async (_, refer) => {
      const letGo = await refer();
      await site.kernel.blobs.put(bytes);
      await age(hash);
      expect(await collect()).toMatchObject({ setAside: { blobs: 0 } });
      await collect({ now: inTwoDays() });
      expect(await listed(hash)).toBe(true);
      await letGo();
      await collectAll();
      expect(await isThere(hash)).toBe(false);
    });
  });

  describe('meets a writer who', () => {
    it('a collection keeps bytes that are stored again just after they were found unused', async () => {
      const bytes = randomBytes(20);
      const hash = await stray(bytes);
      const blobs = interrupted(site.kernel.blobs, () => site.kernel.blobs.put(bytes));
      expect(await collectBlobs({ db: site.kernel.db, blobs })).toMatchObject({ setAside: { blobs: 0 } });
      expect(await listed(hash)).toBe(true);
      await age(hash);
      await collectAll();
    });

    it('a collection keeps bytes whose reference is committed just after they were found unused', async () => {
      const bytes = randomBytes(20);
      const hash = await stray(bytes);
      let path = '';
      const blobs = interrupted(site.kernel.blobs, async () => {
        if (path === '') path = await add(bytes);
      });
      await collectBlobs({ db: site.kernel.db, blobs });
      const download = () => site.request('GET', `${path}/@@download/file`, { headers: { Accept: '*/*' } });
      expect((await download()).bytes).toEqual(bytes);
      expect(await collect({ now: inTwoDays() })).toMatchObject({ takenBack: { blobs: 1 }, removed: { blobs: 0 } });
      expect(await listed(hash)).toBe(true);
      expect((await download()).bytes).toEqual(bytes);
    });

    it('a collection keeps bytes that are stored again while they are set aside', async () => {
      const bytes = randomBytes(20);
      const hash = await stray(bytes);
      await collect();
      const path = await add(bytes);
      await collect({ now: inTwoDays() });
      expect(await listed(hash)).toBe(true);
      expect((await site.request('GET', `${path}/@@download/file`, { headers: { Accept: '*/*' } })).bytes).toEqual(
        bytes,
      );
    });

    it('a collection loses no bytes that are uploaded again and again while it runs', async () => {
      const files = Array.from({ length: 12 }, () => randomBytes(20));
      for (const bytes of files) await stray(bytes);
      const running = (async () => {
        for (let run = 0; run < 4; run += 1) await collect();
      })();
      const paths = await Promise.all(files.map((bytes) => add(bytes)));
      await running;
      await collect();
      await collect({ now: inTwoDays() });
      for (const [at, path] of paths.entries()) {
        const { bytes } = await site.request('GET', `${path}/@@download/file`, { headers: { Accept: '*/*' } });
        expect(bytes).toEqual(files[at]);
      }
    });
  });
});
