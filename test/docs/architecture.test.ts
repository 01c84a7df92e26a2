import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { packageFolder } from '../../src/lib/process/process.ts';
import { documents } from './documents.ts';

const textOf = (wanted: string): string => documents().find(({ path }) => path === wanted)?.text ?? '';
const text = textOf('docs/architecture.md');
const ROOT = packageFolder('');

it.each([
  ['docs/architecture.md', 60],
  ['docs/caching-inside.md', 10],
  ['src/README.md', 5],
])('%s names only existing files', (page, least) => {
  const text = readFileSync(`${ROOT}/${page}`, 'utf8');
  const paths = [...text.matchAll(/`((?:src|test|migrations|core|database|docs|app)\/[^`\s]*\.(?:ts|txt|sql))`/g)].map(
    ([, path = '']) => path,
  );
  expect(new Set(paths).size).toBeGreaterThan(least);
  expect(paths.filter((path) => !['', 'src/'].some((folder) => existsSync(`${ROOT}/${folder}${path}`)))).toEqual([]);
});

it('docs/architecture.md names every table and no others', () => {
  const schema = readFileSync(`${ROOT}/migrations/schema.sql`, 'utf8');
  const tables = [...schema.matchAll(/^table (\w+) \(/gm)].map(([, name = '']) => name);
  const section = /^## The tables$([\s\S]*?)^## /m.exec(text)?.[1] ?? '';
  const named = [...section.matchAll(/^\| (`[^|]*`) \|/gm)].flatMap(([, names = '']) => names.match(/\w+/g) ?? []);
  expect(named.sort()).toEqual(tables.sort());
});

it('CONTRIBUTING.md names only existing files', () => {
  const contributing = readFileSync(`${ROOT}/CONTRIBUTING.md`, 'utf8');
  const paths = [...contributing.matchAll(/`((?:src|test|features|core|examples)\/[\w./-]*)`/g)].map(
    ([, path = '']) => path,
  );
  const exists = (path: string) => ['', 'src/'].some((folder) => existsSync(`${ROOT}/${folder}${path}`));
  expect(paths.length).toBeGreaterThan(20);
  expect(paths.filter((path) => !exists(path))).toEqual([]);
});
