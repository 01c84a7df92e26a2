import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from './root.mjs';

const PATH = join(ROOT, 'conformance/known-failures.json');

/** The list of checks that are known to fail: `{ file: [id, …] }`. */
export async function readKnownFailures() {
  return JSON.parse(await readFile(PATH, 'utf8'));
}

const byName = new Intl.Collator('en', { numeric: true }).compare;

/**
 * Updates the list: for the files that ran, the checks that failed on any engine; for other files, no change.
 * The id of a skipped check stays, because its result is unknown.
 */
export async function writeKnownFailures(known, results) {
  const list = { ...known };
  for (const name of new Set(results.map((result) => result.name))) {
    const runs = results.filter((result) => result.name === name);
    const failing = runs.flatMap((run) => [...run.failures.keys()]);
    list[name] = [...new Set(failing)].sort(byName);
  }
  const entries = Object.entries(list).filter(([, ids]) => ids.length > 0);
  const sorted = Object.fromEntries(entries.sort(([a], [b]) => byName(a, b)));
  await writeFile(PATH, `${JSON.stringify(sorted, null, 2)}\n`);
}

/**
 * Compares runs with the list.
 *
 * @returns `unexpected`: failures that are not listed, as `{ name, id, message }`;
 *   `recovered`: listed ids that passed, or do not exist any more, on every engine that ran.
 */
export function compareWithKnown(known, results) {
  const unexpected = [];
  const recovered = [];
  for (const name of new Set(results.map((result) => result.name))) {
    const runs = results.filter((result) => result.name === name);
    const listed = new Set(known[name] ?? []);
    for (const { engine, failures } of runs) {
      for (const [id, message] of failures) if (!listed.has(id)) unexpected.push({ engine, name, id, message });
    }
    for (const id of listed) {
      const stillFails = runs.some((run) => run.cut || run.failures.has(id));
      const skipped = runs.every((run) => !run.ids.has(id) && run.skipped > 0);
      if (!stillFails && !skipped) recovered.push({ name, id });
    }
  }
  return { unexpected, recovered };
}
