import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { auditLogSince } from '../../../src/features/audit-log/panel.ts';
import { HUB } from '../../../src/features/changes/hub.ts';
import { retainedSince as changesSince } from '../../../src/features/changes/panel.ts';
import { retentionOf } from '../../../src/features/history/versioning.ts';
import { jobRetention } from '../../../src/features/jobs/panel.ts';
import { retainedSince } from '../../../src/features/recycle-bin/panel.ts';
import { retainedSince as transactionsSince } from '../../../src/features/transactions/retention.ts';
import { hasFailedLong } from '../../../src/features/webhooks/panel.ts';
import type { Json } from '../../support/site.ts';
import type { EffectSite, Effects } from './effect.ts';

const DAY = 24 * 60 * 60 * 1000;
/** A picture of 300 to 200 pixels. */
const PICTURE = async () => {
  const { default: sharp } = await import('sharp');
  const bytes = await sharp({ create: { width: 300, height: 200, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  return { data: bytes.toString('base64'), encoding: 'base64', 'content-type': 'image/png', filename: 'red.png' };
};

const textField = async ({ read }: EffectSite): Promise<Json> =>
  (await read('/@types/News%20Item')).properties.text.widgetOptions;
const text = (data: string, type?: string) => ({ data, ...(type ? { 'content-type': type } : {}) });

/** Creates a news item with a text and returns the status. */
const news = async ({ site, fresh }: EffectSite, value: unknown) =>
  site.request('POST', '/', { json: { '@type': 'News Item', title: fresh('News '), text: value } });

/** A picture whose size in bytes follows its quality. */
const noise = async () => {
  const { default: sharp } = await import('sharp');
  const grain = { type: 'gaussian' as const, mean: 128, sigma: 30 };
  const bytes = await sharp({ create: { width: 400, height: 300, channels: 3, background: '#888', noise: grain } })
    .jpeg()
    .toBuffer();
  return { data: bytes.toString('base64'), encoding: 'base64', 'content-type': 'image/jpeg', filename: 'n.jpg' };
};

/** Lowers the quality of a format and puts it back, and looks at a scale in that format. */
async function followsQuality({ site, set, read, create }: EffectSite, name: string, accept: string): Promise<void> {
  const path = await create({ '@type': 'Image', image: await noise() });
  await set('imaging', { allowed_sizes: ['small 200:65536'] });
  const { [name]: usual } = (await read('/@controlpanels/imaging')).data;
  const scale = () => site.request('GET', `${path}/@@images/image/small`, { headers: { Accept: accept } });
  const before = await scale();
  if (accept !== '*/*') expect(before.headers.get('content-type')).toBe(accept);
  await set('imaging', { [name]: 10 });
  const after = await scale();
  expect(after.bytes.length).toBeLessThan(before.bytes.length / 2);
  expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'));
  await set('imaging', { [name]: usual });
  expect((await scale()).bytes.length).toBe(before.bytes.length);
}

export const CONTENT_EFFECTS: Effects = {
  'editing.default_editor': async (context) => {
    expect((await textField(context)).editor).toBe('TinyMCE');
    await context.set('editing', { default_editor: 'None' });
    expect((await textField(context)).editor).toBe('None');
  },
  'editing.available_editors': async (context) => {
    const change = () =>
      context.site.request('PATCH', '/@controlpanels/editing', { json: { default_editor: 'Quill' } });
    expect((await change()).status).toBe(400);
    await context.set('editing', { available_editors: ['TinyMCE', 'None', 'Quill'] });
    expect((await change()).status).toBe(204);
    expect((await textField(context)).editor).toBe('Quill');
  },
  'editing.enable_link_integrity_checks': async ({ set, read, create }) => {
    const { UID } = await read(await create());
    expect(await read(`/@linkintegrity?uids=${UID}`)).toHaveLength(1);
    await set('editing', { enable_link_integrity_checks: false });
    expect(await read(`/@linkintegrity?uids=${UID}`)).toEqual([]);
  },
  'editing.lock_on_ttw_edit': async ({ site, set, create }) => {
    const [held, free] = [await create(), await create()];
    const lock = async (path: string) => (await site.request('POST', `${path}/@lock`, { json: {} })).body;
    await lock(held);
    await set('editing', { lock_on_ttw_edit: false });
    expect(await lock(free)).toMatchObject({ locked: false });
    expect(await lock(held)).toMatchObject({ locked: true });
    expect((await site.request('PATCH', held, { json: { title: 'Locked' } })).status).toBe(403);
  },
  'editing.merge_ended_locks': async ({ site, set, read, create }) => {
    /** Two forms are opened in turn, and the first one is saved last, after its lock was removed. Returns the title after that. */
    const titleAfterBoth = async () => {
      const path = await create({ title: 'First' });
      const request = (method: string, service: string, json: Json, token?: string) =>
        site.request(method, `${path}${service}`, {
          json,
          headers: token === undefined ? {} : { 'Lock-Token': token },
        });
      const { token } = (await request('POST', '/@lock', {})).body;
      await request('DELETE', '/@lock', { force: true });
      // The state that a form began from is named to the millisecond.
      await sleep(2);
      expect((await request('PATCH', '', { title: 'Second' })).status).toBe(204);
      const { status } = await request('PATCH', '', { title: 'Third' }, token);
      return [status, (await read(path)).title];
    };
    expect(await titleAfterBoth()).toEqual([409, 'Second']);
    await set('editing', { merge_ended_locks: false });
    expect(await titleAfterBoth()).toEqual([204, 'Third']);
  },
  'imaging.allowed_sizes': async ({ site, set, read, create }) => {
    const path = await create({ '@type': 'Image', image: await PICTURE() });
    const { scales } = (await read(path)).image;
    expect(scales.mini.width).toBe(200);
    await set('imaging', { allowed_sizes: ['small 60:65536', 'wide 150:65536'] });
    const { image } = await read(path);
    expect(image.scales).toMatchObject({ small: { width: 60, height: 40 }, wide: { width: 150, height: 100 } });
    expect(Object.keys(image.scales)).toEqual(['small', 'wide']);
    const [listed] = (await read('/@search?portal_type=Image&metadata_fields=image_scales')).items;
    expect(Object.keys(listed.image_scales.image[0].scales)).toEqual(['small', 'wide']);
    const status = async (address: string) => (await site.request('GET', address)).status;
    expect(await status(image.scales.wide.download)).toBe(200);
    expect(await status(`${path}/@@images/image/small`)).toBe(200);
    expect(await status(`${path}/@@images/image/mini`)).toBe(404);
    expect(await status(scales.mini.download)).toBe(404);
  },
  'imaging.quality': (context) => followsQuality(context, 'quality', '*/*'),
  'imaging.quality_webp': (context) => followsQuality(context, 'quality_webp', 'image/webp'),
  'imaging.quality_avif': (context) => followsQuality(context, 'quality_avif', 'image/avif'),
  'imaging.requested_widths': async ({ site, set, create }) => {
    const path = await create({ '@type': 'Image', image: await PICTURE() });
    const status = async () => (await site.request('GET', `${path}/@@images/image?width=77`)).status;
    expect(await status()).toBe(400);
    await set('imaging', { requested_widths: ['77'] });
    expect(await status()).toBe(200);
  },
  'imaging.smaller_formats': async ({ site, set, create }) => {
    const path = await create({ '@type': 'Image', image: await noise() });
    await set('imaging', { allowed_sizes: ['small 200:65536'], smaller_formats: ['image/webp'] });
    const type = async () => {
      const headers = { Accept: 'image/avif,image/webp,*/*' };
      return (await site.request('GET', `${path}/@@images/image/small`, { headers })).headers.get('content-type');
    };
    expect(await type()).toBe('image/webp');
    await set('imaging', { smaller_formats: [] });
    expect(await type()).toBe('image/jpeg');
    await set('imaging', { smaller_formats: ['image/avif', 'image/webp'] });
  },
  'jobs.keep': async ({ site, set }) => {
    await set('jobs', { keep: 5 });
    expect(jobRetention(await site.kernel.sites.current()).keep).toBe(5);
  },
  'jobs.days': async ({ site, set }) => {
    await set('jobs', { days: 5 });
    expect(jobRetention(await site.kernel.sites.current(), 100 * DAY).before.getTime()).toBe(95 * DAY);
  },
  'markup.allowed_types': async (context) => {
    const kept = (await news(context, text('Plain', 'text/plain'))).body['@id'];
    await context.set('markup', { allowed_types: ['text/html'], default_type: 'text/html' });
    expect((await news(context, text('Plain', 'text/plain'))).status).toBe(400);
    expect((await news(context, text('<p>Rich</p>'))).status).toBe(201);
    const json = { text: text('Plain still', 'text/plain') };
    expect((await context.site.request('PATCH', kept, { json })).status).toBe(204);
  },
  'markup.default_type': async (context) => {
    await context.set('markup', { allowed_types: ['text/html', 'text/plain'], default_type: 'text/plain' });
    const types = await Promise.all(
      ['1 < 2', text('1 < 2')].map(async (value) => (await news(context, value)).body.text),
    );
    for (const { data, 'content-type': type } of types) expect([data, type]).toEqual(['1 < 2', 'text/plain']);
  },
  'recyclebin.recycling_enabled': async ({ site, set, read, create }) => {
    const total = async () => (await read('/@recyclebin')).items_total;
    const remove = async () => site.request('DELETE', await create());
    await remove();
    const before = await total();
    expect(before).toBeGreaterThan(0);
    await set('recyclebin', { recycling_enabled: false });
    await remove();
    expect(await total()).toBe(before);
  },
  'recyclebin.retention_period': async ({ site, set }) => {
    const since = async () => retainedSince(await site.kernel.sites.current(), 100 * DAY)?.getTime();
    expect(await since()).toBe(70 * DAY);
    await set('recyclebin', { retention_period: 3 });
    expect(await since()).toBe(97 * DAY);
    await set('recyclebin', { retention_period: 0 });
    expect(await since()).toBeUndefined();
  },
  'publishing.hide_inactive_content': async ({ site, set, create }) => {
    const path = await create({ expires: '2020-01-01T00:00:00Z', effective: '2019-01-01T00:00:00Z' });
    const status = async () => (await site.request('GET', path, { as: 'anonymous' })).status;
    expect(await status()).toBe(200);
    await set('publishing', { hide_inactive_content: true });
    expect(await status()).toBe(401);
    await set('publishing', { hide_inactive_content: false });
    expect(await status()).toBe(200);
  },
  'audit-log.days': async ({ site, set }) => {
    const since = async () => auditLogSince(await site.kernel.sites.current(), 400 * DAY)?.getTime();
    expect(await since()).toBe(35 * DAY);
    await set('audit-log', { days: 30 });
    expect(await since()).toBe(370 * DAY);
    await set('audit-log', { days: 0 });
    expect(await since()).toBeUndefined();
  },
  'changes.days': async ({ site, set }) => {
    const since = async () => changesSince(await site.kernel.sites.current(), 100 * DAY).getTime();
    expect(await since()).toBe(70 * DAY);
    await set('changes', { days: 3 });
    expect(await since()).toBe(97 * DAY);
  },
  'changes.listeners': async ({ site, set }) => {
    const hub = site.kernel.slots.get(HUB);
    // A listener is counted by the settings that its request has loaded.
    await site.kernel.sites.current();
    hub.enter('one')();
    await set('changes', { listeners: 0 });
    await site.kernel.sites.current();
    expect(() => hub.enter('one')).toThrow('Too many clients');
    await set('changes', { listeners: 10_000 });
  },
  'changes.listeners_per_client': async ({ site, set }) => {
    const hub = site.kernel.slots.get(HUB);
    // A listener is counted by the settings that its request has loaded.
    await site.kernel.sites.current();
    hub.enter('one')();
    await set('changes', { listeners_per_client: 0 });
    await site.kernel.sites.current();
    expect(() => hub.enter('one')).toThrow('too many times');
    await set('changes', { listeners_per_client: 100 });
  },
  'webhooks.pause_hours': async ({ site, set }) => {
    const pauses = async (seconds: number) => hasFailedLong(await site.kernel.sites.current(), seconds);
    expect(await pauses(25 * 3600)).toBe(true);
    expect(await pauses(23 * 3600)).toBe(false);
    await set('webhooks', { pause_hours: 0 });
    expect(await pauses(25 * 3600)).toBe(false);
  },
  'transactions.days': async ({ site, set }) => {
    const since = async () => transactionsSince(await site.kernel.sites.current(), 100 * DAY)?.getTime();
    expect(await since()).toBe(10 * DAY);
    await set('transactions', { days: 3 });
    expect(await since()).toBe(97 * DAY);
    await set('transactions', { days: 0 });
    expect(await since()).toBeUndefined();
  },
  'versioning.keep': async ({ site, set, read, create }) => {
    await set('versioning', { keep: 2 });
    const path = await create();
    for (const title of ['One', 'Two', 'Three', 'Four']) await site.request('PATCH', path, { json: { title } });
    const versions = (await read(`${path}/@history`)).filter(({ type }: Json) => type === 'versioning');
    expect(versions.length).toBeLessThanOrEqual(2);
    await set('versioning', { keep: null });
    expect(retentionOf(await site.kernel.sites.current()).keep).toBeNull();
  },
  'versioning.days': async ({ site, set }) => {
    const since = async () => retentionOf(await site.kernel.sites.current(), 100 * DAY).since?.getTime();
    expect(await since()).toBeUndefined();
    await set('versioning', { days: 10 });
    expect(await since()).toBe(90 * DAY);
  },
};
