import { setTimeout as sleep } from 'node:timers/promises';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Exchange, requestTo } from '../../src/app/test-client.ts';
import { loadKeyring } from '../../src/core/people/keyring.ts';
import { seededRandom } from '../hostile/random.ts';
import { engines } from '../support/database.ts';
import { propertyRuns } from '../support/property-runs.ts';
import { useTestSite } from '../support/use-site.ts';
import { type AnotherProcess, startAnotherProcess } from './another-process.ts';

const ROUNDS = propertyRuns(12, 60);
/** Milliseconds after which the test gives up a request during an outage. */
const PATIENCE_MS = 20_000;
/** The ways in which tokens change. The first rounds make each change once, later ones one at random. */
const CHANGES = ['rotate', 'prune', 'store', 'logout', 'login'] as const;

describe.skipIf(!engines().includes('postgresql'))('a process whose connections are cut at any moment', () => {
  const site = useTestSite('postgresql');
  let other: AnotherProcess;
  const random = seededRandom(20_261_122);
  /** A generator of its own: how often it is asked depends on the time that the rounds take. */
  const cuts = seededRandom(22_112_026);
  /** The setting `store_tokens`. */
  let stored = false;
  let isCutting = false;
  let cutter: Promise<void> = Promise.resolve();

  async function cutAtRandom(): Promise<void> {
    while (isCutting) {
      await sleep(50 + cuts.int(400));
      other.proxy.cut();
      if (cuts.int(4) > 0) continue;
      other.proxy.refuse(true);
      await sleep(cuts.int(150));
      other.proxy.refuse(false);
    }
  }

  beforeAll(async () => {
    other = await startAnotherProcess(site);
  });
  afterAll(async () => {
    isCutting = false;
    await cutter;
    await other?.close();
  });

  /** Repeats a request until the process can reach the database; before that it returns 503. */
  async function ask(method: string, path: string, options: Parameters<typeof site.request>[2]): Promise<Exchange> {
    const until = Date.now() + PATIENCE_MS;
    for (;;) {
      const answer = await requestTo(other.url)(method, path, options);
      if (answer.status < 500 || Date.now() > until) return answer;
      await sleep(10);
    }
  }

  const login = async (): Promise<string> =>
    (await ask('POST', '/@login', { as: 'anonymous', json: site.admin })).body.token;

  /** Says if a token is valid according to the database. */
  async function counts(token: string): Promise<boolean> {
    const { kid } = decodeProtectedHeader(token);
    const { jti } = decodeJwt(token);
    const [{ known, kept } = { known: false, kept: false }] = await site.kernel.db.query<{
      known: boolean;
      kept: boolean;
    }>({
      text: `select exists (select from signing_key where id = $1) as known,
        exists (select from issued_token where id = $2) as kept`,
      values: [kid, jti],
    });
    return known && (kept || !stored);
  }

  it('a process with cut connections accepts a token only when the database has it as valid', async () => {
    const tokens = [await login()];
    isCutting = true;
    cutter = cutAtRandom();
    const seen = new Set<string>();
    for (let round = 0; round < ROUNDS; round += 1) {
      const change = CHANGES[round] ?? random.pick(CHANGES);
      const keyring = await loadKeyring(site.kernel.db);
      if (change === 'rotate') await keyring.rotate(site.kernel.db);
      if (change === 'prune') {
        await keyring.rotate(site.kernel.db);
        await keyring.prune(site.kernel.db, new Date());
      }
      if (change === 'store') {
        stored = !stored;
        const { status } = await site.request('PATCH', '/@controlpanels/security', { json: { store_tokens: stored } });
        expect(status).toBe(204);
      }
      if (change === 'logout')
        await site.request('POST', '/@logout', { as: { token: random.pick([tokens[0] ?? '', ...tokens]) } });
      if (change === 'login') tokens.push(await login());
      for (const token of tokens.slice(-4)) {
        const answer = await ask('GET', '/@users/admin', { as: { token } });
        const expected = await counts(token);
        seen.add(`${expected}`);
        expect([change, answer.status], `round ${round}`).toEqual([change, expected ? 200 : 401]);
      }
      const fresh = await login();
      expect(await counts(fresh), `a token that was given out after round ${round}: ${change}`).toBe(true);
      tokens.push(fresh);
    }
    isCutting = false;
    await cutter;
    expect([...seen].sort()).toEqual(['false', 'true']);
  });

  it('a process uses the settings and types of the database after its listening connection was lost', async () => {
    other.proxy.refuse(true);
    other.proxy.cut();
    const title = `Title ${random.int(1e9)}`;
    await site.request('PATCH', '/@controlpanels/site', { json: { site_title: title } });
    const made = await site.request('POST', '/@controlpanels/dexterity-types', { json: { title: 'Leaflet' } });
    expect(made.status, made.text).toBe(201);
    other.proxy.refuse(false);
    const panel = await ask('GET', '/@controlpanels/site', {});
    expect(panel.body.data.site_title).toBe(title);
    const types = await ask('GET', '/@controlpanels/dexterity-types', {});
    expect(types.text).toContain('Leaflet');
    await expect
      .poll(() => other.kernel.sites.last?.version, { timeout: 15_000 })
      .toBe((await site.kernel.sites.current()).version);
  });
});
