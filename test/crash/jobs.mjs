// Runs many jobs in two processes with two workers each and kills one of them: npm run test:jobs -- --help
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { buildIfStale } from '../../scripts/lib/build.mjs';
import { onEnd, runMain } from '../../scripts/lib/cleanup.mjs';
import { postgresServer } from '../../scripts/lib/postgres.mjs';
import { temporaryDataDir } from '../../scripts/lib/server.mjs';

const WORKER = fileURLToPath(new URL('job-worker.mjs', import.meta.url));
/** The leases of a killed process end after a minute. */
const LONGEST_MS = 30 * 60_000;

const { values: options } = parseArgs({
  options: { jobs: { type: 'string', default: '10000' }, help: { type: 'boolean', default: false } },
});

async function startProcess(environment) {
  const child = fork(WORKER, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  onEnd(() => child.kill('SIGKILL'));
  await once(child, 'message');
  return child;
}

await runMain(async () => {
  const jobs = Number(options.jobs);
  if (options.help || !(jobs > 0)) {
    console.log('Usage: npm run test:jobs -- [--jobs N]');
    return options.help ? 0 : 2;
  }
  buildIfStale();
  const databaseUrl = await (await postgresServer()).createDatabase();
  const environment = { DATABASE_URL: databaseUrl, DATA_DIR: await temporaryDataDir(), ADMIN_PASSWORD: 'admin' };
  // The first process creates the site.
  const first = await startProcess(environment);
  const second = await startProcess(environment);
  const db = new pg.Client({ connectionString: databaseUrl });
  await db.connect();
  onEnd(() => db.end());
  const ask = async (text, values = []) => (await db.query(text, values)).rows;
  await ask('create table job_effect (n integer not null, process integer not null)');
  await ask(`insert into configuration (kind, id, position, data) values ('setting', 'jobs', 0, '{"keep": 100000, "days": 30}')
    on conflict (kind, id) do update set data = excluded.data`);
  await ask(`update site_state set value = (value::bigint + 1)::text where name = 'configuration'`);
  const [{ before }] = await ask(
    'select xact_commit as before from pg_stat_database where datname = current_database()',
  );
  const started = Date.now();
  await ask(
    `insert into job (id, action, params, title, description, as_system, exclusive)
      select gen_random_uuid(), 'mark', jsonb_build_object('n', n), 'Mark', '', true, false from generate_series(1, $1::int) n`,
    [jobs],
  );
  await ask(`select pg_notify('canopy_queue', 'job')`);
  const killAt = Math.floor(jobs * (0.2 + Math.random() * 0.5));
  let killed;
  for (;;) {
    const [{ ended, running }] = await ask(
      `select count(*) filter (where finished is not null)::int as ended, count(*) filter (where status = 'running')::int as running from job`,
    );
    if (killed === undefined && ended >= killAt) {
      first.kill('SIGKILL');
      killed = ended;
      console.log(`Killed one process after ${ended} jobs and ${Math.round((Date.now() - started) / 1000)} s`);
    }
    if (ended >= jobs || Date.now() - started > LONGEST_MS) break;
    await sleep(running > 0 && ended < jobs - 20 ? 100 : 500);
  }
  const seconds = (Date.now() - started) / 1000;
  const [state] = await ask(`select count(*) filter (where status = 'completed')::int as completed,
    count(*) filter (where attempts > 1)::int as again, count(*)::int as jobs from job`);
  const [effect] = await ask(
    `select count(*)::int as effects, count(distinct n)::int as numbers,
    count(*) filter (where process = $1)::int as by_killed from job_effect`,
    [first.pid],
  );
  const [{ overtaken }] = await ask(`select count(*)::int as overtaken from (
    select started, max(started) over (order by number rows between unbounded preceding and 1 preceding) as latest
    from job where attempts = 1) s where latest > started + interval '5 seconds'`);
  const [{ after }] = await ask('select xact_commit as after from pg_stat_database where datname = current_database()');
  console.log({
    ...state,
    ...effect,
    overtaken,
    seconds,
    transactionsPerJob: Math.round(((after - before) / jobs) * 10) / 10,
  });
  second.kill('SIGTERM');
  const whole = state.completed === jobs && effect.effects === jobs && effect.numbers === jobs;
  console.log(whole ? `${jobs} jobs ended once each` : 'JOBS WERE LOST OR DONE TWICE');
  return whole ? 0 : 1;
});
