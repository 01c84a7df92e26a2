import type { Command, CommandOption } from '../../core/kernel/command.ts';
import { EXIT_MEANINGS, exitsOf, optionDescription, optionText, usageOf } from './help.ts';
import { sharedOptions } from './shared-options.ts';

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;');

const row = (term: string, text: string): string => `| \`${term.replaceAll('|', '\\|')}\` | ${cell(text)} |`;

const table = (head: string, rows: readonly string[]): string[] =>
  rows.length === 0 ? [] : [`| ${head} | |`, '|---|---|', ...rows, ''];

const optionRows = (options: Readonly<Record<string, CommandOption>>): string[] =>
  Object.entries(options).map(([name, option]) => row(optionText(name, option), optionDescription(option)));

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The part of the reference about one command. */
function partOf(command: Command): string[] {
  const { name, summary, description, operands = [], options = {}, example, exits = {}, json } = command;
  const own = exitsOf(command).filter(([code]) => Object.hasOwn(exits, code));
  return [
    `## canopy ${name}`,
    '',
    `${cell(capitalised(summary))}.${description === undefined ? '' : ` ${cell(description)}`}`,
    '',
    '```sh no-test',
    `canopy ${example}`,
    '```',
    '',
    `Usage: \`${usageOf(command)}\``,
    '',
    ...table(
      'Operand',
      operands.map((one) => row(`<${one.name}>`, optionDescription({ type: 'string', ...one }))),
    ),
    ...table('Option', optionRows(options)),
    ...table(
      'Exit code',
      own.map(([code, meaning]) => row(code, meaning)),
    ),
    ...(json === undefined ? [] : [`\`--json\` prints: ${json}`, '']),
  ];
}

/** The reference of commands as a page of Markdown. */
export function commandReference(commands: readonly Command[]): string {
  const [any] = commands.filter(({ json, withoutSite }) => json !== undefined && !withoutSite);
  return [
    '# Commands',
    '',
    'This page is written from the declarations of the commands by `npm run commands`.',
    '',
    'Each command explains itself with `--help`, and so does `canopy help <command>`. A misspelt command or option is refused with the',
    'nearest name. `canopy completion bash`, `zsh` or `fish` prints a script that completes commands, options and values; commands of the',
    'packages in the configuration file are in it. For bash, put this line into `~/.bashrc`:',
    '',
    '```sh no-test',
    'source <(canopy completion bash)',
    '```',
    '',
    '## What all commands share',
    '',
    ...table('Option', any === undefined ? [] : optionRows(sharedOptions(any))),
    'Reports go to standard output, everything else to standard error. With `--json` standard output has one JSON document, or nothing when',
    'the command failed. Commands without a document have no `--json`. Long work shows how far it is on a terminal.',
    '',
    ...table(
      'Exit code',
      Object.entries(EXIT_MEANINGS).map(([code, meaning]) => row(code, meaning)),
    ),
    'The site is that of the [settings](settings.md). An embedded database belongs to one process at a time: stop the server first. On',
    'PostgreSQL commands run beside it.',
    '',
    ...commands.flatMap(partOf),
  ]
    .join('\n')
    .trimEnd()
    .concat('\n');
}
