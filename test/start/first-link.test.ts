import { describe, expect, it } from 'vitest';
import { makeFirstLinkSecret } from '../../src/features/people/first-link.ts';
import { quickestEngine } from '../support/database.ts';
import { startTestSite } from '../support/site.ts';

const PASSWORD = 'a password of my own';

/** A new site with a link for its first account, and what a browser sends with it. */
async function newSite() {
  const site = await startTestSite(quickestEngine());
  const secret = await site.kernel.db.transaction((tx) => makeFirstLinkSecret(tx, 'admin'));
  const choose = (token: string, password = PASSWORD, user = 'admin') =>
    site.request('POST', `/@users/${user}/reset-password`, {
      as: 'anonymous',
      json: { reset_token: token, new_password: password },
    });
  const logIn = (password: string) =>
    site.request('POST', '/@login', { as: 'anonymous', json: { login: 'admin', password } });
  return { site, secret, choose, logIn };
}

describe('the link by which the first account of a new site gets its password', () => {
  it('sets the password once, and the printed one counts no more', async () => {
    const { site, secret, choose, logIn } = await newSite();
    try {
      expect((await choose(secret, 'short')).status).toBe(400);
      expect((await choose(`${secret}x`)).status).toBe(403);
      expect((await choose(secret)).status).toBe(200);
      expect((await logIn(PASSWORD)).status).toBe(200);
      expect((await logIn('admin')).status).toBe(401);
      expect((await choose(secret, 'another password')).status).toBe(403);
    } finally {
      await site.close();
    }
  });

  it('of two uses at the same time one succeeds', async () => {
    const { site, secret, choose } = await newSite();
    try {
      const statuses = await Promise.all([choose(secret), choose(secret, 'another password')]);
      expect(statuses.map(({ status }) => status).sort()).toEqual([200, 403]);
    } finally {
      await site.close();
    }
  });

  it('counts only while the site has no other account', async () => {
    const { site, secret, choose, logIn } = await newSite();
    try {
      const made = await site.request('POST', '/@users', {
        json: { username: 'jane', email: 'jane@example.org', password: 'a-long-password' },
      });
      expect(made.status).toBe(201);
      expect(await choose(secret)).toMatchObject({ status: 403, body: { error: { type: 'Expired Token' } } });
      expect((await logIn('admin')).status).toBe(200);
    } finally {
      await site.close();
    }
  });

  it('counts no more after a day, nor after the password was changed in another way', async () => {
    const { site, secret, choose } = await newSite();
    try {
      const own = { old_password: 'admin', new_password: PASSWORD };
      await site.request('POST', '/@users/admin/reset-password', { json: own });
      expect((await choose(secret)).status).toBe(403);
      const late = await site.kernel.db.transaction((tx) => makeFirstLinkSecret(tx, 'admin'));
      await site.kernel.db.query({
        text: `update password_reset set expires = now() - interval '1 second'`,
        values: [],
      });
      expect((await choose(late)).status).toBe(403);
    } finally {
      await site.close();
    }
  });

  it('stores no secret', async () => {
    const { site, secret } = await newSite();
    try {
      const rows = await site.kernel.db.query({ text: 'select * from password_reset', values: [] });
      expect(JSON.stringify(rows)).not.toContain(secret);
    } finally {
      await site.close();
    }
  });
});
