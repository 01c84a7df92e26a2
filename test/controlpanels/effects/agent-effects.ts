import { expect } from 'vitest';
import { ADMIN } from '../../../src/app/test-client.ts';
import { resourceOf } from '../../../src/features/mcp/resource.ts';
import { tidyProposals } from '../../../src/features/proposals/expiry.ts';
import { proposalMails } from '../../../src/features/proposals/mail.ts';
import type { Json } from '../../support/site.ts';
import type { EffectSite, Effects } from './effect.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Calls a tool of the endpoint for agents; as admin if it is `known`. */
async function callTool({ site }: EffectSite, name: string, args: object, known = false) {
  const response = await fetch(`${site.url}/@mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(known ? { authorization: `Basic ${Buffer.from(`admin:${ADMIN.password}`).toString('base64')}` } : {}),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
  });
  return { status: response.status, text: await response.text() };
}

const listing = (context: EffectSite, known = false) => callTool(context, 'list', { path: '/' }, known);

/** Hands in a change of a new page. */
async function propose({ site, create }: EffectSite, more: Json = {}) {
  const path = await create();
  return site.request('POST', '/@proposals', {
    json: { title: 'Other words', requests: [{ method: 'PATCH', path, body: { description: 'Other' } }], ...more },
  });
}

/** Ends and removes proposals as so many days later. */
const tidied = ({ site }: EffectSite, days: number) =>
  tidyProposals(site.kernel, new AbortController().signal, new Date(Date.now() + days * DAY_MS));

/** The number of mails that work queues. The site has a mail server meanwhile, which nobody answers at. */
export async function mailsOf({ site, set }: EffectSite, work: () => Promise<unknown>): Promise<number> {
  const newest = async () => {
    const [row] = await site.kernel.db.query<{ id: number }>({
      text: `select nextval(pg_get_serial_sequence('queue_item', 'id'))::int as id`,
    });
    return row?.id ?? 0;
  };
  await set('mail', { smtp_host: '127.0.0.1', smtp_port: 1, email_from_address: 'site@example.org' });
  const before = await newest();
  await work();
  const [row] = await site.kernel.db.query<{ mails: number }>({
    text: `select count(*)::int as mails from queue_item where kind = 'mail' and id > $1`,
    values: [before],
  });
  await set('mail', { smtp_host: '' });
  return row?.mails ?? 0;
}

/** Makes a user who may view, and returns its id. */
async function addReviewer({ site, fresh }: EffectSite): Promise<string> {
  const username = fresh('reviewer');
  await site.request('POST', '/@users', {
    json: { username, email: `${username}@example.org`, password: 'a long password', roles: ['Member', 'Editor'] },
  });
  return username;
}

export const AGENT_EFFECTS: Effects = {
  'mcp.visitors': async (context) => {
    expect((await listing(context)).status).toBe(200);
    await context.set('mcp', { visitors: false });
    expect((await listing(context)).status).toBe(401);
    await context.set('mcp', { visitors: true });
  },
  'mcp.visitor_calls_per_minute': async (context) => {
    expect((await listing(context)).status).toBe(200);
    await context.set('mcp', { visitor_calls_per_minute: 1 });
    expect((await listing(context)).status).toBe(429);
    await context.set('mcp', { visitor_calls_per_minute: 30 });
  },
  'mcp.calls_per_minute': async (context) => {
    expect((await listing(context, true)).status).toBe(200);
    await context.set('mcp', { calls_per_minute: 1 });
    expect((await listing(context, true)).status).toBe(429);
    await context.set('mcp', { calls_per_minute: 120 });
  },
  'mcp.result_characters': async (context) => {
    const path = await context.create({ description: 'word '.repeat(800) });
    const read = async () => (await callTool(context, 'read', { path }, true)).text.length;
    expect(await read()).toBeGreaterThan(4000);
    await context.set('mcp', { result_characters: 1000 });
    expect(await read()).toBeLessThan(4000);
    await context.set('mcp', { result_characters: 50_000 });
  },
  'mcp.resource': async ({ site, set }) => {
    await set('mcp', { resource: 'https://agents.example.org/@mcp' });
    expect(resourceOf(site.kernel, await site.kernel.sites.current())).toBe('https://agents.example.org/@mcp');
    await set('mcp', { resource: '' });
  },
  'proposals.pending_per_user': async (context) => {
    expect((await propose(context)).status).toBe(201);
    await context.set('proposals', { pending_per_user: 1 });
    expect((await propose(context)).status).toBe(400);
    await context.set('proposals', { pending_per_user: 20 });
  },
  'proposals.self_approval': async (context) => {
    const { body } = await propose(context);
    const mayApprove = async () => (await context.read(`/@proposals/${body.id}`)).may_approve;
    expect(await mayApprove()).toBe(true);
    await context.set('proposals', { self_approval: false });
    expect(await mayApprove()).toBe(false);
    await context.set('proposals', { self_approval: true });
  },
  'proposals.days_pending': async (context) => {
    await propose(context);
    await context.set('proposals', { days_pending: 0 });
    expect((await tidied(context, 4000)).expired).toBe(0);
    await context.set('proposals', { days_pending: 5 });
    expect((await tidied(context, 6)).expired).toBeGreaterThan(0);
  },
  'proposals.days_kept': async (context) => {
    const { body } = await propose(context);
    await context.site.request('POST', `/@proposals/${body.id}/withdraw`, { json: {} });
    await context.set('proposals', { days_kept: 0, days_pending: 0 });
    expect((await tidied(context, 4000)).removed).toBe(0);
    await context.set('proposals', { days_kept: 5 });
    expect((await tidied(context, 4000)).removed).toBeGreaterThan(0);
  },
  'proposals.mail_to': async (context) => {
    expect(await mailsOf(context, () => propose(context))).toBe(0);
    await context.set('proposals', { mail_to: 'desk@example.org' });
    expect(await mailsOf(context, () => propose(context))).toBe(1);
    await context.set('proposals', { mail_to: '' });
  },
  'proposals.mail_reviewers': async (context) => {
    const reviewers = [await addReviewer(context)];
    expect(await mailsOf(context, () => propose(context, { reviewers }))).toBe(1);
    await context.set('proposals', { mail_reviewers: false });
    expect(await mailsOf(context, () => propose(context, { reviewers }))).toBe(0);
    await context.set('proposals', { mail_reviewers: true });
  },
  'proposals.mail_preview': async (context) => {
    const user = await addReviewer(context);
    const { body } = await propose(context, { reviewers: [user] });
    const text = async () => {
      const data = { occasion: 'asked', proposal: body.id, user };
      const item = {
        id: Number(context.fresh('').replace(/\D/g, '')),
        topic: 'proposal-news',
        data,
        attempts: 0,
        trace: null,
      };
      return (await proposalMails[0]?.compose(context.site.kernel, item))?.text;
    };
    expect(await text()).toContain(`/@proposals/${body.id}/preview?preview_token=proposal_`);
    await context.set('proposals', { mail_preview: false });
    expect(await text()).not.toContain('preview_token');
    await context.set('proposals', { mail_preview: true });
  },
  'proposals.mail_creators': async (context) => {
    const login = await addReviewer(context);
    // A mail to somebody without an address leaves the queue as soon as it is composed, which may be before it is counted.
    const addressed = (email: string) => context.site.request('PATCH', '/@users/admin', { json: { email } });
    await addressed('admin@example.org');
    const commented = async () => {
      const { body } = await propose(context);
      const as = { login, password: 'a long password' };
      return mailsOf(context, () =>
        context.site.request('POST', `/@proposals/${body.id}/comments`, { as, json: { text: 'Why?' } }),
      );
    };
    expect(await commented()).toBe(1);
    await context.set('proposals', { mail_creators: false });
    expect(await commented()).toBe(0);
    await context.set('proposals', { mail_creators: true });
    await addressed('');
  },
};
