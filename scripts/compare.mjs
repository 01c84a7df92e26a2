// Compares the responses of the built server with those of a real Plone: npm run compare -- --help
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { acceptance, writeDocument } from '../compare/accepted.mjs';
import { ask, login, serverAt } from '../compare/ask.mjs';
import { differencesOf } from '../compare/differences.mjs';
import { startPlone } from '../compare/plone.mjs';
import { fill, loadSteps, subjects, valueAt } from '../compare/steps.mjs';
import { buildIfStale } from './lib/build.mjs';
import { runMain } from './lib/cleanup.mjs';
import { startServer, temporaryDataDir } from './lib/server.mjs';

const USAGE = `Usage: npm run compare -- [options]
  --only content,types   these subjects only: ${subjects().join(', ')}
  --json FILE            writes every difference that is not accepted to a file
  --docs                 only writes docs/differences-from-plone.md
Installs Plone from PyPI in .cache/compare (COMPARE_CACHE is another folder), starts a site of its own and Canopy with
the profile "plone" beside it, sends both the same requests and compares the answers.
Exit code 1: a difference that compare/accepted.json does not explain.`;

const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    json: { type: 'string' },
    docs: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

/** The number of characters of a response that are printed. */
const SHOWN = 300;

const shown = (value) => (value === undefined ? 'nothing' : JSON.stringify(value).slice(0, SHOWN));

/** Sends all requests to both servers, one after the other, and returns the differences that nothing explains. */
async function compare(servers, steps, accepted) {
  const kept = servers.map(() => new Map());
  const found = [];
  let same = 0;
  for (const step of steps) {
    const answers = await Promise.all(servers.map((server, index) => ask(server, fill(step, kept[index]))));
    answers.forEach(({ raw }, index) => {
      for (const [name, path] of Object.entries(step.keep)) kept[index].set(name, valueAt(raw, path));
    });
    const differences = differencesOf(...answers).filter((difference) => !accepted.accepts(step, difference));
    if (differences.length === 0) same += 1;
    for (const difference of differences) found.push({ step, ...difference });
  }
  return { found, same };
}

/** Prints each difference once, with the number of requests in which it occurs. */
function print(found) {
  const groups = new Map();
  for (const difference of found) {
    const { kind, at, plone, canopy } = difference;
    const key = JSON.stringify([kind, at, plone, canopy]);
    groups.set(key, [...(groups.get(key) ?? []), difference]);
  }
  for (const [first, ...others] of groups.values()) {
    const { step, kind, at, plone, canopy, bodies } = first;
    const more = others.length > 0 ? ` (and ${others.length} more)` : '';
    console.log(`${step.as} ${step.method} ${step.path}${more}\n  ${kind} ${at}`);
    console.log(`  Plone:  ${shown(plone)}${bodies ? ` ${shown(bodies[0])}` : ''}`);
    console.log(`  Canopy: ${shown(canopy)}${bodies ? ` ${shown(bodies[1])}` : ''}`);
  }
  return groups.size;
}

await runMain(async () => {
  if (options.help) {
    console.log(USAGE);
    return 0;
  }
  writeDocument();
  if (options.docs) return 0;
  buildIfStale();
  const steps = loadSteps(options.only?.split(','));
  const [plone, canopy] = await Promise.all([
    startPlone(),
    startServer({ dataDir: await temporaryDataDir(), env: { PROFILE: 'plone', TRUST_PROXY: 'loopback' } }),
  ]);
  const servers = [plone, canopy].map(({ url }) => serverAt(url));
  await Promise.all(servers.map(login));
  const accepted = acceptance();
  const { found, same } = await compare(servers, steps, accepted);
  const different = print(found);
  if (options.json !== undefined) writeFileSync(options.json, JSON.stringify(found, null, 1));
  if (options.only === undefined)
    for (const { what, patterns } of accepted.unused())
      console.log(`No longer different: ${what} (${patterns.map((one) => one || 'the whole body').join(', ')})`);
  console.log(
    `${steps.length} requests to both: ${same} answered the same or with accepted differences, ${different} unexplained differences.`,
  );
  return different > 0 ? 1 : 0;
});
