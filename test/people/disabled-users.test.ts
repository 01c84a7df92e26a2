import { request } from 'node:http';
import { beforeAll, describe, expect, it } from 'vitest';
import { describeEachEngine } from '../support/database.ts';
import { useTestSite } from '../support/use-site.ts';
import { changeSettings, PASSWORD, peopleOf } from './people-site.ts';

describeEachEngine('users who are disabled', (engine) => {
  const site = useTestSite(engine);
  const { addUser, as, read } = peopleOf(site);
  const login = (user: string) =>
    site.request('POST', '/@login', { as: 'anonymous', json: { login: user, password: PASSWORD } });
  const disable = (user: string, disabled = true) => site.request('PATCH', `/@users/${user}`, { json: { disabled } });

  it('a disabled user can no longer use a password, a session or a token', async () => {
    const user = await addUser();
    const session = (await login(user)).body.token;
    const made = await site.request('POST', '/@access-tokens', { as: as(user), json: { name: 'x' } });
    const ways = [as(user), { token: session }, { token: made.body.token }];
    const statuses = () =>
      Promise.all(ways.map(async (way) => (await site.request('GET', '/@access-tokens', { as: way })).status));
    expect(await statuses()).toEqual([200, 200, 200]);
    expect((await disable(user)).status).toBe(204);
    expect(await statuses()).toEqual([401, 401, 401]);
    const refused = await login(user);
    expect([refused.status, refused.body.error.message]).toEqual([401, 'Wrong login and/or password.']);
    expect((await read(`/@users/${user}`)).disabled).toBe(true);
    await disable(user, false);
    // The session stays ended; the personal access token works again.
    expect(await statuses()).toEqual([200, 401, 200]);
  });

  it('users can be disabled only by those who may change them, and not by themselves', async () => {
    const [user, steward] = [await addUser(), await addUser(['Site Administrator', 'Member'])];
    const by = async (who: string, whom: string) =>
      (await site.request('PATCH', `/@users/${whom}`, { as: as(who), json: { disabled: true } })).status;
    expect([await by(user, user), await by(user, steward), await by(steward, 'admin')]).toEqual([403, 403, 403]);
    expect([await by(steward, steward), await by(steward, user)]).toEqual([403, 204]);
    expect((await site.request('PATCH', `/@users/${user}`, { json: { disabled: 'yes' } })).status).toBe(400);
  });

  it('the last Manager who can log in cannot be disabled', async () => {
    const second = await addUser(['Manager']);
    expect((await disable(second)).status).toBe(204);
    const { status } = await site.request('PATCH', '/@users/admin', { json: { roles: ['Member'] } });
    expect(status).toBe(400);
  });

  it('only managers of users see who is disabled and the last login', async () => {
    const user = await addUser();
    expect((await read(`/@users/${user}`)).last_login).toBeNull();
    const before = Date.now();
    await login(user);
    const { last_login: at } = await read(`/@users/${user}`);
    expect(Date.parse(at)).toBeGreaterThanOrEqual(before);
    const listed = (await read(`/@users?search=${user}`))[0];
    expect([listed.last_login, listed.disabled]).toEqual([at, false]);
    const own = await site.request('GET', `/@users/${user}`, { as: as(user) });
    expect(['last_login', 'disabled'].filter((key) => key in own.body)).toEqual([]);
  });

  describe('preferences', () => {
    beforeAll(() => changeSettings(site, 'language', { available_languages: ['en', 'de', 'fr'] }));
    const title = async (user: string, headers: Record<string, string> = {}) => {
      const { body } = await site.request('GET', '/@userschema', { as: as(user), headers });
      return body.properties.fullname.title;
    };

    it('the preferred language of a user counts where the client says nothing else', async () => {
      const user = await addUser();
      const plain = await fetchTitle(user);
      expect(plain).toBe('Full Name');
      const { status } = await site.request('PATCH', `/@users/${user}`, { as: as(user), json: { language: 'de' } });
      expect(status).toBe(204);
      expect((await site.request('GET', `/@users/${user}`, { as: as(user) })).body.language.token).toBe('de');
      const inGerman = await fetchTitle(user);
      expect(inGerman).not.toBe('Full Name');
      expect(await title(user, { 'Accept-Language': 'en' })).toBe('Full Name');
      expect(await fetchTitle(user)).toBe(inGerman);
    });

    it('preferences are described by a form, and invalid ones are rejected', async () => {
      const form = await read('/@userschema/preferences');
      expect(Object.keys(form.properties)).toEqual(
        expect.arrayContaining(['language', 'timezone', 'wysiwyg_editor', 'ext_editor']),
      );
      const wrong = await site.request('PATCH', '/@users/admin', { json: { timezone: 'Mars/Olympus' } });
      expect(wrong.status).toBe(400);
      const right = await site.request('PATCH', '/@users/admin', {
        json: { timezone: 'Europe/Rome', ext_editor: true },
      });
      expect(right.status).toBe(204);
      expect(await read('/@users/admin')).toMatchObject({ timezone: { token: 'Europe/Rome' }, ext_editor: true });
    });

    /** The response to a client that sends no `Accept-Language`; `fetch` would send one. */
    async function fetchTitle(user: string): Promise<string> {
      const { login: name, password } = as(user);
      const text = await new Promise<string>((resolve, reject) => {
        const sent = request(`${site.url}/@userschema`, { auth: `${name}:${password}` }, (response) => {
          let all = '';
          response.setEncoding('utf8').on('data', (part) => {
            all += part;
          });
          response.on('end', () => resolve(all));
        });
        sent.on('error', reject).end();
      });
      return JSON.parse(text).properties.fullname.title;
    }
  });
});
