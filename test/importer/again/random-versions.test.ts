import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Kernel } from '../../../src/core/kernel/kernel.ts';
import { describeEachEngine } from '../../support/database.ts';
import { propertyRuns } from '../../support/property-runs.ts';
import { freshSite } from '../import-helpers.ts';
import { updateStored } from './edit-here.ts';
import { add, importNow, oldSite, save } from './old-site.ts';

/** A save: values that may be those of the save before, or none. */
const oneSave = fc.record(
  { title: fc.constantFrom('one', 'two', 'three'), description: fc.constantFrom('', 'short', 'long') },
  { requiredKeys: [] },
);

type VersionRow = { number: number; at: Date; actor: string; note: string; fields: string[]; replaced: object };

const versionsOf = (kernel: Kernel, uid: string): Promise<VersionRow[]> =>
  kernel.db.query<VersionRow>({
    text: `select v.number, v.at, v.actor, v.note, array(select unnest(v.fields) order by 1) as fields,
        case when v.number = max(v.number) over () then '{}' else v.replaced end as replaced
      from version v join content c on c.oid = v.content where c.uid = $1 order by v.number`,
    values: [uid],
  });

describeEachEngine('versions of newer exports, for random histories', (engine) => {
  it('Imports after each few saves make the same history as one import after all of them.', {
    timeout: 600_000,
  }, async () => {
    const { kernel } = await freshSite(engine, { profile: 'plone' });
    let round = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(oneSave, { maxLength: 4 }), { minLength: 1, maxLength: 4 }),
        async (months) => {
          round += 1;
          const [bit, whole] = [oldSite(), oldSite()];
          const uids = [`bit-${round}`, `whole-${round}`] as const;
          const start = { title: 'one', description: '', changeNote: 'Begun', changeActor: 'jane' };
          add(bit, { uid: uids[0], ...start });
          add(whole, { uid: uids[1], ...start });
          await importNow(kernel, bit);
          let saves = 0;
          for (const month of months) {
            for (const changes of month) {
              saves += 1;
              const modified = new Date(Date.UTC(2024, 4, saves)).toISOString();
              const more = {
                ...changes,
                modified,
                changeNote: `Save ${saves}`,
                changeActor: saves % 2 ? 'joe' : 'ann',
              };
              save(bit, uids[0], more);
              save(whole, uids[1], more);
            }
            await importNow(kernel, bit, 'stop');
          }
          await importNow(kernel, whole);
          const made = await versionsOf(kernel, uids[0]);
          expect(made).toHaveLength(saves + 1);
          expect(made).toEqual(await versionsOf(kernel, uids[1]));
        },
      ),
      { numRuns: propertyRuns(8, 200) },
    );
  });

  it('No version of either side is lost or doubled, and none is older than the one before.', {
    timeout: 600_000,
  }, async () => {
    const { kernel } = await freshSite(engine, { profile: 'plone' });
    let round = 0;
    const month = fc.record({ there: fc.array(oneSave, { maxLength: 3 }), here: fc.array(oneSave, { maxLength: 2 }) });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('keep', 'take'),
        fc.array(month, { minLength: 1, maxLength: 3 }),
        async (rule, months) => {
          round += 1;
          const uid = `both-${round}`;
          const old = oldSite();
          add(old, { uid, title: 'one', description: '', changeNote: 'Begun', changeActor: 'jane' });
          await importNow(kernel, old);
          let saves = 0;
          for (const { there, here } of months) {
            const before = await versionsOf(kernel, uid);
            for (const values of here) await updateStored(kernel, `/${uid}`, values);
            const edited = await versionsOf(kernel, uid);
            expect(edited.slice(0, before.length - 1)).toEqual(before.slice(0, -1));
            const notes: string[] = [];
            for (const changes of there) {
              saves += 1;
              notes.push(`Save ${saves}`);
              const modified = new Date(Date.UTC(2024, 4, saves)).toISOString();
              save(old, uid, { ...changes, modified, changeNote: `Save ${saves}`, changeActor: 'joe' });
            }
            await importNow(kernel, old, rule);
            const after = await versionsOf(kernel, uid);
            expect(after.map(({ note }) => note)).toEqual([...edited.map(({ note }) => note), ...notes]);
            expect(after.map(({ number }) => number)).toEqual(after.map((_, index) => index));
            const times = after.map(({ at }) => at.getTime());
            expect(times).toEqual([...times].sort((a, b) => a - b));
          }
        },
      ),
      { numRuns: propertyRuns(8, 200) },
    );
  });
});
