import { load, median } from '../load.mjs';
import { makeMeasuredContent, READS, WRITES } from '../scenarios.mjs';
import { clientFor } from './site.mjs';

const CONNECTIONS = 16;
/**
 * Seconds in which a system is asked before it is measured. A process compiles its code while it runs, beside its work: the first thousand reads or
 * writes of a kind take up to three times as much of the processor as later ones, and writes come more slowly.
 */
const WARM_UP_SECONDS = 5;
const WRITE_WARM_UP_SECONDS = 15;

/**
 * Scenarios of `scenarios.mjs` that read from the database, and how many times as fast as Nick they have to be: when neither responses nor
 * rows are kept, and when rows are.
 */
const READ_GOALS = {
  'page, cold': { nothing: 20, rows: 40 },
  'folder of 50, cold': { nothing: 10, rows: 20 },
  'search, cold': { nothing: 10, rows: 30 },
  'page, five expansions, cold': { nothing: 15, rows: 40 },
};
/** How many times as fast as Nick writes have to be, by engine. */
const WRITE_GOALS = { pglite: 5, postgresql: 10 };

/** Whole objects of a folder, as Nick sends them unasked. */
const pathFor = ({ name, path }) => (name.startsWith('folder') ? '/measured?b_size=50&fullobjects=true' : path);

/** Makes the measured content at a system, and returns its client. */
async function prepare(subject) {
  const client = await clientFor(subject);
  await makeMeasuredContent(client);
  return client;
}

/** Measures one scenario at all systems by turns. A system that fails counts as failed from then on. */
async function measureRow(targets, { rounds, once }) {
  const measured = new Map(targets.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round += 1)
    for (const target of targets) {
      const result = await once(target).catch((error) => ({ failed: error.message }));
      measured.get(target.name).push(result);
    }
  const summary = (results) => {
    const failed = results.find((result) => result.failed)?.failed;
    if (failed !== undefined) return { failed };
    const errors = results.reduce((sum, result) => sum + result.errors, 0);
    return { perSecond: median(results.map(({ perSecond }) => perSecond)), errors };
  };
  return Object.fromEntries([...measured].map(([name, results]) => [name, summary(results)]));
}

/**
 * Measures reads from the database and writes at running systems by turns. `subjects`: each with a name, and `engine` and `keeps` ('nothing'
 * or 'rows') where it is Canopy. Returns rows, and the systems that failed.
 */
export async function measureRows(subjects, { seconds, rounds, report }) {
  const targets = [];
  const failed = {};
  for (const subject of subjects)
    try {
      targets.push({ ...subject, client: await prepare(subject) });
    } catch (error) {
      failed[subject.name] = error.message;
    }
  const rows = [];
  const add = (name, goalOf, figures) => {
    const goals = Object.fromEntries(targets.map((target) => [target.name, goalOf(target)]));
    rows.push({ name: name.replace(', cold', ''), figures, goals });
    report(rows.at(-1));
  };
  const read = ({ url }, path, duration) => load({ url: url + path, connections: CONNECTIONS, seconds: duration });
  for (const scenario of READS.filter(({ name }) => name in READ_GOALS)) {
    const path = pathFor(scenario);
    for (const target of targets) await read(target, path, WARM_UP_SECONDS).catch(() => undefined);
    const figures = await measureRow(targets, { rounds, once: (target) => read(target, path, seconds) });
    add(scenario.name, ({ keeps }) => READ_GOALS[scenario.name][keeps], figures);
  }
  for (const { name, request } of WRITES) {
    const write = async ({ url, client }, duration) =>
      load({ url: new URL(url).origin, connections: 8, seconds: duration, request: await requestAt(client, request) });
    for (const target of targets) await write(target, WRITE_WARM_UP_SECONDS).catch(() => undefined);
    const figures = await measureRow(targets, { rounds, once: (target) => write(target, seconds) });
    add(name, ({ engine }) => WRITE_GOALS[engine], figures);
  }
  return { rows, failed };
}

/** A request of the scenarios for a site below a path of its server, whose types have other names. */
async function requestAt(client, request) {
  const made = await request(client);
  return {
    ...made,
    setupRequest: (one) => {
      const next = made.setupRequest(one);
      const { body, path } = next;
      const named = client.types.Page ? body.replace('"@type":"Page"', `"@type":"${client.types.Page}"`) : body;
      return { ...next, body: named, path: path.startsWith(`${client.prefix}/`) ? path : client.prefix + path };
    },
  };
}
