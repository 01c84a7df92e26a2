import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RuleAction } from '../../src/core/kernel/content-rules.ts';
import { defineFeature } from '../../src/core/services/feature.ts';
import { MAX_RUNS } from '../../src/features/content-rules/rule-chain.ts';
import { describeEachEngine, describeQuickestEngine } from '../support/database.ts';
import { PAGE } from '../support/profiles.ts';
import { propertyRuns } from '../support/property-runs.ts';
import { useTestSite } from '../support/use-site.ts';
import { type Element, rulesOf } from './rule-site.ts';

/** The runs of rules that an action of the test has seen, as `rule content`. */
const seen: string[] = [];
const watch: RuleAction = {
  name: 'watch',
  title: 'Watch',
  description: 'Notes that it ran.',
  schema: { fieldsets: [], properties: {}, required: [] },
  summary: () => 'Watch',
  async run({ rule, content, event }) {
    seen.push(`${rule.id} ${content.object.uid} ${event.name}`);
  },
};
const watching = defineFeature({ name: 'watching', ruleActions: [watch] });

const EVENTS = [
  'onAfterAdd',
  'onAfterModified',
  'onAfterCopy',
  'onAfterMove',
  'onAfterChangeWorkflow',
  'onAfterPublish',
];

/** Actions whose effects emit events that start other rules. `folders` are the paths of the folders of the test. */
const actionsOf = (folders: readonly string[]): fc.Arbitrary<Element> =>
  fc.oneof(
    fc.constantFrom(...folders).map((target_folder) => ({ type: 'copy_item', target_folder })),
    fc.constantFrom(...folders).map((target_folder) => ({ type: 'move_item', target_folder })),
    fc.constantFrom('publish', 'retract', 'reject').map((transition) => ({ type: 'transition_workflow', transition })),
    fc.constantFrom('a', 'b').map((value) => ({ type: 'set_field', field: 'rights', value })),
    fc.constantFrom({ type: 'version_item', comment: '' }, { type: 'delete_item' }),
  );

describeQuickestEngine('chains of rules', (engine) => {
  const site = useTestSite(engine, () => ({ features: [watching] }));
  const { ask, addRule, assign, addFolder, pathOf } = rulesOf(site);

  it('chains of any rules end, and each rule runs at most once for an object', { timeout: 120_000 }, async () => {
    const folders = [await addFolder(), await addFolder()];
    const [first = '/'] = folders;
    const rule = fc.record({
      event: fc.constantFrom(...EVENTS),
      cascading: fc.boolean(),
      stop: fc.boolean(),
      actions: fc.array(actionsOf(folders), { minLength: 1, maxLength: 3 }),
      folder: fc.constantFrom(...folders),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(rule, { minLength: 1, maxLength: 5 }), async (rules) => {
        const ids: string[] = [];
        for (const { folder, actions, ...parts } of rules) {
          const id = await addRule({ ...parts, actions: [{ type: 'watch' }, ...actions] });
          ids.push(id);
          await assign(folder, id);
        }
        try {
          for (const write of [
            () => ask(201, 'POST', first, { '@type': PAGE, title: 'A page' }),
            async () => {
              const page = pathOf(await ask(201, 'POST', '/', { '@type': PAGE, title: 'Outside' }));
              await ask(200, 'POST', `${first}/@copy`, { source: page });
            },
          ]) {
            seen.length = 0;
            await write();
            const runs = seen.map((run) => run.split(' ').slice(0, 2).join(' '));
            expect(new Set(runs).size).toBe(runs.length);
          }
        } finally {
          for (const id of ids) await ask(204, 'DELETE', `/@controlpanels/content-rules/${id}`);
        }
      }),
      { numRuns: propertyRuns(5, 30) },
    );
  });

  it('a rule that copies into its own folder makes one copy, also where it cascades', async () => {
    const folder = await addFolder();
    const copy = { type: 'copy_item', target_folder: folder };
    await assign(folder, await addRule({ cascading: true, actions: [copy] }));
    await ask(201, 'POST', folder, { '@type': PAGE, title: 'Once' });
    expect((await ask(200, 'GET', folder)).items_total).toBe(2);
  });

  it('two rules that copy for each other end', async () => {
    const [one, other] = [await addFolder(), await addFolder()];
    await assign(one, await addRule({ cascading: true, actions: [{ type: 'copy_item', target_folder: other }] }));
    await assign(other, await addRule({ cascading: true, actions: [{ type: 'copy_item', target_folder: one }] }));
    await ask(201, 'POST', one, { '@type': PAGE, title: 'Ping' });
    expect((await ask(200, 'GET', one)).items_total).toBe(2);
    expect((await ask(200, 'GET', other)).items_total).toBe(1);
  });
});

describeEachEngine('many objects in one write', (engine) => {
  const site = useTestSite(engine, () => ({ features: [watching] }));
  const { ask, addRule, assign, addFolder, failuresOf } = rulesOf(site);

  it('rules run at most as often as the limit allows in one write, and the rule reports that once', {
    timeout: 120_000,
  }, async () => {
    const folder = await addFolder();
    const count = MAX_RUNS + 20;
    await site.kernel.db.query({
      text: `insert into content (uid, parent, name, path, type, review_state, owner, created, modified, position, fields)
        select gen_random_uuid()::text, oid, 'p' || n, path || '/p' || n, '${PAGE}', 'private', 'admin', now(), now(), n, '{"title": "P"}'
        from content, generate_series(1, $2::int) n where path = $1`,
      values: [folder, count],
    });
    await site.kernel.db.query({
      text: `insert into catalog select (jsonb_populate_record(k, jsonb_build_object('oid', c.oid))).*
        from content c, catalog k join content f on f.oid = k.oid where f.path = $1 and c.path like $1 || '/%'`,
      values: [folder],
    });
    const rule = await addRule({ event: 'onAfterChangeWorkflow', actions: [{ type: 'watch' }] });
    await assign(folder, rule);
    seen.length = 0;
    await ask(200, 'POST', `${folder}/@workflow/publish`, { include_children: true });
    expect(seen.length).toBe(MAX_RUNS);
    const failures = await failuresOf(rule);
    expect(failures.count).toBe(1);
    expect(failures.items[0].message).toContain(String(MAX_RUNS));
    const { total } = (
      await site.kernel.db.query<{ total: number }>({
        text: `select count(*)::int as total from content where path like $1 || '/%' and review_state = 'published'`,
        values: [folder],
      })
    )[0] ?? { total: 0 };
    expect(total).toBe(count);
  });
});

describe('the limit of runs', () => {
  it('the limit of runs of rules is one that a large site does not reach by accident', () =>
    expect(MAX_RUNS).toBeGreaterThanOrEqual(1000));
});
