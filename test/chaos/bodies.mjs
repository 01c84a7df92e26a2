import { setTimeout as sleep } from 'node:timers/promises';
import { besiege, prepareSite, SETTINGS, watchPeace } from './besieged-site.mjs';
import { send } from './send.mjs';

/** Clients that send bodies at the same time, each from a network of its own. */
const CLIENTS = 4;

const many = (count, of) => Array.from({ length: count }, (_, n) => of(n)).join(',');

/** Values that are cheap to send and dear to look at; those of a form have 15 MB at most. */
const VALUES = {
  numbers: () => `"data":[${'1,'.repeat(7_400_000)}1]`,
  'unknown names': () => `"data":{${many(200_000, (n) => `"n${n}":1`)}}`,
  pairs: () => `"data":[${many(200_000, (n) => `{"field_id":"n${n}","value":1}`)}]`,
  attachments: () => `"data":{},"attachments":{${many(100_000, (n) => `"n${n}":1`)}}`,
  'a few thousand numbers': () => `"data":[${'1,'.repeat(9000)}1]`,
  'a value of millions': () => `"data":{"name":[${'{},'.repeat(4_000_000)}{}]}`,
  'long names': () => `"data":{${many(7, (n) => `"${String(n).repeat(2_000_000)}":1`)}}`,
  'deep lists': () => `"data":${'['.repeat(7_000_000)}`,
};

const boundary = 'a-boundary-of-a-form';
const part = (name, text) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`;

/** The bodies as JSON, one as the part of a form, and a form of many parts. */
function bodiesFor({ id }) {
  const json = Object.values(VALUES).map((values) => ({
    type: 'application/json',
    body: Buffer.from(`{"block_id":"${id}",${values()}}`),
  }));
  const type = `multipart/form-data; boundary=${boundary}`;
  const form = (text) => ({ type, body: Buffer.from(`${part('block_id', id)}${text}--${boundary}--\r\n`) });
  return [...json, form(part('data', `[${'1,'.repeat(7_000_000)}1]`)), form(part('n', '1').repeat(100_000))];
}

/** Bodies of visitors that hold as many values as their bytes allow, to forms with and without a captcha. */
export async function attackWithBodies({ start, duration }) {
  const server = await start(SETTINGS);
  const { forms, callers } = await prepareSite(server);
  await watchPeace(server, callers, duration);
  const requests = forms.flatMap((form) =>
    bodiesFor(form).flatMap(({ type, body }) =>
      ['@schemaform-data', '@submit-form'].map((service) => ({ path: `${form.path}/${service}`, type, body })),
    ),
  );
  const problems = await besiege(server, callers, 'bodies', async () => {
    const statuses = {};
    const until = Date.now() + duration;
    let sent = 0;
    const attackers = Array.from({ length: CLIENTS }, async (_, n) => {
      while (Date.now() < until || sent < requests.length) {
        const { path, type, body } = requests[sent % requests.length];
        sent += 1;
        const headers = { 'Content-Type': type, 'X-Forwarded-For': `10.1.${n}.1` };
        const { status } = await send(server.url, { method: 'POST', path, headers, body });
        statuses[status] = (statuses[status] ?? 0) + 1;
        await sleep(20);
      }
    });
    await Promise.all(attackers);
    return statuses;
  });
  await server.stop();
  return problems;
}
