import { beforeAll, describe, expect, it } from 'vitest';
import { changeSettings } from '../people/people-site.ts';
import { describeEachEngine } from '../support/database.ts';
import { useMailingSite } from '../support/use-site.ts';
import { commentsOf } from './comment-site.ts';

describeEachEngine('comments of visitors', (engine) => {
  const { site, sink } = useMailingSite(engine);
  const { comment, list, requirePermission, page, person, send, set, status, texts } = commentsOf(site);

  it('visitors cannot comment unless the site allows it', async () => {
    const path = await page();
    expect(await status('POST', `${path}/@comments`, 'anonymous', { text: 'Hi' })).toBe(401);
    expect((await list(path, 'anonymous')).permissions.can_reply).toBe(false);
  });

  describe('where visitors may comment', () => {
    beforeAll(() => set({ anonymous_comments: true }));

    it('a comment of a visitor has the given name, and its author has no rights on it', async () => {
      const path = await page();
      expect((await list(path, 'anonymous')).permissions.can_reply).toBe(true);
      const json = { text: 'Hi', author_name: ' Vera ', author_username: 'admin' };
      await requirePermission(204, 'POST', `${path}/@comments`, { json, as: 'anonymous' });
      await comment(path, 'No name', 'anonymous');
      const { items } = await list(path, 'anonymous');
      expect(items).toMatchObject([
        { author_name: 'Vera', author_username: null, author_image: null, is_editable: false, is_deletable: false },
        { author_name: null, author_username: null },
      ]);
      expect(await status('PATCH', items[0]['@id'], 'anonymous', { text: 'x' })).toBe(401);
      expect(await status('DELETE', items[0]['@id'], 'anonymous')).toBe(401);
    });

    it.each([5, 'a\nb', 'a\u0000', 'x'.repeat(201), ['x']])(
      'a visitor cannot comment under the name %j',
      async (name) => {
        const path = await page();
        const { status: refused } = await send(
          'POST',
          `${path}/@comments`,
          { text: 'Hi', author_name: name },
          'anonymous',
        );
        expect(refused).toBe(400);
        expect(await texts(path)).toEqual([0]);
      },
    );

    it('a visitor can comment only on public content with open comments', async () => {
      const [closed, hidden] = [await page({ allow_discussion: false }), await page()];
      await requirePermission(200, 'POST', `${hidden}/@workflow/retract`, { json: {} });
      for (const path of [closed, hidden])
        expect(await status('POST', `${path}/@comments`, 'anonymous', { text: 'Hi' })).toBe(401);
    });

    it('a logged-in user cannot give another name for a comment', async () => {
      const path = await page();
      const ann = await person();
      await requirePermission(204, 'POST', `${path}/@comments`, {
        json: { text: 'Hi', author_name: 'The Pope' },
        as: ann,
      });
      expect((await list(path)).items[0]).toMatchObject({ author_name: ann.id, author_username: ann.id });
    });

    it('comments of visitors are limited by network, those of users are not', async () => {
      const path = await page();
      const sent = async () => status('POST', `${path}/@comments`, 'anonymous', { text: 'Hi' });
      const responses: number[] = [];
      for (let n = 0; n < 31; n += 1) responses.push(await sent());
      expect([...new Set(responses)]).toEqual([204, 429]);
      const before = await texts(path);
      expect(await sent()).toBe(429);
      expect(await texts(path)).toEqual(before);
      expect(await status('POST', `${path}/@comments`, await person(), { text: 'Hi' })).toBe(204);
      await site.kernel.db.query({ text: "update visitor_request set at = at - interval '1 hour'" });
      expect(await sent()).toBe(204);
    });
  });

  describe('mails to the moderator of comments', () => {
    const waiting = async () =>
      (
        await site.kernel.db.query<{ n: number }>({
          text: `select count(*)::int as n from queue_item where kind = 'mail'`,
        })
      )[0]?.n;

    it('the moderator gets a mail with the address and the text of each new comment', async () => {
      await changeSettings(site, 'site', { frontend_domain: 'https://www.example.org/' });
      await set({
        moderator_notification_enabled: true,
        moderator_email: 'moderator@example.org',
        moderation_enabled: true,
      });
      const path = await page({ title: 'Gärten' });
      await comment(path, 'Look\r\n.\r\nhere', await person());
      const [mail] = await sink.arrived('moderator@example.org');
      expect(mail?.subject).toBe('New comment on Gärten');
      expect(mail?.envelope.to).toEqual(['moderator@example.org']);
      for (const part of [`https://www.example.org${path}`, 'Look', 'here', 'waits for your review'])
        expect(mail?.text).toContain(part);
    });

    it('no mail about comments is sent without a recipient, when it is switched off, or for rejected comments', async () => {
      await expect.poll(waiting).toBe(0);
      const before = sink.mails.length;
      const path = await page();
      expect(await status('POST', `${path}/@comments`, 'admin', { text: '' })).toBe(400);
      await set({ moderator_email: '' });
      await comment(path, 'Nobody to tell');
      await set({ moderator_notification_enabled: false, moderator_email: 'moderator@example.org' });
      await comment(path, 'Nobody wants to know');
      expect([await waiting(), sink.mails.length]).toEqual([0, before]);
    });

    it('the setting moderator_email accepts only mail addresses', async () => {
      expect((await send('PATCH', '/@controlpanels/discussion', { moderator_email: 'a, b@example.org' })).status).toBe(
        400,
      );
    });
  });
});
