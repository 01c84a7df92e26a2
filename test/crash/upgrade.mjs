// Kills a program at each step of an upgrade and starts it again: npm run test:upgrades -- --help
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { buildIfStale } from '../../scripts/lib/build.mjs';
import { onEnd, runMain } from '../../scripts/lib/cleanup.mjs';
import { connect } from '../../scripts/lib/client.mjs';
import { postgresServer } from '../../scripts/lib/postgres.mjs';
import { ROOT } from '../../scripts/lib/root.mjs';
import { stopChild } from '../../scripts/lib/stop-child.mjs';
import { makePrograms, NEXT } from './next-program.mjs';

const HOOK = join(ROOT, 'test/crash/kill-at.mjs');

const { values: options } = parseArgs({
  options: {
    engine: { type: 'string', default: 'pglite' },
    points: { type: 'string', default: 'all' },
    built: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

/** Runs a command of a program; resolves with how it ended and its output. */
function run(program, args, env, onOutput = () => undefined) {
  const child = spawn(process.execPath, ['--import', HOOK, join(program, 'dist/bin/canopy.js'), ...args], {
    cwd: program,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...{ PATH: process.env.PATH, PORT: '0', ADMIN_PASSWORD: 'admin' },
      ...{ TEST_PROGRAM: new URL(`file://${join(program, 'dist/src/index.js')}`).href, ...env },
    },
  });
  const release = onEnd(() => stopChild(child));
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
      onOutput(output, child);
    });
  return once(child, 'close').then(async ([code, signal]) => {
    await release();
    return { code, signal, output };
  });
}

/** Serves the site while `work` runs, and ends the server. Rejects when it does not serve. */
async function serve(program, env, work) {
  let working;
  const { output } = await run(program, ['start'], env, (text, child) => {
    const url = /^Canopy serves (\S+)$/m.exec(text)?.[1];
    if (url === undefined || working !== undefined) return;
    working = connect(url)
      .then(work)
      .finally(() => child.kill('SIGTERM'));
    // Awaited below; a rejection in between must not end this process.
    working.catch(() => undefined);
  });
  if (working === undefined) throw new Error(`The program does not serve: ${output}`);
  return working;
}

const ownMigrations = (await readdir(join(ROOT, 'migrations')))
  .filter((name) => /^\d{4}_.*\.sql$/.test(name))
  .map((name) => Number(name.slice(0, 4)))
  .sort((a, b) => a - b);

/** Starts the next program again after a kill. Returns what is wrong with the site as sentences. */
const problemsAfter = (program, env) =>
  serve(program, env, async (client) => {
    const problems = [];
    const expect = (what, found, wanted) => {
      if (JSON.stringify(found) !== JSON.stringify(wanted))
        problems.push(`${what} is ${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`);
    };
    await client.send('POST', '/@upgrade', {});
    const { body: state } = await client.send('GET', '/@shop-state');
    expect(
      'the list of migrations',
      state.program.map(({ id }) => id),
      [...ownMigrations, 9001, 9002],
    );
    expect(
      'the list of the feature',
      state.feature.map(({ id }) => id),
      [1, 2],
    );
    expect('paths that differ', state.paths, [{ n: 0 }]);
    expect('rows of the table', state.things?.[0]?.n, state.things?.[0]?.pages);
    expect(
      'rows of the feature',
      state.shop.map(({ name, price }) => `${name} ${price}`),
      ['by the step 0'],
    );
    expect('the description of the type', state.page[0]?.description, NEXT.description);
    const { body: upgrade } = await client.send('GET', '/@upgrade');
    expect('the version of the site', upgrade.versions, { fs: NEXT.version, instance: NEXT.version });
    for (const title of ['One', 'Two', 'Three'])
      expect(`the page ${title}`, (await client.send('GET', `/pages/${title.toLowerCase()}`)).body.title, title);
    await client.send('POST', '/pages', { '@type': 'Page', title: 'Later' });
    const { body: found } = await client.send('GET', '/@search?SearchableText=later');
    expect('what a search finds', found.items_total, 1);
    return problems;
  });

/** The places that each attempt begins from: copies of the folder, or of the database. */
async function startingPoint(folder, dataDir) {
  if (options.engine === 'pglite')
    return {
      env: { DATA_DIR: dataDir },
      async copy(number) {
        const copied = join(folder, `data-${number}`);
        await cp(dataDir, copied, { recursive: true });
        return { env: { DATA_DIR: copied }, drop: () => rm(copied, { recursive: true, force: true }) };
      },
    };
  const server = await postgresServer();
  const url = await server.createDatabase();
  const admin = async (text) => {
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    await client.query(text).finally(() => client.end());
  };
  const name = new URL(url).pathname.slice(1);
  return {
    env: { DATA_DIR: dataDir, DATABASE_URL: url },
    async copy(number) {
      await admin(`create database ${name}_${number} template ${name}`);
      return {
        env: { DATA_DIR: dataDir, DATABASE_URL: `${url}_${number}` },
        drop: () => admin(`drop database ${name}_${number} with (force)`),
      };
    },
  };
}

await runMain(async () => {
  const all = options.points === 'all';
  if (options.help || !['pglite', 'postgresql'].includes(options.engine) || !(all || Number(options.points) > 0)) {
    console.log('Usage: npm run test:upgrades -- [--engine pglite|postgresql] [--points all|N] [--built]');
    return options.help ? 0 : 2;
  }
  if (!options.built) buildIfStale();
  const folder = await mkdtemp(join(tmpdir(), 'canopy-upgrade-'));
  onEnd(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const { now, next } = await makePrograms(folder);
  const start = await startingPoint(folder, join(folder, 'data'));
  await serve(now, start.env, async (client) => {
    await client.send('POST', '/', { '@type': 'Folder', id: 'pages', title: 'Pages' });
    for (const title of ['One', 'Two', 'Three']) await client.send('POST', '/pages', { '@type': 'Page', title });
  });

  const whole = await start.copy('whole');
  const counted = join(folder, 'count');
  const upgraded = await run(next, ['upgrade'], { ...whole.env, TEST_COUNT: counted });
  if (upgraded.code !== 0) throw new Error(`The upgrade failed: ${upgraded.output}`);
  const messages = Number(await readFile(counted, 'utf8'));
  const refused = await run(now, ['upgrade'], whole.env);
  const line = /^canopy: The database has the migration 9001_next_column, which .*\n$/m;
  const failures = refused.code === 1 && line.test(refused.output) ? [] : [`The older program: ${refused.output}`];
  await whole.drop();

  const step = all ? 1 : messages / Number(options.points);
  for (let point = step; Math.round(point) <= messages; point += step) {
    const number = Math.round(point);
    const site = await start.copy(number);
    const killed = await run(next, ['upgrade'], { ...site.env, TEST_KILL_AT: String(number) });
    const found = await problemsAfter(next, site.env).catch((error) => [error.message]);
    if (killed.signal !== 'SIGKILL') found.push(`The program was not killed: ${killed.code} ${killed.output}`);
    console.log(`Killed at message ${number} of ${messages}: ${found.length === 0 ? 'whole' : 'DAMAGED'}`);
    failures.push(...found.map((problem) => `at ${number}: ${problem}`));
    await site.drop();
  }
  for (const failure of failures) console.log(`  ${failure}`);
  console.log(`${options.engine}: ${messages} messages, ${failures.length} problems`);
  return failures.length === 0 ? 0 : 1;
});
