import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { updateContentRow } from '../../src/core/content/statements/write-content.ts';
import { make } from '../content/make.ts';
import { addPerson } from '../content/people.ts';
import { changeSettings } from '../people/people-site.ts';
import { CountingDatabase } from '../support/counting-database.ts';
import { describeEachEngine } from '../support/database.ts';
import { PAGE } from '../support/profiles.ts';
import { propertyRuns } from '../support/property-runs.ts';
import type { Json, Who } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';

const HOUR_MS = 3_600_000;
const from = (milliseconds: number) => new Date(Date.now() + milliseconds);

type Dates = 'none' | 'now' | 'late' | 'early';
type Thing = { type: string; at: number; dates: Dates; state: 'private' | 'published' };

/** Dates around now: `late` has expired, `early` is not effective yet. */
const datesOf = (dates: Dates) =>
  ({
    none: { effective: null, expires: null },
    now: { effective: from(-HOUR_MS), expires: from(HOUR_MS) },
    late: { effective: from(-2 * HOUR_MS), expires: from(-HOUR_MS) },
    early: { effective: from(HOUR_MS), expires: null },
  })[dates];

const thing: fc.Arbitrary<Thing> = fc.record({
  type: fc.constantFrom('Folder', PAGE, 'News Item', 'Event', 'File'),
  at: fc.nat(20),
  dates: fc.constantFrom<Dates>('none', 'now', 'late', 'early'),
  state: fc.constantFrom('published', 'published', 'private'),
});

/** Where content may be named, at a container or a page. */
const AT_CONTENT = [
  '',
  '?fullobjects&expand=breadcrumbs,navigation,actions,translations,workflow,navroot,comments,related,contextnavigation,inherit,types,relations&expand.navigation.depth=4&metadata_fields=_all',
  '?expand.inherit.behaviors=plone.basic,basic&expand=inherit',
  '/@search?SearchableText=zz*&metadata_fields=_all&facet_fields=portal_type',
  '/@search?fullobjects=1&sort_on=path',
  '/@search?show_inactive=1&Title=zz*',
  '/@search?portal_type=Discussion%20Item',
  '/@querystring-search?query=%7B%22query%22%3A%5B%7B%22i%22%3A%22portal_type%22%2C%22o%22%3A%22plone.app.querystring.operation.selection.any%22%2C%22v%22%3A%5B%22Page%22%2C%22Folder%22%2C%22News%20Item%22%5D%7D%5D%7D',
  '/@suggest?q=zz',
  '/@navigation?expand.navigation.depth=4',
  '/@contextnavigation',
  '/@breadcrumbs',
  '/@translations',
  '/@related',
  '/@relations',
  '/@comments',
  '/@vocabularies/plone.app.vocabularies.Keywords',
  '/@vocabularies/plone.app.vocabularies.Catalog',
  '/rss_view',
  '/ics_view',
  '/markdown_view',
  '/@export',
  '/@linkintegrity',
];
const OF_SITE = ['/@relations?relation=relatedItems', '/@relations', '/@blocktypes', '/@aliases'];

describeEachEngine('dates of publication that act', (engine) => {
  let counting: CountingDatabase;
  const site = useTestSite(engine, () => ({
    wrap: (db) => {
      counting = new CountingDatabase(db);
      return counting;
    },
  }));
  const callers: Record<string, Who> = { anonymous: 'anonymous' };
  const act = (on: boolean) => changeSettings(site, 'publishing', { hide_inactive_content: on });
  const get = (path: string, as: Who = 'anonymous', headers = {}) => site.request('GET', path, { as, headers });
  const setDates = async (path: string, dates: { effective?: Date | null; expires?: Date | null }) => {
    const { kernel } = site;
    const [row] = await kernel.db.query<{ oid: number }>({
      text: 'select oid from content where path = $1',
      values: [path],
    });
    await kernel.db.transaction((tx) => updateContentRow(tx, Number(row?.oid), dates));
  };

  beforeAll(async () => {
    callers.member = await addPerson(site, { id: 'member' });
    callers.editor = await addPerson(site, { id: 'editor', roles: ['Member', 'Editor'] });
    callers.admin = await addPerson(site, { id: 'boss', roles: ['Manager'] });
    await act(true);
  });

  type Made = Thing & { path: string; uid: string; token: string };
  let rounds = 0;

  /** A random tree, whose objects are called in their titles as nothing else is; ids tell nothing. */
  async function grow(things: readonly Thing[]): Promise<Made[]> {
    rounds += 1;
    const top = await make(site.kernel, '/', { '@type': 'Folder', id: `top${rounds}` }, { state: 'published' });
    const made: Made[] = [];
    for (const [index, one] of things.entries()) {
      const folders = [top, ...made.filter(({ type }) => type === 'Folder').map(({ path }) => path)];
      const token = `zz${rounds}q${index}q`;
      const others = made.map(({ uid }) => uid);
      const path = await make(
        site.kernel,
        folders[one.at % folders.length] ?? top,
        {
          '@type': one.type,
          id: `n${index}`,
          title: token,
          description: token,
          subjects: [token],
          ...(one.type === 'Event' ? { start: from(HOUR_MS).toISOString(), end: from(2 * HOUR_MS).toISOString() } : {}),
          ...(one.type === 'File'
            ? { file: { data: token, filename: `${token}.txt`, 'content-type': 'text/plain' } }
            : {}),
          ...([PAGE, 'News Item'].includes(one.type) ? { relatedItems: others } : {}),
        },
        one.type === 'File' ? {} : { state: one.state },
      );
      await setDates(path, datesOf(one.dates));
      const { body } = await get(path, callers.admin);
      made.push({ ...one, path, token, uid: body.UID });
    }
    return made;
  }

  const isInactive = ({ dates }: Thing) => dates === 'late' || dates === 'early';

  async function check(things: readonly Thing[]): Promise<void> {
    const made = await grow(things);
    const top = `/top${rounds}`;
    for (const [name, as] of Object.entries(callers)) {
      const mayChange = name === 'editor' || name === 'admin';
      const sees: Made[] = [];
      for (const one of made) {
        const own = await get(one.path, as);
        const by = await get(`/resolveuid/${one.uid}`, as);
        const visible = own.status === 200;
        if (isInactive(one)) expect(visible, `${name} at ${one.path}, ${one.dates}`).toBe(mayChange);
        if (!visible) expect(own.status).toBe(name === 'anonymous' ? 401 : 403);
        expect(by.status).toBe(visible ? 301 : 404);
        for (const end of ['/@@download/file', '/@workflow', '/@history', '/@lock', '/@export', '/@actions'])
          if (!visible) expect((await get(one.path + end, as)).status, end).not.toBe(200);
        if (visible) sees.push(one);
      }
      const hidden = made.filter((one) => !sees.includes(one));
      const seen = sees.slice(0, 3).map(({ path }) => path);
      const asked = [top, ...seen].flatMap((path) => AT_CONTENT.map((end) => path + end));
      for (const path of [...asked, ...AT_CONTENT.map((end) => `/${end.replace(/^\//, '')}`), ...OF_SITE]) {
        const { status, text } = await get(path, as);
        expect(status, path).toBeLessThan(500);
        for (const { token, uid, dates } of hidden) {
          expect(text.includes(token), `${name}: ${path} names ${token} (${dates})`).toBe(false);
          expect(text.includes(uid), `${name}: ${path} has the UID of ${token} (${dates})`).toBe(false);
        }
      }
    }
  }

  it('hide the content of any tree from all who may not change it, wherever it could be named', {
    timeout: 240_000,
  }, async () => {
    await fc.assert(fc.asyncProperty(fc.array(thing, { minLength: 5, maxLength: 9 }), check), {
      numRuns: propertyRuns(1, 6),
    });
  });

  it('do nothing on other sites than to leave content out of lists', async () => {
    const path = await make(site.kernel, '/', { id: 'plain', title: 'Plain' }, { state: 'published' });
    await setDates(path, datesOf('late'));
    expect((await get(path)).status).toBe(401);
    const listing = () => get('/?expand=navigation', callers.member);
    // At once after a change of the settings, when nothing is kept that was read before.
    const listed = async () =>
      (await counting.during(listing)).filter((name) => /^(list-children|nav-level)/.test(name));
    await act(false);
    const plain = await listed();
    expect((await get(path)).status).toBe(200);
    const found = await get('/@search?Title=Plain');
    expect(found.body.items_total).toBe(0);
    await act(true);
    const dated = await listed();
    expect((await get(path)).status).toBe(401);
    // The same statements, and while nothing acts they are as they were.
    expect(dated).toEqual(['list-children-dated', 'nav-level-dated']);
    expect(plain).toEqual(['list-children', 'nav-level']);
  });

  it('show an author what only the role on the object lets the author change', async () => {
    const author = await addPerson(site, { id: 'author' });
    const path = await make(site.kernel, '/', { id: 'own', title: 'Ownwork' }, { state: 'published', owner: 'author' });
    await setDates(path, datesOf('early'));
    expect((await get(path, author)).status).toBe(200);
    expect((await get(path, callers.member)).status).toBe(403);
  });

  it('are those of the object alone: what lies in an expired folder is still served', async () => {
    const folder = await make(
      site.kernel,
      '/',
      { '@type': 'Folder', id: 'over', title: 'Over' },
      { state: 'published' },
    );
    const inside = await make(site.kernel, folder, { id: 'inside', title: 'Inside' }, { state: 'published' });
    await setDates(folder, datesOf('late'));
    expect((await get(folder)).status).toBe(401);
    const { status, body, text } = await get(`${inside}?expand=breadcrumbs`);
    expect(status).toBe(200);
    expect(text).not.toContain('"Over"');
    expect(body.parent.title).toBe('over');
  });

  describe('when a date passes', () => {
    /** The moment, far enough for the requests before it. */
    const SOON_MS = 2500;

    it('end cached responses, lists, and what a client has already', async () => {
      const going = await make(site.kernel, '/', { id: 'going', title: 'Going' }, { state: 'published' });
      const coming = await make(site.kernel, '/', { id: 'coming', title: 'Coming' }, { state: 'published' });
      const at = from(SOON_MS);
      await setDates(going, { expires: at });
      await setDates(coming, { effective: at });
      const before = await get(going);
      expect([before.status, (await get(going)).status, (await get(coming)).status]).toEqual([200, 200, 401]);
      const etag = before.headers.get('etag') ?? '';
      expect((await get(going, 'anonymous', { 'If-None-Match': etag })).status).toBe(304);
      const titles = async () => (await get('/')).body.items.map(({ title }: Json) => title);
      expect(await titles()).toContain('Going');
      expect(await titles()).not.toContain('Coming');
      await delay(at.getTime() - Date.now() + 20);
      const after = await get(going, 'anonymous', { 'If-None-Match': etag });
      expect([after.status, (await get(going)).status, (await get(coming)).status]).toEqual([401, 401, 200]);
      expect(await titles()).toContain('Coming');
      expect(await titles()).not.toContain('Going');
    });

    it('let nobody keep a picture for longer', async () => {
      const data = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
      const path = await make(site.kernel, '/', {
        '@type': 'Image',
        id: 'dot',
        title: 'Dot',
        image: { data, encoding: 'base64', filename: 'dot.png', 'content-type': 'image/png' },
      });
      const { body } = await get(path, callers.admin);
      const address = body.image.download;
      expect((await get(address)).headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      await setDates(path, { expires: from(90_000) });
      const age = Number(/^public, max-age=(\d+),/.exec((await get(address)).headers.get('cache-control') ?? '')?.[1]);
      expect(age).toBeGreaterThan(60);
      expect(age).toBeLessThanOrEqual(90);
      await setDates(path, { expires: from(-1000) });
      expect((await get(address)).status).toBe(401);
    });
  });
});
