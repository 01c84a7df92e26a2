import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routesOf } from '../../src/core/services/openapi/document.ts';
import { describeQuickestEngine } from '../support/database.ts';
import { services } from '../support/registries.ts';
import { askAll } from './matrix/ask-all.ts';
import type { Caller } from './matrix/callers.ts';
import { rowsAgainstDeclarations } from './matrix/declared.ts';
import { addLocalManager, foundBelow, notAsMember } from './matrix/places.ts';
import { expectedOf, type Row, STATES } from './matrix/row.ts';
import { ROWS } from './matrix/rows.ts';
import { type Scene, startScene } from './matrix/scene.ts';
import { WITHOUT_SUCCESS } from './matrix/without-success.ts';

const HOW =
  'Add a row to the table of its area, test/security/matrix/rows-*.ts: "ask" is the operation, then comes what a granted ' +
  'request needs (with, query, json), and the status for each caller on private and on published content.';

describe('the permission matrix', () => {
  const operations = routesOf(services).map(({ method, template }) => `${method} ${template}`);
  const asked = new Set(ROWS.map(({ ask }) => ask));

  it('the matrix has a row for every operation, and no others', () => {
    expect(
      operations.filter((operation) => !asked.has(operation)),
      HOW,
    ).toEqual([]);
    expect([...asked].filter((ask) => !operations.includes(ask))).toEqual([]);
  });

  it('every operation of the matrix succeeds for somebody, unless a reason is given', () => {
    const succeeds = (row: Row) =>
      STATES.some((state) => expectedOf(row, state).some(({ status }) => status >= 200 && status < 400));
    const successful = new Set(ROWS.filter(succeeds).map(({ ask }) => ask));
    expect(operations.filter((operation) => !successful.has(operation)).sort()).toEqual(
      [...WITHOUT_SUCCESS.keys()].sort(),
    );
  });
});

describeQuickestEngine('the permission matrix over HTTP', (engine) => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await startScene(engine);
  });
  afterAll(() => scene?.close());

  describe.each(STATES)('on %s content', (state) => {
    beforeAll(() => scene.enter(state));

    it.each(ROWS)('$ask $with $query $json', async (row) => {
      expect(await askAll(scene, row, state)).toEqual([]);
    });

    it('callers without the permission that a service declares are rejected', async () => {
      expect(await rowsAgainstDeclarations(scene, ROWS, state)).toEqual([]);
    });
  });

  describe('a local role', () => {
    let local: Caller;
    beforeAll(async () => {
      local = await addLocalManager(scene);
    });

    it('a local role opens its content, and nothing of the site', async () => {
      const changed = await scene.site.request('PATCH', scene.page().path, {
        as: local.as,
        json: { title: 'Changed' },
      });
      expect(changed.status).toBe(204);
      expect(await notAsMember(scene, ROWS, local)).toEqual([]);
    });

    it('a local role opens no service of the site below its content', async () => {
      expect(await foundBelow(scene, local)).toEqual([]);
    });
  });
});
