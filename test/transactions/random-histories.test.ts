import fc from 'fast-check';
import { expect, it } from 'vitest';
import { updateContent } from '../../src/core/content/update-content.ts';
import type { RuleAction, RuleActionContext } from '../../src/core/kernel/content-rules.ts';
import { defineFeature } from '../../src/core/services/feature.ts';
import { withSavepoint } from '../../src/database/savepoint.ts';
import { type RuleParts, rulesOf } from '../content-rules/rule-site.ts';
import { describeEachEngine } from '../support/database.ts';
import { makeDueTransitions } from '../support/make-due-transitions.ts';
import { PAGE } from '../support/profiles.ts';
import { propertyRuns } from '../support/property-runs.ts';
import type { Json } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';

/** Edits the content in a part of the transaction for each letter, each in the part before it: `f` fails, `s` stands. */
async function editInParts({ kernel, content, caller, tx }: RuleActionContext, parts: string): Promise<void> {
  if (parts === '') return;
  const [kind] = parts;
  await withSavepoint(tx, async (part) => {
    const { path, fields } = content.object;
    const rights = `${String(fields.rights ?? '')}${parts}`.slice(-40);
    const input = { rights: `${rights} ${parts.length}` };
    const lockToken = content.object.lock?.token;
    await updateContent(kernel, { caller, path, input, bases: [], lockToken }, { tx: part });
    await editInParts({ kernel, content, caller, tx: part } as RuleActionContext, parts.slice(1));
    if (kind === 'f') throw new Error('This part is to fail.');
  });
}

const inParts: RuleAction = {
  name: 'in_parts',
  title: 'Edit in parts',
  description: 'Edits in parts of the transaction.',
  schema: {
    fieldsets: [{ id: 'default', title: 'Default', fields: ['parts'] }],
    properties: { parts: { title: 'Parts', description: '', type: 'string', factory: 'Text line (String)' } },
    required: [],
  },
  summary: () => 'Edit in parts',
  run: (context) => editInParts(context, String(context.values.parts)),
};
const parting = defineFeature({ name: 'parting', ruleActions: [inParts] });

const ELSEWHERE = '/elsewhere';
const action = fc.oneof(
  fc.constant({ type: 'copy_item', target_folder: ELSEWHERE }),
  fc.constant({ type: 'move_item', target_folder: ELSEWHERE }),
  fc.constant({ type: 'move_item', target_folder: '/gone' }),
  fc.constantFrom('publish', 'retract').map((transition) => ({ type: 'transition_workflow', transition })),
  fc.constantFrom('a', 'b').map((value) => ({ type: 'set_field', field: 'rights', value })),
  fc.constant({ type: 'version_item', comment: '' }),
  fc.constant({ type: 'delete_item' }),
  fc.stringMatching(/^[fs]{1,3}$/).map((parts) => ({ type: 'in_parts', parts })),
);
const rule: fc.Arbitrary<RuleParts> = fc.record({
  event: fc.constantFrom('onAfterAdd', 'onAfterModified', 'onAfterMove', 'onAfterPublish', 'onAfterDelete'),
  cascading: fc.boolean(),
  actions: fc.array(action, { minLength: 1, maxLength: 3 }),
});

const KINDS = ['add', 'edit', 'retitle', 'publish', 'schedule', 'rename', 'remove', 'copy', 'work', 'cancel'] as const;
const write = fc.record({ kind: fc.constantFrom(...KINDS), at: fc.nat(20), value: fc.constantFrom('x', 'y', 'z') });
type Write = { kind: (typeof KINDS)[number]; at: number; value: string };

/** How many versions there are but the first ones, in the recycle bin as well. */
const VERSIONS = `select (select count(*) from version where number > 0)::int
  + (select count(*) from recycled_row where source = 'version' and (data->>'number')::int > 0)::int as n`;

/** State of the site before a history. */
type Beginning = { entry: number; transaction: number; versions: number; now: Date };

describeEachEngine('random histories', (engine) => {
  const site = useTestSite(engine, () => ({ features: [parting] }));
  const { ask, addRule, assign, pathOf } = rulesOf(site);
  const rows = <T extends object>(text: string, values: readonly unknown[] = []) =>
    site.kernel.db.query<T>({ text, values });
  let made = 0;

  /** All content but the root, with all that an undo gives back. */
  const present = () =>
    rows(`select path, type, fields, blocks, blocks_layout, text, layout, review_state, effective, expires, local_roles, owner, uid from content
      where parent is not null order by path`);

  async function send(method: string, path: string, json?: Json): Promise<Json | undefined> {
    const { status, body } = await site.request(method, path, json === undefined ? {} : { json });
    expect(status).toBeLessThan(500);
    return status < 400 ? body : undefined;
  }

  async function makeScheduled(path: string): Promise<void> {
    const at = new Date(Date.now() + 3_600_000).toISOString();
    await send('POST', `${path}/@scheduled-transitions`, { transition: 'publish', at });
    await rows(`update scheduled_transition set at = at - interval '2 days', due = due - interval '2 days'
      where status = 'waiting'`);
    await makeDueTransitions(site.kernel);
    await expect
      .poll(async () => (await rows(`select 1 from scheduled_transition where status = 'waiting'`)).length)
      .toBe(0);
  }

  async function run(folder: string, { kind, at, value }: Write, started: Date): Promise<void> {
    // A scheduled transition counts as a change that nothing undoes: a creation before it could not be undone.
    const rowsThere = await rows<{ path: string }>(
      `select path from content where path > $1 || '/' and path < $1 || '0' and ($2 <> 'schedule' or created < $3) order by path`,
      [folder, kind, started],
    );
    const paths = rowsThere.map(({ path }) => path);
    const path = paths[at % Math.max(1, paths.length)];
    made += 1;
    if (kind === 'add' || path === undefined) await send('POST', folder, { '@type': PAGE, title: `Page ${made}` });
    else if (kind === 'edit') await send('PATCH', path, { description: `${value} ${made}`, title: `Page ${made}` });
    else if (kind === 'retitle') await send('PATCH', path, { title: value });
    else if (kind === 'publish') await send('POST', `${path}/@workflow/publish`);
    else if (kind === 'schedule') await makeScheduled(path);
    else if (kind === 'rename') await send('PATCH', path, { id: `page-${made}` });
    else if (kind === 'remove') await send('DELETE', path);
    else if (kind === 'copy') await send('POST', `${folder}/@copy`, { source: path });
    else {
      const copy = await send('POST', `${path}/@workingcopy`);
      if (!copy) return;
      const copyPath = pathOf(copy);
      await send('PATCH', copyPath, { title: `Copy ${made}` });
      await send(kind === 'work' ? 'PATCH' : 'DELETE', `${copyPath}/@workingcopy`);
    }
  }

  /** Expects that the log and the steps since a moment are of the changes that other tables have, and of nothing else. */
  async function expectTrueRecord({ entry, transaction, versions: known, now: started }: Beginning, before: number) {
    const count = async (text: string, ...values: unknown[]) => (await rows<{ n: number }>(text, values))[0]?.n;
    const logged = (actions: string) =>
      count(`select count(*)::int n from audit_entry where id > $1 and action = any($2::text[])`, entry, actions);
    const stepped = (actions: string, sum = 'count(*)') =>
      count(
        `select coalesce(${sum}, 0)::int n from site_transaction_step s where transaction > $1 and action = any($2::text[])`,
        transaction,
        actions,
      );
    // Content in the recycle bin has its rows.
    const stored = async (source: string, condition: string) =>
      ((await count(`select count(*)::int n from ${source} where ${condition} and at >= $1`, started)) ?? 0) +
      ((await count(
        `select count(*)::int n from recycled_row r, jsonb_to_record(r.data) x(action text, number int, at timestamptz)
          where r.source = '${source}' and ${condition} and x.at >= $1`,
        started,
      )) ?? 0);
    const transitions = await stored('workflow_history', 'action is not null');
    expect([await logged('{content.transitioned}'), await stepped('{workflow}')]).toEqual([transitions, transitions]);
    // A working copy that was checked in is gone with its versions.
    const ofCopies = await count(
      `select coalesce(sum((s.data->>'versions')::int), 0)::int n from site_transaction_step s
        where s.transaction > $1 and s.action = 'edited' and exists (
          select from site_transaction_step o where o.content = s.content and o.action = 'checkedIn')`,
      transaction,
    );
    // A new version of unchanged content has the date of its last change, so that dates do not tell new ones from old ones.
    const [{ n: ever } = { n: 0 }] = await rows<{ n: number }>(VERSIONS);
    const versions = ever - known + (ofCopies ?? 0);
    expect(await stepped('{edited}', `sum((s.data->>'versions')::int)`)).toBe(versions);
    const come = await stepped('{created,copied,restored}');
    const gone = await stepped('{deleted,checkedIn}');
    expect(await logged('{content.created,content.copied,content.restored}')).toBe(come);
    expect(await logged('{content.removed}')).toBe(gone);
    expect((come ?? 0) - (gone ?? 0)).toBe((await present()).length - before);
    // Moved and renamed content is at the address of the last step.
    const astray = await rows(
      `select s.data from site_transaction_step s join content c on c.oid = s.content
        where s.transaction > $1 and s.action = 'moved' and c.name <> s.data->'after'->>'name' and not exists (
          select from site_transaction_step o where o.content = s.content and o.action = 'moved'
            and (o.transaction, o.number) > (s.transaction, s.number))`,
      [transaction],
    );
    expect(astray).toEqual([]);
  }

  it('the audit log and the transactions name the changes that stand, and an undo of all gives the beginning back', {
    timeout: 600_000,
  }, async () => {
    await ask(201, 'POST', '/', { '@type': 'Folder', id: 'elsewhere', title: 'Elsewhere' });
    const history = fc.record({
      rules: fc.array(rule, { maxLength: 3 }),
      writes: fc.array(write, { minLength: 1, maxLength: 6 }),
    });
    await fc.assert(
      fc.asyncProperty(history, async ({ rules, writes }) => {
        made += 1;
        const folder = pathOf(
          await ask(201, 'POST', '/', { '@type': 'Folder', id: `history-${made}`, title: 'History' }),
        );
        for (const title of ['One', 'Two']) await ask(201, 'POST', folder, { '@type': PAGE, title });
        const ids: string[] = [];
        for (const parts of rules) {
          const id = await addRule(parts);
          ids.push(id);
          await assign(folder, id);
        }
        try {
          const before = await present();
          const [last] = await rows<Beginning>(
            `select (select max(id) from audit_entry) as entry, (select max(id) from site_transaction) as transaction,
              (${VERSIONS}) as versions, clock_timestamp() as now`,
          );
          if (!last) throw new Error('There is no transaction');
          for (const one of writes) await run(folder, one, last.now);
          await expectTrueRecord(last, before.length);
          const done: Json[] = (await ask(200, 'GET', '/@transactions')).filter(
            ({ id, undoable }: Json) => undoable && Number.parseInt(id, 10) > last.transaction,
          );
          const others = await rows(
            `select 1 from site_transaction t where id > $1 and exists (
              select from site_transaction_step s where s.transaction = t.id and s.action <> 'site')`,
            [last.transaction],
          );
          expect(done.length).toBe(others.length);
          if (done.length === 0) return;
          const { status, text } = await site.request('PATCH', '/@transactions', {
            json: { transaction_ids: done.map(({ id }) => id) },
          });
          expect([status, text]).toEqual([200, text]);
          expect(await present()).toEqual(before);
        } finally {
          for (const id of ids) await ask(204, 'DELETE', `/@controlpanels/content-rules/${id}`);
        }
      }),
      { numRuns: propertyRuns(8, 100), endOnFailure: true },
    );
  });
});
