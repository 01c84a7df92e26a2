import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEachEngine } from '../support/database.ts';
import { PAGE } from '../support/profiles.ts';
import { type Json, startTestSite, type TestSite } from '../support/site.ts';
import { done, runSetup } from './command-of-setup.ts';

const LINE = 'Text line (String)';
const CHOICES = { items: [{ token: 'n', title: 'North' }] };

describeEachEngine('the set-up of a site in a folder', (engine) => {
  let one: TestSite;
  let other: TestSite;
  let folder: string;
  beforeAll(async () => {
    one = await startTestSite(engine);
    other = await startTestSite(engine);
    folder = await mkdtemp(join(tmpdir(), 'canopy-setup-'));
  });
  afterAll(async () => {
    await one?.close();
    await other?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const run = (of: TestSite, operands: string[], options: Json = {}, code = 0): Promise<string> =>
    runSetup(of, operands, { options, code });
  const read = async (site: TestSite, path: string): Promise<Json> =>
    JSON.parse((await site.request('GET', path)).text.replaceAll(site.url, ''));
  const READ = [
    '/@types',
    '/@types/Recipe',
    '/@roles',
    '/@permissions',
    '/@workflows/simple_publication_workflow',
    '/@actions',
    '/@vocabularies/regions',
    '/@controlpanels/navigation',
    '/@groups/cooks',
    '/@controlpanels/content-rules/welcome',
  ];
  const all = async (site: TestSite): Promise<Json[]> => {
    const found: Json[] = [];
    for (const path of READ)
      found.push(path.includes('navigation') ? (await read(site, path)).data : await read(site, path));
    return found;
  };

  it('is exported whole, except secrets and data that are not set-up', async () => {
    await done(one, 'POST', '/@controlpanels/dexterity-types', { id: 'Recipe', title: 'Recipe' });
    await done(one, 'POST', '/@types/Recipe', {
      factory: 'Object List',
      title: 'Ingredients',
      schema: { properties: { name: { factory: LINE, title: 'Name', required: true } } },
    });
    await done(one, 'POST', '/@roles', { id: 'Cook', title: 'Cook' });
    await done(one, 'PATCH', '/@permissions', { 'Add portal content': { Cook: true } });
    await done(one, 'POST', '/@vocabularies', { id: 'regions', title: 'Regions', ...CHOICES });
    await done(one, 'POST', '/@actions/user', { id: 'kitchen', title: 'Kitchen', url: '/kitchen' });
    await done(one, 'PATCH', '/@controlpanels/navigation', { displayed_types: [PAGE, 'Recipe'] });
    await done(one, 'PATCH', '/@controlpanels/mail', { smtp_host: 'mail.example.org', smtp_pass: 'very-secret-77' });
    await done(one, 'POST', '/@groups', { groupname: 'cooks', title: 'Cooks', roles: ['Cook'] });
    await done(one, 'POST', '/@controlpanels/content-rules', { title: 'Welcome', event: 'onAfterAdd' });
    await done(one, 'PATCH', '/@workflows/simple_publication_workflow', { title: 'Our workflow' });
    const printed = await run(one, ['export', join(folder, 'out')]);
    expect(printed).toContain('Left out: the setting mail.smtp_pass, which is secret.');
    const settings = await readFile(join(folder, 'out', 'settings.json'), 'utf8');
    expect(settings).toContain('mail.example.org');
    expect(settings).not.toContain('very-secret-77');
    expect(JSON.parse(await readFile(join(folder, 'out', 'types', 'Recipe.json'), 'utf8')).properties).toHaveProperty(
      'ingredients',
    );
    await expect(run(one, ['export', join(folder, 'out')])).rejects.toThrow('is not empty');
  });

  it('makes another site the same, once a dry run has said what changes', async () => {
    const before = await read(other, '/@permissions');
    await done(other, 'PATCH', '/@controlpanels/mail', { smtp_pass: 'its-own-secret' });
    const planned = await run(other, ['import', join(folder, 'out')], { 'dry-run': true });
    expect(planned).not.toContain('smtp_pass');
    expect(planned).toContain('Added types/Recipe.json.');
    expect(planned).toContain('Dry run: nothing was changed.');
    expect([(await other.request('GET', '/@types/Recipe')).status, await read(other, '/@permissions')]).toEqual([
      404,
      before,
    ]);
    const lines = await run(other, ['import', join(folder, 'out')]);
    expect(`${lines}Dry run: nothing was changed.\n`).toBe(planned);
    expect(await all(other)).toEqual(await all(one));
    expect(await run(other, ['import', join(folder, 'out')])).toBe('The site has this set-up already.\n');
    const made = await other.request('POST', '/', { json: { '@type': 'Recipe', title: 'Soup', ingredients: [{}] } });
    expect(made.body.errors).toEqual([expect.objectContaining({ field: 'ingredients.0.name' })]);
    const [entry] = (await other.request('GET', '/@audit-log?action=set-up')).body.items;
    expect(entry.details.names).toContain('type Recipe');
  });

  it('leaves what the other site has changed by itself, unless it is to win', async () => {
    await done(other, 'PATCH', '/@controlpanels/site', { site_title: 'The other site' });
    await done(one, 'PATCH', '/@controlpanels/site', { site_title: 'The one site' });
    await run(one, ['export', join(folder, 'next')]);
    const kept = await run(other, ['import', join(folder, 'next')], {}, 3);
    expect(kept).toContain('Kept settings.json, site.site_title: the site has "The other site"');
    const changed = await run(other, ['import', join(folder, 'next')], { overwrite: true });
    expect(changed).toContain('Changed settings.json, site.site_title: "The other site" becomes "The one site".');
  });

  it('has the order of its folder, and the folder that of the site', async () => {
    const ids = async (site: TestSite) => (await read(site, '/@workflows/simple_publication_workflow')).types;
    await run(one, ['export', join(folder, 'ordered')]);
    const file = join(folder, 'ordered', 'metadata.json');
    const metadata = JSON.parse(await readFile(file, 'utf8'));
    expect(metadata.order.types.at(-1)).toBe('Recipe');
    metadata.order.types.reverse();
    await writeFile(file, JSON.stringify(metadata));
    const before = await ids(other);
    expect(await run(other, ['import', join(folder, 'ordered')])).toContain('Changed the order: type.');
    expect(await ids(other)).toEqual([...before].reverse());
    expect(await run(other, ['import', join(folder, 'ordered')])).not.toContain('Changed the order');
    metadata.order = { types: [PAGE], colours: [] };
    await writeFile(file, JSON.stringify(metadata));
    await expect(run(other, ['import', join(folder, 'ordered')])).rejects.toThrow('"colours" is no folder');
  });
});
