import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A virtual environment of Python in a folder, with the packages that a file of requirements pins. It is created when it is
 * missing and updated when the file has changed. Needs `python3` with `venv`. `options` are more options of `pip install`, such
 * as `--no-deps` where the file names every package. Returns the path of a program in it, by its name.
 */
export function pythonEnvironment(folder, requirements, { options = [] } = {}) {
  const program = (name) => join(folder, 'bin', name);
  const mark = join(folder, 'installed.txt');
  const wanted = readFileSync(requirements, 'utf8');
  if (!existsSync(mark) || readFileSync(mark, 'utf8') !== wanted) {
    console.log(`Installing Python packages in ${folder}; the first time this takes some minutes.`);
    mkdirSync(folder, { recursive: true });
    if (!existsSync(program('python'))) execFileSync('python3', ['-m', 'venv', folder], { stdio: 'inherit' });
    execFileSync(program('pip'), ['install', '--quiet', ...options, '-r', requirements], { stdio: 'inherit' });
    writeFileSync(mark, wanted);
  }
  return program;
}
