import { Secret, TOTP } from 'otpauth';
import { expect, it } from 'vitest';
import { changeSettings, PASSWORD, peopleOf } from '../people/people-site.ts';
import { quickestEngine } from '../support/database.ts';
import { useTestSite } from '../support/use-site.ts';

const site = useTestSite(quickestEngine());
const { addUser } = peopleOf(site);
const CODE_FIELD = 'name="otp"';

/** The code of an app, a number of steps of 30 seconds from now. */
const codeOf = (secret: string, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });
const sendForm = (fields: Record<string, string>) =>
  site.request('POST', '/@login?came_from=/', {
    as: 'anonymous',
    body: new URLSearchParams(fields).toString(),
    headers: {
      Accept: 'text/html',
      'Content-Type': 'application/x-www-form-urlencoded',
      'Sec-Fetch-Site': 'same-origin',
    },
  });

it('the form asks for the code of a user with a second factor, and logs in with it', async () => {
  const login = await addUser();
  const who = { login, password: PASSWORD };
  const { secret } = (await site.request('POST', '/@totp', { as: 'anonymous', json: who })).body;
  const json = { ...who, otp: codeOf(secret, -1) };
  expect((await site.request('POST', '/@totp/confirm', { as: 'anonymous', json })).status).toBe(200);

  const guessed = await sendForm({ ...who, password: 'wrong-one' });
  expect([guessed.status, guessed.text.includes(CODE_FIELD)]).toEqual([401, false]);
  const asked = await sendForm(who);
  expect([asked.status, asked.text.includes(CODE_FIELD)]).toEqual([401, true]);
  expect(asked.headers.getSetCookie()).toEqual([]);
  const wrong = await sendForm({ ...who, otp: '000000' });
  expect([wrong.status, wrong.text.includes(CODE_FIELD)]).toEqual([401, true]);
  const { status, headers } = await sendForm({ ...who, otp: codeOf(secret) });
  expect([status, headers.get('location')]).toEqual([303, '/']);
  expect(headers.getSetCookie().join()).toContain('canopy_session=');
});

it('the form says that a second factor must be set up, without asking for its code', async () => {
  const login = await addUser(['Editor']);
  await changeSettings(site, 'security', { second_factor_roles: ['Editor'] });
  const { status, text } = await sendForm({ login, password: PASSWORD });
  expect([status, text.includes(CODE_FIELD)]).toEqual([401, false]);
  expect(text).toMatch(/role="alert">Your account needs a second factor/);
});
