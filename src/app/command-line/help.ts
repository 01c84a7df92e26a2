import { type Command, type CommandOption, EXIT } from '../../core/kernel/command.ts';
import { optionsOf } from './shared-options.ts';

/** Columns of a terminal that the help fits into. */
const HELP_WIDTH = 80;
/** Column at which descriptions begin. */
const DESCRIPTION_COLUMN = 26;

/** The exit codes of all commands. */
export const EXIT_MEANINGS: Readonly<Record<0 | 1 | 2 | 3, string>> = {
  [EXIT.done]: 'done',
  [EXIT.failed]: 'failed; the reason is one line on standard error',
  [EXIT.usage]: 'wrong use: an unknown command or option, or an operand that is missing or too much',
  [EXIT.findings]: 'done, and something was found or left behind that somebody should look at',
};

/** Wraps words to the width of a terminal: the first line begins with the text `first`, the others with `indent` spaces. */
function wrap(words: readonly string[], indent: number, first = ' '.repeat(indent)): string {
  const lines: string[] = [];
  let line = first;
  let isEmpty = true;
  for (const word of words) {
    if (!isEmpty && line.length + 1 + word.length > HELP_WIDTH) {
      lines.push(line);
      line = ' '.repeat(indent) + word;
    } else {
      line += isEmpty ? word : ` ${word}`;
      isEmpty = false;
    }
  }
  return [...lines, line].join('\n');
}

/** An option as it is typed: `--path=<path>`. */
export const optionText = (name: string, { type, value = 'text' }: CommandOption): string =>
  type === 'boolean' ? `--${name}` : `--${name}=<${value}>`;

/** The usage of a command as words that are not broken across lines; `options` adds its own options. */
function usageWords({ name, operands = [], options = {} }: Command, withOptions: boolean): string[] {
  return [
    'canopy',
    name,
    ...operands.map((one) => `<${one.name}>`),
    ...(withOptions ? Object.entries(options).map(([key, option]) => `[${optionText(key, option)}]`) : []),
  ];
}

/** The usage of a command in one line. */
export const usageOf = (command: Command, { options = true }: { options?: boolean } = {}): string =>
  usageWords(command, options).join(' ');

/** A term with its description beside it, or below it if the term is too long. */
function row(term: string, description: string): string {
  const words = description.split(' ');
  const begin = `  ${term}`;
  if (begin.length + 2 > DESCRIPTION_COLUMN) return `${begin}\n${wrap(words, DESCRIPTION_COLUMN)}\n`;
  return `${wrap(words, DESCRIPTION_COLUMN, begin.padEnd(DESCRIPTION_COLUMN))}\n`;
}

/** The description of an option with its choices and its default. */
export function optionDescription({ description, choices, default: fallback, multiple }: CommandOption): string {
  return [
    description,
    ...(choices ? [`One of ${choices.join(', ')}.`] : []),
    ...(fallback === undefined ? [] : [`${fallback} unless given.`]),
    ...(multiple ? ['May be given several times.'] : []),
  ].join(' ');
}

const section = (title: string, text: string): string => (text === '' ? '' : `\n${title}\n${text}`);

/** The exit codes of a command, with their meaning. */
export const exitsOf = ({ exits = {} }: Command): [code: string, meaning: string][] =>
  Object.entries({ ...EXIT_MEANINGS, ...exits }).filter(([code]) => code !== '3' || exits[3] !== undefined);

/** The help of one command. */
export function helpOfCommand(command: Command): string {
  const { summary, description, operands = [], example, json } = command;
  return [
    `${wrap(usageWords(command, true), 6, '  ')}\n`,
    `${wrap(summary.split(' '), 6)}\n`,
    description === undefined ? '' : `\n${wrap(description.split(' '), 2)}\n`,
    section(
      'Operands',
      operands.map((one) => row(`<${one.name}>`, optionDescription({ type: 'string', ...one }))).join(''),
    ),
    section(
      'Options',
      Object.entries(optionsOf(command))
        .map(([name, option]) => row(optionText(name, option), optionDescription(option)))
        .join(''),
    ),
    json === undefined ? '' : section('Document of --json', `${wrap(json.split(' '), 2)}\n`),
    section(
      'Exit codes',
      exitsOf(command)
        .map(([code, meaning]) => row(code, meaning))
        .join(''),
    ),
    section('Example', `  canopy ${example}\n`),
  ].join('');
}

const shortHelp = (command: Command): string =>
  `${wrap(usageWords(command, true), 6, '  ')}\n${wrap(command.summary.split(' '), 6)}\n`;

/** Short help for several commands. */
export const helpOfGroup = (commands: readonly Command[]): string =>
  `${commands.map(shortHelp).join('')}  canopy <command> --help\n      all about one command, with an example\n`;

/** The help: each command with its usage and its summary. */
export const helpOf = (commands: readonly Command[]): string =>
  `canopy: a content server\n\n${helpOfGroup(commands)}${[
    ['--help', 'this text'],
    ['--version', 'the version of the program'],
  ]
    .map(([option, text]) => `  canopy ${option}\n      ${text}\n`)
    .join('')}`;
