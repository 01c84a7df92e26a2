import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '../../scripts/lib/client.mjs';
import { temporaryDataDir } from '../../scripts/lib/server.mjs';
import { send } from './send.mjs';
import { MODES, silentSocket } from './silent-socket.mjs';

/** Milliseconds in which 99 of a hundred requests of visitors have to be answered, or twice the time that they take without an attack. */
const MAX_VISIT_MS = 1000;
/** Milliseconds for which each service is attacked: longer than one that is silent is waited for. */
const ATTACK_MS = 14_000;
/** Milliseconds between two requests of a visitor, and of an attacker: the machine is the same as that of the server. */
const PAUSE_MS = 40;
const ATTACK_PAUSE_MS = 200;
const ATTACKERS = 12;
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
const JSON_TYPE = { 'Content-Type': 'application/json' };

const picture = (title, extra = '') => ({
  '@type': 'Image',
  title,
  image: { data: PIXEL + extra, encoding: 'base64', filename: 'a.png', 'content-type': 'image/png' },
});

/** Headers of a visitor of a network of its own: the proxy of the test is this machine. */
const from = (network) => ({ 'X-Forwarded-For': `100.${64 + (network % 60)}.${Math.floor(network / 60) % 250}.7` });

/** Requests that visitors of other networks send meanwhile, by name. */
const VISITS = {
  page: ({ n }) => ({ path: `/?expand=none-${n}`, headers: from(n) }),
  form: ({ n }) => ({
    method: 'POST',
    path: '/@email-notification',
    body: JSON.stringify({ name: 'Eva', from: 'eva@example.org', message: `Number ${n}` }),
    headers: { ...JSON_TYPE, ...from(n) },
  }),
  login: ({ n }) => ({
    method: 'POST',
    path: '/@login',
    body: JSON.stringify({ login: 'admin', password: 'admin' }),
    headers: { ...JSON_TYPE, ...from(n) },
  }),
  write: ({ n, authorization }) => ({
    method: 'POST',
    path: '/inbox',
    body: JSON.stringify({ '@type': 'Page', title: `Page ${n}` }),
    headers: { ...JSON_TYPE, ...authorization, ...from(n) },
  }),
};

/** No attack. */
const QUIET = 'nothing';

/** Requests of attackers of one network that make the server wait for a service. */
const ATTACKS = {
  'downloads of files': ({ file }) => ({ path: `${file}/@@images/image` }),
  'uploads of files': ({ authorization, n }) => ({
    method: 'POST',
    path: '/inbox',
    body: JSON.stringify(picture(`Lost ${n}`)),
    headers: { ...JSON_TYPE, ...authorization },
  }),
  'logins with a provider': () => ({ path: '/@login-openid' }),
  'questions to a model': ({ authorization, n }) => ({
    method: 'POST',
    path: '/@chat',
    body: JSON.stringify({ prompt: `Question ${n}` }),
    headers: { ...JSON_TYPE, ...authorization },
  }),
};

/** The statuses of an attack that say that the service is away, or that somebody asks too much. */
const EXPECTED = new Set([0, 429, 502, 503, 504]);

async function visitUntil(isOver, { url, name, authorization, visits }) {
  for (let n = 0; !isOver(); n += 1) {
    const { status, time } = await send(url, VISITS[name]({ n, authorization }));
    visits.push({ name, status, time });
    await sleep(PAUSE_MS);
  }
}

async function attackUntil(isOver, { url, name, file, authorization, statuses }) {
  for (let n = 0; !isOver(); n += 1) {
    const request = ATTACKS[name]({ file, authorization, n });
    const { status } = await send(url, { ...request, headers: { ...from(1_000_000), ...request.headers } });
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    await sleep(ATTACK_PAUSE_MS);
  }
}

/**
 * Attacks by one kind of requests while visitors go about their business; QUIET stands for no attack. Adds what is wrong
 * to `problems`.
 */
async function attackService({ url, name, mode, file, tokens, problems }) {
  let isDone = false;
  const isOver = () => isDone;
  const visits = [];
  const statuses = new Map();
  const visitors = Object.keys(VISITS).map((visit) =>
    visitUntil(isOver, { url, name: visit, authorization: tokens.visitor, visits }),
  );
  const attackers = Array.from({ length: name === QUIET ? 0 : ATTACKERS }, () =>
    attackUntil(isOver, { url, name, file, authorization: tokens.attacker, statuses }),
  );
  await sleep(ATTACK_MS);
  isDone = true;
  await Promise.all(visitors);
  await Promise.all(attackers);
  for (const status of statuses.keys())
    if (!EXPECTED.has(status)) problems.push(`${name}, ${mode}: an attacker got ${status}`);
  for (const { name: visit, status } of visits)
    if (status === 0 || status >= 400) problems.push(`${name}, ${mode}: the visit "${visit}" got ${status}`);
  const times = visits.map(({ time }) => time).sort((a, b) => a - b);
  const p99 = Math.round(times[Math.floor(times.length * 0.99)] ?? 0);
  if (p99 > MAX_VISIT_MS) problems.push(`${name}, ${mode}: one visit of a hundred took ${p99} ms`);
  const longest = visits.toSorted((a, b) => b.time - a.time)[0];
  const figures = { visits: visits.length, p99, longest: `${longest?.name} ${Math.round(longest?.time ?? 0)}` };
  console.log(`${name}, ${mode}: ${JSON.stringify({ ...figures, attackers: Object.fromEntries(statuses) })}`);
}

/** Content that the attacks need, with files on the disk: they are looked for in the silent object store later. */
async function furnish(client) {
  await client.send('POST', '/', { '@type': 'Folder', id: 'inbox', title: 'Inbox' });
  await client.send('PATCH', '/@controlpanels/mail', { email_from_address: 'town@example.org' });
  const { location } = await client.send('POST', '/', picture('Lake'));
  const file = new URL(location).pathname;
  const panel = '/@controlpanels/content-rules';
  await client.send('POST', panel, { title: 'Tell', event: 'onAfterAdd' });
  const { port } = await silentSocket();
  await client.send('POST', `${panel}/tell/action`, {
    ...{ type: 'webhook', url: `http://127.0.0.1:${port}/`, method: 'POST', body: '{"title": "$' + '{title}"}' },
  });
  await client.send('POST', '/inbox/@content-rules/tell');
  return file;
}

/**
 * Serves a site whose mail server, receiver of webhooks, object store, provider of logins and language model take connections and are of no
 * use. Returns what visitors of other networks notice of it.
 */
export async function attackWithSilentServices({ startServer, databaseUrl, modes = Object.keys(MODES) }) {
  const problems = [];
  const dataDir = await temporaryDataDir();
  const plain = await startServer({ dataDir, databaseUrl });
  const file = await furnish(await connect(plain.url));
  await plain.stop();
  const [store, provider, model, mail] = await Promise.all(Array.from({ length: 4 }, () => silentSocket()));
  const server = await startServer({
    dataDir,
    databaseUrl,
    env: {
      TRUST_PROXY: '127.0.0.1',
      WEBHOOK_PRIVATE_ADDRESSES: '1',
      SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
      S3_ENDPOINT: `http://127.0.0.1:${store.port}`,
      S3_BUCKET: 'files',
      S3_ACCESS_KEY_ID: 'key',
      S3_SECRET_ACCESS_KEY: 'secret',
      OPENID_ISSUER: `http://127.0.0.1:${provider.port}`,
      OPENID_CLIENT_ID: 'site',
      LLM_URL: `http://127.0.0.1:${model.port}/v1`,
      LLM_MODEL: 'stub',
    },
  });
  const client = await connect(server.url);
  const bearer = ({ token }) => ({ Authorization: `Bearer ${token}` });
  const tokens = { visitor: bearer(client), attacker: bearer(await connect(server.url)) };
  await client.send('PATCH', '/@controlpanels/ai', { timeout: 5, requests_per_hour: 1000 });
  await attackService({ url: server.url, name: QUIET, mode: 'quiet', file, tokens, problems });
  for (const mode of modes)
    for (const [name, service] of [
      ['downloads of files', store],
      ['uploads of files', store],
      ['logins with a provider', provider],
      ['questions to a model', model],
    ]) {
      service.mode = mode;
      await attackService({ url: server.url, name, mode, file, tokens, problems });
    }
  const lost = await client.send('GET', '/@search?portal_type=Image&b_size=10');
  if (lost.body.items_total !== 1) problems.push(`There are ${lost.body.items_total} pictures instead of one`);
  const health = await (await fetch(`${server.url}/@health`, { headers: tokens.visitor })).json();
  for (const check of ['blobStore:responseTime', 'loginProviders:lastAnswer', 'languageModel:lastAnswer'])
    if (health.checks[check]?.[0]?.status === 'pass') problems.push(`@health does not say that ${check} is of no use`);
  const faults = server.output().match(/"request failed"/g) ?? [];
  if (faults.length > 0) problems.push(`The log has ${faults.length} faults`);
  await server.stop();
  return problems;
}
