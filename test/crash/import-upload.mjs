// Kills the server while an uploaded export is imported: npm run test:import-upload -- --help

import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { buildIfStale } from '../../scripts/lib/build.mjs';
import { runMain } from '../../scripts/lib/cleanup.mjs';
import { connect } from '../../scripts/lib/client.mjs';
import { postgresServer } from '../../scripts/lib/postgres.mjs';
import { startServer, temporaryDataDir } from '../../scripts/lib/server.mjs';

const ENGINES = ['pglite', 'postgresql'];
/** Milliseconds at most between the first progress that is seen, and a kill. */
const MAX_WAIT_MS = 600;

const { values: options } = parseArgs({
  options: {
    engine: { type: 'string', default: 'both' },
    rounds: { type: 'string', default: '3' },
    kills: { type: 'string', default: '2' },
    pages: { type: 'string', default: '3000' },
    help: { type: 'boolean', default: false },
  },
});

const HELP = `Uploads an export to a server, has it imported, and kills the server with SIGKILL at random moments of the import. Started again, it
must go on by itself to the same site as an import that was not killed.

  --engine ENGINE  pglite, postgresql or both (both)
  --rounds N       sites of each engine (3)
  --kills N        kills of each import (2)
  --pages N        pages of the export (3000)`;

/** All that the import writes, without numbers of rows and times of this test. */
const STATE = `select jsonb_build_object(
  'content', (select jsonb_agg(jsonb_build_array(c.path, c.uid, p.path, c.type, c.review_state, c.created, c.position, c.fields, c.blocks::jsonb, c.blocks_layout::jsonb, c.text::jsonb,
      (select allowed from catalog k where k.oid = c.oid)) order by c.path)
      from content c left join content p on p.oid = c.parent where c.path like '/many%'),
  'states', (select jsonb_agg(jsonb_build_array(c.path, w.action, w.review_state) order by c.path, w.at, w.id)
      from workflow_history w join content c on c.oid = w.content where c.path like '/many%')) as state`;

/** The leases of killed workers end after a minute: this ends them at once. */
const END_LEASES = `update job set due = now() - interval '1 second' where status = 'running'`;

/** The objects of an export of Plone. */
function objectsOf(pages) {
  const common = {
    created: '2020-01-02T03:04:05+00:00',
    modified: '2020-01-02T03:04:05+00:00',
    review_state: 'published',
  };
  const folder = {
    '@id': '/Plone/many',
    '@type': 'Folder',
    UID: 'many',
    id: 'many',
    title: 'Many',
    is_folderish: true,
  };
  const page = (_, at) => ({
    ...{ '@id': `/Plone/many/p${at}`, '@type': 'Document', UID: `many-${at}`, id: `p${at}`, title: `Page ${at}` },
    ...{ ...common, parent: { '@id': '/Plone/many', UID: 'many', '@type': 'Folder' } },
  });
  return [
    { ...folder, ...common, parent: { '@id': '/Plone', '@type': 'Plone Site' } },
    ...Array.from({ length: pages }, page),
  ];
}

/** A new place for a site of an engine. `query` is for a time at which no server runs. */
async function placeOf(engine) {
  const dataDir = await temporaryDataDir();
  if (engine === 'pglite')
    return {
      start: () => startServer({ dataDir }),
      async query(text) {
        const db = await PGlite.create(join(dataDir, 'pgdata'));
        return db.query(text).finally(() => db.close());
      },
    };
  const databaseUrl = await (await postgresServer()).createDatabase();
  return {
    start: () => startServer({ dataDir, databaseUrl }),
    async query(text) {
      const client = new pg.Client({ connectionString: databaseUrl });
      await client.connect();
      return client.query(text).finally(() => client.end());
    },
  };
}

/** Imports an export by upload, and kills the server so many times. Returns the state of the site, and the report. */
async function imported(engine, bytes, kills) {
  const place = await placeOf(engine);
  let server = await place.start();
  let client = await connect(server.url);
  const sent = await fetch(`${server.url}/@imports?filename=Plone.json`, {
    method: 'POST',
    headers: {
      ...{ Authorization: `Bearer ${client.token}`, Accept: 'application/json' },
      'Content-Type': 'application/octet-stream',
    },
    body: bytes,
  });
  const { id } = await sent.json();
  await client.send('POST', `/@imports/${id}/start`, {});
  let killed = 0;
  const begun = Date.now();
  for (;;) {
    const { body } = await client.send('GET', `/@imports/${id}`);
    if (body.job.finished !== null) {
      await server.stop();
      if (body.job.status !== 'completed') throw new Error(`The job ended as ${body.job.status}: ${body.job.error}`);
      const { rows } = await place.query(STATE);
      return { state: rows[0].state, report: body.report, killed };
    }
    if (Date.now() - begun > 300_000) throw new Error('The import does not end.');
    if (killed < kills && body.job.status === 'running' && (body.job.progress?.done ?? 0) > 0) {
      await sleep(Math.random() * MAX_WAIT_MS);
      await server.kill();
      killed += 1;
      await place.query(END_LEASES);
      server = await place.start();
      client = await connect(server.url);
    } else await sleep(50);
  }
}

/** The first rows of each part that only one of two states has. */
const differenceOf = (whole, state) =>
  Object.keys(whole)
    .flatMap((part) => {
      const [expected, found] = [whole, state].map(
        (rows) => new Set((rows[part] ?? []).map((row) => JSON.stringify(row))),
      );
      const lines = (mark, rows, others) =>
        [...rows].filter((row) => !others.has(row)).map((row) => `${part} ${mark} ${row}`);
      return [...lines('-', expected, found).slice(0, 3), ...lines('+', found, expected).slice(0, 3)];
    })
    .join('\n');

await runMain(async () => {
  const [rounds, kills, pages] = [options.rounds, options.kills, options.pages].map(Number);
  const engines = options.engine === 'both' ? ENGINES : [options.engine];
  if (options.help || !engines.every((engine) => ENGINES.includes(engine)) || !(rounds > 0 && kills > 0 && pages > 0)) {
    console.log(HELP);
    return options.help ? 0 : 2;
  }
  buildIfStale();
  const bytes = JSON.stringify(objectsOf(pages));
  let [problems, resumed] = [0, 0];
  for (const engine of engines) {
    const whole = await imported(engine, bytes, 0);
    if (whole.state.content.length !== pages + 1)
      throw new Error(`${whole.state.content.length} objects were imported.`);
    for (let round = 1; round <= rounds; round += 1) {
      const { state, report, killed } = await imported(engine, bytes, kills);
      const isSame = isDeepStrictEqual(state, whole.state);
      if (report.resumed) resumed += 1;
      if (!isSame) {
        problems += 1;
        console.log(differenceOf(whole.state, state));
      }
      console.log(
        `${engine}, round ${round}: ${killed} kills, ${isSame ? 'the same' : 'NOT the same'}, resumed: ${report.resumed}`,
      );
    }
  }
  if (resumed === 0) console.log('No kill came while an import ran: give it more --pages.');
  return problems === 0 && resumed > 0 ? 0 : 1;
});
