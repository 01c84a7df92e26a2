import { type ParseArgsConfig, parseArgs } from 'node:util';
import { type Command, type CommandArguments, type CommandOption, UsageError } from '../../core/kernel/command.ts';
import { unknownOption } from './find-command.ts';
import { usageOf } from './help.ts';
import { optionsOf } from './shared-options.ts';

/** The options in the form of `parseArgs`. */
const parsedOptions = (options: Readonly<Record<string, CommandOption>>): ParseArgsConfig['options'] =>
  Object.fromEntries(
    Object.entries(options).map(([name, { type, multiple = false, default: fallback }]) => [
      name,
      { type, multiple, ...(fallback === undefined ? {} : { default: fallback }) },
    ]),
  );

const isParseError = (error: unknown): error is TypeError =>
  error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');

/** Says if the arguments request help: `--help` or `-h` before `--`. */
export function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end < 0 ? args.length : end).some((arg) => arg === '--help' || arg === '-h');
}

/** Throws UsageError for operands that are missing, too many, or not one of the choices. */
function checkOperands(command: Command, given: readonly string[]): void {
  const { name, operands = [] } = command;
  const wanted = operands.map((one) => `<${one.name}>`);
  const usage = `Usage: ${usageOf(command, { options: false })}. See canopy ${name} --help.`;
  if (given.length < wanted.length) throw new UsageError(`Missing: ${wanted.slice(given.length).join(' ')}. ${usage}`);
  if (given.length > wanted.length) throw new UsageError(`"${given[wanted.length]}" is too much. ${usage}`);
  for (const [at, { choices, name: operand }] of operands.entries())
    if (choices && !choices.includes(given[at] ?? ''))
      throw new UsageError(`<${operand}> must be one of ${choices.join(', ')}, not "${given[at]}".`);
}

/** Throws UsageError for a value that is not one of the choices of its option. */
function checkChoices(options: Readonly<Record<string, CommandOption>>, values: CommandArguments['options']): void {
  for (const [name, { choices }] of Object.entries(options)) {
    const given = values[name];
    const wrong = (Array.isArray(given) ? given : [given]).find(
      (value) => typeof value === 'string' && choices?.includes(value) === false,
    );
    if (wrong !== undefined)
      throw new UsageError(`--${name} must be one of ${choices?.join(', ')}, not "${String(wrong)}".`);
  }
}

/** Parses the arguments after the name of a command. Throws UsageError. */
export function parseArguments(command: Command, args: readonly string[]): CommandArguments {
  const options = optionsOf(command);
  const given = { args: [...args], allowPositionals: true, options: parsedOptions(options) } as const;
  const { tokens } = parseArgs({ ...given, strict: false, tokens: true });
  for (const token of tokens)
    if (token.kind === 'option' && !Object.hasOwn(options, token.name))
      throw unknownOption(token.rawName, command, Object.keys(options));
  try {
    const { values, positionals } = parseArgs(given);
    checkOperands(command, positionals);
    checkChoices(options, values);
    return { operands: positionals, options: values };
  } catch (error) {
    if (!isParseError(error)) throw error;
    throw new UsageError(`${error.message.replaceAll('\n', ' ')} See canopy ${command.name} --help.`);
  }
}
