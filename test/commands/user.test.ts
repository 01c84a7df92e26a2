import { Readable } from 'node:stream';
import { afterEach, expect, it, vi } from 'vitest';
import { userCommands } from '../../src/features/people/command.ts';
import { askPassword } from '../../src/lib/process/ask-password.ts';
import { peopleOf } from '../people/people-site.ts';
import { describeEachEngine } from '../support/database.ts';
import { runCommandOn } from '../support/run-canopy.ts';
import type { Json } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';

const PASSWORD = 'Long-enough-77!';

describeEachEngine('canopy user', (engine) => {
  const site = useTestSite(engine);
  const { addGroup, as } = peopleOf(site);
  afterEach(() => vi.restoreAllMocks());

  /** Runs a command with a text on standard input; returns what it prints with `--json`. */
  async function user(name: string, operands: string[], options: Json = {}, input = ''): Promise<Json> {
    const stdin = Object.assign(Readable.from([input]), { isTTY: false, fd: 0 });
    vi.spyOn(process, 'stdin', 'get').mockReturnValue(stdin as unknown as typeof process.stdin);
    const command = userCommands.find((one) => one.name === `user ${name}`);
    const { out } = await runCommandOn(site.kernel, command, { operands, options: { json: true, ...options } });
    return JSON.parse(out);
  }
  const STDIN = { 'password-stdin': true };
  const login = (id: string, password = PASSWORD) =>
    site.request('POST', '/@login', { as: 'anonymous', json: { login: id, password } });
  const list = (search: string) => user('list', [], { search, limit: '100', start: '0' });

  it('a user is made with roles and groups, logs in with the password of standard input, and is listed', async () => {
    const group = await addGroup();
    const options = {
      ...STDIN,
      email: 'jane@example.org',
      fullname: 'Jane',
      role: ['Editor', 'Member'],
      group: [group],
    };
    const made = await user('add', ['jane'], options, `${PASSWORD}\n`);
    expect(made).toMatchObject({ id: 'jane', roles: ['Editor', 'Member'], groups: [group], enabled: true });
    expect((await login('jane')).status).toBe(200);
    expect(await list('jane')).toMatchObject({
      items: [
        { id: 'jane', fullname: 'Jane', email: 'jane@example.org', enabled: true, last_login: expect.any(String) },
      ],
      items_total: 1,
    });
  });

  it('the command refuses the same users as the endpoint, and makes none', async () => {
    const add = (name: string, options: Json, input = PASSWORD) => user('add', [name], { ...STDIN, ...options }, input);
    const email = 'x@example.org';
    await expect(add('x', {})).rejects.toThrow('email: Is required.');
    await expect(add('x', { email, role: ['King'] })).rejects.toThrow('There is no role "King" that can be given.');
    await expect(add('x', { email, group: ['nobody'] })).rejects.toThrow('There is no group "nobody".');
    await expect(add('x', { email }, 'short')).rejects.toThrow('password');
    await expect(add('x', { email }, '')).rejects.toThrow('There is no password on standard input.');
    await expect(add('a b', { email })).rejects.toThrow('username');
    await expect(add('jane', { email })).rejects.toThrow('The name "jane" is taken.');
    await expect(user('add', ['x'], { email })).rejects.toThrow('give it on standard input, with --password-stdin');
    await expect(user('add', ['x'], { email, 'send-link': true })).rejects.toThrow('sendPasswordReset');
    expect((await list('x@example')).items_total).toBe(0);
  });

  it('a disabled user can use neither password nor session nor token, is listed so, and comes back', async () => {
    const session = (await login('jane')).body.token;
    const made = await site.request('POST', '/@access-tokens', { as: as('jane'), json: { name: 'x' } });
    const ways = [as('jane'), { token: session }, { token: made.body.token }];
    const statuses = () =>
      Promise.all(ways.map(async (way) => (await site.request('GET', '/@access-tokens', { as: way })).status));
    expect(await statuses()).toEqual([200, 200, 200]);
    expect(await user('disable', ['jane'])).toMatchObject({ id: 'jane', enabled: false });
    expect(await statuses()).toEqual([401, 401, 401]);
    expect((await list('jane')).items[0]).toMatchObject({ enabled: false, disabled: expect.stringMatching(/^\d{4}-/) });
    expect(await user('enable', ['jane'])).toMatchObject({ enabled: true, disabled: null });
    // The session stays ended.
    expect(await statuses()).toEqual([200, 401, 200]);
  });

  it('a new password ends sessions, and the old one is wrong', async () => {
    const session = (await login('jane')).body.token;
    await user('password', ['jane'], STDIN, 'Another-long-one-88!\nmore');
    expect([(await login('jane')).status, (await login('jane', 'Another-long-one-88!')).status]).toEqual([401, 200]);
    expect((await site.request('GET', '/@access-tokens', { as: { token: session } })).status).toBe(401);
    await expect(user('password', ['jane'], STDIN, 'short')).rejects.toThrow('password');
    await expect(user('password', ['nobody'], STDIN, PASSWORD)).rejects.toThrow('There is no user "nobody".');
  });

  it('the audit log has all of it as done by the system', async () => {
    const { body } = await site.request('GET', '/@audit-log?actor=system');
    const actions = body.items.map(({ action, name }: Json) => `${action} ${name}`);
    expect(actions).toEqual(
      expect.arrayContaining(['user.created jane', 'user.disabled jane', 'user.enabled jane', 'password.changed jane']),
    );
  });

  it('a table for people has a column for each thing and says how many more there are', async () => {
    const command = userCommands.find(({ name }) => name === 'user list');
    const report = await runCommandOn(site.kernel, command, { options: { limit: '1', start: '0' } });
    expect(report.out).toMatch(/^id +logs in as +full name +e-mail +roles +groups +state +last login\n/);
    expect(report.out).toMatch(/\n1 more: --start=1, or --search\.\n$/);
  });

  it('the last Manager stays, and the first one can be given a password', async () => {
    await expect(user('disable', ['admin'])).rejects.toThrow('The site must keep a Manager: this is the last one.');
    expect(await user('password', ['admin'], STDIN, PASSWORD)).toMatchObject({ id: 'admin' });
  });
});

it('a typed password is not shown', async () => {
  const shown: string[] = [];
  const output = { write: (text: string) => shown.push(text) > 0 };
  const input = Readable.from(['sec', 'ret\n', 'x']);
  const typed = await askPassword('New password: ', { input, output: output as unknown as NodeJS.WritableStream });
  expect(typed).toBe('secret');
  expect(shown.join('')).toBe('New password: \n');
});
