import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { KINDS } from '../../../src/core/configuration/site/site.ts';
import { writeConfiguration } from '../../../src/core/configuration/statements/configuration.ts';
import { installAddon } from '../../../src/features/add-ons/addon-lifecycle.ts';
import { insertBulkChange } from '../../../src/features/bulk/statements.ts';
import { assignToFolder } from '../../../src/features/content-rules/change-assignments.ts';
import { addElement, createRule } from '../../../src/features/content-rules/change-rules.ts';
import { kindsOf } from '../../../src/features/content-rules/rule-json.ts';
import { insertNotification, listNotifications } from '../../../src/features/content-rules/statements/notifications.ts';
import { insertExport } from '../../../src/features/import/statements/uploaded.ts';
import { createScheduledJob } from '../../../src/features/jobs/change-scheduled-jobs.ts';
import { insertJob } from '../../../src/features/jobs/statements/jobs.ts';
import { createProvider } from '../../../src/features/openid/provider-settings.ts';
import { insertPlan } from '../../../src/features/promote/statements/plans.ts';
import { storePrivately } from '../../../src/features/site-export/private-blob.ts';
import { insertMade, storeMade } from '../../../src/features/site-export/statements/made.ts';
import { insertWebhook, listWebhooks } from '../../../src/features/webhooks/statements/webhooks.ts';
import { settingsOf } from '../../../src/features/webhooks/webhook-json.ts';
import { addType } from '../../content/add-type.ts';
import { make, manager } from '../../content/make.ts';
import type { MakeThing, Scene } from './scene.ts';

/** A job of "Owner". No worker runs on this site. */
async function addJob({ site }: Scene, { asSystem = false, over = false } = {}): Promise<string> {
  const { db } = site.kernel;
  const id = randomUUID();
  const job = {
    action: 'reindex',
    params: {},
    title: 'Reindex',
    description: '',
    scheduledJob: null,
    exclusive: false,
  };
  await insertJob(db, { ...job, id, actor: 'owner', asSystem }, 1000);
  const text = `update job set status = 'completed', started = now(), finished = now(), result = '{"done": 1}' where id = $1`;
  if (over) await db.query({ text, values: [id] });
  return id;
}

/** A change of many objects by "Owner", which no job has made yet. */
async function addBulkChange({ site, number }: Scene): Promise<string> {
  const id = randomUUID();
  const objects = [{ uid: id, path: `/bulk-${number()}` }];
  const data = { change: { tags: { add: ['X'], remove: [] } }, bases: [], limits: {} };
  const bounds = { before: new Date(0), maxUnfinished: 10_000 };
  await insertBulkChange(site.kernel.db, { id, actor: 'owner', data }, objects, bounds);
  return id;
}

/** An uploaded export of a Manager, whose file is not there. */
async function addUploadedExport({ site }: Scene): Promise<string> {
  const { db } = site.kernel;
  const id = randomUUID();
  const file = { filename: 'a.json', kind: 'json' as const, bytes: 2, blob: null };
  // The limit of stored files would be reached otherwise.
  await db.query({ text: 'update site_import set blob = null' });
  await db.transaction((tx) => insertExport(tx, { id, actor: 'manager', ...file }, 1));
  await db.query({ text: 'update site_import set blob = repeat($2, 64) where id = $1', values: [id, 'a'] });
  return id;
}

/** An export for download, and no other one. */
async function addMadeExport({ site: { kernel } }: Scene): Promise<string> {
  const id = randomUUID();
  // The limit of exports would be reached otherwise.
  await kernel.db.query({ text: 'delete from site_export' });
  const { blob, bytes } = await storePrivately(kernel, Readable.from([Buffer.from('PK')]));
  await kernel.db.transaction(async (tx) => {
    await insertMade(tx, { id, actor: 'manager', path: '/', passphrase: null, job: null });
    await storeMade(tx, id, { blob, bytes, report: {} });
  });
  return id;
}

/** A plan of the user "owner" that waits for its parts, and the only one: a user has a few at most. */
async function addPlan({ site: { kernel } }: Scene): Promise<string> {
  const id = randomUUID();
  await kernel.db.query({ text: `delete from plan where owner = 'owner'`, values: [] });
  await insertPlan(kernel.db, { id, owner: 'owner', setup: '[]', bytes: 2, now: new Date() });
  return id;
}

/** Writes the files of an add-on that no other request uses. Returns its id. */
async function addAddon({ addons, number }: Scene): Promise<string> {
  const id = `fresh-${number()}`;
  await addons.write(id, { 'profiles/more/content.json': [{ '@type': 'Page', id: `of-${id}`, title: 'A page' }] });
  return id;
}

async function addInstalled(scene: Scene): Promise<string> {
  const id = await addAddon(scene);
  await installAddon(scene.site.kernel, { caller: manager(), id });
  return id;
}

/** A content rule with a condition and an action, which is assigned to no folder. */
async function addRule({ site: { kernel }, number }: Scene): Promise<string> {
  const rule = { title: `Fresh ${number()}`, description: '', event: 'onAfterMove', stop: false, cascading: false };
  const id = await createRule(kernel, manager(), { ...rule, enabled: false });
  for (const [list, input] of [
    ['conditions', { type: 'file_extension', file_extension: 'pdf' }],
    ['actions', { type: 'logger', message: 'It moved.' }],
  ] as const)
    await addElement(kernel, { caller: manager(), rule: id, list, kinds: kindsOf(kernel, list) }, { input, bases: [] });
  return id;
}

/** A message of a rule for a user; without a user, an id that no message has. */
async function addMessage({ site: { kernel } }: Scene, user: string): Promise<string> {
  await insertNotification(kernel.db, user, { kind: 'info', message: 'It moved.', path: '/' });
  const [newest] = await listNotifications(kernel.db, user);
  return String(newest?.id ?? 1_000_000);
}

/** A provider that people can log in with. */
async function addLoginProvider({ site: { kernel }, number }: Scene): Promise<string> {
  const id = `fresh-${number()}`;
  const data = { id, title: 'The town', issuer: 'https://login.example.org', client_id: 'canopy', enabled: false };
  // So many are made in the course of the matrix that the limit of a site would be reached.
  await kernel.db.query({ text: `delete from configuration where kind = 'login-provider'` });
  await createProvider(kernel, manager(), { data, secret: 'a secret' });
  return id;
}

/** Jobs, content types, content rules, login providers and add-ons. */
export const SITE_THINGS: Record<string, MakeThing> = {
  'new login provider': addLoginProvider,
  'new webhook': async ({ site: { kernel }, number }) => {
    const id = `fresh-${number()}`;
    // The limit of a site would be reached otherwise. Its address is private, so that nothing is sent.
    for (const { id: old } of await listWebhooks(kernel.db))
      await kernel.db.query({ text: 'delete from webhook where id = $1', values: [old] });
    await insertWebhook(kernel.db, id, settingsOf({ title: id, url: 'http://127.0.0.1:9/', enabled: false }));
    return id;
  },
  transaction: async ({ site: { kernel }, number }) => {
    await make(kernel, '/', { id: `undone-${number()}` });
    const [newest] = await kernel.db.query<{ id: number }>({ text: 'select max(id) as id from site_transaction' });
    return String(newest?.id ?? 0);
  },
  'bulk change of owner': addBulkChange,
  'uploaded export': addUploadedExport,
  'made export': addMadeExport,
  'plan of owner': addPlan,
  'job of owner': (scene) => addJob(scene),
  'job of owner that is over': (scene) => addJob(scene, { over: true }),
  'job of owner as a Manager': (scene) => addJob(scene, { over: true, asSystem: true }),
  'scheduled job': async ({ site: { kernel }, number }) => {
    const id = `fresh-${number()}`;
    const params = { type: ['Page'] };
    const job = { id, description: '', enabled: false, action: 'reindex', params, schedule: '0 0 * * *' };
    await createScheduledJob(kernel, manager(), job);
    return id;
  },
  'message for caller': (scene, { id }) => addMessage(scene, id),
  'message for somebody else': (scene) => addMessage(scene, 'admin'),
  'new rule': addRule,
  'assigned rule': async (scene) => {
    const rule = await addRule(scene);
    await assignToFolder(scene.site.kernel, { caller: manager(), path: '/' }, rule);
    return rule;
  },
  'new type': async ({ site: { kernel }, number }) => {
    const id = `Fresh${number()}`;
    await addType(kernel, { id, properties: { shelf: { factory: 'Text line (String)' } } });
    return id;
  },
  'new role': async ({ site: { kernel }, number }) => {
    const id = `Fresh ${number()}`;
    await writeConfiguration(kernel.db, [{ kind: KINDS.role, id, position: 1000, data: { id, title: id } }]);
    return id;
  },
  'new menu': async ({ site: { kernel }, number }) => {
    const id = `fresh_${number()}`;
    const data = ['a', 'b'].map((action) => ({ id: action, title: action }));
    await writeConfiguration(kernel.db, [{ kind: KINDS.action, id, position: 1000, data }]);
    return id;
  },
  'new vocabulary': async ({ site: { kernel }, number }) => {
    const id = `fresh_${number()}`;
    await writeConfiguration(kernel.db, [{ kind: KINDS.vocabulary, id, position: 1000, data: { id, items: [] } }]);
    return id;
  },
  'new workflow': async ({ site: { kernel }, number }) => {
    const { workflows } = await kernel.sites.current();
    const id = `fresh_${number()}`;
    const data = { ...workflows.get('one_state_workflow'), id };
    await writeConfiguration(kernel.db, [{ kind: KINDS.workflow, id, position: 1000, data }]);
    return id;
  },
  'new add-on': addAddon,
  'installed add-on': addInstalled,
  'outdated add-on': async (scene) => {
    const id = await addInstalled(scene);
    await scene.addons.write(id, {}, '2');
    return id;
  },
};
