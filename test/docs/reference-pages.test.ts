import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FEATURES } from '../../src/app/features.ts';
import { packageFolder } from '../../src/lib/process/process.ts';
import { catalogPage, panelsPage, piecesPage, typesPage } from './reference/configuration.ts';
import { coreNames, corePage, INTERNAL } from './reference/core.ts';
import { eventsPage } from './reference/events.ts';
import { contract, facePage, HANDLES } from './reference/face.ts';
import { servicePages } from './reference/services.ts';

const FOLDER = packageFolder('docs/reference');

/** The pages that the program writes, by their files: `npm run docs:reference`. */
const PAGES = new Map([
  ...servicePages(),
  ['panels.md', panelsPage()],
  ['types.md', typesPage()],
  ['catalog.md', catalogPage()],
  ['pieces.md', piecesPage()],
  ['events.md', eventsPage()],
  ['face.md', facePage()],
  ['core.md', corePage()],
]);

describe('docs/reference', () => {
  it.each([...PAGES])('%s is the page that the program writes', async (file, text) => {
    await expect(text).toMatchFileSnapshot(`${FOLDER}/${file}`);
  });

  it('docs/reference has no other pages', () => {
    expect(readdirSync(FOLDER).sort()).toEqual([...PAGES.keys()].sort());
  });

  it('each service is on one page', () => {
    const all = FEATURES.flatMap(({ services = [] }) => services);
    const parts = [...servicePages().values()].flatMap((text) => text.match(/^### /gm) ?? []);
    expect(parts).toHaveLength(all.length);
  });

  it('each name of the contract has a purpose', () => {
    const all = contract().flatMap((one) => [one, ...one.members]);
    expect(all.length).toBeGreaterThan(150);
    expect(all.filter(({ declaration }) => declaration?.purpose === '').map(({ name }) => name)).toEqual([]);
    expect([...HANDLES].filter((handle) => !all.some(({ name }) => name === handle))).toEqual([]);
  });

  it('at most a tenth of the names of the core is internal, each for a reason', () => {
    const names = coreNames().map(({ name }) => name);
    expect(Object.keys(INTERNAL).filter((name) => !names.includes(name))).toEqual([]);
    expect(Object.values(INTERNAL).every((reason) => reason.length > 10)).toBe(true);
    expect(Object.keys(INTERNAL).length).toBeLessThanOrEqual(names.length / 10);
  });

  it('each name of the core has a purpose, but not each of its members', () => {
    const all = coreNames();
    expect(all.length).toBeGreaterThan(150);
    expect(all.filter(({ declaration }) => (declaration?.purpose ?? '') === '').map(({ name }) => name)).toEqual([]);
  });

  it('most services say who may call them and have an example that is run', () => {
    const text = [...servicePages().values()].join('');
    const services = text.match(/^### /gm)?.length ?? 0;
    expect(text.match(/ Who: /g)?.length ?? 0).toBeGreaterThan(services * 0.9);
    expect(text.match(/^- Example: /gm)?.length ?? 0).toBeGreaterThan(services / 3);
  });

  it('the pages name no file of the source that the package does not have', () => {
    const pages = readdirSync(FOLDER).map((file) => readFileSync(`${FOLDER}/${file}`, 'utf8'));
    expect(pages.flatMap((text) => text.match(/`src\/[\w./-]*`/g) ?? [])).toEqual([]);
  });
});
