import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { catalogs, translate } from '../../src/i18n/translate.ts';

const WORKFLOWS = join(import.meta.dirname, '../../profiles/default/workflows');

/** The titles of all states and transitions that the profile brings. */
function workflowTitles(): string[] {
  type Titled = Record<string, { title: string }>;
  return readdirSync(WORKFLOWS).flatMap((name) => {
    const { states, transitions }: { states: Titled; transitions: Titled } = JSON.parse(
      readFileSync(join(WORKFLOWS, name), 'utf8'),
    );
    return [...Object.values(states), ...Object.values(transitions)].map(({ title }) => title);
  });
}

type Titled = { title: string };
type Part = Titled & { fieldsets?: Titled[]; properties?: Record<string, Titled> };

const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

/** The titles of types with their fields and fieldsets, of the fields of behaviors, of roles and of actions. */
function profileTitles(): string[] {
  const folder = join(import.meta.dirname, '../../profiles');
  const partsIn = (path: string): Part[] =>
    readdirSync(join(folder, path)).map((name) => readJson(join(folder, path, name)));
  const types = [...partsIn('default/types'), ...partsIn('plone/types')];
  const schemas = [...types, ...partsIn('default/behaviors')];
  const actions: Record<string, Titled[]> = readJson(join(folder, 'default/actions.json'));
  const roles: Titled[] = readJson(join(folder, 'default/roles.json'));
  const inside = schemas.flatMap(({ fieldsets = [], properties = {} }) => [...fieldsets, ...Object.values(properties)]);
  return [...types, ...inside, ...roles, ...Object.values(actions).flat()].map(({ title }) => title);
}

describe.each([...catalogs])('the texts in %s', (_, messages) => {
  it('are the same ones as in every other language, and none is empty', () => {
    const [first = {}] = catalogs.values();
    expect(Object.keys(messages).sort()).toEqual(Object.keys(first).sort());
    for (const text of Object.values(messages)) expect(text).toMatch(/^\S(?:.*\S)?$/u);
  });

  it('have all types, fields, roles and actions of the profiles', () => {
    expect(profileTitles().length).toBeGreaterThan(90);
    expect(profileTitles().filter((title) => !Object.hasOwn(messages, title))).toEqual([]);
  });

  it('have all states and transitions of the profile', () => {
    expect(workflowTitles().length).toBeGreaterThan(10);
    expect(workflowTitles().filter((title) => !Object.hasOwn(messages, title))).toEqual([]);
  });
});

test.each([
  ['Published', 'nl', 'Gepubliceerd'],
  ['Published', 'nl-BE', 'Gepubliceerd'],
  ['Published', 'NL', 'Gepubliceerd'],
  ['Published', 'en', 'Published'],
  ['Published', 'tlh', 'Published'],
  ['Published', '', 'Published'],
  ['A title of a site', 'nl', 'A title of a site'],
  ['constructor', 'nl', 'constructor'],
  ['', 'nl', ''],
])('%j in %j is %j', (text, language, translated) => {
  expect(translate(text, language)).toBe(translated);
});
