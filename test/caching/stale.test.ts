import { describe, expect, it } from 'vitest';
import { routesOf } from '../../src/core/services/openapi/document.ts';
import { expectedOf, STATES } from '../security/matrix/row.ts';
import { ROWS } from '../security/matrix/rows.ts';
import { WITHOUT_SUCCESS } from '../security/matrix/without-success.ts';
import { describeEachEngine, describeQuickestEngine } from '../support/database.ts';
import { services } from '../support/registries.ts';
import { OTHER_WRITES } from './stale/other-writes.ts';
import { useSweep } from './stale/sweep.ts';
import { firstRowsByTitle, writingRows } from './stale/writes.ts';

describe('the sweep of all writes', () => {
  it('every operation that writes is swept, unless it succeeds for nobody or changes nothing', () => {
    const swept = new Set(STATES.flatMap(writingRows).map(({ ask }) => ask));
    const harmless = new Set(
      ROWS.filter((row) =>
        expectedOf(row, 'published').some(({ status, effective }) => status < 400 && !effective),
      ).map(({ ask }) => ask),
    );
    const left = routesOf(services)
      .filter(({ method }) => method !== 'GET')
      .map(({ method, template }) => `${method} ${template}`)
      .filter((operation) => !swept.has(operation) && !harmless.has(operation) && !WITHOUT_SUCCESS.has(operation));
    expect(left, 'Add a row to test/security/matrix/rows-*.ts.').toEqual([]);
  });
});

describeQuickestEngine('what visitors, members and managers read after each write', (engine) => {
  const sweep = useSweep(engine, { state: 'published', reads: 'broad' });

  // The others of an operation are swept in stale.slow.ts.
  it.each(firstRowsByTitle('published'))('is of the time after %s', async (_title, row, state) => {
    expect(await sweep.staleAfterRow(row, state)).toEqual([]);
  });
});

describeEachEngine('what they read after a write that no request does', (engine) => {
  const sweep = useSweep(engine, { state: 'published', reads: 'broad' });

  it.each(OTHER_WRITES)('is of the time after it: $name', async ({ prepare }) => {
    const { path, write } = await prepare(sweep.scene());
    expect(await sweep.staleAfter(path, write)).toEqual([]);
  });

  it.each([
    ['comment', 'a comment is added', /^Anonymous .*Discussion/],
    ['redirect', 'an alias is added', /^Manager .*expand=.*aliases/],
  ])('would be stale if changes of the table %s were not noted', async (table, name, stale) => {
    const { kernel } = sweep.scene().site;
    const [one] = OTHER_WRITES.filter((other) => other.name === name);
    if (!one) throw new Error(`There is no write "${name}"`);
    const { path, write } = await one.prepare(sweep.scene());
    await kernel.db.query({ text: `alter table ${table} disable trigger user` });
    try {
      expect((await sweep.staleAfter(path, write)).filter((read) => stale.test(read))).not.toEqual([]);
    } finally {
      await kernel.db.query({ text: `alter table ${table} enable trigger user` });
    }
  });
});
