import { parseArgs } from 'node:util';
import { FRONT_ENDS, NONE } from './front-ends.ts';
import { addonNameProblem } from './write-addon.ts';

/** The wishes of the user, each absent unless given. */
export type Wishes = { folder?: string; frontEnd?: string; addOn?: string; server?: string; yes: boolean };

/** A mistake of the caller, in one line. */
export class UsageError extends Error {}

export const HELP = `create-canopy-server: makes a project for a site with Canopy

  npm create canopy-server [folder] -- [options]

  --front-end ${[...Object.keys(FRONT_ENDS), NONE].join('|')}   the front end (default: ${NONE})
  --add-on <name>|${NONE}   a package with a feature of your own (default: canopy-addon-example)
  --server <version|tarball>   another canopy-server than that of this version
  --yes, -y       take the defaults for what is not said, without questions
  --help, -h      this text
  --version, -v   the version

Example: npm create canopy-server my-site -- --front-end astro --add-on canopy-addon-shelf
`;

/** The default answers. */
export const DEFAULTS = { folder: 'my-site', frontEnd: NONE, addOn: 'canopy-addon-example' };

/** Returns the problem of the name of a front end, in one line. */
export function frontEndProblem(name: string): string | undefined {
  const known = [...Object.keys(FRONT_ENDS), NONE];
  return known.includes(name) ? undefined : `There is no front end "${name}". There are ${known.join(', ')}.`;
}

/** Returns the problem of the name of an add-on, in one line. */
export const addOnProblem = (name: string): string | undefined => (name === NONE ? undefined : addonNameProblem(name));

const OPTIONS = {
  'front-end': { type: 'string' },
  'add-on': { type: 'string' },
  server: { type: 'string' },
  yes: { type: 'boolean', short: 'y' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const;

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options: OPTIONS });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** Parses the command line: a text to print, or the wishes. Throws UsageError for an unknown option. */
export function parseWishes(args: readonly string[]): 'help' | 'version' | Wishes {
  const { values, positionals } = parse(args);
  if (values.help) return 'help';
  if (values.version) return 'version';
  const [folder, more] = positionals;
  if (more !== undefined) throw new UsageError(`"${more}" is too much: there is one folder. See --help.`);
  const { 'front-end': frontEnd, 'add-on': addOn, server, yes = false } = values;
  const problem =
    (frontEnd === undefined ? undefined : frontEndProblem(frontEnd)) ??
    (addOn === undefined ? undefined : addOnProblem(addOn));
  if (problem !== undefined) throw new UsageError(problem);
  return {
    ...(folder === undefined ? {} : { folder }),
    ...(frontEnd === undefined ? {} : { frontEnd }),
    ...(addOn === undefined ? {} : { addOn }),
    ...(server === undefined ? {} : { server }),
    yes,
  };
}
