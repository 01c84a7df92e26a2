import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestSite, type TestSite } from '../support/site.ts';
import { type Document, documents, isTutorial } from './documents.ts';
import { examplesIn } from './examples.ts';
import { answerProblems } from './match-answer.ts';
import { canRunCommands, type Run, runCommands } from './run-commands.ts';

// In continuous integration a missing curl is a failure, not a reason to test nothing.
const canRun = canRunCommands() || process.env.CI !== undefined;

// Pages without examples need no site. `tutorials.slow.ts` runs the commands of the tutorials.
const withExamples = documents().filter((document) => !isTutorial(document) && examplesIn(document.text).length > 0);

describe.runIf(canRun).each(withExamples.map((document) => [document.path, document] as const))(
  'the examples of %s',
  (_path, { text }: Document) => {
    const examples = examplesIn(text);
    let site: TestSite | undefined;
    let runs: Run[] = [];

    beforeAll(async () => {
      // The setting that docs/install.md gives for servers behind a proxy.
      site = await startTestSite(undefined, { environment: { TRUST_PROXY: 'loopback' } });
      const host = new URL(site.url).host;
      const commands = examples.map((example) => example.commands);
      runs = await runCommands(commands, { host, input: `${site.admin.password}\n` });
    }, 180_000);
    afterAll(() => site?.close());

    it('every example of a document is run or marked', () => {
      expect(runs).toHaveLength(examples.length);
    });

    it.each(examples.map((example, i) => [example.line, i] as const))(
      'the example in line %i has the output that the document shows',
      (_line, i) => {
        const { status, output, errors } = runs[i] ?? { status: null, output: '', errors: '' };
        expect({ status, problems: answerProblems(examples[i]?.answer, output) }, `${output}\n${errors}`).toEqual({
          status: 0,
          problems: [],
        });
      },
    );
  },
);

const withoutFences = (text: string): string => text.replace(/^```[\s\S]*?^```$/gm, '');

/** The anchors of the headings of a Markdown file, as GitHub generates them. */
const anchorsIn = (text: string): string[] =>
  [...withoutFences(text).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

function leadsSomewhere(location: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? location : join(dirname(location), path);
  if (!existsSync(target)) return false;
  return anchor === undefined || anchorsIn(readFileSync(target, 'utf8')).includes(anchor);
}

it('the tutorials have commands, each with its output or marked', () => {
  expect(documents().filter(isTutorial)).toHaveLength(6);
  for (const { path, text } of documents().filter(isTutorial)) expect(examplesIn(text).length, path).toBeGreaterThan(5);
});

describe('the links of the documents', () => {
  it.each(documents().map((document) => [document.path, document] as const))(
    'lead somewhere: %s',
    (_path, { location, text }) => {
      const links = [...withoutFences(text).matchAll(/\]\((?!https?:|mailto:)([^)]*)\)/g)].map(([, link = '']) => link);
      expect(links.filter((link) => !leadsSomewhere(location, link))).toEqual([]);
    },
  );
});
