import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { updateContentRow } from '../../src/core/content/statements/write-content.ts';
import type { ContentChange } from '../../src/core/types/content-row.ts';
import { make } from '../content/make.ts';
import { addPerson, tokenOf } from '../content/people.ts';
import { changeSettings } from '../people/people-site.ts';
import { describeEachEngine } from '../support/database.ts';
import { PAGE } from '../support/profiles.ts';
import { propertyRuns } from '../support/property-runs.ts';
import type { Json, Who } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';
import '../support/property-seed.ts';

const HOUR_MS = 3_600_000;
const from = (milliseconds: number) => new Date(Date.now() + milliseconds);

/** Roles that sharing can give, and one that it cannot. */
const role = fc.constantFrom('Reader', 'Editor', 'Contributor', 'Reviewer', 'Owner');
const principal = fc.constantFrom('user:ann', 'user:bob', 'group:staff', 'group:crew', 'group:AuthenticatedUsers');
const place = fc.record({
  reviewState: fc.constantFrom('private', 'pending', 'published'),
  inheritRoles: fc.boolean(),
  localRoles: fc.dictionary(principal, fc.uniqueArray(role, { minLength: 1, maxLength: 2 }), { maxKeys: 2 }),
});
const dates = fc.constantFrom('none', 'now', 'late', 'early');
const datesOf = (name: string) =>
  ({
    now: { effective: from(-HOUR_MS), expires: from(HOUR_MS) },
    late: { effective: from(-2 * HOUR_MS), expires: from(-HOUR_MS) },
    early: { effective: from(HOUR_MS), expires: null },
  })[name] ?? { effective: null, expires: null };
const scene = fc.record({
  places: fc.tuple(place, place, place),
  dates,
  act: fc.boolean(),
  /** Which of the proposed changes are made. */
  seed: fc.nat(1000),
});
type Scene = typeof scene extends fc.Arbitrary<infer Value> ? Value : never;

/** Requests that need a permission, each with the status of its success. */
const REQUESTS: Record<string, { method: string; json?: Json; status: number }> = {
  View: { method: 'GET', status: 200 },
  'Modify portal content': { method: 'PATCH', json: { description: 'Changed' }, status: 204 },
};

/** Changes of one decision that are made in a quick run. */
const MAX_MADE = propertyRuns(1, 12);

describeEachEngine('explained access', (engine) => {
  const site = useTestSite(engine);
  const PATHS = ['/top/folder/page', '/top/folder', '/top'];
  const USERS = ['ann', 'bob', 'eve', 'gone', 'Anonymous'];
  const tokens = new Map<string, Who>([['Anonymous', 'anonymous']]);
  const seen = { allowed: 0, denied: 0, made: new Map<string, number>() };

  beforeAll(async () => {
    tokens.set('ann', await addPerson(site, { id: 'ann', groups: ['staff'] }));
    tokens.set('bob', await addPerson(site, { id: 'bob', groups: ['crew'] }));
    tokens.set('eve', await addPerson(site, { id: 'eve', roles: ['Member', 'Editor'] }));
    tokens.set('gone', await addPerson(site, { id: 'gone', roles: ['Member', 'Manager'] }));
    await site.kernel.db.query({
      text: `insert into group_member (group_id, member_id, is_group) values ('staff', 'crew', true)`,
    });
    await site.request('PATCH', '/@users/gone', { json: { enabled: false } });
    await make(site.kernel, '/', { '@type': 'Folder', id: 'top' });
    await make(site.kernel, '/top', { '@type': 'Folder', id: 'folder' });
    await make(site.kernel, '/top/folder', { '@type': PAGE, id: 'page' });
  });

  const set = async (path: string, change: ContentChange) => {
    const values = [path];
    const [row] = await site.kernel.db.query<{ oid: number }>({
      text: 'select oid from content where path = $1',
      values,
    });
    await site.kernel.db.transaction((tx) => updateContentRow(tx, Number(row?.oid), change));
  };
  const arrange = async ({ places, dates: when }: Scene) => {
    for (const [at, path] of PATHS.entries()) await set(path, { ...places[at], ...(at === 0 ? datesOf(when) : {}) });
  };
  const actual = async (user: string, permission: string): Promise<boolean> => {
    const request = REQUESTS[permission];
    const options = { as: tokens.get(user) ?? 'anonymous', ...(request?.json ? { json: request.json } : {}) };
    const { status } = await site.request(request?.method ?? '', '/top/folder/page', options);
    expect([request?.status, 401, 403]).toContain(status);
    return status === request?.status;
  };
  const explained = async (user: string, permission: string): Promise<Json> => {
    const query = new URLSearchParams({ user, permission });
    const { status, body, text } = await site.request('GET', `/top/folder/page/@explain-access?${query}`);
    expect(status, text).toBe(200);
    return body;
  };

  /** Makes a proposed change as a Manager, looks whether the decision is another one, and takes the change back. */
  async function prove(current: Scene, { user, permission, allowed }: Json, change: Json): Promise<void> {
    const { method, '@id': url, body } = change.request;
    expect(change.possible).toBe(true);
    const made = await site.request(method, url, { json: body });
    expect(made.status, `${change.message} ${made.text}`).toBeLessThan(300);
    if (change.change === 'enable') tokens.set('gone', await tokenOf(site, 'gone'));
    const what = `${user}, ${permission}, ${change.message} ${JSON.stringify(current)}`;
    expect(await actual(user, permission), what).toBe(!allowed);
    seen.made.set(change.change, (seen.made.get(change.change) ?? 0) + 1);
    if (change.change === 'enable') await site.request('PATCH', '/@users/gone', { json: { enabled: false } });
    await arrange(current);
  }

  it('agrees with what happens, and each proposed change turns that', { timeout: 900_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(scene, async (current) => {
        await changeSettings(site, 'publishing', { hide_inactive_content: current.act });
        await arrange(current);
        for (const user of USERS)
          for (const permission of Object.keys(REQUESTS)) {
            const explanation = await explained(user, permission);
            const { allowed } = explanation;
            expect(allowed, `${user}, ${permission}: ${explanation.message}`).toBe(await actual(user, permission));
            seen[allowed ? 'allowed' : 'denied'] += 1;
            const proposed: Json[] = explanation.changes;
            // Each kind of change once, and some others.
            const first = new Map(proposed.map((one) => [one.change, one]));
            const others = proposed.filter((_, at) => (at * 7 + current.seed) % 5 === 0).slice(0, MAX_MADE);
            for (const change of new Set([...first.values(), ...others]))
              await prove(current, { user, permission, allowed }, change);
          }
      }),
      { numRuns: propertyRuns(2, 40) },
    );
    expect(Math.min(seen.allowed, seen.denied)).toBeGreaterThan(0);
    expect([...seen.made.keys()]).toEqual(expect.arrayContaining(['share', 'transition']));
  });
});
