/** The oldest Node that runs the programs, the same as in "engines" of package.json. */
const OLDEST_MAJOR = 20;
const OLDEST_MINOR = 19;

/**
 * Returns the problem of a version of Node such as `v18.20.4` with advice, in one line; undefined for a version that runs the program. This file, and
 * files that import it before the check, use only syntax that Node 12 parses.
 */
export function nodeProblem(program: string, version: string): string | undefined {
  const parts = version.replace(/^v/, '').split('.').map(Number);
  const major = parts[0] || 0;
  const minor = parts[1] || 0;
  if (major > OLDEST_MAJOR || (major === OLDEST_MAJOR && minor >= OLDEST_MINOR)) return undefined;
  return `${program}: Node ${version} is too old: install Node ${OLDEST_MAJOR}.${OLDEST_MINOR} or newer from https://nodejs.org, then try again.`;
}
