import { randomUUID } from 'node:crypto';
import { locate } from '../../../src/core/content/locate.ts';
import { insertToken } from '../../../src/features/access-tokens/statements.ts';
import { insertLink as insertPreviewLink } from '../../../src/features/preview-links/statements.ts';
import { insertLink } from '../../../src/features/proposals/statements/links.ts';
import { insertProposal } from '../../../src/features/proposals/statements/proposals.ts';
import { insertScheduled } from '../../../src/features/scheduled-transitions/statements.ts';
import type { MakeThing, Scene } from './scene.ts';

const DAY_MS = 24 * 60 * 60_000;
const tomorrow = (): Date => new Date(Date.now() + DAY_MS);

async function objectAt({ site: { kernel } }: Scene, path: string) {
  const { resolved } = await locate(kernel, path);
  if (!resolved) throw new Error(`There is nothing at ${path}`);
  return resolved.object;
}

/** A user's proposal of a change of a page that no other request uses; that of "Reader" for visitors. */
async function proposalOf(scene: Scene, id: string): Promise<string> {
  const { db } = scene.site.kernel;
  const path = await scene.nextPage('owner');
  const { uid, modified } = await objectAt(scene, path);
  const requests = [{ method: 'PATCH', path, body: { title: `Proposed ${scene.number()}` } }];
  const proposal = randomUUID();
  const creator = id === 'nobody' ? 'reader' : id;
  // So many are made in the course of the matrix that a user would have no more.
  await db.query({
    text: `delete from proposal where id in (
      select id from proposal where creator = $1 order by created desc offset 10)`,
    values: [creator],
  });
  await insertProposal(db, {
    ...{ id: proposal, title: 'A proposal', comment: '', requests: JSON.stringify(requests), reviewers: [] },
    targets: [{ request: 0, uid, path, kind: 'change', modified }],
    ...{ creator, created: new Date() },
  });
  return proposal;
}

/** A proposal of "Reader" with a link of "Manager", whose id begins with `link-`. */
async function linkedProposal(scene: Scene): Promise<string> {
  const proposal = await proposalOf(scene, 'reader');
  const link = { id: `link-${proposal}`, proposal, creator: 'manager', title: '', hash: randomUUID() };
  await insertLink(scene.site.kernel.db, { ...link, created: new Date(), expires: tomorrow() }, 20);
  return proposal;
}

async function scheduledAt(scene: Scene, path: string): Promise<string> {
  const { oid } = await objectAt(scene, path);
  const id = randomUUID();
  const planned = { id, transition: 'publish', at: tomorrow(), comment: '', includeChildren: false, actor: 'manager' };
  await insertScheduled(scene.site.kernel.db, oid, { ...planned, created: new Date() }, { most: 10_000, kept: 10 });
  return id;
}

async function previewLinkAt(scene: Scene, path: string): Promise<string> {
  const { oid } = await objectAt(scene, path);
  const id = randomUUID();
  const link = { id, title: '', subtree: false, creator: 'manager', created: new Date(), expires: tomorrow() };
  await insertPreviewLink(scene.site.kernel.db, oid, { ...link, hash: randomUUID() }, 10_000);
  return id;
}

/** A token for an agent of a user; that of "Reader" for visitors. */
async function tokenOf({ site }: Scene, user: string, id: string): Promise<string> {
  const limits = { methods: null, subtrees: null, scopes: ['read' as const], publishes: false };
  const token = { id, account: user === 'nobody' ? 'reader' : user, name: id, hash: randomUUID(), ...limits };
  await insertToken(site.kernel.db, { ...token, created: new Date(), expires: tomorrow() }, 10_000);
  return id;
}

/** A user that no other request uses. */
async function newUser({ site, number }: Scene): Promise<string> {
  const id = `fresh-${number()}`;
  const text = `insert into account (id, login, email) values ($1, $1, $1 || '@example.org')`;
  await site.kernel.db.query({ text, values: [id] });
  return id;
}

/** Things that wait for a decision or an end: proposals, plans, links and tokens. */
export const THINGS_TO_DECIDE: Record<string, MakeThing> = {
  'proposal of reader': (scene) => proposalOf(scene, 'reader'),
  'proposal of caller': (scene, { id }) => proposalOf(scene, id),
  'linked proposal': linkedProposal,
  'scheduled transition': (scene) => scheduledAt(scene, scene.page().path),
  'scheduled transition of the site': (scene) => scheduledAt(scene, '/'),
  'preview link': (scene) => previewLinkAt(scene, scene.page().path),
  'preview link of the site': (scene) => previewLinkAt(scene, '/'),
  'token of caller': (scene, { id }) => tokenOf(scene, id, randomUUID()),
  'user with a token': async (scene) => {
    const user = await newUser(scene);
    await tokenOf(scene, user, `token-${user}`);
    return user;
  },
  'user with a provider': async (scene) => {
    const user = await newUser(scene);
    await scene.site.kernel.db.query({
      text: `insert into provider_account (issuer, subject, account) values ('https://login.example.org', $1, $1)`,
      values: [user],
    });
    return user;
  },
  'user with codes': async (scene) => {
    const user = await newUser(scene);
    await scene.site.kernel.db.query({
      text: `with factor as (update account set second_factor = 'totp' where id = $1 returning id)
        insert into totp (account, secret, confirmed) select id, 'secret', now() from factor`,
      values: [user],
    });
    return user;
  },
};
