import { expect, it } from 'vitest';
import { STATES } from '../security/matrix/row.ts';
import { describeEachEngine } from '../support/database.ts';
import { OTHER_WRITES } from './stale/other-writes.ts';
import { useSweep } from './stale/sweep.ts';
import { rowsByTitle } from './stale/writes.ts';

for (const state of STATES)
  describeEachEngine(`all that is kept of ${state} content`, (engine) => {
    const sweep = useSweep(engine, { state, reads: 'all' });

    it.each(rowsByTitle(state))('is of the time after %s', { timeout: 300_000 }, async (_title, row) => {
      expect(await sweep.staleAfterRow(row, state)).toEqual([]);
    });

    it.each(OTHER_WRITES)('is of the time after what no request does: $name', { timeout: 300_000 }, async (one) => {
      const { path, write } = await one.prepare(sweep.scene());
      expect(await sweep.staleAfter(path, write)).toEqual([]);
    });
  });
