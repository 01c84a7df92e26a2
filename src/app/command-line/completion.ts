import type { Command, CommandOption, CompletedNames } from '../../core/kernel/command.ts';
import { optionsOf } from './shared-options.ts';

/** The shells that a completion can be written for. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** Quotes a text for a shell, so that no character in it has a meaning. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Quotes a text for fish, in which a backslash has a meaning between quotes. */
const quotedForFish = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

type Value = { choices?: readonly string[]; completes?: CompletedNames };

const isText = ([, { type }]: [string, CommandOption]): boolean => type === 'string';

/** The possible next words by the words before: the commands of the first level, and the commands of each group. */
function levelsOf(commands: readonly Command[]): Map<string, string[]> {
  const levels = new Map<string, string[]>([['', ['help']]]);
  for (const { name } of commands) {
    const [first = '', second] = name.split(' ');
    levels.set('', [...new Set([...(levels.get('') ?? []), first])]);
    if (second !== undefined) levels.set(first, [...(levels.get(first) ?? []), second]);
  }
  const [firsts = []] = levels.values();
  levels.set(
    'help',
    firsts.filter((word) => word !== 'help'),
  );
  return levels;
}

/** The command, a function of the head, that offers the values of an operand or an option. */
function offered({ choices = [], completes }: Value): string {
  if (choices.length > 0) return `_canopy_words ${quoted(choices.join(' '))}`;
  if (completes === undefined) return ':';
  return completes === 'folder' ? '_canopy_folders' : '_canopy_files';
}

/** A case for one command: the values of its options, the names of its options, and its operands. */
function commandCase(command: Command): string {
  const options = Object.entries(optionsOf(command));
  const texts = options.filter(isText);
  return [
    `    ${quoted(command.name)})`,
    '      case $option in',
    ...texts.map(([name, option]) => `        --${name}) ${offered(option)}; return ;;`),
    '      esac',
    '      if [[ $cur == -* ]]; then',
    `        _canopy_words ${quoted(options.map(([name]) => `--${name}`).join(' '))}`,
    '        return',
    '      fi',
    `      _canopy_operand ${quoted(texts.map(([name]) => `--${name}`).join(' '))} $count "\${typed[@]}"`,
    '      case $operand in',
    ...(command.operands ?? []).map((operand, at) => `        ${at}) ${offered(operand)} ;;`),
    '      esac ;;\n',
  ].join('\n');
}

/** The parts in which the scripts of bash and zsh differ. */
const HEADS: Readonly<Record<'bash' | 'zsh', { begin: string; variables: string; end: string }>> = {
  bash: {
    begin: `# Completion of canopy for bash: source <(canopy completion bash)
_canopy_words() { COMPREPLY=($(compgen -W "$1" -- "$cur")); }
_canopy_paths() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen "$1" -- "$cur"))
  compopt -o filenames 2>/dev/null
}
_canopy_files() { _canopy_paths -f; }
_canopy_folders() { _canopy_paths -d; }
`,
    // The separator "=" is a word of its own.
    variables: `  local cur=\${COMP_WORDS[COMP_CWORD]} option=\${COMP_WORDS[COMP_CWORD-1]} count=1 operand=0
  local typed=("\${COMP_WORDS[@]:1:COMP_CWORD-1}")
  COMPREPLY=()
  if [[ $cur == = ]]; then cur=; elif [[ $option == = ]]; then option=\${COMP_WORDS[COMP_CWORD-2]}; fi
`,
    end: 'complete -F _canopy canopy\n',
  },
  zsh: {
    begin: `#compdef canopy
# Completion of canopy for zsh, after compinit: source <(canopy completion zsh)
_canopy_words() { compadd -- \${=1}; }
_canopy_files() { _files; }
_canopy_folders() { _files -/; }
`,
    variables: `  local cur=$words[CURRENT] option=$words[CURRENT-1] count=1 operand=0
  local -a typed=("\${(@)words[2,CURRENT-1]}")
  if [[ $cur == --*=* ]]; then option=\${cur%%=*}; cur=\${cur#*=}; compset -P 1 '*='; fi
`,
    end: 'compdef _canopy canopy\n',
  },
};

/** The completion script for bash and zsh. */
function likeBash(commands: readonly Command[], shell: 'bash' | 'zsh'): string {
  const { begin, variables, end } = HEADS[shell];
  const levels = levelsOf(commands);
  const groups = [...levels.keys()].filter((name) => name !== '').join('|');
  return `${begin}# Counts in "operand" those before the cursor, where the options $1 have values. The name of the command has $2 words.
_canopy_operand() {
  local texts=" $1 " skip=$2 word value=0 end=0
  operand=0
  shift 2
  for word in "$@"; do
    if ((skip)); then ((--skip)); continue; fi
    if ((end)); then ((++operand)); continue; fi
    if [[ $word == -- ]]; then end=1; value=0; continue; fi
    if [[ $word == "=" ]]; then value=1; continue; fi
    if ((value)); then value=0; continue; fi
    if [[ $word == -* ]]; then
      if [[ $texts == *" $word "* ]]; then value=1; fi
      continue
    fi
    ((++operand))
  done
}
_canopy() {
${variables}  local name=''
  if ((\${#typed[@]} > 0)); then
    for name in "\${typed[@]}"; do break; done
    case $name in
      ${groups})
        if ((\${#typed[@]} > 1)); then name="$name \${typed[@]:1:1}"; count=2; fi ;;
    esac
  fi
  case $name in
${[...levels].map(([before, words]) => `    ${quoted(before)}) _canopy_words ${quoted(words.join(' '))} ;;\n`).join('')}${commands.map(commandCase).join('')}  esac
}
${end}`;
}

/** A condition of fish: the words before the cursor, without options, begin with the name of a command. */
const fishSeen = (name: string): string => `-n ${quotedForFish(`__canopy_seen ${name}`)}`;

const fishValues = ({ choices = [], completes }: Value): string => {
  if (choices.length > 0) return ` -x -a ${quotedForFish(choices.join(' '))}`;
  if (completes === undefined) return ' -x';
  return completes === 'folder' ? " -x -a '(__fish_complete_directories)'" : ' -r -F';
};

/** The lines of fish for one command: its options and its operands. */
function fishCommand(command: Command): string {
  const { name, operands = [] } = command;
  const options = Object.entries(optionsOf(command)).map(
    ([option, declared]) =>
      `complete -c canopy ${fishSeen(name)} -l ${option} -d ${quotedForFish(declared.description)}${declared.type === 'string' ? fishValues(declared) : ''}\n`,
  );
  const values = operands
    .filter(({ choices, completes }) => choices || completes)
    .map(
      ({ choices, completes }) =>
        `complete -c canopy ${fishSeen(name)}${fishValues({ ...(choices && { choices }), ...(completes && { completes }) })}\n`,
    );
  return [...options, ...values].join('');
}

/** The completion for fish. */
function fish(commands: readonly Command[]): string {
  const summaries = new Map(commands.map(({ name, summary }) => [name, summary]));
  const next = [...levelsOf(commands)].flatMap(([before, names]) =>
    names.map((word) => {
      const summary = summaries.get(before === '' ? word : `${before} ${word}`) ?? '';
      return `complete -c canopy -n ${quotedForFish(`__canopy_next ${before}`)} -a ${word} -d ${quotedForFish(summary)}\n`;
    }),
  );
  return `# Completion of canopy for fish: canopy completion fish | source
function __canopy_words
  string match -v -- '-*' (commandline -opc)[2..-1]
end
function __canopy_next
  test "$(__canopy_words)" = "$argv"
end
function __canopy_seen
  set -l words (__canopy_words)
  test "$words[1..$(count $argv)]" = "$argv"
end
complete -c canopy -f
${next.join('')}${commands.map(fishCommand).join('')}`;
}

/** Returns the script by which a shell completes the commands. */
export const completionScript = (shell: Shell, commands: readonly Command[]): string =>
  shell === 'fish' ? fish(commands) : likeBash(commands, shell);
