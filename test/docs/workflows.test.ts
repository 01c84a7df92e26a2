import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { packageFolder } from '../../src/lib/process/process.ts';

const ROOT = packageFolder('');
const FOLDER = `${ROOT}/.github/workflows`;

type Job = { strategy?: { matrix?: { suite?: string[] } }; steps: { run?: string }[] };

const commands = readdirSync(FOLDER).flatMap((file) => {
  const { jobs }: { jobs: Record<string, Job> } = parse(readFileSync(`${FOLDER}/${file}`, 'utf8'));
  return Object.values(jobs).flatMap(({ strategy, steps }) =>
    steps.flatMap(({ run = '' }) =>
      (strategy?.matrix?.suite ?? ['']).map((suite) => run.replace(/\$\{\{ matrix\.suite \}\}/, suite)),
    ),
  );
});

it('the workflows run .ci/run, and only scripts that package.json has', () => {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync(`${ROOT}/package.json`, 'utf8'));
  expect(commands).toContain('.ci/run');
  expect(existsSync(`${ROOT}/.ci/run`)).toBe(true);
  const named = commands.flatMap((command) => /^npm run (\S+)/.exec(command)?.[1] ?? []);
  expect(named).toContain('coverage');
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});
