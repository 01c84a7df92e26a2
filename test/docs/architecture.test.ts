import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { packageFolder } from '../../src/lib/process/process.ts';
import { documents } from './documents.ts';

const textOf = (wanted: string): string => documents().find(({ path }) => path === wanted)?.text ?? '';
const text = textOf('docs/architecture.md');
const ROOT = packageFolder('');

it('docs/architecture.md names only existing files', () => {
  const paths = [...text.matchAll(/`((?:src|test|migrations)\/[^`]*)`/g)].map(([, path = '']) => path);
  expect(paths.length).toBeGreaterThan(20);
  expect(paths.filter((path) => !existsSync(`${ROOT}/${path}`))).toEqual([]);
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
