import { mkdir, writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { measureDay } from './day.mjs';
import { KEEPS_NOTHING, KEEPS_ROWS, startCanopy } from './peers/canopy.mjs';
import { startNick } from './peers/nick.mjs';
import { startPlone } from './peers/plone.mjs';
import { startStored } from './peers/stored.mjs';
import { profileServer } from './profile.mjs';
import { measureRows } from './rows.mjs';

/** Milliseconds after which a day counts as failed. */
const MAX_DAY_MS = 480_000;
const canopy = (more) => (setting) => startCanopy({ ...setting, ...more });

/** The systems whose day is measured, by name. */
export const SUBJECTS = {
  pglite: canopy({ engine: 'pglite' }),
  'pglite-varnish': canopy({ engine: 'pglite', varnish: true }),
  postgresql: canopy({ engine: 'postgresql' }),
  'postgresql-varnish': canopy({ engine: 'postgresql', varnish: true }),
  nick: startNick,
  plone: startPlone,
};

/** The systems that read from the database, and those beside them, where a day of theirs is measured, too. */
const ROW_SUBJECTS = [
  ...['pglite', 'postgresql'].flatMap((engine) => [
    { name: `${engine}-nothing`, of: engine, engine, keeps: 'nothing', start: canopy({ engine, env: KEEPS_NOTHING }) },
    { name: `${engine}-rows`, of: engine, engine, keeps: 'rows', start: canopy({ engine, env: KEEPS_ROWS }) },
  ]),
  { name: 'stored', of: 'postgresql', start: startStored },
  { name: 'nick', of: 'nick', start: startNick },
  { name: 'plone', of: 'plone', start: startPlone },
];

/** The day of Canopy that is profiled, for the flame graph. */
const PROFILED = 'postgresql';

const firstLine = (error) =>
  String(error?.message ?? error)
    .split('\n')[0]
    .slice(0, 200);

/** Starts a system, does something with it, and stops it whatever happens. A failure is returned as `{ name, failed }`. */
async function withSystem(name, start, work) {
  let subject;
  try {
    subject = await start();
    return await work(subject);
  } catch (error) {
    console.error(`${name} failed:`, error);
    return { name, failed: firstLine(error) };
  } finally {
    await subject?.stop().catch((error) => console.error(`${name} did not stop:`, error));
  }
}

const progressOf = (name) => (text) => {
  if (typeof text !== 'number' || text % 1000 === 0)
    console.log(`  ${name}: ${text}${typeof text === 'number' ? ' documents' : ''}`);
};

/** The time of day of a moment in milliseconds of the process, to find it in the log of a server. */
const timeOf = (moment) => new Date(performance.timeOrigin + moment).toISOString().slice(11, 23);

const spanOf = ({ from, to }) => `${timeOf(from)}–${Number.isFinite(to) ? timeOf(to) : ''}`;

/** Prints what was measured at a rate: of a late one also its slow moments, with the edits that were under way. */
function describe({ rate, p99, failures, slow }) {
  console.log(`  ${Math.round(rate)} a second: p99 ${p99.toFixed(0)} ms ${JSON.stringify(failures)}`);
  for (const { longest, names, edits, ...moment } of slow) {
    const beside = edits.map((edit) => `, ${edit.name} ${spanOf(edit)}`).join('');
    console.log(`    ${spanOf(moment)}: ${names}; ${longest.name} took ${longest.ms.toFixed(0)} ms${beside}`);
  }
}

/** One day at one system. */
function dayOf(name, setting) {
  const started = performance.now();
  return withSystem(
    name,
    () => SUBJECTS[name]({ ...setting, progress: progressOf(name) }),
    async (subject) => {
      const seconds = ((performance.now() - started) / 1000).toFixed(0);
      console.log(`\n${name}: ready in ${seconds} s, load ${loadavg()[0].toFixed(1)}`);
      const { profile, stale, ...figures } = await measureDay(subject, {
        ...{ documents: setting.documents, seconds: setting.seconds, report: describe },
        signal: AbortSignal.timeout(MAX_DAY_MS),
        ...(name === PROFILED && { profile: (work) => profileServer(subject, work) }),
      });
      if (profile) await writeFile(join(setting.cache, 'day.folded'), `${profile.folded.join('\n')}\n`);
      const result = { name, ...figures, stale: stale.length, staleExamples: stale.slice(0, 5) };
      console.log(JSON.stringify(result));
      return { ...result, profile };
    },
  );
}

/**
 * Measures reads from the database and writes at systems that run beside each other, by turns. `names`: the systems of `SUBJECTS`; `seconds` and
 * `rounds` of each measurement. Returns the rows, the names of their columns, and the reasons of systems that failed, by name.
 */
export async function benchRows(names, { seconds, rounds, ...setting }) {
  await mkdir(setting.cache, { recursive: true });
  const wanted = ROW_SUBJECTS.filter(({ of }) => names.includes(of));
  const running = [];
  const failed = {};
  console.log('\nFrom the database');
  try {
    for (const { start, ...subject } of wanted)
      try {
        running.push({ ...subject, ...(await start({ ...setting, progress: progressOf(subject.name) })) });
      } catch (error) {
        console.error(`${subject.name} failed:`, error);
        failed[subject.name] = firstLine(error);
      }
    const report = ({ name, figures }) => console.log(`  ${name}: ${JSON.stringify(figures)}`);
    const measured = await measureRows(running, { seconds, rounds, report });
    return { rows: measured.rows, names: wanted.map(({ name }) => name), failed: { ...failed, ...measured.failed } };
  } finally {
    for (const { name, stop } of running) await stop().catch((error) => console.error(`${name} did not stop:`, error));
  }
}

/** Makes the sites of the systems, unless they are there from another time, and installs what is missing. Returns what failed. */
export async function prepareDay(names, setting) {
  await mkdir(setting.cache, { recursive: true });
  const results = [];
  for (const name of names)
    results.push(
      await withSystem(
        name,
        () => SUBJECTS[name]({ ...setting, progress: progressOf(name) }),
        async () => ({ name }),
      ),
    );
  return results.filter(({ failed }) => failed !== undefined);
}

/**
 * Measures a day at each system, one after the other. A system that fails has the reason in its result, and the others go on.
 *
 * @param {string[]} names  of `SUBJECTS`
 * @param {object} setting  `cache`: the folder in which programs and sites are kept, `documents`, `seconds` of each measurement
 */
export async function benchDay(names, setting) {
  await mkdir(setting.cache, { recursive: true });
  const days = [];
  for (const name of names) days.push(await dayOf(name, setting));
  return days;
}
