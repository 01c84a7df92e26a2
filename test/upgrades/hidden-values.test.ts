import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { upgradeCommand } from '../../src/features/upgrades/command.ts';
import { describeEachEngine } from '../support/database.ts';
import { runCommandOn } from '../support/run-canopy.ts';
import type { Json } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';
import { copyProfile, type ProfileCopy } from './profile-copy.ts';

const LINE = { type: 'string', factory: 'Text line (String)' };
/** A behavior with these fields. */
const behavior = (id: string, fields: string[]): Json => ({
  ...{ id, title: id, description: '' },
  fieldsets: [{ id: 'default', title: 'Default', fields }],
  properties: Object.fromEntries(fields.map((field) => [field, { title: field, ...LINE }])),
  required: [],
});

describeEachEngine('an upgrade that takes fields away', (engine) => {
  let profile: ProfileCopy;
  beforeAll(async () => {
    profile = await copyProfile();
    await profile.write('behaviors/tower.json', behavior('tower', ['height', 'weight']));
    await profile.write('behaviors/bell.json', behavior('bell', ['tone', 'rim']));
    await profile.write('behaviors/clock.json', behavior('clock', ['hands']));
    await profile.edit('types/Page.json', (type) => {
      type.behaviors.push('tower', 'bell', 'clock');
      type.properties = { motto: { title: 'Motto', ...LINE }, shelf: { title: 'Shelf', ...LINE } };
      type.fieldsets = [{ id: 'more', title: 'More', fields: ['shelf', 'motto'] }];
    });
  });
  afterAll(() => profile?.close());
  const site = useTestSite(engine, () => ({ profile: 'village', profiles: profile.profiles }));
  const send = async (method: string, path: string, json?: Json): Promise<Json> => {
    const { status, text, body } = await site.request(method, path, json && { json });
    if (status >= 400) throw new Error(`${method} ${path}: ${text}`);
    return body;
  };
  const upgrade = async (json: Json = {}): Promise<string[]> =>
    (await send('POST', '/@upgrade', json)).report.split('\n');
  const PAGE = { height: '80 m', tone: 'a', motto: 'Higher' };

  it('keeps those that have values, says where they are, and takes the others away', async () => {
    for (const id of ['a', 'b', 'c', 'd']) await send('POST', '/', { '@type': 'Page', title: id, id, height: '80 m' });
    await send('POST', '/', { '@type': 'Page', title: 'e', id: 'e', ...PAGE });
    await send('POST', '/', { '@type': 'Page', title: 'f', id: 'f', height: '', hands: null });
    await profile.edit('types/Page.json', (type) => {
      type.behaviors = type.behaviors.filter((name: string) => name !== 'tower' && name !== 'clock');
      type.icon = '++icon++page';
      type.properties = {};
      type.fieldsets = [];
    });
    await profile.removeFile('behaviors/tower.json');
    await profile.removeFile('behaviors/clock.json');
    await profile.write('behaviors/bell.json', behavior('bell', ['rim']));
    await profile.release('1001');
    const dry = await upgrade({ dry_run: true });
    const lines = await upgrade();
    expect(dry.slice(1, -1)).toEqual(lines.slice(1, -1));
    const steps = lines.slice(3);
    expect(steps.filter((line) => line.startsWith('Kept'))).toEqual([
      'Kept behaviors/bell.json, properties.tone: the field stays, because 1 object has values in tone: /e.',
      'Kept types/Page.json, behaviors: "tower" stays, because 5 objects have values in height: /a, /b, /c and 2 more.',
      'Kept types/Page.json, properties.motto: the field stays, because 1 object has values in motto: /e.',
      'Kept behaviors/tower.json: it stays, because the content type "Page" has it.',
    ]);
    expect(steps).toContain('Removed behaviors/clock.json.');
    const last = steps.findLastIndex((line) => /^(?:Removed|Kept) /.test(line));
    expect(steps.findIndex((line) => /^(?:Added|Changed) /.test(line))).toBe(last + 1);
    expect(await send('GET', '/e')).toMatchObject(PAGE);
    const { properties, fieldsets } = await send('GET', '/@types/Page');
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(['height', 'weight', 'motto', 'tone', 'rim']));
    expect(properties).not.toHaveProperty('shelf');
    expect(properties).not.toHaveProperty('hands');
    expect(fieldsets.find(({ id }: Json) => id === 'more').fields).toEqual(['motto']);
  });

  it('leaves it to a Manager to hide them, and the audit log and the log of the server say so', async () => {
    const warn = vi.spyOn(site.kernel.log, 'warn');
    await send('PATCH', '/@controlpanels/dexterity-types/Page', { tower: false });
    const line =
      'Hidden: 5 objects have values in height of the content type "Page", which are no longer served: /a, /b, /c and 2 more.';
    expect(warn).toHaveBeenCalledWith(expect.objectContaining({ type: 'Page' }), line);
    expect(await send('GET', '/e')).not.toHaveProperty('height');
    const [entry] = (await send('GET', '/@audit-log?action=type')).items;
    expect(entry.details.hidden).toEqual([line]);
    await send('PATCH', '/@controlpanels/dexterity-types/Page', { tower: true });
    expect((await send('GET', '/e')).height).toBe('80 m');
  });

  it('is printed with all values whole by the command with --json', async () => {
    const description = `${'Words '.repeat(60)}End`;
    await profile.edit('types/Event.json', (type) => Object.assign(type, { description }));
    await profile.release('1002');
    const { out } = await runCommandOn(site.kernel, upgradeCommand, { options: { json: true } });
    const { upgraded, details } = JSON.parse(out);
    expect(upgraded).toBe(true);
    expect(details.flatMap(({ pieces }: Json) => pieces)).toEqual([
      expect.objectContaining({ id: 'Event', changes: [expect.objectContaining({ to: description })] }),
    ]);
  });
});
