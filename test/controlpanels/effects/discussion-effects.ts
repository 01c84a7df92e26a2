import { expect } from 'vitest';
import { changeSettings } from '../../people/people-site.ts';
import type { Json, Who } from '../../support/site.ts';
import type { EffectSite, Effects } from './effect.ts';

/** Comments on a page and returns the status. */
const commentOn = async ({ site }: EffectSite, path: string, as: Who = 'admin') =>
  (await site.request('POST', `${path}/@comments`, { json: { text: 'A comment' }, as })).status;

/** The comments on a page. */
const commentsOn = async ({ read }: EffectSite, path: string, as: Who = 'admin'): Promise<Json[]> =>
  (await read(`${path}/@comments`, { as })).items;

/** Creates a page with a comment of a user with the role Member only. Returns both. */
async function discussed(context: EffectSite): Promise<{ path: string; member: Who }> {
  const login = context.fresh('commenter');
  const password = 'Long-enough-77!';
  const json = { username: login, password, email: `${login}@example.org`, roles: ['Member'] };
  await context.site.request('POST', '/@users', { json });
  const [path, member] = [await context.create(), { login, password }];
  expect(await commentOn(context, path, member)).toBe(204);
  return { path, member };
}

const mailsWaiting = async ({ site }: EffectSite): Promise<string[]> => {
  const text = `select data->'to'->0->>'address' as address from queue_item where kind = 'mail' and data->>'subject' like 'New comment%'`;
  return (await site.kernel.db.query<{ address: string }>({ text })).map(({ address }) => address);
};

/** A mail server that cannot be reached, so that mails stay in the outbox, and the language of their subjects. */
async function mailInEnglish({ site }: EffectSite): Promise<void> {
  await changeSettings(site, 'language', { default_language: 'en' });
  await changeSettings(site, 'mail', { smtp_host: '127.0.0.1', smtp_port: 9, email_from_address: 'site@example.org' });
}

export const DISCUSSION_EFFECTS: Effects = {
  'discussion.globally_enabled': async ({ set, read, create }) => {
    const path = await create();
    await set('discussion', { globally_enabled: false });
    expect((await read(path)).allow_discussion).toBe(false);
    await set('discussion', { globally_enabled: true });
    expect((await read(path)).allow_discussion).toBe(true);
  },
  'discussion.anonymous_comments': async (context) => {
    const path = await context.create();
    expect(await commentOn(context, path, 'anonymous')).toBe(401);
    await context.set('discussion', { anonymous_comments: true });
    expect(await commentOn(context, path, 'anonymous')).toBe(204);
    await context.set('discussion', { anonymous_comments: false });
  },
  'discussion.moderation_enabled': async (context) => {
    await context.set('discussion', { moderation_enabled: true });
    const { path } = await discussed(context);
    expect(await commentsOn(context, path, 'anonymous')).toEqual([]);
    await context.set('discussion', { moderation_enabled: false });
    const other = await discussed(context);
    expect(await commentsOn(context, other.path, 'anonymous')).toHaveLength(1);
  },
  'discussion.edit_comment_enabled': async (context) => {
    const { path, member } = await discussed(context);
    expect(await commentsOn(context, path, member)).toMatchObject([{ is_editable: true }]);
    await context.set('discussion', { edit_comment_enabled: false });
    expect(await commentsOn(context, path, member)).toMatchObject([{ is_editable: false }]);
  },
  'discussion.delete_own_comment_enabled': async (context) => {
    const { path, member } = await discussed(context);
    expect(await commentsOn(context, path, member)).toMatchObject([{ is_deletable: true }]);
    await context.set('discussion', { delete_own_comment_enabled: false });
    expect(await commentsOn(context, path, member)).toMatchObject([{ is_deletable: false }]);
  },
  'discussion.text_transform': async (context) => {
    const path = await context.create();
    await context.set('discussion', { text_transform: 'text/html' });
    await commentOn(context, path);
    expect(await commentsOn(context, path)).toMatchObject([{ text: { 'mime-type': 'text/html' } }]);
    await context.set('discussion', { text_transform: 'text/plain' });
  },
  'discussion.show_commenter_image': async (context) => {
    const { path, member } = await discussed(context);
    const data = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGM4wcAAAAJcAMlDyBJGAAAAAElFTkSuQmCC';
    const portrait = { data, encoding: 'base64', 'content-type': 'image/png', filename: 'p.png' };
    const login = typeof member === 'object' && 'login' in member ? member.login : '';
    await context.site.request('PATCH', `/@users/${login}`, { json: { portrait } });
    expect(await commentsOn(context, path)).toMatchObject([{ author_image: expect.stringContaining(login) }]);
    await context.set('discussion', { show_commenter_image: false });
    expect(await commentsOn(context, path)).toMatchObject([{ author_image: null }]);
  },
  'discussion.moderator_notification_enabled': async (context) => {
    await mailInEnglish(context);
    const path = await context.create();
    await commentOn(context, path);
    expect(await mailsWaiting(context)).toEqual([]);
    await context.set('discussion', { moderator_notification_enabled: true });
    await commentOn(context, path);
    expect(await mailsWaiting(context)).toEqual(['site@example.org']);
    await context.site.kernel.db.query({ text: `delete from queue_item where kind = 'mail'` });
  },
  'discussion.moderator_email': async (context) => {
    await mailInEnglish(context);
    await context.set('discussion', { moderator_notification_enabled: true, moderator_email: 'm@example.org' });
    await commentOn(context, await context.create());
    expect(await mailsWaiting(context)).toEqual(['m@example.org']);
    await context.site.kernel.db.query({ text: `delete from queue_item where kind = 'mail'` });
    await context.set('discussion', { moderator_notification_enabled: false });
  },
};
