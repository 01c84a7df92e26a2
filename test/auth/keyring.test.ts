import { afterAll, beforeEach, expect, test } from 'vitest';
import { KEYRING_CHANNEL, loadKeyring, STATIC_KEY } from '../../src/core/people/keyring.ts';
import { clearAuthTables, openDatabase } from './auth-site.ts';

const db = await openDatabase();
beforeEach(() => clearAuthTables(db));
afterAll(() => db.close());

const stored = () =>
  db.query<{ id: string; secret: string }>({ text: 'select id, secret from signing_key order by created, id' });

test('a new site gets a ring key and a static key of 32 random bytes, once, however many processes start', async () => {
  const rings = await Promise.all([loadKeyring(db), loadKeyring(db), loadKeyring(db)]);
  const keys = await stored();
  expect(keys).toHaveLength(2);
  for (const { secret } of keys) expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
  expect(new Set(keys.map(({ secret }) => secret)).size).toBe(2);
  expect(new Set(rings.map((ring) => ring.signing(true).id)).size).toBe(1);
  expect(rings[0]?.signing(false).id).toBe(STATIC_KEY);
});

test('after a rotation of keys the newest one signs tokens and the older ones still verify them', async () => {
  const ring = await loadKeyring(db);
  const first = ring.signing(true).id;
  await ring.rotate(db);
  const second = ring.signing(true).id;
  await ring.rotate(db);
  const third = ring.signing(true).id;
  expect(new Set([first, second, third]).size).toBe(3);
  for (const id of [first, second, third]) expect(ring.find(id, true)?.id).toBe(id);
  expect((await loadKeyring(db)).signing(true).id).toBe(third);
});

test('ring keys and static keys do not verify tokens of each other', async () => {
  const ring = await loadKeyring(db);
  expect(ring.find(STATIC_KEY, true)).toBeNull();
  expect(ring.find(ring.signing(true).id, false)).toBeNull();
  expect(ring.find(STATIC_KEY, false)?.id).toBe(STATIC_KEY);
});

test('pruning of keys removes old ring keys, but neither the signing key nor the static one', async () => {
  const ring = await loadKeyring(db);
  const first = ring.signing(true).id;
  await ring.rotate(db);
  const second = ring.signing(true).id;
  await ring.prune(db, new Date(0));
  expect(ring.find(first, true)).not.toBeNull();
  await ring.prune(db, new Date(Date.now() + 60_000));
  expect(ring.find(first, true)).toBeNull();
  expect(ring.signing(true).id).toBe(second);
  expect((await stored()).map(({ id }) => id).sort()).toEqual([STATIC_KEY, second].sort());
});

test('another process is notified of a rotated key and reloads it', async () => {
  const [mine, other] = [await loadKeyring(db), await loadKeyring(db)];
  let told = 0;
  const stop = await db.listen(KEYRING_CHANNEL, () => {
    told += 1;
  });
  await mine.rotate(db);
  await expect.poll(() => told).toBe(1);
  expect(other.find(mine.signing(true).id, true)).toBeNull();
  await other.reload(db);
  expect(other.signing(true).id).toBe(mine.signing(true).id);
  await stop();
});
