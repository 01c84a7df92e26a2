import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { locate, locateAgain } from '../../src/core/content/locate.ts';
import { updateContent } from '../../src/core/content/update-content.ts';
import { describeEachEngine } from '../support/database.ts';
import { createTestKernel } from '../support/site.ts';
import { ADMIN } from '../tree/people.ts';
import { make } from './make.ts';

describeEachEngine('a path that is looked up again', (engine) => {
  let site: Awaited<ReturnType<typeof createTestKernel>>;
  beforeAll(async () => {
    site = await createTestKernel(engine);
    await make(site.kernel, '/', { '@type': 'Folder', id: 'folder' });
    await make(site.kernel, '/folder', { '@type': 'Folder', id: 'inner', title: 'Inner' });
  });
  afterAll(() => site?.close());

  const change = (path: string, input: Record<string, unknown>) =>
    updateContent(site.kernel, { caller: ADMIN, path, input, bases: [], lockToken: undefined });
  const run = (text: string) => site.kernel.db.query({ text });

  it('is the same finding while nothing of it changes', async () => {
    const before = await locate(site.kernel, '/folder/inner');
    await make(site.kernel, '/folder', { id: 'beside' });
    const again = await locateAgain(site.kernel, '/folder/inner', { before });
    expect(again.resolved?.object.fields).toBe(before.resolved?.object.fields);
    expect(again).toEqual(await locate(site.kernel, '/folder/inner'));
  });

  it('is found anew at another path', async () => {
    const before = await locate(site.kernel, '/folder/inner');
    const other = await locateAgain(site.kernel, '/folder', { before });
    expect(other.resolved?.object.path).toBe('/folder');
  });

  describe.each<[string, () => Promise<unknown>]>([
    ['a change of the object', () => change('/folder/inner', { title: 'Other' })],
    ['a change of its container', () => change('/folder', { title: 'Container' })],
    ['a change that leaves the values', () => run(`update content set name = name where path = '/folder/inner'`)],
    ['a first child', () => make(site.kernel, '/folder/inner', { id: 'child' })],
    [
      'another configuration',
      () => run(`update site_state set value = (value::bigint + 1)::text where name = 'configuration'`),
    ],
    [
      'a check-out',
      () =>
        run(`insert into working_copy (copy, baseline, lock) select c.oid, b.oid, '{}' from content c, content b
          where c.path = '/folder/beside' and b.path = '/folder/inner'`),
    ],
    ['a move', () => change('/folder/inner', { id: 'renamed' })],
  ])('%s', (_, happens) => {
    it('is seen', async () => {
      const before = await locate(site.kernel, '/folder/inner');
      await happens();
      const [again, present] = await Promise.all([
        locateAgain(site.kernel, '/folder/inner', { before }),
        locate(site.kernel, '/folder/inner'),
      ]);
      expect(again.resolved).toEqual(present.resolved);
      expect(again.state).toEqual(present.state);
    });
  });

  it('a second change by the same transaction is seen', async () => {
    const path = await make(site.kernel, '/', { id: 'twice' });
    await site.kernel.db.transaction(async (tx) => {
      const rename = (name: string) =>
        tx.query({ text: `update content set owner = $1 where path = $2`, values: [name, path] });
      await rename('one');
      const before = await locate(site.kernel, path, tx);
      await rename('two');
      const again = await locateAgain(site.kernel, path, { db: tx, before });
      expect(again.resolved?.object.owner).toBe('two');
    });
  });
});
