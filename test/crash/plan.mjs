// Applies a plan of many objects while others write and the server is killed: npm run test:plan -- --help
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { buildIfStale } from '../../scripts/lib/build.mjs';
import { runMain } from '../../scripts/lib/cleanup.mjs';
import { connect } from '../../scripts/lib/client.mjs';
import { postgresServer } from '../../scripts/lib/postgres.mjs';
import { startServer, temporaryDataDir } from '../../scripts/lib/server.mjs';

const { values: options } = parseArgs({
  options: {
    objects: { type: 'string', default: '1000' },
    kills: { type: 'string', default: '2' },
    engine: { type: 'string', default: 'postgresql' },
    request: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

/** The entry of a page that is new, and of one that is changed. */
const creationOf = (i, uid, folder) => ({
  ...{ change: 'created', uid, path: `/plan/n${i}`, place: { parent: folder, name: `n${i}` }, type: 'Page' },
  ...{ layout: null, values: { title: `New ${i}` }, settings: { review_state: 'published' } },
});
const changeOf = (i, uid) => ({
  ...{ change: 'changed', uid, path: `/plan/p${i}`, type: 'Page', settings: {} },
  values: { title: { from: 'Before', to: `After ${i}` } },
});

await runMain(async () => {
  const [objects, kills] = [Number(options.objects), Number(options.kills)];
  const isEmbedded = options.engine === 'pglite';
  if (options.help || !(objects > 1) || !(kills >= 0) || !['postgresql', 'pglite'].includes(options.engine)) {
    console.log('Usage: npm run test:plan -- [--objects N] [--kills N] [--engine postgresql|pglite] [--request]');
    console.log('A job applies the plan, or with --request one request.');
    return options.help ? 0 : 2;
  }
  buildIfStale();
  const databaseUrl = isEmbedded ? undefined : await (await postgresServer()).createDatabase();
  const dataDir = await temporaryDataDir();
  const start = () => startServer({ dataDir, ...(databaseUrl && { databaseUrl }) });
  const servers = isEmbedded ? [await start()] : [await start(), await start()];
  const last = () => servers[servers.length - 1];
  const { token, send } = await connect(servers[0].url);
  const half = Math.floor(objects / 2);
  const folder = (await send('POST', '/', { '@type': 'Folder', id: 'plan', title: 'Plan' })).body.UID;
  const entries = [];
  for (let i = 0; i < half; i += 1) {
    const { body } = await send('POST', '/plan', { '@type': 'Page', id: `p${i}`, title: 'Before' });
    entries.push(changeOf(i, body.UID));
  }
  for (let i = 0; i < objects - half; i += 1)
    entries.push(creationOf(i, crypto.randomUUID().replaceAll('-', ''), folder));

  const problems = [];
  let isOver = false;
  let writes = 0;
  /** Changes another field of the same pages at the second server, as people do meanwhile. */
  const people = async () => {
    for (let i = 0; !isOver; i = (i + 7) % half) {
      const response = await fetch(`${last().url}/plan/p${i}`, {
        method: 'PATCH',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ description: `By people ${i}` }),
        signal: AbortSignal.timeout(300_000),
      }).catch(() => undefined);
      if (response?.status === 204) writes += 1;
      await sleep(20);
    }
  };
  const counts = { lost: 0, busy: 0 };
  /** Sends a request, also again, until a server responds. Throws for a refusal. */
  const insist = async (method, path, body, headers = {}) => {
    for (;;) {
      try {
        const response = await fetch(`${servers[0].url}${path}`, {
          method,
          headers: {
            ...{ Accept: 'application/json', Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
            ...headers,
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          signal: AbortSignal.timeout(300_000),
        });
        const json = response.status === 204 ? undefined : await response.json();
        if (response.ok) return json;
        counts.busy += 1;
        // With the embedded database a read waits until the plan is applied, for 30 seconds at most.
        const isLate = json.type === 'TooExpensive';
        if (response.status < 500 && response.status !== 409 && !isLate)
          throw new Error(`${response.status} ${json.message}`);
      } catch (error) {
        // Killed before the response: it is in doubt whether the request was done.
        if (!(error instanceof TypeError)) throw error;
        counts.lost += 1;
      }
      await sleep(300);
    }
  };
  const applyByRequest = () => insist('POST', '/@promotion', { entries }, { 'Idempotency-Key': 'the-plan' });
  const applyByJob = async () => {
    const { id } = await insist('POST', '/@promotion/plans', {}, { 'Idempotency-Key': 'the-plan' });
    const address = `/@promotion/plans/${id}`;
    for (let from = 0; from < entries.length; from += 400)
      await insist('PUT', `${address}/entries/${from}`, { entries: entries.slice(from, from + 400) });
    await insist('POST', `${address}/apply`, {}, { 'Idempotency-Key': 'the-job' });
    for (;;) {
      const { state, report, problem } = await insist('GET', address);
      if (state === 'applied') return report;
      if (state === 'failed') throw new Error(problem.message);
      await sleep(200);
    }
  };
  /** Kills one server after the other, and looks at the site in between. */
  const killing = (async () => {
    for (let i = 0; i < kills && !isOver; i += 1) {
      await sleep(1000 + Math.random() * 3000);
      for (const at of servers.keys()) {
        if (isOver) return;
        await servers[at].kill();
        servers[at] = await start();
      }
      const { body } = await (await connect(last().url)).send(
        'GET',
        '/@search?path=/plan&path.depth=1&Title=New&b_size=1',
      );
      if (body.items_total !== 0 && body.items_total !== objects - half)
        problems.push(`after a kill ${body.items_total} of ${objects - half} new pages are there`);
      // Another process takes the job once the lease of the one that was killed is over.
      if (!options.request) await sleep(62_000);
    }
  })();
  const writing = people();
  const began = Date.now();
  const report = await (options.request ? applyByRequest() : applyByJob()).finally(() => {
    isOver = true;
  });
  const seconds = (Date.now() - began) / 1000;
  await Promise.all([writing, killing]);

  if (report.created.length !== objects - half) problems.push(`${report.created.length} pages were created`);
  if (report.changed.length !== half) problems.push(`${report.changed.length} pages were changed`);
  const { send: ask } = await connect(servers[0].url);
  for (let i = 0; i < half; i += 1) {
    const { body } = await ask('GET', `/plan/p${i}`);
    if (body.title !== `After ${i}`) problems.push(`p${i} has the title ${body.title}`);
  }
  const { body: made } = await ask('GET', '/@search?path=/plan&path.depth=1&review_state=published&b_size=1');
  if (made.items_total !== objects - half) problems.push(`${made.items_total} new pages instead of ${objects - half}`);
  const { body: search } = await ask('GET', '/@search?path=/plan&path.depth=1&b_size=1');
  if (search.items_total !== objects) problems.push(`${search.items_total} pages instead of ${objects}`);
  if (objects <= 1000) {
    const { created, changed, same } = (await ask('POST', '/@promotion', { entries })).body;
    if (created.length + changed.length > 0)
      problems.push(`the second time ${created.length + changed.length} were written`);
    if (same !== objects) problems.push(`the second time ${same} of ${objects} were there`);
  }
  await Promise.all(servers.map((server) => server.stop()));
  for (const problem of problems.slice(0, 20)) console.log(`  ${problem}`);
  console.log(
    `${objects} objects in ${seconds.toFixed(1)} s over ${counts.lost} lost responses, ${writes} writes by others meanwhile: ${problems.length} problems`,
  );
  return problems.length === 0 ? 0 : 1;
});
