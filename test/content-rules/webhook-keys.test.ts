import { afterAll, beforeAll, expect, it } from 'vitest';
import { queueWebhook, takeWebhook } from '../../src/features/content-rules/statements/webhooks.ts';
import { createTestDatabase, describeEachEngine, type TestDatabase } from '../support/database.ts';

describeEachEngine('the keys of webhooks', (engine) => {
  let sites: TestDatabase[] = [];
  beforeAll(async () => {
    sites = [await createTestDatabase(engine), await createTestDatabase(engine)];
  });
  afterAll(async () => {
    for (const site of sites) await site.drop();
  });

  it('two sites that call one receiver never send the same key, and each attempt of a request has the same one', async () => {
    const now = new Date();
    const keys: string[] = [];
    for (const { database } of sites) {
      for (const path of ['/a', '/b']) await queueWebhook(database, { rule: 'tell', path, request: {} });
      const first = await takeWebhook(database, new Date(now.getTime() + 1000), now);
      const again = await takeWebhook(database, now, new Date(now.getTime() + 60_000));
      expect([again?.id, again?.key, again?.attempts]).toEqual([first?.id, first?.key, 2]);
      const second = await takeWebhook(database, new Date(now.getTime() + 1000), new Date(now.getTime() + 60_000));
      keys.push(first?.key ?? '', second?.key ?? '');
    }
    for (const key of keys) expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/);
    expect(new Set(keys).size).toBe(4);
  });
});
