import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadProfile, profilesIn } from '../../src/core/configuration/profiles/profile.ts';
import { buildSite } from '../../src/core/configuration/site/build-site.ts';
import { installSite } from '../../src/core/profiles/install-site.ts';
import { declaredIndexes } from '../../src/core/search/indexes/declared.ts';
import { callerFor } from '../../src/core/security/caller.ts';
import { packageFolder } from '../../src/lib/process/process.ts';
import { quickestEngine } from '../support/database.ts';
import { registries } from '../support/registries.ts';
import { createTestKernel } from '../support/site.ts';

const CATALOG = {
  indexes: [
    { name: 'place', type: 'string', attr: 'location', title: 'Place' },
    { name: 'people', type: 'string[]', attr: 'attendees' },
  ],
  metadata: [{ name: 'people', attr: 'attendees' }],
};
const ADMIN = callerFor({ id: 'admin', login: 'admin', fullname: '', roles: ['Manager'], groups: [] });

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'canopy-profiles-'));
  await cp(packageFolder('profiles'), folder, { recursive: true });
  for (const [id, catalog] of Object.entries({
    village: CATALOG,
    broken: { indexes: [{ name: 'start', type: 'date' }] },
  })) {
    await mkdir(join(folder, id));
    await writeFile(
      join(folder, id, 'metadata.json'),
      JSON.stringify({ id, title: id, version: '1', extends: 'plone' }),
    );
    await writeFile(join(folder, id, 'catalog.json'), JSON.stringify(catalog));
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('the catalog.json of a profile declares indexes and columns of all types that have the field', () => {
  const { types } = buildSite('1', loadProfile('village', profilesIn(folder)).rows, registries);
  expect([...declaredIndexes(types).keys()].sort()).toEqual(['people', 'place']);
  expect(types.get('Event')?.indexes.map(({ name, kind }) => [name, kind])).toEqual([
    ['place', 'field'],
    ['people', 'keyword'],
  ]);
  expect(types.get('Document')?.indexes).toEqual([]);
  expect(types.get('Event')?.columns.get('people')).toBe('attendees');
  expect(types.get('Document')?.columns.get('people')).toBeNull();
});

it('a profile without catalog.json declares no indexes', () => {
  for (const name of ['default', 'plone'])
    expect([...declaredIndexes(buildSite('1', loadProfile(name).rows, registries).types).keys()]).toEqual([]);
});

it('a profile with invalid declarations of indexes is not installed', async () => {
  const { kernel, close } = await createTestKernel(quickestEngine());
  try {
    const profile = loadProfile('broken', profilesIn(folder));
    const install = kernel.db.transaction((tx) => installSite(kernel, tx, profile, ADMIN));
    await expect(install).rejects.toThrow('The field "start" is indexed already: start.');
    expect([...declaredIndexes((await kernel.sites.current()).types)]).toEqual([]);
  } finally {
    await close();
  }
});
