import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { packageFolder } from '../../src/lib/process.ts';
import { documents } from './documents.ts';

const text = documents().find(({ path }) => path === 'docs/architecture.md')?.text ?? '';
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
