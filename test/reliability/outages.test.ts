import { writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requestTo } from '../../src/app/test-client.ts';
import { describeEachEngine, engines } from '../support/database.ts';
import { useTestSite } from '../support/use-site.ts';
import { type AnotherProcess, startAnotherProcess } from './another-process.ts';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

describe.skipIf(!engines().includes('postgresql'))('while PostgreSQL is away', () => {
  const site = useTestSite('postgresql');
  const log: string[] = [];
  let other: AnotherProcess;

  beforeAll(async () => {
    other = await startAnotherProcess(site, { log: (message) => void log.push(message) });
  });
  afterAll(() => other?.close());

  it('during an outage each request gets 503 with Retry-After, and the log has one line for its beginning and one for its end', async () => {
    const request = requestTo(other.url);
    expect((await request('GET', '/', { as: 'anonymous' })).status).toBe(200);
    other.proxy.refuse(true);
    other.proxy.cut();
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        n % 2 === 0
          ? request('GET', `/?expand=none-${n}`, { headers: { Origin: 'https://example.org' } })
          : request('POST', '/', { json: { '@type': 'Page', title: 'Lost' }, headers: { 'Accept-Language': 'de' } }),
      ),
    );
    for (const { status, headers, body } of answers) {
      expect([status, body?.type, headers.get('retry-after')]).toEqual([503, 'ServiceUnavailable', '5']);
      expect(body.message).toMatch(/database|Datenbank/);
    }
    const health = await request('GET', '/@health', { as: 'anonymous' });
    expect([health.status, health.body.checks['database:responseTime'][0].status]).toEqual([503, 'fail']);
    other.proxy.refuse(false);
    await expect.poll(async () => (await request('GET', '/')).status).toBe(200);
    await sleep(1100);
    expect((await request('GET', '/?again')).status).toBe(200);
    const begun = log.filter((line) => line === 'The database cannot be reached or used');
    const ended = log.filter((line) =>
      /can be used again, after \d+ seconds in which \d+ requests or jobs failed/.test(line),
    );
    expect([begun.length, ended.length, log.length]).toEqual([1, 1, 2]);
    expect(Number(/which (\d+)/.exec(ended[0] ?? '')?.[1])).toBeGreaterThanOrEqual(40);
    expect((await site.request('GET', '/@search?Title=Lost')).body.items_total).toBe(0);
  });
});

describeEachEngine('a full disk', (engine) => {
  const site = useTestSite(engine);
  const count = async () => (await site.request('GET', '/@search')).body.items_total;

  it('with a full disk for files a write gets 507, and nothing of the content is stored', async () => {
    const put = site.kernel.blobs.put.bind(site.kernel.blobs);
    const before = await count();
    site.kernel.blobs.put = async (source) => {
      await writeFile('/dev/full', 'x');
      return put(source);
    };
    const json = {
      '@type': 'Image',
      title: 'Picture',
      image: { data: PIXEL, encoding: 'base64', filename: 'a.png', 'content-type': 'image/png' },
    };
    const refused = await site.request('POST', '/', { json });
    site.kernel.blobs.put = put;
    expect([refused.status, refused.body.type]).toEqual([507, 'InsufficientStorage']);
    expect(await count()).toBe(before);
    expect((await site.request('POST', '/', { json })).status).toBe(201);
  });

  it('with a full disk of the database a write gets 507, and nothing of the content is stored', async () => {
    const before = await count();
    await site.kernel.db.script(`create function no_space() returns trigger language plpgsql as
        $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$;
      create trigger no_space before insert on catalog for each row execute function no_space();`);
    const refused = await site.request('POST', '/', { json: { '@type': 'Page', title: 'Too much' } });
    await site.kernel.db.script('drop function no_space() cascade');
    expect([refused.status, refused.body.type]).toEqual([507, 'InsufficientStorage']);
    expect(await count()).toBe(before);
  });
});
