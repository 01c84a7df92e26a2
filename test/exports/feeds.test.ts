import { afterAll, beforeAll, expect, it } from 'vitest';
import { create, disposition, publish } from '../files/file-content.ts';
import { describeEachEngine } from '../support/database.ts';
import { type Json, startTestSite, type TestSite } from '../support/site.ts';
import { seedContent } from './seed-content.ts';

const all = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, found = '']) => found);
const EVENT = { '@type': 'Event', start: '2026-05-01T10:00:00+02:00', end: '2026-05-01T12:30:00+02:00' };

describeEachEngine('feeds', (engine) => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startTestSite(engine);
  });
  afterAll(() => site?.close());

  const get = (path: string, as: 'admin' | 'anonymous' = 'admin') =>
    site.request('GET', path, { as, headers: { Accept: '*/*' } });
  const titles = async (path: string, as?: 'anonymous') =>
    all((await get(`${path}/rss_view`, as)).text, /<item>\s*<title>([^<]*)/g);
  const events = async (path: string, as?: 'anonymous') =>
    all((await get(`${path}/ics_view`, as)).text, /^SUMMARY:(.*)\r$/gm);
  async function createFolder(id: string, container = '/', data: Json = {}): Promise<string> {
    const { path } = await create(site, container, { '@type': 'Folder', title: id, id, ...data });
    await publish(site, path);
    return path;
  }
  async function createOpen(container: string, data: Json): Promise<Json & { path: string }> {
    const made = await create(site, container, { '@type': 'Page', ...data });
    await publish(site, made.path);
    return made;
  }

  it('a feed describes the container and each object below it, at any depth', async () => {
    const news = await createFolder('news', '/', { title: 'News & more', description: 'All of it' });
    const page = await createOpen(await createFolder('inner', news), {
      title: 'Deep',
      description: '<b>',
      effective: '2026-01-02T03:04:05Z',
    });
    const answer = await get(`${news}/rss_view`);
    expect(answer.headers.get('content-type')).toBe('application/rss+xml; charset=utf-8');
    expect(disposition(answer)).toMatch(/^attachment; filename="news\.rss"/);
    expect(answer.text).toContain(
      `<title>News &amp; more</title>\n    <description>All of it</description>\n    <language>en</language>\n    <link>${site.url}/news</link>`,
    );
    expect(answer.text).toContain('<managingEditor>noreply@127.0.0.1 (Canopy)</managingEditor>');
    expect(answer.text).toContain(
      `<title>Deep</title>\n      <link>${page['@id']}</link>\n      <guid isPermaLink="false">${page.UID}</guid>\n      <pubDate>Fri, 02 Jan 2026 03:04:05 GMT</pubDate>\n      <description>&lt;b&gt;</description>`,
    );
    expect(await titles(news)).toEqual(['inner', 'Deep']);
  });

  it('the date of a feed is that of the newest change that the caller may see', async () => {
    const folder = await createFolder('changing');
    await createOpen(folder, { title: 'Open' });
    const hidden = await create(site, folder, { '@type': 'Page', title: 'Hidden' });
    const built = async (as?: 'anonymous') =>
      Date.parse(all((await get(`${folder}/rss_view`, as)).text, /<lastBuildDate>([^<]*)/g)[0] ?? '');
    await site.kernel.db.query({
      text: `update content set modified = '2040-01-01' where uid = $1`,
      values: [hidden.UID],
    });
    expect(await built()).toBe(Date.parse('2040-01-01'));
    expect(await built('anonymous')).toBeLessThan(Date.parse('2039-01-01'));
  });

  it('a feed leaves out what the caller may not view, and what is not effective yet or has expired', async () => {
    const folder = await createFolder('dated');
    await createOpen(folder, { title: 'Open' });
    await createOpen(folder, { title: 'Future', effective: '2100-01-01T00:00:00Z' });
    await createOpen(folder, { title: 'Past', expires: '2001-01-01T00:00:00Z' });
    await create(site, folder, { '@type': 'Page', title: 'Private' });
    expect((await titles(folder)).sort()).toEqual(['Future', 'Open', 'Past', 'Private']);
    expect(await titles(folder, 'anonymous')).toEqual(['Open']);
    await createOpen(folder, { ...EVENT, title: 'Open event' });
    await createOpen(folder, { ...EVENT, title: 'Past event', expires: '2001-01-01T00:00:00Z' });
    await create(site, folder, { ...EVENT, title: 'Private event' });
    expect(await events(folder)).toEqual(['Open event', 'Past event', 'Private event']);
    expect(await events(folder, 'anonymous')).toEqual(['Open event']);
  });

  it('a feed leaves out content whose path only begins with the same characters', async () => {
    const folder = await createFolder('club');
    await createFolder('club-archive');
    await createOpen('/club-archive', { ...EVENT, title: 'Old meeting' });
    expect([await titles(folder), await events(folder)]).toEqual([[], []]);
    expect(await titles('')).toContain('Old meeting');
    expect(await events('')).toContain('Old meeting');
  });

  it('a feed has each of very many objects once', async () => {
    const folder = await createFolder('many');
    await seedContent(site, folder, 'Page', 1203);
    await seedContent(site, folder, 'Event', 1000);
    const expected = (type: string, count: number) =>
      Array.from({ length: count }, (_, i) => `${type} ${i + 1}`).sort();
    const found = await titles(folder, 'anonymous');
    expect(found.filter((title) => title.startsWith('Page')).sort()).toEqual(expected('Page', 1203));
    expect(found).toHaveLength(2203);
    expect((await events(folder, 'anonymous')).sort()).toEqual(expected('Event', 1000));
  });

  it('the calendar of an event has only that event', async () => {
    const folder = await createFolder('events');
    const data = {
      ...EVENT,
      title: 'Lunch; with Ann',
      recurrence: 'RRULE:FREQ=WEEKLY;COUNT=4',
      location: 'Here',
      attendees: ['Ann'],
      contact_name: 'Bob',
    };
    const event = await createOpen(folder, data);
    await createOpen(event.path, { ...EVENT, title: 'Within' });
    const answer = await get(`${event.path}/ics_view?disposition=inline`);
    expect(answer.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
    expect(disposition(answer)).toMatch(/^inline; filename="[\w-]+\.ics"/);
    const lines = answer.text.replaceAll('\r\n ', '').split('\r\n');
    expect(lines.filter((line) => line === 'BEGIN:VEVENT')).toHaveLength(1);
    for (const line of [
      'SUMMARY:Lunch\\; with Ann',
      'DTSTART:20260501T080000Z',
      'DTEND:20260501T103000Z',
      'RRULE:FREQ=WEEKLY;COUNT=4',
      'LOCATION:Here',
      'CONTACT:Bob',
      `UID:${event.UID}@${new URL(site.url).host}`,
      `URL:${event['@id']}`,
      'X-WR-TIMEZONE:UTC',
    ])
      expect(lines).toContain(line);
    expect(await events(folder)).toEqual(['Lunch\\; with Ann', 'Within']);
  });

  it('a calendar skips events without a start', async () => {
    const folder = await createFolder('broken');
    await seedContent(site, folder, 'Event', 2);
    await site.kernel.db.query({ text: `update content set fields = fields - 'start' where path = '/broken/event-1'` });
    expect(await events(folder)).toEqual(['Event 2']);
  });
});
