// Kills the server while webhooks of content rules wait and are being sent: npm run test:webhooks -- --help
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { buildIfStale } from '../../scripts/lib/build.mjs';
import { onEnd, runMain } from '../../scripts/lib/cleanup.mjs';
import { connect } from '../../scripts/lib/client.mjs';
import { postgresServer } from '../../scripts/lib/postgres.mjs';
import { startServer, temporaryDataDir } from '../../scripts/lib/server.mjs';

/** A request that was being sent when its process was killed is sent again after its lease of a minute. */
const LONGEST_MS = 120_000;
const PANEL = '/@controlpanels/content-rules';

const { values: options } = parseArgs({
  options: {
    pages: { type: 'string', default: '30' },
    engine: { type: 'string', default: 'pglite' },
    help: { type: 'boolean', default: false },
  },
});

/**
 * The receiver. It is `busy` (503), `silent` (never responds) or `open`. Returns the requests that it has seen: the titles of
 * the pages with the keys of the requests, and which of them it has accepted.
 */
async function startTarget() {
  const seen = new Map();
  const taken = new Map();
  const target = { mode: 'busy', seen, taken };
  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const { title } = JSON.parse(Buffer.concat(chunks).toString());
      const key = request.headers['idempotency-key'];
      seen.set(title, (seen.get(title) ?? new Set()).add(key));
      if (target.mode === 'silent') return;
      if (target.mode === 'open') taken.set(title, (taken.get(title) ?? 0) + 1);
      response.writeHead(target.mode === 'busy' ? 503 : 204).end();
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  onEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  target.url = `http://127.0.0.1:${server.address().port}/`;
  return target;
}

async function addRule(client, url) {
  await client.send('POST', PANEL, { title: 'Tell', event: 'onAfterAdd' });
  await client.send('POST', `${PANEL}/tell/action`, {
    ...{ type: 'webhook', url, method: 'POST', body: '{"title": "$' + '{title}"}' },
  });
  await client.send('POST', '/@content-rules/tell');
}

await runMain(async () => {
  const pages = Number(options.pages);
  if (options.help || !['pglite', 'postgresql'].includes(options.engine) || !(pages > 0)) {
    console.log('Usage: npm run test:webhooks -- [--pages N] [--engine pglite|postgresql]');
    return options.help ? 0 : 2;
  }
  buildIfStale();
  const target = await startTarget();
  const dataDir = await temporaryDataDir();
  const databaseUrl = options.engine === 'postgresql' ? await (await postgresServer()).createDatabase() : undefined;
  const start = () => startServer({ dataDir, databaseUrl, env: { WEBHOOK_PRIVATE_ADDRESSES: '1' } });
  let server = await start();
  let client = await connect(server.url);
  await addRule(client, target.url);
  const titles = Array.from({ length: pages }, (_, number) => `Page ${number}`);
  // Some wait for their next attempt, some are being sent, and some were never tried when the process is killed.
  for (const title of titles.slice(0, 3)) await client.send('POST', '/', { '@type': 'Page', title });
  while (target.seen.size < 3) await sleep(50);
  await sleep(500);
  target.mode = 'silent';
  for (const title of titles.slice(3)) await client.send('POST', '/', { '@type': 'Page', title });
  while (target.seen.size < 7) await sleep(50);
  const { webhooks: before } = (await client.send('GET', `${PANEL}/tell`)).body;
  await server.kill();
  console.log(`Killed while ${before.waiting} webhooks waited, ${target.seen.size} of them tried`);
  target.mode = 'open';
  const started = Date.now();
  server = await start();
  client = await connect(server.url);
  while (target.taken.size < pages && Date.now() - started < LONGEST_MS) await sleep(200);
  await sleep(500);
  const { webhooks: after, failures } = (await client.send('GET', `${PANEL}/tell`)).body;
  await server.stop();
  const problems = [];
  if (before.waiting !== pages) problems.push(`${before.waiting} webhooks waited instead of ${pages}`);
  const tried = before.items.filter(({ attempts }) => attempts > 0);
  if (tried.length < 7) problems.push(`the panel shows attempts of ${tried.length} webhooks instead of 7`);
  if (!tried.every(({ next, until }) => Date.parse(next) < Date.parse(until)))
    problems.push('the panel shows no backoff');
  for (const title of titles) {
    if (!target.taken.has(title)) problems.push(`the webhook of ${title} never came`);
    if ((target.taken.get(title) ?? 0) > 1) problems.push(`the webhook of ${title} was taken twice`);
    if ((target.seen.get(title)?.size ?? 0) > 1) problems.push(`the webhook of ${title} came under several keys`);
  }
  if (after.waiting !== 0) problems.push(`${after.waiting} webhooks still wait`);
  for (const problem of problems) console.log(`  ${problem}`);
  console.log(
    `${options.engine}: ${target.taken.size} of ${pages} webhooks came within ${Math.round((Date.now() - started) / 1000)} s of the start, ${failures.count} failures told, ${problems.length} problems`,
  );
  return problems.length === 0 ? 0 : 1;
});
