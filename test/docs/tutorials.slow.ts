import { accessSync, constants, mkdirSync, writeFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageFolder } from '../../src/lib/process/process.ts';
import { freePort } from '../support/varnish.ts';
import { type Document, documents, isTutorial } from './documents.ts';
import { type Example, examplesIn } from './examples.ts';
import { answerProblems } from './match-answer.ts';
import { runCommands } from './run-commands.ts';

const ROOT = packageFolder('.');
const STARTER = join(ROOT, 'dist/packages/create-canopy-server/bin/create-canopy-server.js');
const SERVER = join(ROOT, 'dist/bin/canopy.js');

/** Milliseconds for the commands of a tutorial on a busy machine, before the test gives up. */
const PATIENCE_MS = 180_000;

const PASSWORD = 'a-password-for-tests';

/**
 * `npm` as the tutorials call it. Two commands need the registry, and get what this repository has instead: the starter, and the
 * server that it was built with. All other commands are those of the real npm.
 */
const NPM = `#!/usr/bin/env bash
case "$1 $2" in
  "create canopy-server")
    args=()
    for arg in "\${@:3}"; do [ "$arg" = -- ] || args+=("$arg"); done
    exec "${process.execPath}" "${STARTER}" "\${args[@]}" ;;
  "install ")
    mkdir -p node_modules/.bin
    ln -s "${ROOT}" node_modules/canopy-server
    printf '#!/bin/sh\nexec "%s" "%s" "$@"\n' "${process.execPath}" "${SERVER}" > node_modules/.bin/canopy-server
    chmod +x node_modules/.bin/canopy-server ;;
  *) exec "$REAL_NPM" "$@" ;;
esac
`;

/** Commands that start a server: it runs beside those that follow, which begin when it serves. */
const beside = (commands: string): string => `set -m
${commands.trim()} </dev/null >server.log 2>&1 &
SERVER=$!
until grep -q '^Canopy serves' server.log; do
  kill -0 $SERVER || { cat server.log >&2; exit 1; }
  sleep 0.1
done
`;

/** Ends the server with all that npm has started for it. */
const END = 'kill -- -$SERVER 2>/dev/null; wait $SERVER 2>/dev/null; true\n';

const isBackground = ({ flags }: Example): boolean => flags.includes('background');

async function prepare(folder: string): Promise<void> {
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin/npm'), NPM, { mode: 0o755 });
  await cp(join(ROOT, 'test/fixtures/imports/plone'), join(folder, 'plone-export'), { recursive: true });
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The path of a program. */
function findProgram(name: string): string {
  const places = (process.env.PATH ?? '').split(delimiter).map((place) => join(place, name));
  const found = places.find(isProgram);
  if (found === undefined) throw new Error(`There is no ${name}`);
  return found;
}

/** The seconds that a tutorial promises for its commands. */
const promisedSeconds = (text: string): number => Number(/take\s+less\s+than\s+(\d+)\s+seconds/.exec(text)?.[1]);

const tutorials = documents().filter(isTutorial);

describe.each(tutorials.map((document) => [document.path, document] as const))('%s', (path, { text }: Document) => {
  it('its commands do what the page shows, in the time that it promises', { timeout: PATIENCE_MS }, async () => {
    const examples = examplesIn(text);
    const port = await freePort();
    const started = performance.now();
    const groups = examples.map((example) => (isBackground(example) ? beside(example.commands) : example.commands));
    const runs = await runCommands([...groups, END], {
      host: `localhost:${port}`,
      input: `${PASSWORD}\n`,
      prepare,
      programs: 'bin',
      timeout: PATIENCE_MS,
      environment: { PORT: String(port), ADMIN_PASSWORD: PASSWORD, REAL_NPM: findProgram('npm') },
    });
    const seconds = (performance.now() - started) / 1000;
    console.log(`${path}: ${examples.length} examples in ${seconds.toFixed(1)} s`);
    const problems = examples.flatMap((example, i) => {
      const { status, output, errors } = runs[i] ?? { status: null, output: '', errors: '' };
      const wrong = answerProblems(example.answer, output);
      return status === 0 && (wrong.length === 0 || example.answer === undefined)
        ? []
        : [{ line: example.line, status, wrong, output, errors }];
    });
    expect(problems).toEqual([]);
    expect(seconds).toBeLessThan(promisedSeconds(text));
  });
});
