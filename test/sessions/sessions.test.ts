import { beforeAll, describe, expect, it } from 'vitest';
import { changeSettings, PASSWORD, peopleOf } from '../people/people-site.ts';
import { describeEachEngine } from '../support/database.ts';
import { useTestSite } from '../support/use-site.ts';

describeEachEngine('sessions', (engine) => {
  const site = useTestSite(engine);
  const { addUser } = peopleOf(site);
  let jane: string;
  beforeAll(async () => {
    jane = await addUser();
  });

  const login = async (user: string, agent = 'a browser'): Promise<string> => {
    const json = { login: user, password: PASSWORD };
    const { body } = await site.request('POST', '/@login', { as: 'anonymous', json, headers: { 'User-Agent': agent } });
    return body.token;
  };
  const using = (token: string) => ({ as: 'anonymous' as const, headers: { Authorization: `Bearer ${token}` } });
  const isGood = async (token: string) => (await site.request('GET', `/@users/${jane}`, using(token))).status === 200;

  describe('of a site that stores tokens', () => {
    beforeAll(() => changeSettings(site, 'security', { store_tokens: true }));

    it('stored sessions are listed only for their user, with program and time', async () => {
      const [first, second] = [await login(jane, 'first'), await login(jane, 'second'.padEnd(500, '.'))];
      const { status, body } = await site.request('GET', '/@sessions', using(first));
      expect([status, body.stored, body.items_total]).toEqual([200, true, 2]);
      const [newest, oldest] = body.items;
      expect(oldest).toMatchObject({ user_agent: 'first', current: true, network: '127.0.0.1' });
      expect(newest).toMatchObject({ user_agent: 'second'.padEnd(200, '.'), current: false });
      const seconds = (Date.parse(oldest.expires) - Date.parse(oldest.issued)) / 1000;
      expect(seconds).toBeGreaterThanOrEqual(12 * 60 * 60);
      expect(seconds).toBeLessThan(12 * 60 * 60 + 1);
      const other = await login(await addUser());
      expect((await site.request('GET', '/@sessions', using(other))).body.items_total).toBe(1);
      expect(await isGood(second)).toBe(true);
    });

    it('stored sessions come in batches', async () => {
      const token = await login(jane);
      const { body } = await site.request('GET', '/@sessions?b_size=1&b_start=1', using(token));
      expect([body.items.length, body.items_total > 1]).toEqual([1, true]);
      expect(body.batching['@id']).toContain('b_start=1');
    });

    it('a user can end each own session, and none of others', async () => {
      const [kept, ended] = [await login(jane, 'kept'), await login(jane, 'ended')];
      const { body } = await site.request('GET', '/@sessions', using(kept));
      const { id } = body.items.find(({ user_agent }: { user_agent: string }) => user_agent === 'ended');
      const other = await login(await addUser());
      expect((await site.request('DELETE', `/@sessions/${id}`, using(other))).status).toBe(404);
      expect(await isGood(ended)).toBe(true);
      expect((await site.request('DELETE', `/@sessions/${id}`, using(kept))).status).toBe(204);
      expect([await isGood(ended), await isGood(kept)]).toEqual([false, true]);
      expect((await site.request('DELETE', `/@sessions/${id}`, using(kept))).status).toBe(404);
    });

    it('a stored session keeps its id when its token is renewed', async () => {
      const token = await login(jane, 'renewed');
      const renewal = await site.request('POST', '/@login-renew', {
        as: 'anonymous',
        headers: { Authorization: `Bearer ${token}`, 'User-Agent': 'renewed' },
      });
      const { body } = await site.request('GET', '/@sessions', using(renewal.body.token));
      expect(body.items[0]).toMatchObject({ user_agent: 'renewed', current: true });
      expect(await isGood(token)).toBe(false);
    });

    it('a user can end all own sessions at once, and those of others stay', async () => {
      const tokens = [await login(jane), await login(jane)];
      const other = await addUser();
      const theirs = await login(other);
      expect((await site.request('DELETE', '/@sessions', using(tokens[0] ?? ''))).status).toBe(204);
      expect(await Promise.all(tokens.map(isGood))).toEqual([false, false]);
      expect((await site.request('GET', '/@sessions', using(theirs))).status).toBe(200);
      expect(await isGood(await login(jane))).toBe(true);
    });
  });

  describe('of a site that does not store tokens', () => {
    beforeAll(() => changeSettings(site, 'security', { store_tokens: false }));

    it('without stored tokens the list says that sessions are not known', async () => {
      const fresh = await login(await addUser());
      const { body } = await site.request('GET', '/@sessions', using(fresh));
      expect(body).toMatchObject({ stored: false, items: [], items_total: 0 });
    });

    it('without stored tokens a user can end all sessions at once', async () => {
      const token = await login(jane);
      expect((await site.request('DELETE', '/@sessions', using(token))).status).toBe(204);
      expect(await isGood(token)).toBe(false);
    });
  });

  it('only users who are logged in can list sessions', async () => {
    for (const request of ['GET /@sessions', 'DELETE /@sessions', 'DELETE /@sessions/x']) {
      const [method = '', path = ''] = request.split(' ');
      expect((await site.request(method, path, { as: 'anonymous' })).status).toBe(401);
    }
  });
});
