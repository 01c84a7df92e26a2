import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The result of a group of commands: its output and its exit status, which is null when the shell ended before it. */
export type Run = { status: number | null; output: string; errors: string };

/** Address of the site in all documents. */
const DOCUMENTED = 'localhost:8080';

/** Milliseconds for all examples of one document. */
const TIMEOUT_MS = 120_000;

type RunOptions = {
  /** Stands in place of the documented address, such as `127.0.0.1:40123`. */
  host: string;
  /** The text on standard input. */
  input: string;
  /** Fills the folder, which is the home of the commands, too. */
  prepare?: (folder: string) => Promise<void>;
  /** Variables of the environment beside those that every run has. */
  environment?: Readonly<Record<string, string>>;
  /** A folder below that of the run whose programs go before all others. */
  programs?: string;
  /** Milliseconds for all groups. */
  timeout?: number;
};

/** Says if examples can run here: they need bash, and a curl with `--json` (7.82). */
export function canRunCommands(): boolean {
  if (spawnSync('bash', ['--version']).status !== 0) return false;
  const [, major, minor] =
    /^curl (\d+)\.(\d+)/.exec(spawnSync('curl', ['--version'], { encoding: 'utf8' }).stdout ?? '') ?? [];
  return Number(major) > 7 || (Number(major) === 7 && Number(minor) >= 82);
}

/** One script for all groups, so that later ones see the variables of earlier ones. Each group prints to its own files. */
const scriptOf = (folder: string, groups: readonly string[]): string =>
  groups
    .map((commands, i) => {
      const file = (kind: string): string => `'${join(folder, `${i}.${kind}`)}'`;
      return `{\n${commands}} >${file('out')} 2>${file('err')}\necho $? >${file('status')}\n`;
    })
    .join('');

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Runs groups of commands in one bash, one after the other, in a folder of their own, which is empty unless it is prepared. */
export async function runCommands(
  groups: readonly string[],
  { host, input, prepare, environment = {}, programs, timeout = TIMEOUT_MS }: RunOptions,
): Promise<Run[]> {
  const folder = await mkdtemp(join(tmpdir(), 'canopy-docs-'));
  try {
    await prepare?.(folder);
    await writeFile(join(folder, 'script'), scriptOf(folder, groups).replaceAll(DOCUMENTED, host));
    const path = [...(programs === undefined ? [] : [join(folder, programs)]), process.env.PATH].join(':');
    // The configuration of the user (~/.curlrc, proxies) has no effect.
    const env = { PATH: path, HOME: folder, LC_ALL: 'C.UTF-8', ...environment };
    const shell = spawn('bash', ['script'], {
      cwd: folder,
      env,
      timeout,
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
