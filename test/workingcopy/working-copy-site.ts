import { expect } from 'vitest';
import { type MoveSite, startMoveSite } from '../copymove/move-site.ts';
import type { Engine } from '../support/engines.ts';
import { PAGE } from '../support/profiles.ts';
import type { Exchange, Json, Who } from '../support/site.ts';

/** A site with helpers for tests of working copies. */
export type WorkingCopySite = MoveSite & {
  /** Sends a request to `@workingcopy`. */
  working(method: string, path: string, as?: Who, headers?: Record<string, string>): Promise<Exchange>;
  patch(path: string, json: Json, as?: Who, headers?: Record<string, string>): Promise<Exchange>;
  /** Creates a page and returns its path. */
  page(container: string, id: string, fields?: Json): Promise<string>;
  /** Checks out and returns the path of the working copy. */
  checkOut(path: string, as?: Who): Promise<string>;
  lockOf(path: string): Promise<Json>;
  /** Expects that an object is no side of a check-out, and can be changed. */
  expectFree(path: string): Promise<void>;
};

/** Starts such a site. */
export async function startWorkingCopySite(engine: Engine): Promise<WorkingCopySite> {
  const site = await startMoveSite(engine);
  const working: WorkingCopySite['working'] = (method, path, as = 'admin', headers = {}) =>
    site.request(method, `${path}/@workingcopy`, { as, headers });
  const patch: WorkingCopySite['patch'] = (path, json, as = 'admin', headers = {}) =>
    site.request('PATCH', path, { json, as, headers });
  return {
    ...site,
    working,
    patch,
    page: (container, id, fields = {}) => site.add(container, id, { '@type': PAGE, ...fields }),
    async checkOut(path, as = 'admin') {
      const { status, text, body } = await working('POST', path, as);
      expect([status, text]).toEqual([201, text]);
      return String(body['@id']).slice(site.url.length);
    },
    lockOf: async (path) => (await site.read(path)).lock,
    async expectFree(path) {
      const free = { lock: { locked: false }, working_copy: null, working_copy_of: null };
      expect(await site.read(path)).toMatchObject(free);
      expect((await patch(path, { description: 'Free again' })).status).toBe(204);
    },
  };
}
