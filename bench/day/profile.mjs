import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { SourceMap } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryDataDir } from '../../scripts/lib/server.mjs';

const nowMicroseconds = () => Number(process.hrtime.bigint() / 1000n);

/** The source maps of files of the build, by the addresses of the files. */
const maps = new Map();
function mapOf(url) {
  if (!maps.has(url)) {
    const file = `${fileURLToPath(url)}.map`;
    maps.set(url, existsSync(file) ? new SourceMap(JSON.parse(readFileSync(file, 'utf8'))) : undefined);
  }
  return maps.get(url);
}

/** The file of a frame: of the source for the build, else the package. What is not JavaScript is `engine` or `native`. */
function fileOf({ url, functionName, lineNumber, columnNumber }) {
  if (functionName.startsWith('(') && url === '') return 'engine';
  if (!url.startsWith('file:')) return url === '' ? 'native' : url;
  const source = mapOf(url)?.findEntry(lineNumber, columnNumber)?.originalSource ?? url;
  return source.replace(/^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\/.*$/, '$1').replace(/^.*\/(?=src\/)/, '');
}

/**
 * The samples of a profile of V8 between two moments of the monotonic clock, in microseconds: of each frame the microseconds in itself, of
 * each stack its own. Time without work is left out.
 */
function samplesOf(profile, from, to) {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const parents = new Map(profile.nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const own = new Map();
  let now = profile.startTime;
  for (const [at, id] of profile.samples.entries()) {
    const delta = profile.timeDeltas[at];
    now += delta;
    if (now >= from && now <= to) own.set(id, (own.get(id) ?? 0) + delta);
  }
  const isIdle = (id) => nodes.get(id).callFrame.functionName === '(idle)';
  const stackOf = (id) => {
    const stack = [];
    for (let node = id; parents.has(node); node = parents.get(node)) stack.unshift(nodes.get(node).callFrame);
    return stack;
  };
  return [...own].filter(([id]) => !isIdle(id)).map(([id, microseconds]) => ({ stack: stackOf(id), microseconds }));
}

/** Sums by a name of frames, in which a frame that calls itself counts once; the largest first, as shares of everything. */
function sharesBy(samples, namesOf) {
  const sums = new Map();
  let total = 0;
  for (const { stack, microseconds } of samples) {
    total += microseconds;
    for (const name of new Set(namesOf(stack))) sums.set(name, (sums.get(name) ?? 0) + microseconds);
  }
  return [...sums].map(([name, sum]) => ({ name, share: sum / total })).sort((a, b) => b.share - a.share);
}

const nameOf = (frame) => `${frame.functionName || '(anonymous)'} · ${fileOf(frame)}`;
const isOwn = (frame) => fileOf(frame).startsWith('src/');

/** The stacks of a profile as lines that programs for flame graphs take: frames separated by semicolons, and microseconds. */
const foldedOf = (samples) =>
  samples.map(
    ({ stack, microseconds }) =>
      `${stack.map((frame) => nameOf(frame).replaceAll(';', ',')).join(';')} ${microseconds}`,
  );

/** The largest parts of some samples: files whose code runs, functions by their own time, and functions of the source with all that they call. */
const summaryOf = (samples) => ({
  files: sharesBy(samples, (stack) => stack.slice(-1).map(fileOf)),
  own: sharesBy(samples, (stack) => stack.slice(-1).map(nameOf)),
  whole: sharesBy(samples, (stack) => stack.filter(isOwn).map(nameOf)),
});

/**
 * Starts a server anew with the profiler of V8, runs some work, ends the server, and returns the samples of that time with its folded
 * stacks. `again(nodeArgs)` starts the server, `end()` ends it so that it writes its profile.
 */
export async function profileServer({ again, end }, work) {
  const folder = join(await temporaryDataDir(), 'profile');
  await mkdir(folder);
  await end();
  await again(['--cpu-prof', `--cpu-prof-dir=${folder}`]);
  const from = nowMicroseconds();
  await work();
  const to = nowMicroseconds();
  await end();
  const profiles = [];
  for (const name of await readdir(folder)) profiles.push(JSON.parse(await readFile(join(folder, name), 'utf8')));
  const samples = profiles.map((profile) => samplesOf(profile, from, to));
  // Threads have profiles of their own. The main one has worked most.
  const workOf = (list) => list.reduce((sum, { microseconds }) => sum + microseconds, 0);
  const [main] = samples.sort((a, b) => workOf(b) - workOf(a));
  if (main === undefined) throw new Error('The server has written no profile.');
  return { ...summaryOf(main), busy: workOf(main) / (to - from), folded: foldedOf(main) };
}
