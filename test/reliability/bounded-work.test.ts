import { PassThrough } from 'node:stream';
import { Type } from 'typebox';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { Arrivals } from '../../src/core/http/arrivals.ts';
import { requestDatabase } from '../../src/core/http/request-database.ts';
import { RequestEnd } from '../../src/core/http/request-end.ts';
import { defineFeature } from '../../src/core/services/feature.ts';
import { ok } from '../../src/core/services/response.ts';
import { defineService } from '../../src/core/services/service.ts';
import { make } from '../content/make.ts';
import { picture } from '../images/pictures.ts';
import { describeEachEngine, describeQuickestEngine } from '../support/database.ts';
import { useTestSite } from '../support/use-site.ts';

/** Ends all requests of `@wait`. */
let release: () => void = () => {};
let released: Promise<void> = Promise.resolve();
function hold(): void {
  released = new Promise((resolve) => {
    release = resolve;
  });
}

/** The most time until a state must be reached. */
const POLL = { timeout: 20_000 };

/** Slow services: `@wait` waits until `release` is called, and the others run slow or many SQL statements. */
const slowFeature = defineFeature({
  name: 'slow',
  services: [
    defineService({
      name: '@wait',
      method: 'GET',
      context: 'site',
      permission: null,
      summary: 'Waits.',
      responses: { 200: { description: 'Done.', schema: Type.Unknown() } },
      async run() {
        await released;
        return ok({});
      },
    }),
    defineService({
      name: '@sleep',
      method: 'GET',
      context: 'site',
      permission: null,
      summary: 'Sleeps in the database.',
      responses: { 200: { description: 'Done.', schema: Type.Unknown() } },
      async run({ db }) {
        for (let n = 0; n < 300; n += 1)
          await db.query({ text: `select pg_sleep(${site().kernel.db.engine === 'pglite' ? 0.1 : 30}) as sleeping` });
        return ok({});
      },
    }),
  ],
});
let site: () => { kernel: { db: { engine: string } } };

describeEachEngine('bounded work', (engine) => {
  const here = useTestSite(engine, () => ({ features: [slowFeature] }));
  beforeAll(() => {
    site = () => here;
  });
  afterAll(() => release());

  const places = () => here.server.work.figures();

  it('when a client disconnects, its statements are stopped and its place is free', async () => {
    const leaving = new AbortController();
    const requests = Array.from({ length: 20 }, (_, n) =>
      fetch(`${here.url}/@sleep?n=${n}`, { signal: leaving.signal }).catch(() => undefined),
    );
    await expect.poll(() => places().read.running, POLL).toBeGreaterThan(0);
    await expect.poll(() => places().read.waiting, POLL).toBeGreaterThan(0);
    leaving.abort();
    await Promise.all(requests);
    await expect.poll(() => places().read, POLL).toMatchObject({ running: 0, waiting: 0 });
    if (engine === 'postgresql') {
      const [{ count } = { count: -1 }] = await here.kernel.db.query<{ count: number }>({
        text: `select count(*) from pg_stat_activity where state = 'active' and query like 'select pg_sleep%'
          and datname = current_database()`,
      });
      expect(count).toBe(0);
    }
    expect((await here.request('GET', '/?after', { as: 'anonymous' })).status).toBe(200);
  });

  it('under load there is room for logged-in users, for @health and for cached responses', async () => {
    const { body } = await here.request('POST', '/@login', { as: 'anonymous', json: here.admin });
    expect((await here.request('GET', '/', { as: 'anonymous' })).status).toBe(200);
    hold();
    const waiting = Array.from({ length: 20 }, () => here.request('GET', '/@wait', { as: 'anonymous' }));
    await expect.poll(() => places().read.waiting, POLL).toBeGreaterThan(5);
    expect((await here.request('GET', '/', { as: 'anonymous' })).status).toBe(200);
    expect((await here.request('GET', '/@health', { as: 'anonymous' })).status).toBe(200);
    expect((await here.request('GET', '/@actions', { as: { token: body.token } })).status).toBe(200);
    expect((await here.request('PATCH', '/', { as: { token: body.token }, json: { title: 'Room' } })).status).toBe(204);
    release();
    expect(new Set((await Promise.all(waiting)).map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('a request behind too many waiting ones is rejected at once with Retry-After', async () => {
    hold();
    // Requests for lists of whole objects belong to the class with the fewest places.
    const ask = () => here.request('GET', '/@wait?fullobjects', { as: 'anonymous' });
    const answers = Array.from({ length: 102 }, ask);
    await expect.poll(() => places().search.waiting, POLL).toBe(100);
    const refused = await ask();
    release();
    expect([refused.status, refused.body.type, refused.headers.get('retry-after')]).toEqual([
      503,
      'ServiceUnavailable',
      '3',
    ]);
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  it('a client whose pictures are being scaled can read pages meanwhile', async () => {
    const data = (await picture(1300, 900).jpeg().toBuffer()).toString('base64');
    const image = { data, encoding: 'base64', filename: 'photo.jpg', 'content-type': 'image/jpeg' };
    const { body } = await here.request('POST', '/', { json: { '@type': 'Image', title: 'Photo', image } });
    hold();
    const { blobs } = here.kernel;
    const open = blobs.open.bind(blobs);
    const held = vi.spyOn(blobs, 'open').mockImplementation(async (...args) => {
      await released;
      return open(...args);
    });
    const names = ['great', 'larger', 'large', 'teaser', 'preview', 'mini', 'thumb', 'tile', 'icon', 'listing'];
    const scales = names.map((name) => here.request('GET', `${new URL(body['@id']).pathname}/@@images/image/${name}`));
    await expect.poll(() => places().files, POLL).toMatchObject({ running: 8, waiting: 2 });
    expect(places().read.running).toBe(0);
    expect((await here.request('GET', '/?beside')).status).toBe(200);
    release();
    expect((await Promise.all(scales)).map(({ status }) => status)).toEqual(names.map(() => 200));
    held.mockRestore();
    expect(places().files).toMatchObject({ running: 0, waiting: 0 });
  });

  it('a request that takes too long ends with the reason in its response', async () => {
    const end = new RequestEnd(new PassThrough());
    const db = requestDatabase(here.kernel.db, { arrivals: new Arrivals(), end });
    end.limit(100, () => new Error('too long'));
    const began = Date.now();
    const work = async () => {
      for (let n = 0; n < 100; n += 1) await db.query({ text: `select pg_sleep(${engine === 'pglite' ? 0.05 : 10})` });
    };
    await expect(work()).rejects.toThrow('too long');
    expect(Date.now() - began).toBeLessThan(3000);
  });

  it('other requests continue between the statements of a long one', async () => {
    const db = requestDatabase(here.kernel.db, { arrivals: new Arrivals() });
    let turns = 0;
    const ticking = setInterval(() => {
      turns += 1;
    }, 5);
    const until = performance.now() + 300;
    while (performance.now() < until) await db.query({ text: 'select 1' });
    clearInterval(ticking);
    expect(turns).toBeGreaterThan(1);
  });
});

describeQuickestEngine('whole objects', (engine) => {
  const here = useTestSite(engine);
  const COUNT = 205;

  it('whole objects come in batches of at most two hundred, whose links lead through all of them', async () => {
    const folder = await make(here.kernel, '/', { '@type': 'Folder', id: 'many' }, { state: 'published' });
    for (let n = 0; n < COUNT; n += 1) await make(here.kernel, folder, { id: `p${n}`, title: `Page ${n}` });
    for (const list of [
      `${folder}?fullobjects&b_size=2000`,
      `${folder}/@search?portal_type=Page&fullobjects&b_size=2000`,
    ]) {
      const names = new Set<string>();
      const sizes: number[] = [];
      for (let url: string | undefined = list; url !== undefined; ) {
        const {
          status,
          body,
        }: { status: number; body: { items: { '@id': string }[]; items_total: number; batching?: { next?: string } } } =
          await here.request('GET', url);
        expect([status, body.items_total]).toEqual([200, COUNT]);
        for (const item of body.items) names.add(item['@id']);
        sizes.push(body.items.length);
        url = body.batching?.next;
      }
      expect([sizes, names.size]).toEqual([[200, 5], COUNT]);
    }
  });
});
