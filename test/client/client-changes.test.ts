import { type Change, type Client, ConnectionError, createClient } from '@canopy-server/client';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { describeQuickestEngine } from '../support/database.ts';
import { useTestSite } from '../support/use-site.ts';
import { adminClient } from './client-site.ts';

/** A change in short. */
const short = (change: Change): string =>
  change.event === 'reset'
    ? 'reset'
    : `${change.event} ${change.path}${change.fields.map((name) => ` ${name}`).join('')}`;

const isStream = (init?: RequestInit): boolean => new Headers(init?.headers).get('accept') === 'text/event-stream';

describeQuickestEngine('the changes of the client', (engine) => {
  const site = useTestSite(engine);
  let admin: Client;
  let made = 0;
  beforeAll(async () => {
    admin = await adminClient(site);
  });
  afterEach(() => vi.restoreAllMocks());

  const addPage = async (title: string, isPublic = true): Promise<string> => {
    made += 1;
    const { id } = await admin.at('/').create({ '@type': 'Page', id: `page-${made}`, title });
    if (isPublic) await admin.at(`/${id}`).transition('publish');
    return `/${id}`;
  };

  /** Reads so many changes, after `act` has run once the reader is there. */
  const read = async (changes: AsyncIterable<Change>, count: number, act: () => Promise<unknown> = async () => {}) => {
    const seen: string[] = [];
    const acting = new Promise((resolve) => setTimeout(resolve, 400)).then(act);
    for await (const change of changes) {
      seen.push(short(change));
      if (seen.length >= count) break;
    }
    await acting;
    return seen;
  };

  describe.each(['stream', 'poll'] as const)('by the mode %s', (mode) => {
    it('A reader gets what it sees, as it happens, and goes on from a stored cursor.', async () => {
      const visitor = createClient(site.url);
      const changes = visitor.changes({ mode });
      let path = '';
      const seen = await read(changes, 2, async () => {
        await addPage('Secret', false);
        path = await addPage('Open');
        await admin.at(path).update({ title: 'Opened' });
      });
      expect(seen).toEqual([`created ${path}`, `changed ${path} title`]);
      // The last change was not finished when the loop was left.
      const rest = visitor.changes({ mode, since: changes.cursor });
      const [again, next] = await read(rest, 2, () => admin.at(path).remove());
      expect([again, next]).toEqual([`changed ${path} title`, `removed ${path}`]);
    });

    it('A reader that is aborted ends with the reason.', async () => {
      const stop = new AbortController();
      const reading = read(admin.changes({ mode, signal: stop.signal }), 1, async () =>
        stop.abort(new Error('enough')),
      );
      await expect(reading).rejects.toThrow('enough');
    });

    it('A cursor of other rights begins with a reset and the list of all content, and goes on with the feed.', async () => {
      const visitor = createClient(site.url);
      const changes = visitor.changes({ mode });
      await read(changes, 1, () => addPage('For a cursor'));
      const since = changes.cursor;
      let count = 0;
      for await (const page of admin.search({}).batches()) count = page.total;
      const seen = await read(admin.changes({ mode, since }), count + 3, () => addPage('After the list'));
      expect(seen[0]).toBe('reset');
      expect(seen.filter((one) => one.startsWith('present ')).length).toBeGreaterThanOrEqual(count);
      expect(seen.at(-1)).toMatch(/^(created|state) /);
    });
  });

  it('A place has the changes at and below it, narrowed by type and event.', async () => {
    const folder = await admin.at('/').create({ '@type': 'Folder', id: 'rooms', title: 'Rooms' });
    const rooms = admin.at(folder['@id']);
    const seen = await read(rooms.changes({ types: ['Page'], events: ['created', 'removed'] }), 2, async () => {
      await addPage('Elsewhere');
      await rooms.create({ '@type': 'Folder', id: 'cellar', title: 'Cellar' });
      await rooms.create({ '@type': 'Page', id: 'attic', title: 'Attic' });
      await rooms.child('attic').update({ title: 'The attic' });
      await rooms.child('attic').remove();
    });
    expect(seen).toEqual(['created /rooms/attic', 'removed /rooms/attic']);
  });

  it('With "all" the list of what is there comes first.', async () => {
    const path = await addPage('Listed');
    const changes = createClient(site.url).changes({ since: 'all', types: ['Page'] });
    expect(changes.cursor).toBeUndefined();
    const seen: string[] = [];
    for await (const change of changes) {
      seen.push(short(change));
      if (short(change) === `present ${path}`) await admin.at(path).remove();
      if (change.event === 'removed') break;
    }
    expect(seen).toContain(`present ${path}`);
    expect(seen.at(-1)).toBe(`removed ${path}`);
  });

  it('A stream that is cut is opened again, and no change is lost.', async () => {
    let cut = 0;
    const cutting: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      if (!isStream(init) || !response.body) return response;
      const reader = response.body.getReader();
      let pieces = 0;
      const body = new ReadableStream<Uint8Array>({
        async pull(controller) {
          pieces += 1;
          if (pieces > 2) {
            cut += 1;
            await reader.cancel();
            return controller.error(new TypeError('cut'));
          }
          const { value } = await reader.read();
          if (value) controller.enqueue(value);
        },
      });
      return new Response(body, { headers: response.headers });
    };
    const visitor = createClient(site.url, { fetch: cutting });
    const paths: string[] = [];
    const seen = await read(visitor.changes(), 3, async () => {
      for (const title of ['One', 'Two', 'Three']) paths.push(await addPage(title));
    });
    expect(seen).toEqual(paths.map((path) => `created ${path}`));
    expect(cut).toBeGreaterThan(0);
  });

  it('Where streams do not pass, or are held back, the client asks again and again.', async () => {
    const without: typeof fetch = (input, init) =>
      isStream(init) ? Promise.resolve(Response.json({}, { status: 200 })) : fetch(input, init);
    let path = '';
    const add = async () => {
      path = await addPage('By pages');
    };
    expect(await read(createClient(site.url, { fetch: without }).changes(), 1, add)).toEqual([`created ${path}`]);
    const real = setTimeout;
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms?: number) =>
      real(run, ms === 10_000 ? 50 : ms)) as typeof setTimeout);
    const holding: typeof fetch = (input, init) =>
      isStream(init)
        ? new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)))
        : fetch(input, init);
    expect(await read(createClient(site.url, { fetch: holding }).changes(), 1, add)).toEqual([`created ${path}`]);
  });

  it('An address without a site, and a rejected request, end the reading.', async () => {
    const lost = createClient('http://127.0.0.1:1', { retry: { attempts: 0 } });
    await expect(read(lost.changes(), 1)).rejects.toThrow(ConnectionError);
    await expect(read(admin.changes({ since: 'made-up' }), 1)).rejects.toMatchObject({ status: 400 });
  });
});
