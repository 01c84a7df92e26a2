import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { REPLICAS, type ReplicaFigures } from '../../src/database/replicas.ts';
import { type RunningSite, startSite } from '../../src/testing.ts';
import {
  addressOf,
  isClusterInstalled,
  type PostgresCluster,
  queryAt,
  type Server,
  startPostgresCluster,
  until,
} from '../cluster/postgres-cluster.mjs';

/** Members of responses that the tests read. */
type Body = {
  '@id': string;
  token: string;
  title: string;
  status: string;
  checks: Record<string, object[]>;
  replicas: { state: string }[];
};

describe.skipIf(!isClusterInstalled())('a site with two replicas of its database', { timeout: 60_000 }, () => {
  let cluster: PostgresCluster;
  let site: RunningSite;
  let token: string;
  let one: Server;
  let two: Server;

  beforeAll(async () => {
    cluster = await startPostgresCluster({
      standbys: 2,
      isSynchronous: false,
      settings: ['fsync=off', 'full_page_writes=off'],
    });
    await cluster.createDatabase('site');
    [one, two] = cluster.standbys as [Server, Server];
    site = await startSite({
      settings: {
        DATABASE_URL: addressOf('site', cluster.primary),
        DATABASE_REPLICA_URLS: `${addressOf('site', one)} ${addressOf('site', two)}`,
      },
    });
    const { body } = await send('POST', '/@login', { login: 'admin', password: site.admin.password });
    token = body.token;
    await bothRead();
  }, 180_000);
  afterAll(async () => {
    await site?.close();
    await cluster?.stop();
  });

  async function send(method: string, path: string, json?: object): Promise<{ status: number; body: Body }> {
    const response = await fetch(site.url + path, {
      method,
      headers: {
        Accept: 'application/json',
        ...(token && { Authorization: `Bearer ${token}` }),
        ...(json && { 'Content-Type': 'application/json' }),
      },
      ...(json && { body: JSON.stringify(json) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  }
  let fresh = 0;
  /** Reads past the cached responses. */
  const read = (path: string) => send('GET', `${path}${path.includes('?') ? '&' : '?'}z=${++fresh}&b_size=${fresh}`);
  const figures = (): ReplicaFigures[] => site.kernel.slots.get(REPLICAS).figures();
  const reads = (): number => figures().reduce((sum, each) => sum + each.reads, 0);
  const states = (): string[] => figures().map(({ state }) => state);
  /** Waits until both replicas take part. */
  async function bothRead(): Promise<void> {
    await until('The return of the replicas', async () => {
      await read('/@search');
      return states().every((state) => state === 'reading');
    });
  }
  async function make(title: string): Promise<string> {
    const { status, body } = await send('POST', '/', { '@type': 'Page', title });
    expect(status).toBe(201);
    return new URL(body['@id']).pathname;
  }

  test('pages, lists and searches are read from them, writes and passwords are not', async () => {
    const path = await make('Read elsewhere');
    await bothRead();
    const before = reads();
    for (const each of [path, '/', `/@search?path.query=${path}`, '/@navigation', '/nowhere']) await read(each);
    expect(reads() - before).toBe(5);
    await send('PATCH', path, { title: 'Changed' });
    const basic = Buffer.from(`admin:${site.admin.password}`).toString('base64');
    await fetch(`${site.url}${path}?z=basic`, {
      headers: { Accept: 'application/json', Authorization: `Basic ${basic}` },
    });
    await read('/@types?nothing');
    const after = reads();
    await send('GET', '/@jobs');
    expect(reads()).toBe(after);
  });

  test('a write is seen by the next request, however far the replicas are behind', async () => {
    const path = await make('First');
    const removed = await make('Removed');
    await bothRead();
    await one.lag(true);
    await two.lag(true);
    try {
      await send('PATCH', path, { title: 'Second' });
      expect((await read(path)).body.title).toBe('Second');
      const made = await make('Made now');
      expect((await read(made)).status).toBe(200);
      await send('DELETE', removed);
      expect((await read(removed)).status).toBe(404);
      await expect.poll(states).toEqual(['behind', 'behind']);
      const health = await send('GET', '/@health');
      expect(health.body.checks['databaseReplicas:reading']).toMatchObject([{ observedUnit: 'replicas' }]);
    } finally {
      await one.lag(false);
      await two.lag(false);
    }
    await bothRead();
    const before = reads();
    expect((await read(path)).body.title).toBe('Second');
    expect(reads()).toBe(before + 1);
  });

  test('a replica that has seen more than the primary shows nothing of it before the primary does', async () => {
    const path = await make('Shown');
    await bothRead();
    // A commit that waits for a standby that is not there is on the replicas, and not yet visible on the primary.
    const db = site.kernel.db;
    await db.query({ text: `alter system set synchronous_standby_names = 'nobody'` });
    await db.query({ text: 'select pg_reload_conf()' });
    try {
      await expect
        .poll(
          async () =>
            (await db.query<{ v: string }>({ text: `select current_setting('synchronous_standby_names') as v` }))[0]?.v,
        )
        .toBe('nobody');
      let acknowledged = false;
      const writing = send('PATCH', path, { title: 'Ahead' }).then(() => {
        acknowledged = true;
      });
      await new Promise((resolve) => setTimeout(resolve, 1000));
      const repeated = (): number => figures().reduce((sum, each) => sum + each.repeated, 0);
      const before = repeated();
      const { body } = await read(path);
      expect(acknowledged).toBe(false);
      expect(body.title).toBe('Shown');
      expect(repeated()).toBe(before + 1);
      await db.query({ text: 'alter system reset synchronous_standby_names' });
      await db.query({ text: 'select pg_reload_conf()' });
      await writing;
      expect((await read(path)).body.title).toBe('Ahead');
    } finally {
      await db.query({ text: 'alter system reset synchronous_standby_names' });
      await db.query({ text: 'select pg_reload_conf()' });
    }
  });

  test('a replica that dies is left out, and comes back', async () => {
    await one.crash();
    for (let n = 0; n < 20; n += 1) expect((await read('/@search')).status).toBe(200);
    await expect.poll(states, { timeout: 10_000 }).toEqual(['lost', 'reading']);
    const { body } = await send('GET', '/@health');
    expect(body.status).toBe('warn');
    expect(body.checks['databaseReplicas:reading']).toMatchObject([
      { status: 'warn', observedValue: 1, output: `127.0.0.1:${one.port}/site is lost` },
    ]);
    expect((await send('GET', '/@database')).body.replicas.map(({ state }) => state)).toEqual(['lost', 'reading']);
    await one.start();
    await bothRead();
  });

  test('a replica that was promoted on its own is left out', async () => {
    await two.promote();
    const path = await make('After the split');
    expect((await read(path)).status).toBe(200);
    await expect.poll(states, { timeout: 10_000 }).toEqual(['reading', 'foreign']);
  });
});

describe.skipIf(!isClusterInstalled())('a replica with writes that the new primary has lost', () => {
  test('is left out, however far it is, and nothing of them is shown', { timeout: 180_000 }, async () => {
    const cluster = await startPostgresCluster({
      standbys: 2,
      isSynchronous: false,
      settings: ['fsync=off', 'full_page_writes=off'],
    });
    try {
      await cluster.createDatabase('site');
      const [next, ahead] = cluster.standbys as [Server, Server];
      const site = await startSite({
        settings: {
          DATABASE_URL: addressOf('site', cluster.primary, next),
          DATABASE_REPLICA_URLS: addressOf('site', ahead),
        },
      });
      try {
        const figures = () => site.kernel.slots.get(REPLICAS).figures()[0];
        let sizes = 0;
        const title = async (z: number): Promise<string> => {
          const response = await fetch(`${site.url}/?b_size=${z}`, { headers: { Accept: 'application/json' } });
          const body: { title: string } = JSON.parse(await response.text());
          return body.title;
        };
        const rename = (to: string) =>
          site.kernel.db.query({
            text: `update content set fields = fields || jsonb_build_object('title', $1::text) where path = '/'`,
            values: [to],
          });
        await rename('Kept');
        await until('The use of the replica', async () => {
          await title(++sizes);
          return (figures()?.reads ?? 0) > 0;
        });
        // The one that will be the primary hears no more of the old one, and the other replica does.
        await queryAt(next.url, `alter system set primary_conninfo = 'host=127.0.0.1 port=1'`);
        await queryAt(next.url, 'select pg_reload_conf()');
        await until('The end of the replication', async () => {
          const rows = await queryAt(
            cluster.primary.url,
            `select from pg_stat_replication where application_name = $1`,
            [next.name],
          );
          return rows.length === 0;
        });
        await rename('Lost');
        await until('The arrival of what is lost', async () => {
          const [row] = await queryAt<{ title: string }>(
            addressOf('site', ahead),
            `select fields->>'title' as title from content where path = '/'`,
          );
          return row?.title === 'Lost';
        });
        await cluster.primary.crash();
        await next.promote();
        await until('The end of the outage', async () => (await title(++sizes)) === 'Kept');
        // The new primary is beyond the place that the replica has reached.
        await site.kernel.db.query({ text: `select pg_switch_wal()` });
        for (let n = 0; n < 20; n += 1) {
          await rename(`Kept ${n}`);
          expect(await title(++sizes)).toBe(`Kept ${n}`);
        }
        expect(figures()?.state).toBe('foreign');
      } finally {
        await site.close();
      }
    } finally {
      await cluster.stop();
    }
  });
});
