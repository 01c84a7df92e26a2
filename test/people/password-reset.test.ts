import { beforeAll, expect, it } from 'vitest';
import { requestPasswordReset } from '../../src/features/people/passwords.ts';
import { describeEachEngine } from '../support/database.ts';
import { createTestKernel, type Json, startTestSite } from '../support/site.ts';
import { useMailingSite } from '../support/use-site.ts';
import { changeSettings, PASSWORD, peopleOf } from './people-site.ts';

const NEW = 'Brand-new-pass-1!';

describeEachEngine('a forgotten password', (engine) => {
  const { site, sink } = useMailingSite(engine);
  beforeAll(async () => {
    await changeSettings(site, 'site', { frontend_domain: 'https://www.example.org/' });
    await changeSettings(site, 'mail', { email_from_address: 'site@example.org', email_from_name: 'The Site' });
  });
  const { as, addUser, fresh } = peopleOf(site);
  const ask = (name: string, json?: Json) =>
    site.request('POST', `/@users/${encodeURIComponent(name)}/reset-password`, { as: 'anonymous', json });
  const logsIn = async (login: string, password: string) =>
    (await site.request('POST', '/@login', { as: 'anonymous', json: { login, password } })).status === 200;
  const tokenIn = (text: string) => /\/passwordreset\/([\w-]+)\?userid=/.exec(text)?.[1] ?? '';
  /** Requests a link and returns the token in its mail. */
  async function mailed(user: string): Promise<string> {
    const before = sink.mails.length;
    await ask(user, {});
    await expect.poll(() => sink.mails.length, { timeout: 10_000 }).toBe(before + 1);
    return tokenIn(sink.mails.at(-1)?.text ?? '');
  }

  it('a reset requested by id or by address, in upper or lower case, mails a link to the front end whatever the requested host', async () => {
    const user = await addUser();
    expect((await ask(user)).status).toBe(200);
    const [mail] = await sink.arrived(`${user}@example.org`);
    expect(mail?.text).toContain(`https://www.example.org/passwordreset/`);
    expect(mail?.text).toContain(`?userid=${user}`);
    expect(mail?.headers.from).toBe('The Site <site@example.org>');
    await ask(`${user}@EXAMPLE.org`, {});
    await sink.arrived(`${user}@example.org`, 2);
    expect(await logsIn(user, PASSWORD)).toBe(true);
  });

  it('a request for a new password gets the same response whether or not the user exists', async () => {
    const user = await addUser();
    const [known, unknown] = [await ask(user, {}), await ask(fresh('nobody'), {})];
    expect([known.status, known.text]).toEqual([200, '']);
    expect([unknown.status, unknown.text]).toEqual([known.status, known.text]);
    expect([...unknown.headers.keys()].sort()).toEqual([...known.headers.keys()].sort());
    await sink.arrived(`${user}@example.org`);
  });

  it('a token sets the password once and invalidates other tokens, the old password and open sessions', async () => {
    const user = await addUser();
    const [first, second] = [await mailed(user), await mailed(user)];
    const { token } = (await site.request('POST', '/@login', { as: 'anonymous', json: as(user) })).body;
    expect((await ask(user, { reset_token: first, new_password: 'short' })).status).toBe(400);
    expect((await ask(user, { reset_token: first, new_password: NEW })).status).toBe(200);
    expect([await logsIn(user, NEW), await logsIn(user, PASSWORD)]).toEqual([true, false]);
    expect((await site.request('GET', `/@users/${user}`, { as: { token } })).status).toBe(401);
    for (const used of [first, second]) {
      const { status, body } = await ask(user, { reset_token: used, new_password: PASSWORD });
      expect([status, body.type]).toEqual([403, 'Unknown Token']);
    }
    expect(await logsIn(user, NEW)).toBe(true);
  });

  it('of two simultaneous uses of a token one succeeds', async () => {
    const user = await addUser();
    const token = await mailed(user);
    const answers = await Promise.all(
      [1, 2, 3].map((n) => ask(user, { reset_token: token, new_password: `${NEW}${n}` })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403, 403]);
  });

  it('a token of another user, from before a change of the password, or expired is rejected', async () => {
    const [user, other] = [await addUser(), await addUser()];
    const token = await mailed(user);
    expect((await ask(other, { reset_token: token, new_password: NEW })).body.type).toBe('Unknown Token');
    await site.request('PATCH', `/@users/${user}`, { json: { password: 'Set-by-manager-1!' } });
    expect((await ask(user, { reset_token: token, new_password: NEW })).body.type).toBe('Expired Token');
    expect(await logsIn(user, 'Set-by-manager-1!')).toBe(true);
    const late = await mailed(other);
    await site.kernel.db.query({ text: "update password_reset set expires = now() - interval '1 second'" });
    expect((await ask(other, { reset_token: late, new_password: NEW })).body.type).toBe('Expired Token');
  });

  it('the database holds neither passwords nor tokens in clear text', async () => {
    const user = await addUser();
    const token = await mailed(user);
    const rows = await site.kernel.db.query({
      text: `select to_jsonb(r)::text as text from password_reset r union all select to_jsonb(m)::text from queue_item m where kind = 'mail'`,
    });
    expect(token.length).toBeGreaterThan(40);
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  it('one account gets at most five mails per hour, and the response does not show it', async () => {
    const user = await addUser();
    for (let n = 0; n < 7; n += 1) expect((await ask(user, {})).status).toBe(200);
    await expect
      .poll(async () => (await site.kernel.db.query({ text: `select 1 from queue_item where kind = 'mail'` })).length, {
        timeout: 10_000,
      })
      .toBe(0);
    expect(await sink.arrived(`${user}@example.org`, 5)).toHaveLength(5);
  });

  it.each([
    { new_password: NEW },
    { reset_token: 'x' },
    { reset_token: 'x', old_password: PASSWORD, new_password: NEW },
    { reset_token: 7, new_password: NEW },
  ])('the body %j of a reset is rejected', async (json) => {
    expect((await ask('admin', json)).status).toBe(400);
  });

  it('only its user can change a password with the old one', async () => {
    const [user, other] = [await addUser(), await addUser()];
    const json = { old_password: PASSWORD, new_password: NEW };
    expect((await ask(user, json)).status).toBe(401);
    const path = `/@users/${user}/reset-password`;
    expect((await site.request('POST', path, { as: as(other), json })).status).toBe(403);
    expect((await site.request('POST', path, { json })).status).toBe(403);
    expect(await logsIn(user, PASSWORD)).toBe(true);
  });

  it("a new password that is too short or known to attackers by the site's settings is rejected", async () => {
    const { dataDir } = site.kernel.config;
    const { writeFile } = await import('node:fs/promises');
    const { createHash } = await import('node:crypto');
    const sha1 = (text: string) => createHash('sha1').update(text).digest('hex').toUpperCase();
    const known = ['correct-horse-battery', 'b', 'c', 'd'].map((text) => `${sha1(text)}:12`).sort();
    await writeFile(`${dataDir}/breached.txt`, `${known.join('\r\n')}\r\n`);
    await changeSettings(site, 'security', { password_min_length: 12, breached_passwords_file: '../../breached.txt' });
    try {
      const make = async (password: string) =>
        (await site.request('POST', '/@users', { json: { username: fresh('weak'), password, email: 'x@example.org' } }))
          .status;
      expect(await make('Only-eleven')).toBe(400);
      expect(await make('correct-horse-battery')).toBe(400);
      expect(await make('correct-horse-batterx')).toBe(201);
    } finally {
      await changeSettings(site, 'security', { password_min_length: 8, breached_passwords_file: '' });
    }
  });

  it('one network can request sixty new passwords per hour', async () => {
    let last = 200;
    for (let n = 0; n < 61 && last === 200; n += 1) last = (await ask(fresh('nobody'), {})).status;
    expect(last).toBe(429);
  });
});

describeEachEngine('a forgotten password on a site without a mail server', (engine) => {
  it('without a mail server a reset gets the usual response and is not stored', async () => {
    const site = await startTestSite(engine);
    try {
      const { status } = await site.request('POST', '/@users/admin/reset-password', { as: 'anonymous' });
      expect(status).toBe(200);
      expect(await site.kernel.db.query({ text: `select 1 from queue_item where kind = 'mail'` })).toEqual([]);
    } finally {
      await site.close();
    }
  });
});

describeEachEngine('a request for a new password', (engine) => {
  it('a request for a new password runs the same statements whether or not the user exists', async () => {
    const { kernel, close } = await createTestKernel(engine, { environment: { SMTP_URL: 'smtp://127.0.0.1:9' } });
    try {
      await kernel.sites.current();
      const { query } = kernel.db;
      const statements: string[] = [];
      kernel.db.query = (statement) => {
        statements.push(statement.text);
        return query.call(kernel.db, statement) as never;
      };
      const taken = async (name: string) => {
        await requestPasswordReset(kernel, { name, address: '127.0.0.1' });
        return statements.splice(0);
      };
      const known = await taken('admin');
      expect(await taken('nobody')).toEqual(known);
      expect(known.filter((text) => text.includes('queue_item'))).toHaveLength(1);
      expect(known.filter((text) => /\baccount\b/.test(text))).toEqual([]);
    } finally {
      await close();
    }
  });
});
