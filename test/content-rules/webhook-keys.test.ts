import { afterAll, beforeAll, expect, it } from 'vitest';
import { takeItem } from '../../src/core/queue/statements/items.ts';
import { isQueuedWebhook, queueWebhook, WEBHOOKS } from '../../src/features/content-rules/webhook-request.ts';
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
    const request = { url: 'https://hooks.example.org/', method: 'POST', body: '{}' };
    const keys: string[] = [];
    for (const { database } of sites) {
      for (const path of ['/a', '/b']) await queueWebhook(database, { rule: 'tell', path, request });
      const first = await takeItem(database, WEBHOOKS);
      await database.query({ text: 'update queue_item set due = created where id = $1', values: [first?.id] });
      const again = await takeItem(database, WEBHOOKS);
      expect(again).toEqual({ ...first, attempts: 2 });
      const second = await takeItem(database, WEBHOOKS);
      keys.push(...[first?.data, second?.data].filter(isQueuedWebhook).map(({ key }) => key));
    }
    for (const key of keys) expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/);
    expect(new Set(keys).size).toBe(4);
  });
});
