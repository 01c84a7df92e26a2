import { describe, expect, it } from 'vitest';
import { settingRows } from '../../src/core/configuration/panels/panel-change.ts';
import { ValidationFailed } from '../../src/lib/errors.ts';
import { quickestEngine } from '../support/database.ts';
import { useTestSite } from '../support/use-site.ts';

const VALUES: unknown[] = [
  5,
  -1,
  1e308,
  true,
  'x',
  ' ',
  '\u0000',
  '\ud800',
  'x'.repeat(200_000),
  {},
  { token: 5 },
  { token: 'x', title: {} },
  { constructor: { prototype: 1 } },
  [],
  [5],
  [null],
  [[]],
  ['\u0000'],
  Array.from({ length: 2000 }, (_, i) => `item ${i}`),
];

const editor = { requirePermission() {}, nameOf: (_panel: unknown, name: string) => name };

describe('any value for a setting', () => {
  const running = useTestSite(quickestEngine());

  it('every hostile value of a setting is either stored in a valid form or rejected with a message', async () => {
    const { kernel } = running;
    const site = await kernel.sites.current();
    let [taken, refused] = [0, 0];
    for (const panel of kernel.panels.all()) {
      for (const setting of panel.settings) {
        for (const value of VALUES) {
          const what = `${panel.id}.${setting.name} = ${JSON.stringify(value)?.slice(0, 40)}`;
          try {
            const rows = settingRows(kernel, site, { changes: [{ panel, setting, value }], problems: [] }, editor);
            expect(JSON.stringify(rows), what).not.toMatch(/\\u0000|\\ud800/);
            taken += 1;
          } catch (error) {
            if (!(error instanceof ValidationFailed)) throw new Error(what, { cause: error });
            expect(error.problems[0]?.message, what).toMatch(/\w/);
            refused += 1;
          }
        }
      }
    }
    expect(taken).toBeGreaterThan(50);
    expect(refused).toBeGreaterThan(taken);
  });
});
