import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { completionScript } from '../../src/app/command-line/completion.ts';
import { FEATURES } from '../../src/app/features.ts';
import { commandsOf } from '../../src/app/run-command.ts';

const has = (shell: string): boolean => spawnSync(shell, ['--version']).status === 0;
const COMMANDS = commandsOf(FEATURES);
const FISH: string = 'fish';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'canopy-completion-'));
  for (const shell of ['bash', 'zsh', 'fish'] as const)
    writeFileSync(join(folder, shell), completionScript(shell, COMMANDS));
  mkdirSync(join(folder, 'there/inner'), { recursive: true });
  writeFileSync(join(folder, 'there/export.zip'), '');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Names of the first words. */
const FIRST = [...new Set(['help', ...COMMANDS.map(({ name }) => name.split(' ')[0] ?? '')])].sort();

/** Command lines, each with what completes its last word. */
const CASES: [line: string, expected: string[]][] = [
  ['canopy ', FIRST],
  ['canopy re', ['reindex', 'reset-password', 'restore']],
  ['canopy user ', ['add', 'disable', 'enable', 'list', 'password']],
  ['canopy user d', ['disable']],
  ['canopy help u', ['upgrade', 'user']],
  ['canopy setup import --o', ['--overwrite']],
  ['canopy completion ', ['bash', 'fish', 'zsh']],
  ['canopy completion bash ', []],
  ['canopy completion --quiet z', ['zsh']],
  ['canopy completion --data-dir there z', ['zsh']],
  ['canopy upgrade --d', ['--data-dir', '--dry-run']],
  ['canopy unknown ', []],
];

describe.runIf(has('bash') || process.env.CI !== undefined)('the completion of bash', () => {
  /** The words that bash itself offers, with the words as its reader takes them apart. */
  function complete(line: string): string[] {
    const script = `source "$1"
line=$2
read -r -a COMP_WORDS <<< "\${line//=/ = }"
[[ $line == *[\\ =] ]] && COMP_WORDS+=("")
COMP_CWORD=$(( \${#COMP_WORDS[@]} - 1 ))
COMP_LINE=$line COMP_POINT=\${#line}
complete -p canopy >/dev/null || exit 1
_canopy
printf '%s\\n' "\${COMPREPLY[@]}"`;
    const out = execFileSync('bash', ['--norc', '-c', script, 'bash', join(folder, 'bash'), line], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    return out.split('\n').filter(Boolean).sort();
  }

  it.each(CASES)('%j offers %j', (line, expected) => {
    expect(complete(line)).toEqual(expected);
  });

  it('files and folders are offered where they are meant', () => {
    expect(complete('canopy import there/')).toEqual(['there/export.zip', 'there/inner']);
    expect(complete('canopy setup export there/')).toEqual(['there/inner']);
    expect(complete('canopy reindex --data-dir=there/')).toEqual(['there/inner']);
    expect(complete('canopy reindex --data-dir there/')).toEqual(['there/inner']);
    expect(complete('canopy reindex there/')).toEqual([]);
  });
});

describe.runIf(has('fish'))('the completion of fish', () => {
  // It offers the values of an operand again behind it, and files behind what it does not know.
  const OTHERWISE = ['canopy unknown ', 'canopy completion bash '];
  it.each(CASES.filter(([line]) => !OTHERWISE.includes(line)))('%j offers %j', (line, expected) => {
    const script = `source ${join(folder, 'fish')}; complete -C ${JSON.stringify(line)}`;
    const out = execFileSync(FISH, ['--no-config', '-c', script], { cwd: folder, encoding: 'utf8' });
    const offered = out.split('\n').flatMap((row) => row.split('\t')[0] || []);
    expect(offered.filter((one) => !one.includes('/')).sort()).toEqual(expected);
  });
});

describe.runIf(has('zsh'))('the completion of zsh', () => {
  it('is a script that zsh takes, and offers the commands', () => {
    const script = `autoload -Uz compinit; compinit -u -d ${join(folder, 'zcompdump')}; source ${join(folder, 'zsh')}
compadd() { shift; print -l -- "$@" }
words=(canopy user ''); CURRENT=3; _canopy`;
    const out = execFileSync('zsh', ['-f', '-c', script], { cwd: folder, encoding: 'utf8' });
    expect(out.split('\n').filter(Boolean).sort()).toEqual(['add', 'disable', 'enable', 'list', 'password']);
  });
});
