import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Site } from '../../src/core/configuration/site/site.ts';
import { quickestEngine } from '../support/database.ts';
import { createTestKernel } from '../support/site.ts';
import { documents } from './documents.ts';

const text = documents().find(({ path }) => path === 'docs/content.md')?.text ?? '';
const section = (title: string): string => text.split(/^## /m).find((part) => part.startsWith(`${title}\n`)) ?? '';
const words = (line: string): string[] => [...line.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word);

/** The section of the document about a type. */
type Described = { folderish: boolean; workflow: boolean; fields: string[] };

function describedTypes(): Map<string, Described> {
  const preview = words(/^Preview means .*$/m.exec(text)?.[0] ?? '');
  const described = new Map<string, Described>();
  for (const row of section('Types').split('\n')) {
    const [, names = '', , folderish = '', workflow = '', own = ''] = row.split('|').map((cell) => cell.trim());
    if (!names.startsWith('`') || names === '`@type`') continue;
    const fields = [...words(own), ...(own.endsWith(', preview') ? preview : [])];
    for (const name of words(names))
      described.set(name, { folderish: folderish === 'yes', workflow: workflow === 'yes', fields });
  }
  return described;
}

describe('docs/content.md', () => {
  const described = describedTypes();
  const shared = new Set([...words(section('Fields of every object')), 'nextPreviousEnabled']);
  let test: Awaited<ReturnType<typeof createTestKernel>>;
  let site: Site;

  beforeAll(async () => {
    test = await createTestKernel(quickestEngine());
    site = await test.kernel.sites.current();
  });
  afterAll(() => test?.close());

  it('docs/content.md describes every type of the default profile and no others', () => {
    expect([...described.keys()].sort()).toEqual([...site.types.keys()].sort());
  });

  it.each([...described])(
    'docs/content.md says correctly whether %s is a container and has a workflow',
    (name, { folderish, workflow }) => {
      const type = site.types.get(name);
      expect({ folderish, workflow }).toEqual({
        folderish: type?.folderish,
        workflow: (type?.workflow ?? null) !== null,
      });
    },
  );

  it.each([...described])('docs/content.md names the own fields of %s and no others', (name, { fields }) => {
    const own =
      site.types
        .get(name)
        ?.fields.map((field) => field.name)
        .filter((field) => !shared.has(field)) ?? [];
    expect([...fields].sort()).toEqual(own.sort());
  });
});
