import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The result of a group of commands: its output and its exit status, which is null when the shell ended before it. */
export type Run = { status: number | null; output: string; errors: string };

/** Address of the site in all documents. */
const DOCUMENTED = 'localhost:8080';

/** Milliseconds for all examples of one document. */
const TIMEOUT = 120_000;

/** Says if examples can run here: they need bash, and a curl with `--json` (7.82). */
export function canRunCommands(): boolean {
  if (spawnSync('bash', ['--version']).status !== 0) return false;
  const [, major, minor] =
    /^curl (\d+)\.(\d+)/.exec(spawnSync('curl', ['--version'], { encoding: 'utf8' }).stdout ?? '') ?? [];
  return Number(major) > 7 || (Number(major) === 7 && Number(minor) >= 82);
}

/** One script for all groups, so that later ones see the variables of earlier ones. Each group prints to its own files. */
const scriptOf = (groups: readonly string[]): string =>
  groups.map((commands, i) => `{\n${commands}} >${i}.out 2>${i}.err\necho $? >${i}.status\n`).join('');

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Runs groups of commands in one bash, one after the other, in an empty folder, against the site at
 * `host` (such as `127.0.0.1:40123`) in place of the documented address. `input` is the text on standard input.
 */
export async function runCommands(
  groups: readonly string[],
  { host, input }: { host: string; input: string },
): Promise<Run[]> {
  const folder = await mkdtemp(join(tmpdir(), 'canopy-docs-'));
  try {
    await writeFile(join(folder, 'script'), scriptOf(groups).replaceAll(DOCUMENTED, host));
    // The configuration of the user (~/.curlrc, proxies) has no effect.
    const env = { PATH: process.env.PATH, HOME: folder, LC_ALL: 'C.UTF-8' };
    const shell = spawn('bash', ['script'], {
      cwd: folder,
      env,
      timeout: TIMEOUT,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const ended = new Promise((resolve, reject) => shell.once('close', resolve).once('error', reject));
    shell.stdin.on('error', () => {}).end(input);
    await ended;
    return await Promise.all(
      groups.map(async (_, i) => {
        const status = await textOf(join(folder, `${i}.status`));
        const output = (await textOf(join(folder, `${i}.out`))) ?? '';
        const errors = (await textOf(join(folder, `${i}.err`))) ?? '';
        return {
          status: status === undefined ? null : Number(status),
          output: output.replaceAll(host, DOCUMENTED),
          errors,
        };
      }),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
