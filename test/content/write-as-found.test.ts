import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LookupResult, locate, locateForWrite, wayOf } from '../../src/core/content/locate.ts';
import { compareChildless } from '../../src/core/content/statements/found-way.ts';
import { updateContent } from '../../src/core/content/update-content.ts';
import { writeAsFound } from '../../src/core/content/write-as-found.ts';
import type { Transaction } from '../../src/database/database.ts';
import { describeEachEngine } from '../support/database.ts';
import { createTestKernel } from '../support/site.ts';
import { ADMIN } from '../tree/people.ts';
import { make } from './make.ts';

describeEachEngine('a write that relies on an earlier finding', (engine) => {
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

  /** Writes at the path of a finding. Returns the findings with which the work ran, and what it found. */
  async function write(before: LookupResult, path: string) {
    const relied: (LookupResult | undefined)[] = [];
    const found = await writeAsFound(site.kernel.db, before, async (tx, known) => {
      relied.push(known);
      return locateForWrite(site.kernel, path, tx, 'change', known);
    });
    return { relied, found };
  }

  it('runs once while nothing of it changes', async () => {
    const before = await locate(site.kernel, '/folder/inner');
    await make(site.kernel, '/folder', { id: 'beside' });
    const { relied, found } = await write(before, '/folder/inner');
    expect(relied).toEqual([before]);
    expect(found).toBe(before);
  });

  it('looks at another path', async () => {
    const before = await locate(site.kernel, '/folder/inner');
    const { found } = await write(before, '/folder');
    expect(found.resolved?.object.path).toBe('/folder');
  });

  const rejecting = (title: string, seen: unknown[]) => async (tx: Transaction, known: LookupResult | undefined) => {
    const { resolved } = await locateForWrite(site.kernel, '/folder/inner', tx, 'change', known);
    seen.push(resolved?.object.title);
    if (resolved?.object.title === title) throw new Error(`Not while it is ${title}`);
    return resolved?.object.title;
  };

  it('is not rejected by what has changed since', async () => {
    await change('/folder/inner', { title: 'Old' });
    const before = await locate(site.kernel, '/folder/inner');
    await change('/folder/inner', { title: 'New' });
    const seen: unknown[] = [];
    expect(await writeAsFound(site.kernel.db, before, rejecting('Old', seen))).toBe('New');
    expect(seen).toEqual(['Old', 'New']);
  });

  it('is rejected once by what is still so', async () => {
    await change('/folder/inner', { title: 'Same' });
    const before = await locate(site.kernel, '/folder/inner');
    const seen: unknown[] = [];
    const written = writeAsFound(site.kernel.db, before, rejecting('Same', seen));
    await expect(written).rejects.toThrow('Not while it is Same');
    expect(seen).toEqual(['Same']);
  });

  describe.each<[string, () => Promise<unknown>]>([
    ['a change of the object', () => change('/folder/inner', { title: 'Other' })],
    ['a change of its container', () => change('/folder', { title: 'Container' })],
    ['a change that leaves the values', () => run(`update content set name = name where path = '/folder/inner'`)],
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
      const { found } = await write(before, '/folder/inner');
      const present = await locate(site.kernel, '/folder/inner');
      expect(found.resolved).toEqual(present.resolved);
      expect(found.state).toEqual(present.state);
      expect(found).not.toBe(before);
    });
  });

  describe('a comparison before the commit', () => {
    /** Says if an object is as it was found at the end of a transaction in which `work` runs. */
    async function stands(id: string, work: (tx: Transaction, oid: number) => Promise<unknown>): Promise<boolean> {
      const path = await make(site.kernel, '/', { '@type': 'Folder', id });
      let isSame = false;
      await site.kernel.db.transaction(async (tx) => {
        const found = await locate(site.kernel, path, tx);
        const way = wayOf(found, path);
        if (!way) throw new Error('The object is not found');
        await work(tx, way.oid);
        await compareChildless(tx, way, () => {
          isSame = true;
        });
        expect(isSame).toBe(false);
      });
      return isSame;
    }

    it('finds an object that nothing has happened to', async () => {
      expect(await stands('same', async () => undefined)).toBe(true);
    });

    it('finds a change by the same transaction', async () => {
      const owner = { text: `update content set owner = 'other' where oid = $1` };
      expect(await stands('changed', (tx, oid) => tx.query({ ...owner, values: [oid] }))).toBe(false);
    });

    it('finds a child', async () => {
      const child = `insert into content (uid, parent, name, path, position, type, owner, created, modified, local_roles, inherit_roles, fields)
        select gen_random_uuid()::text, oid, 'child', path || '/child', 1, type, owner, created, modified, local_roles, inherit_roles, fields
        from content where oid = $1`;
      expect(await stands('parent', (tx, oid) => tx.query({ text: child, values: [oid] }))).toBe(false);
    });
  });
});
