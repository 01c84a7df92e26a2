import type { Command } from '../../core/kernel/command.ts';
import { completionScript, SHELLS } from '../command-line/completion.ts';

/** Prints the script by which a shell completes the commands, including commands of packages. */
export const completionCommand = (commands: () => readonly Command[]): Command => ({
  name: 'completion',
  summary: 'print a script that makes a shell complete commands and options',
  description:
    'Commands of the packages of the configuration file are in it, too. For bash: source <(canopy completion bash).',
  operands: [{ name: 'shell', description: 'The shell.', choices: SHELLS }],
  example: 'completion bash',
  async run(_context, { operands: [name] }) {
    const shell = SHELLS.find((one) => one === name);
    if (shell === undefined) return 2;
    process.stdout.write(completionScript(shell, commands()));
    return 0;
  },
});
