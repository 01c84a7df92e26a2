// Kills imports of a newer export with SIGKILL: npm run test:import-again -- --help
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { buildIfStale } from '../../scripts/lib/build.mjs';
import { onEnd, runMain } from '../../scripts/lib/cleanup.mjs';
import { connect } from '../../scripts/lib/client.mjs';
import { postgresServer } from '../../scripts/lib/postgres.mjs';
import { ROOT } from '../../scripts/lib/root.mjs';
import { startServer } from '../../scripts/lib/server.mjs';
import { stopChild } from '../../scripts/lib/stop-child.mjs';
import { writeExports } from './old-site.mjs';

const ENGINES = ['pglite', 'postgresql'];
const HOOK = join(ROOT, 'test/crash/kill-at.mjs');
const PROGRAM = join(ROOT, 'dist/bin/canopy.js');
/** Exit codes of an import that has ended: whole, or whole with something reported. */
const DONE = [0, 3];

const { values: options } = parseArgs({
  options: {
    engine: { type: 'string', default: 'both' },
    rounds: { type: 'string', default: '4' },
    kills: { type: 'string', default: '3' },
    pages: { type: 'string', default: '300' },
    help: { type: 'boolean', default: false },
  },
});

const HELP = `Imports a site, edits it, imports a newer export, and kills this import at random messages to the database. Started again until it ends,
it must have made the same as an import that was not killed.

  --engine ENGINE  pglite, postgresql or both (both)
  --rounds N       sites of each engine; every second one with the rule "take" (4)
  --kills N        kills of each import (3)
  --pages N        pages of the export (300)`;

/** All that an import writes, without numbers of rows and times of this test. */
const STATE = `select jsonb_build_object(
  'content', (select jsonb_agg(jsonb_build_array(c.path, c.uid, p.uid, c.type, c.review_state, c.owner, c.language, c.layout, c.created,
      case when c.modified < '2025-01-01' then c.modified end, c.effective, c.expires, c.local_roles, c.inherit_roles, c.default_page, c.fields, c.blocks::jsonb, c.blocks_layout::jsonb, c.text::jsonb,
      (select allowed from catalog k where k.oid = c.oid)) order by c.path) from content c left join content p on p.oid = c.parent),
  'orders', (select jsonb_agg(jsonb_build_array(p.path, c.name) order by p.path, c.position, c.oid) from content c join content p on p.oid = c.parent),
  'versions', (select jsonb_agg(jsonb_build_array(c.path, v.number, v.actor, v.note, v.fields, v.replaced,
      case when v.at < '2025-01-01' then v.at end) order by c.path, v.number) from version v join content c on c.oid = v.content),
  'states', (select jsonb_agg(jsonb_build_array(c.path, w.action, w.review_state) order by c.path, w.at, w.id)
      from workflow_history w join content c on c.oid = w.content),
  'redirects', (select jsonb_agg(jsonb_build_array(r.path, c.path, r.target_url) order by r.path) from redirect r left join content c on c.oid = r.target),
  'references', (select jsonb_agg(jsonb_build_array(c.path, r.target) order by c.path, r.target) from reference r join content c on c.oid = r.source),
  'comments', (select jsonb_agg(jsonb_build_array(m.id, c.path, m.body) order by m.id) from comment m join content c on c.oid = m.content),
  'users', (select jsonb_agg(jsonb_build_array(id, fullname, email, roles) order by id) from account),
  'members', (select jsonb_agg(jsonb_build_array(group_id, member_id) order by group_id, member_id) from group_member),
  'audit', (select jsonb_agg(e order by e) from (select jsonb_build_array(path, action, count(*)) as e from audit_entry
      where content is not null group by path, action) n),
  'bases', (select jsonb_agg(jsonb_build_array(uid, object, parent, name, md5(state)) order by uid) from import_base)) as state`;

/** Runs a command of the program; resolves with how it ended and its output. */
async function canopy(args, env) {
  const child = spawn(process.execPath, ['--import', HOOK, PROGRAM, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, PORT: '0', PROFILE: 'plone', ADMIN_PASSWORD: 'admin', ...env },
  });
  const release = onEnd(() => stopChild(child));
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  const [code, signal] = await once(child, 'close');
  await release();
  return { code, signal, output };
}

async function done(args, env) {
  const result = await canopy(args, env);
  if (!DONE.includes(result.code))
    throw new Error(`canopy ${args.join(' ')} ended with ${result.code}: ${result.output}`);
  return result.output;
}

/** Where sites of an engine lie: an empty one, and copies of a site. */
async function placeOf(engine, folder) {
  if (engine === 'pglite') {
    const query = async (dataDir, text) => {
      const db = await PGlite.create(join(dataDir, 'pgdata'));
      return db.query(text).finally(() => db.close());
    };
    return {
      make: async (name) => ({ env: { DATA_DIR: join(folder, name) }, dataDir: join(folder, name) }),
      async copy(site, name) {
        const dataDir = join(folder, name);
        await cp(site.dataDir, dataDir, { recursive: true });
        return { env: { DATA_DIR: dataDir }, dataDir };
      },
      query: (site, text) => query(site.dataDir, text),
      drop: (site) => rm(site.dataDir, { recursive: true, force: true }),
    };
  }
  const server = await postgresServer();
  const query = async (connectionString, text) => {
    const client = new pg.Client({ connectionString });
    await client.connect();
    return client.query(text).finally(() => client.end());
  };
  const siteAt = (url, dataDir) => ({ env: { DATABASE_URL: url, DATA_DIR: dataDir }, url, dataDir });
  return {
    make: async (name) => siteAt(await server.createDatabase(), join(folder, name)),
    async copy(site, name) {
      const from = new URL(site.url).pathname.slice(1);
      const to = `${from}_${name.replaceAll('-', '_')}`;
      await query(server.url, `create database ${to} template ${from}`);
      await cp(site.dataDir, join(folder, name), { recursive: true });
      return siteAt(`${site.url}_${name.replaceAll('-', '_')}`, join(folder, name));
    },
    query: (site, text) => query(site.url, text),
    async drop(site) {
      await query(server.url, `drop database ${new URL(site.url).pathname.slice(1)} with (force)`);
      await rm(site.dataDir, { recursive: true, force: true });
    },
  };
}

/** Edits the site as people do between the two imports: other parts than the old site, the same parts, places and removals. */
async function editHere(site, edits) {
  const server = await startServer({
    dataDir: site.dataDir,
    databaseUrl: site.env.DATABASE_URL,
    env: { PROFILE: 'plone' },
  });
  const { send } = await connect(server.url);
  for (const { method, path, body } of edits) await send(method, path, body);
  await server.stop();
}

const stateOf = async (place, site) => (await place.query(site, STATE)).rows[0].state;

/** The parts in which two states differ, with the first difference of each. */
function differences(found, wanted) {
  return Object.keys(wanted).flatMap((part) => {
    const [ours, theirs] = [found[part] ?? [], wanted[part] ?? []].map((rows) =>
      rows.map((row) => JSON.stringify(row)),
    );
    const at = theirs.findIndex((row, index) => row !== ours[index]);
    if (at < 0 && ours.length === theirs.length) return [];
    const place = at < 0 ? theirs.length : at;
    return [`${part}: ${ours.length} rows for ${theirs.length}; ${ours[place]} instead of ${theirs[place]}`];
  });
}

/** Runs the rounds of an engine. Returns the number of kills, and the problems. */
async function test(engine, { folder, first, newer, edits }) {
  const place = await placeOf(engine, join(folder, engine));
  const start = await place.make('start');
  await done(['import', first, '--new-site'], start.env);
  await editHere(start, edits);
  const wanted = new Map();
  let messages = 0;
  for (const rule of ['keep', 'take']) {
    const whole = await place.copy(start, `whole-${rule}`);
    const counted = join(folder, `count-${engine}-${rule}`);
    await done(['import', newer, '--again', `--conflicts=${rule}`], { ...whole.env, TEST_COUNT: counted });
    messages = Number(await readFile(counted, 'utf8'));
    wanted.set(rule, await stateOf(place, whole));
    await place.drop(whole);
  }
  const problems = [];
  let kills = 0;
  for (let round = 1; round <= Number(options.rounds); round += 1) {
    const rule = round % 2 === 1 ? 'keep' : 'take';
    const args = ['import', newer, '--again', `--conflicts=${rule}`];
    const site = await place.copy(start, `round-${round}`);
    const found = [];
    const points = [];
    for (let kill = 0; kill < Number(options.kills); kill += 1) {
      // What is done stays: a later import sends fewer messages.
      const point = 1 + Math.floor((Math.random() * messages) / (kill + 1));
      const { signal, code, output } = await canopy(args, { ...site.env, TEST_KILL_AT: String(point) });
      points.push(signal === 'SIGKILL' ? point : `${point} (had ended)`);
      if (signal === 'SIGKILL') kills += 1;
      else if (!DONE.includes(code)) found.push(`ended with ${code}: ${output.slice(-1000)}`);
    }
    await done(args, site.env);
    found.push(...differences(await stateOf(place, site), wanted.get(rule)));
    if (!(await done([...args.slice(0, 3), '--conflicts=stop'], site.env)).includes('nothing is different'))
      found.push('One more import finds differences.');
    console.log(
      `${engine} ${round}, ${rule}, killed at ${points.join(', ')} of ${messages}: ${found.length === 0 ? 'whole' : 'DAMAGED'}`,
    );
    problems.push(...found.map((problem) => `${engine} ${round}: ${problem}`));
    await place.drop(site);
  }
  console.log(`${engine}: ${kills} kills in ${options.rounds} imports, ${problems.length} problems`);
  return problems;
}

await runMain(async () => {
  const numbers = [options.rounds, options.kills, options.pages].map(Number);
  if (options.help || !['both', ...ENGINES].includes(options.engine) || !numbers.every((number) => number > 0)) {
    console.log(HELP);
    return options.help ? 0 : 2;
  }
  buildIfStale();
  const folder = await mkdtemp(join(tmpdir(), 'canopy-again-'));
  onEnd(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const made = await writeExports(folder, Number(options.pages));
  const problems = [];
  for (const engine of ENGINES)
    if (['both', engine].includes(options.engine)) problems.push(...(await test(engine, { folder, ...made })));
  for (const problem of problems.slice(0, 20)) console.log(`  ${problem}`);
  return problems.length === 0 ? 0 : 1;
});
