import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { assembleWith } from '../../src/app/create-kernel.ts';
import { FEATURES } from '../../src/app/features.ts';
import { documents } from './documents.ts';

const PAGES = documents().filter(({ path }) => path.startsWith('docs/'));
const page = (path: string): string => PAGES.find((one) => one.path === path)?.text ?? '';
const section = (path: string, title: string): string =>
  page(path)
    .split(/^#+ /m)
    .find((part) => part.startsWith(`${title}\n`)) ?? '';

/** The names in the first column of the tables of a text. */
const namesIn = (text: string): string[] =>
  [...text.matchAll(/^\| ([^|]*) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  );

/** The members of a type of the source, which the compiler does not leave to programs. */
function membersOf(file: string, declaration: string): string[] {
  const source = readFileSync(fileURLToPath(new URL(`../../src/${file}`, import.meta.url)), 'utf8');
  const [, body = ''] = source.split(declaration);
  const [own = ''] = body.slice(body.indexOf('{\n')).split(/^\}/m);
  return [...own.matchAll(/^ {2}(\w+)\??[:(]/gm)].map(([, name = '']) => name);
}

it('docs/add-ons.md names every key of a feature and no others', () => {
  const keys = membersOf('core/services/feature.ts', 'export type Feature = ');
  expect(keys).toContain('secondFactors');
  expect(namesIn(section('docs/add-ons.md', 'What a feature brings')).sort()).toEqual(keys.sort());
});

it('docs/add-ons.md names every member of a service and no others', () => {
  const described = membersOf('core/services/service.ts', 'type ServiceDescription = ');
  const declared = membersOf('core/services/service.ts', '> = ServiceDescription & ');
  expect(described).toContain('checkPermission');
  expect(declared).toContain('query');
  expect(namesIn(section('docs/add-ons.md', 'A service')).sort()).toEqual([...described, ...declared].sort());
});

it('docs/control-panels.md names every control panel that has settings', () => {
  const panels = assembleWith([])
    .panels.all()
    .filter(({ settings }) => settings.length > 0);
  expect(panels.length).toBeGreaterThan(20);
  const named = namesIn(section('docs/control-panels.md', 'The panels'));
  expect(panels.map(({ id }) => id).filter((id) => !named.includes(id))).toEqual([]);
});

it('docs/jobs.md names every action of a job and no others', () => {
  const actions = FEATURES.flatMap(({ jobActions = [] }) => jobActions.map(({ name }) => name));
  const [, table = ''] = section('docs/jobs.md', 'Actions').split('| `action` | `params` |');
  const rows = [...table.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name = '']) => name);
  expect(rows.sort()).toEqual(actions.sort());
});

// Those who read these pages have the source; all others have the package.
const OF_THE_SOURCE = [
  'docs/architecture.md',
  'docs/caching-inside.md',
  'docs/speed.md',
  'docs/speed-profile.md',
  'docs/scaling.md',
  'docs/dependencies.md',
];

it('no page for those who use the package leads them to files of the source', () => {
  const readers = PAGES.filter(({ path }) => !OF_THE_SOURCE.includes(path) && !path.includes('/decisions/'));
  const lines = readers.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line) => (/`src\/[\w./-]*`/.test(line) ? [`${path}: ${line}`] : [])),
  );
  // The package has the example, whose own files this page speaks of.
  expect(lines.filter((line) => !line.includes('`src/index.ts`') && !line.includes('`src/cut-ratings.ts`'))).toEqual(
    [],
  );
});

it('no table is torn by an empty line', () => {
  const torn = PAGES.flatMap(({ path, text }) => {
    const lines = text.replace(/^```[\s\S]*?^```$/gm, '').split('\n');
    const begins = (at: number): boolean => /^\|[ :|-]+\|$/.test(lines[at + 1] ?? '');
    return lines.flatMap((line, at) =>
      line.startsWith('|') && !(lines[at - 1] ?? '').startsWith('|') && !begins(at) ? [`${path}: ${line}`] : [],
    );
  });
  expect(torn).toEqual([]);
});

it('code of the pages takes from canopy only what it exports', async () => {
  const index = readFileSync(fileURLToPath(new URL('../../src/index.ts', import.meta.url)), 'utf8');
  const imports = PAGES.flatMap(({ text }) => [...text.matchAll(/^import \{([^}]*)\} from 'canopy-server';$/gm)]);
  const names = imports.flatMap(([, list = '']) => list.split(',').map((name) => name.trim().replace(/^type /, '')));
  expect(names.length).toBeGreaterThan(5);
  expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(index))).toEqual([]);
});

it('no page calls a function that registers parts, because no such function exists', () => {
  expect(PAGES.filter(({ text }) => /\bregister[A-Z]\w*\(/.test(text)).map(({ path }) => path)).toEqual([]);
});
