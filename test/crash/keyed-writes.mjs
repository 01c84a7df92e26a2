// Kills two processes while clients send writes with keys and a job changes many objects: npm run test:keys -- --help
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { buildIfStale } from '../../scripts/lib/build.mjs';
import { runMain } from '../../scripts/lib/cleanup.mjs';
import { connect, pathOf } from '../../scripts/lib/client.mjs';
import { postgresServer } from '../../scripts/lib/postgres.mjs';
import { startServer, temporaryDataDir } from '../../scripts/lib/server.mjs';

/** Attempts of one write; each waits a little. */
const MAX_ATTEMPTS = 400;
/** A job of a killed process goes on after its lease of a minute. */
const LONGEST_MS = 180_000;

const { values: options } = parseArgs({
  options: {
    writes: { type: 'string', default: '200' },
    kills: { type: 'string', default: '8' },
    help: { type: 'boolean', default: false },
  },
});

/** Sends a write with a key to one of the servers after the other until there is a response that counts. */
async function sendKeyed({ servers, token, counts }, { key, json }) {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const { url } = servers[(attempt + Math.floor(Math.random() * 2)) % servers.length];
    try {
      const response = await fetch(`${url}/`, {
        method: 'POST',
        headers: {
          Accept: 'application/json',
          Authorization: `Bearer ${token}`,
          'Content-Type': 'application/json',
          'Idempotency-Key': key,
        },
        body: JSON.stringify(json),
        signal: AbortSignal.timeout(30_000),
      });
      const text = await response.text();
      if (response.status === 409) counts.running += 1;
      else if (response.status < 500)
        return { status: response.status, text, isReplayed: response.headers.get('idempotency-replayed') === 'true' };
      else counts.failed += 1;
    } catch {
      // Killed before the response, or not there yet: it is in doubt whether the write was done.
      counts.lost += 1;
    }
    await sleep(20 + Math.random() * 100);
  }
  throw new Error(`The write ${key} had no response in ${MAX_ATTEMPTS} attempts`);
}

await runMain(async () => {
  const [writes, kills] = [Number(options.writes), Number(options.kills)];
  if (options.help || !(writes > 0) || !(kills >= 0)) {
    console.log('Usage: npm run test:keys -- [--writes N] [--kills N]');
    return options.help ? 0 : 2;
  }
  buildIfStale();
  const databaseUrl = await (await postgresServer()).createDatabase();
  const dataDir = await temporaryDataDir();
  const start = () => startServer({ dataDir, databaseUrl });
  const servers = [await start(), await start()];
  const { token, send } = await connect(servers[0].url);
  const counts = { running: 0, failed: 0, lost: 0 };
  const state = { servers, token, counts };
  const problems = [];

  await send('POST', '/', { '@type': 'Folder', id: 'many', title: 'Many' });
  for (let i = 0; i < 300; i += 1) await send('POST', '/many', { '@type': 'Page', id: `p${i}`, title: 'Before' });
  const bulk = await send('POST', '/many/@bulk', {
    query: { portal_type: 'Page' },
    change: { fields: { title: 'After' } },
  });

  let isOver = false;
  const killing = (async () => {
    for (let i = 0; i < kills && !isOver; i += 1) {
      await sleep(500 + Math.random() * 1500);
      const at = i % servers.length;
      await servers[at].kill();
      servers[at] = await start();
    }
  })();
  const keyed = Array.from({ length: writes }, (_, i) => ({
    key: randomUUID(),
    json: { '@type': 'Page', title: `Keyed ${i}` },
  }));
  const waiting = [...keyed];
  /** Sends writes, each twice at the same time. */
  const client = async () => {
    for (let write = waiting.shift(); write; write = waiting.shift()) {
      const [one, other] = await Promise.all([sendKeyed(state, write), sendKeyed(state, write)]);
      if (one.status !== 201) problems.push(`${write.json.title}: ${one.status} ${one.text.slice(0, 200)}`);
      if (one.text !== other.text) problems.push(`${write.json.title} had two responses`);
      if (!one.isReplayed && !other.isReplayed) problems.push(`${write.json.title} was done twice`);
      write.text = one.text;
    }
  };
  await Promise.all(Array.from({ length: 6 }, client));
  isOver = true;
  await killing;

  for (const { key, json, text } of keyed) {
    const again = await sendKeyed(state, { key, json });
    if (again.text !== text || !again.isReplayed)
      problems.push(`${json.title} is not the first response after the kills`);
  }
  const [{ key }] = keyed;
  const another = await sendKeyed(state, { key, json: { '@type': 'Page', title: 'Another' } });
  if (another.status !== 422) problems.push(`another body got ${another.status} instead of 422`);
  const { send: ask } = await connect(servers[0].url);
  const { body: pages } = await ask('GET', `/@search?Title=Keyed&path.depth=1&b_size=1`);
  if (pages.items_total !== writes) problems.push(`${pages.items_total} pages instead of ${writes}`);

  const report = pathOf(bulk.body['@id']);
  const began = Date.now();
  let progress = (await ask('GET', report)).body;
  while (progress.pending > 0 && Date.now() - began < LONGEST_MS) {
    await sleep(500);
    progress = (await ask('GET', report)).body;
  }
  if (progress.changed !== 300 || progress.pending !== 0)
    problems.push(`the bulk change has ${progress.changed} of 300 objects, ${progress.pending} wait`);
  for (let i = 0; i < 300; i += 1) {
    const { body: history } = await ask('GET', `/many/p${i}/@history`);
    const edits = history.filter(({ type }) => type === 'versioning').length;
    if (edits !== 2) problems.push(`p${i} has ${edits} versions instead of 2`);
  }
  await Promise.all(servers.map((server) => server.stop()));
  for (const problem of problems) console.log(`  ${problem}`);
  console.log(
    `${writes} writes with keys and 300 objects in bulk over ${kills} kills: ${counts.lost} responses lost, ${counts.running} told to wait, ${counts.failed} failed, ${problems.length} problems`,
  );
  return problems.length === 0 ? 0 : 1;
});
