import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEachEngine } from '../support/database.ts';
import { type Json, startTestSite, type TestSite } from '../support/site.ts';
import { done, runSetup } from './command-of-setup.ts';

const LINE = 'Text line (String)';
const TERMS = [
  { token: 'n', title: 'North' },
  { token: 's', title: 'South' },
  { token: 'e', title: 'East' },
];

describeEachEngine('a set-up on its way from site to site', (engine) => {
  let dev: TestSite;
  let staging: TestSite;
  let production: TestSite;
  let home: string;
  /** A checkout of git with the set-up and files of people in it. */
  let checkout: string;
  beforeAll(async () => {
    dev = await startTestSite(engine);
    staging = await startTestSite(engine);
    production = await startTestSite(engine);
    home = await mkdtemp(join(tmpdir(), 'canopy-promotion-'));
    checkout = join(home, 'checkout');
    await mkdir(join(checkout, '.git'), { recursive: true });
    await writeFile(join(checkout, '.git', 'index.json'), 'no set-up');
  });
  afterAll(async () => {
    for (const site of [dev, staging, production]) await site?.close();
    await rm(home, { recursive: true, force: true });
  });

  const exported = () => runSetup(dev, ['export', checkout], { options: { replace: true } });
  const brought = (site: TestSite, { code = 0, ...options }: Json = {}) =>
    runSetup(site, ['import', checkout], { options, code });
  const get = (site: TestSite, path: string): Promise<Json> => done(site, 'GET', path);
  const edit = async (path: string, change: (data: Json) => void): Promise<void> => {
    const data = JSON.parse(await readFile(join(checkout, path), 'utf8'));
    change(data);
    await writeFile(join(checkout, path), JSON.stringify(data));
  };
  const WORKFLOW = '/@workflows/simple_publication_workflow';

  beforeAll(async () => {
    await done(dev, 'POST', '/@vocabularies', { id: 'wings', title: 'Wings', items: TERMS });
    await done(dev, 'POST', '/@vocabularies', { id: 'floors', title: 'Floors', items: TERMS });
    await done(dev, 'POST', '/@roles', { id: 'Guide', title: 'Guide' });
    await done(dev, 'POST', '/@roles', { id: 'Porter', title: 'Porter' });
    await done(dev, 'POST', '/@groups', { groupname: 'porters', title: 'Porters', roles: ['Porter'] });
    await done(dev, 'PATCH', '/@permissions', { 'Add portal content': { Guide: true } });
    await done(dev, 'POST', '/@workflows', { id: 'spare_workflow', title: 'Spare', copy_of: 'one_state_workflow' });
    await done(dev, 'POST', '/@controlpanels/dexterity-types', { id: 'Room', title: 'Room' });
    await done(dev, 'POST', '/@types/Room', { factory: 'Choice', title: 'Wing', vocabulary: { '@id': 'wings' } });
    for (const title of ['Seats', 'Colour', 'Smell']) await done(dev, 'POST', '/@types/Room', { factory: LINE, title });
    await exported();
    for (const site of [staging, production]) await brought(site);
  });

  it('brings what was changed after the first time, and keeps what a site has changed since', async () => {
    await done(staging, 'PATCH', '/@controlpanels/site', { site_title: 'Staging' });
    await done(staging, 'PATCH', '/@roles/Guide', { title: 'Guide of the house' });
    await done(dev, 'PATCH', '/@types/Room/wing', { title: 'Wing of the house' });
    await done(dev, 'PATCH', '/@roles/Guide', { title: 'Guide of all' });
    await done(dev, 'PATCH', '/@roles/Porter', { title: 'Bearer' });
    await done(dev, 'PATCH', WORKFLOW, { title: 'Ours', states: { private: { title: 'Ours only' } } });
    const items = TERMS.map((term) => (term.token === 's' ? { ...term, title: 'South side' } : term));
    await done(dev, 'PATCH', '/@vocabularies/wings', { items: [...items, { token: 'w', title: 'West' }] });
    await exported();
    const lines = (await brought(staging, { code: 3 })).split('\n');
    expect(lines[0]).toBe(
      'Kept roles.json, Guide.title: the site has "Guide of the house", the profile wants "Guide of all".',
    );
    expect(lines.filter((line) => line.startsWith('Kept'))).toHaveLength(2);
    expect(lines).toContain('Kept as the site has them: 1 (exit code 3).');
    expect((await get(staging, '/@types/Room')).properties.wing.title).toBe('Wing of the house');
    const workflow = await get(staging, WORKFLOW);
    expect([workflow.title, workflow.states.private.title]).toEqual(['Ours', 'Ours only']);
    expect((await get(staging, '/@vocabularies/wings')).items.map(({ title }: Json) => title)).toEqual([
      ...['North', 'South side', 'East', 'West'],
    ]);
    expect((await get(staging, '/@roles/Porter')).title).toBe('Bearer');
    expect((await get(staging, '/@controlpanels/site')).data.site_title).toBe('Staging');
    expect(await brought(staging)).toBe('The site has this set-up already.\n');
    await brought(production);
    expect((await get(production, '/@roles/Guide')).title).toBe('Guide of all');
  });

  it('takes away what was taken away, and keeps what the site has changed or content has', async () => {
    const room = { '@type': 'Room', title: 'Hall', wing: 's', colour: 'red' };
    await done(staging, 'POST', '/', { ...room, id: 'hall' });
    await done(staging, 'PATCH', '/@vocabularies/floors', { items: [{ token: 'g', title: 'Ground' }] });
    for (const field of ['colour', 'smell']) await done(dev, 'DELETE', `/@types/Room/${field}`);
    await done(dev, 'PATCH', '/@vocabularies/wings', { items: [{ token: 'n', title: 'North' }] });
    await done(dev, 'DELETE', '/@vocabularies/floors');
    await done(dev, 'PATCH', '/@permissions', { 'Add portal content': { Guide: false } });
    await done(dev, 'DELETE', '/@roles/Guide');
    await done(dev, 'PATCH', '/@groups/porters', { roles: { Porter: false } });
    await done(dev, 'DELETE', '/@roles/Porter');
    await done(dev, 'DELETE', '/@workflows/spare_workflow');
    const before = await readdir(join(checkout, 'workflows'));
    await exported();
    expect(before).toContain('spare_workflow.json');
    expect(await readdir(join(checkout, 'workflows'))).not.toContain('spare_workflow.json');

    const dry = await brought(staging, { 'dry-run': true, code: 3 });
    const lines = await brought(staging, { code: 3 });
    expect(`${lines}Dry run: nothing was changed.\n`).toBe(dry);
    expect(lines).toContain(
      'Kept types/Room.json, properties.colour: the field stays, because 1 object has values in colour: /hall.',
    );
    expect(lines).toContain(
      'Kept vocabularies/wings.json, items: "s" stays, because 1 object has it in wing of the content type "Room": /hall.',
    );
    expect(lines).toContain('Kept roles.json, Guide: the site has');
    expect(lines).toMatch(/Removed roles\.json, Porter\.\n/);
    expect(lines).toMatch(/Removed workflows\/spare_workflow\.json\.\n/);
    expect(lines).toContain('Kept vocabularies/floors.json');
    expect(await get(staging, '/hall')).toMatchObject({ colour: 'red', wing: { token: 's', title: 'South side' } });
    const { properties, fieldsets } = await get(staging, '/@types/Room');
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(['colour', 'seats', 'wing']));
    expect(properties).not.toHaveProperty('smell');
    expect(fieldsets.flatMap(({ fields }: Json) => fields)).toContain('colour');
    expect((await get(staging, '/@vocabularies/floors')).items).toEqual([{ token: 'g', title: 'Ground' }]);
    expect((await staging.request('GET', '/@workflows/spare_workflow')).status).toBe(404);

    await brought(production);
    for (const path of ['/@vocabularies/floors', '/@roles/Guide', '/@roles/Porter', '/@workflows/spare_workflow'])
      expect((await production.request('GET', path)).status, path).toBe(404);
    expect((await get(production, '/@vocabularies/wings')).items).toHaveLength(1);
  });

  it('tries again to take away what was in use, and --overwrite says what it hides', async () => {
    expect(await brought(staging, { code: 3 })).toContain('properties.colour: the field stays');
    const lines = (await brought(staging, { overwrite: true })).split('\n');
    expect(lines[0]).toBe(
      'Hidden: 1 object has values in colour of the content type "Room", which are no longer served: /hall.',
    );
    expect(lines[1]).toContain(
      'Without a title: the term "s" of vocabularies/wings.json goes. 1 object has it in wing',
    );
    expect(await get(staging, '/hall')).not.toHaveProperty('colour');
    const [entry] = (await get(staging, '/@audit-log?action=set-up')).items;
    expect(entry.details.hidden).toEqual(lines.slice(0, 2));
    expect(await brought(staging)).toBe('The site has this set-up already.\n');
    // The value is there when the field comes back.
    await done(dev, 'POST', '/@types/Room', { factory: LINE, title: 'Colour' });
    await exported();
    await brought(staging);
    expect((await get(staging, '/hall')).colour).toBe('red');
  });

  it('says where content of a state goes that a workflow loses', async () => {
    await done(dev, 'PATCH', WORKFLOW, {
      states: {
        private: { transitions: ['publish', 'submit', 'store'] },
        stored: { title: 'Stored', transitions: [], permissions: { View: { roles: ['Manager'], acquire: false } } },
      },
      transitions: { store: { title: 'Store', new_state: 'stored' } },
    });
    await exported();
    await brought(staging);
    await done(staging, 'POST', '/', { '@type': 'Page', title: 'Old', id: 'old' });
    await done(staging, 'POST', '/old/@workflow/store', {});
    await done(dev, 'PATCH', WORKFLOW, {
      states: { private: { transitions: ['publish', 'submit'] }, stored: null },
      transitions: { store: null },
    });
    await exported();
    const [first] = (await brought(staging)).split('\n');
    expect(first).toBe(
      'Moved: the workflow "simple_publication_workflow" has no state "stored": content of the type "Page" in it (1 object) gets the state "private".',
    );
  });

  it('is refused with an unknown name, and nothing is changed', async () => {
    const { properties } = await get(staging, '/@types/Room');
    await edit('types/Room.json', (data) => {
      data.properties.wing.vocabulary['@id'] = 'wongs';
    });
    await expect(brought(staging)).rejects.toThrow(
      'The field "wing" of the content type "Room" chooses from the vocabulary "wongs", which this site does not have.',
    );
    await exported();
    await edit('groups.json', (groups) => groups.push({ id: 'x', title: 'X', roles: ['Giude'] }));
    await expect(brought(staging)).rejects.toThrow('groups.json: The group "x" names the role "Giude"');
    await exported();
    expect((await get(staging, '/@types/Room')).properties).toEqual(properties);
  });

  it('replaces its own files in a folder, and leaves those of people', async () => {
    await writeFile(join(checkout, 'README.md'), 'Ours');
    await writeFile(join(checkout, 'types', 'Gone.json'), '{}');
    await exported();
    expect(await readdir(checkout)).toEqual(expect.arrayContaining(['.git', 'README.md', 'roles.json']));
    expect(await readdir(join(checkout, 'types'))).not.toContain('Gone.json');
    expect(await readFile(join(checkout, '.git', 'index.json'), 'utf8')).toBe('no set-up');
    await expect(runSetup(dev, ['export', checkout])).rejects.toThrow('It has an earlier export: --replace');
    const other = join(home, 'other');
    await mkdir(other);
    await writeFile(join(other, 'metadata.json'), '{"id": "village"}');
    await expect(runSetup(dev, ['export', other], { options: { replace: true } })).rejects.toThrow('no earlier export');
    expect(await readdir(other)).toEqual(['metadata.json']);
  });

  it('leaves kinds alone that the folder says nothing of', async () => {
    await exported();
    await brought(production);
    await rm(join(checkout, 'roles.json'));
    await rm(join(checkout, 'permissions.json'));
    await rm(join(checkout, 'vocabularies'), { recursive: true });
    await edit('metadata.json', ({ order }) => {
      delete order.vocabularies;
    });
    const { items } = await get(production, '/@vocabularies/wings');
    expect(await brought(production)).not.toContain('Removed');
    expect((await get(production, '/@vocabularies/wings')).items).toEqual(items);
  });

  it('has all values whole for programs, except secrets', async () => {
    await exported();
    const description = `${'A long text. '.repeat(50)}End`;
    await done(dev, 'PATCH', '/@controlpanels/dexterity-types/Room', { description });
    await exported();
    expect(await brought(production, { 'dry-run': true })).toContain('…');
    const report = JSON.parse(await brought(production, { 'dry-run': true, json: true }));
    expect([report.dry_run, report.kept, report.losses]).toEqual([true, 0, []]);
    const [change] = report.pieces.find(({ id }: Json) => id === 'Room').changes;
    expect(change).toMatchObject({ key: 'description', to: description });
  });
});
