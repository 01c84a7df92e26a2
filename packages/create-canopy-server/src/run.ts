import { relative, resolve } from 'node:path';
import { choose } from './ask.ts';
import { folderProblem, makeProject } from './make-project.ts';
import { loadVersion } from './package-files.ts';
import { type Project, planProject } from './project.ts';
import { HELP, parseWishes, UsageError } from './wishes.ts';

/** Returns a place for package.json: a tarball or a folder as an absolute `file:`, anything else unchanged. */
const serverPlace = (server: string): string =>
  /^\.{0,2}[\\/]|\.tgz$|^[a-z]:[\\/]/i.test(server) && !/^[a-z]{2,}:/i.test(server)
    ? `file:${resolve(server).replaceAll('\\', '/')}`
    : server;

/** Returns the next commands for the user, each on a line of its own. */
function nextSteps({ folder, frontEnd, addOn }: Project): string {
  const place = relative('.', folder);
  const enter = place === '' ? [] : [`cd ${/\s/.test(place) ? `"${place}"` : place}`];
  const steps = [...enter, 'npm install', ...(addOn ? ['npm test'] : []), 'npm start'];
  const canopy = `The project is in ${folder}. Next:\n\n${steps.map((step) => `  ${step}\n`).join('')}
Canopy is at http://localhost:8080 then; its first start prints the password of the user admin.\n`;
  if (!frontEnd) return canopy;
  const install = `npm ${frontEnd.id === 'volto' ? 'ci' : 'install'} --prefix front-end`;
  const front = [...enter, install, 'npm run front-end'];
  return `${canopy}
${frontEnd.title}, in another terminal while Canopy runs:\n\n${front.map((step) => `  ${step}\n`).join('')}
The site is at ${frontEnd.address} then.${frontEnd.patience && ` ${frontEnd.patience}`}\n`;
}

async function create(args: readonly string[]): Promise<void> {
  const wishes = parseWishes(args);
  if (wishes === 'help') return void process.stdout.write(HELP);
  if (wishes === 'version') return void process.stdout.write(`create-canopy-server ${loadVersion()}\n`);
  // Checked before the questions as well, because the answers would be in vain.
  const early = wishes.folder === undefined ? undefined : folderProblem(resolve(wishes.folder));
  if (early !== undefined) throw new UsageError(early);
  const choices = await choose(wishes);
  const folder = resolve(choices.folder);
  const problem = folderProblem(folder);
  if (problem !== undefined) throw new UsageError(problem);
  const project = planProject(choices, folder, serverPlace(wishes.server ?? loadVersion()));
  makeProject(project);
  process.stdout.write(nextSteps(project));
}

const isFileError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'syscall' in error && 'code' in error;

/**
 * Runs the command line and returns the exit code: 0 for success, 1 if the files cannot be written, 2 for wrong arguments. An error that the user can
 * fix is one line on standard error.
 */
export async function run(args: readonly string[]): Promise<number> {
  try {
    await create(args);
    return 0;
  } catch (error) {
    const isUsage = error instanceof UsageError;
    if (!isUsage && !isFileError(error)) throw error;
    process.stderr.write(`create-canopy-server: ${error.message}\n`);
    return isUsage ? 2 : 1;
  }
}
