import { expect, it } from 'vitest';
import type { Transaction, TransactionOptions } from '../../../src/database/database.ts';
import { describeEachEngine } from '../../support/database.ts';
import { ForwardingDatabase } from '../../support/forwarding-database.ts';
import { freshSite, stored } from '../import-helpers.ts';
import { updateStored } from './edit-here.ts';
import { add, edit, importNow, move, type OldSite, oldSite, remove } from './old-site.ts';

/** Ends with an error at a transaction, as if the program were killed there: all transactions before it stay. */
class KilledDatabase extends ForwardingDatabase {
  left = Number.POSITIVE_INFINITY;

  override transaction<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T> {
    this.left -= 1;
    if (this.left < 0) return Promise.reject(new Error('killed'));
    return super.transaction(work, options);
  }
}

function monthOf(mark: string): { site: OldSite; change: () => void } {
  const uid = (name: string) => `${mark}-${name}`;
  const site = oldSite();
  add(site, { uid: mark, type: 'Folder' });
  for (const folder of ['f', 'g', 'h']) add(site, { uid: uid(folder), id: folder, in: mark, type: 'Folder' });
  for (const page of ['a', 'b', 'c', 'd', 'e']) add(site, { uid: uid(page), id: page, in: uid('f') });
  const change = () => {
    for (const page of ['a', 'c', 'd']) edit(site, uid(page), { title: `new ${page}`, description: 'there' });
    add(site, { uid: uid('new'), id: 'new', in: uid('g'), type: 'Folder' });
    move(site, uid('b'), { in: uid('new') });
    move(site, uid('c'), { id: 'x' });
    move(site, uid('d'), { id: 'c' });
    move(site, uid('c'), { id: 'd' });
    remove(site, uid('e'));
    remove(site, uid('h'));
    site.beside = { 'export_redirects.json': { [`/old-${mark}`]: `/${mark}/f` } };
  };
  return { site, change };
}

describeEachEngine('an import of a newer export that is interrupted', (engine) => {
  it('It ends in the same state when it is started again, wherever it was killed.', { timeout: 600_000 }, async () => {
    let database: KilledDatabase | undefined;
    const { kernel } = await freshSite(engine, { wrap: (db) => (database = new KilledDatabase(db)) });
    const seen = async (mark: string) =>
      [...(await stored(kernel)).values()].flatMap(({ path, uid, fields, state }) =>
        path.startsWith(`/${mark}/`)
          ? [[path, uid, fields.title, fields.description, state].join(' ').replaceAll(mark, '')]
          : [],
      );
    /** Imports again, killed before the transaction with this number; says if it came so far. */
    const round = async (number: number) => {
      const mark = `k${number}k`;
      const { site, change } = monthOf(mark);
      await importNow(kernel, site);
      await updateStored(kernel, `/${mark}/f/a`, { description: 'here' });
      change();
      if (database) database.left = number;
      const killed = await importNow(kernel, site, 'keep').then(
        () => false,
        (error: unknown) => error instanceof Error && error.message === 'killed',
      );
      if (database) database.left = Number.POSITIVE_INFINITY;
      if (killed) await importNow(kernel, site, 'keep');
      return { killed, seen: await seen(mark) };
    };
    const whole = (await round(1000)).seen;
    expect(whole).toHaveLength(7);
    for (let number = 0; ; number += process.env.TEST_SLOW === undefined ? 5 : 1) {
      const { killed, seen: result } = await round(number);
      expect(result, `killed before transaction ${number}`).toEqual(whole);
      if (!killed) break;
    }
  });
});
