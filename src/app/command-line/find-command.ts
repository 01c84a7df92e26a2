import { type Command, UsageError } from '../../core/kernel/command.ts';
import { nearestName } from '../../lib/text/edit-distance.ts';

/** Result of a lookup by the first words of a command line: a command with the arguments behind it, or a group such as `user`. */
export type Found = { command: Command; rest: string[] } | { group: readonly Command[] };

/** The commands whose names begin with a word. */
const inGroup = (commands: readonly Command[], word: string): Command[] =>
  commands.filter(({ name }) => name.startsWith(`${word} `));

/** Sentence with the name that was probably meant; empty when no name is similar. */
const meant = (name: string, names: readonly string[]): string => {
  const near = nearestName(name, names);
  return near === undefined ? '' : ` Did you mean ${near}?`;
};

/** Finds the command or the group of these words. Throws UsageError, with the nearest name, for unknown words. */
export function findCommand(commands: readonly Command[], words: readonly string[]): Found {
  const [first = '', second] = words;
  const single = commands.find(({ name }) => name === first);
  if (single) return { command: single, rest: words.slice(1) };
  const group = inGroup(commands, first);
  if (group.length === 0) {
    const names = [...new Set(['help', ...commands.map(({ name }) => name.split(' ')[0] ?? '')])];
    throw new UsageError(`Unknown command: ${first}.${meant(first, names)} See canopy --help.`);
  }
  if (second === undefined || second.startsWith('-')) return { group };
  const command = group.find(({ name }) => name === `${first} ${second}`);
  if (command) return { command, rest: words.slice(2) };
  const names = group.map(({ name }) => name.slice(first.length + 1));
  throw new UsageError(
    `Unknown command: ${first} ${second}.${meant(second, names)} There are: ${names.join(', ')}. See canopy ${first} --help.`,
  );
}

/** The error for a command line that names only a group. */
export const incompleteCommand = (group: readonly Command[]): UsageError => {
  const names = group.map(({ name }) => name);
  return new UsageError(`Say which: ${names.map((name) => `canopy ${name}`).join(', ')}.`);
};

/** The error for an option that a command does not have. */
export const unknownOption = (option: string, { name }: Command, options: readonly string[]): UsageError =>
  new UsageError(
    `Unknown option: ${option}.${meant(
      option,
      options.map((one) => `--${one}`),
    )} See canopy ${name} --help.`,
  );
