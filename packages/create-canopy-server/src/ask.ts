import { createInterface, type Interface } from 'node:readline/promises';
import { FRONT_ENDS, NONE } from './front-ends.ts';
import { addOnProblem, DEFAULTS, frontEndProblem, UsageError, type Wishes } from './wishes.ts';

/** The choices that a project is made from. */
export type Choices = { folder: string; frontEnd: string; addOn: string };

/** Asks until the answer has no problem. An empty answer is the default. Throws UsageError when the input ends. */
async function ask(
  lines: Interface,
  question: string,
  usual: string,
  problemOf: (answer: string) => string | undefined = () => undefined,
): Promise<string> {
  const ended = new AbortController();
  lines.once('close', () => ended.abort());
  for (;;) {
    const answer = await lines.question(`${question} (${usual}): `, { signal: ended.signal }).then(
      (text) => text.trim() || usual,
      () => {
        throw new UsageError('Cancelled: nothing was made.');
      },
    );
    const problem = problemOf(answer);
    if (problem === undefined) return answer;
    console.log(problem);
  }
}

/**
 * Returns the choices: those of the command line, and for the rest the answers of the user, or the defaults with `yes`. Throws UsageError without a
 * terminal for questions.
 */
export async function choose({ folder, frontEnd, addOn, yes }: Wishes): Promise<Choices> {
  if (yes || (folder !== undefined && frontEnd !== undefined && addOn !== undefined))
    return {
      folder: folder ?? DEFAULTS.folder,
      frontEnd: frontEnd ?? DEFAULTS.frontEnd,
      addOn: addOn ?? DEFAULTS.addOn,
    };
  if (!process.stdin.isTTY)
    throw new UsageError('There is no terminal to ask in: say --yes, or the folder, --front-end and --add-on.');
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const names = [...Object.keys(FRONT_ENDS), NONE].join(', ');
    return {
      folder: folder ?? (await ask(lines, 'Folder of the project', DEFAULTS.folder)),
      frontEnd: frontEnd ?? (await ask(lines, `Front end: ${names}`, DEFAULTS.frontEnd, frontEndProblem)),
      addOn: addOn ?? (await ask(lines, `Name of the add-on, or ${NONE}`, DEFAULTS.addOn, addOnProblem)),
    };
  } finally {
    lines.close();
  }
}
