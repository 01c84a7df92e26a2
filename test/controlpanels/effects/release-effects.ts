import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { publishDue } from '../../../src/features/releases/scheduled.ts';
import { tidyReleases } from '../../../src/features/releases/tidy.ts';
import { mailsOf } from './agent-effects.ts';
import type { EffectSite, Effects } from './effect.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Makes a release with a change of a new page; returns its address and that of the page. */
async function makeRelease({ site, create }: EffectSite): Promise<{ release: string; page: string }> {
  const page = await create();
  const { body } = await site.request('POST', '/@releases', {
    json: { title: 'Other words', parts: [{ method: 'PATCH', path: page, body: { description: randomUUID() } }] },
  });
  return { release: `/@releases/${body.id}`, page };
}

/** Removes releases as so many days later. */
const tidied = ({ site }: EffectSite, days: number) =>
  tidyReleases(site.kernel, new AbortController().signal, new Date(Date.now() + days * DAY_MS));

/** Has a release fail at its time, because its page is gone. */
async function fail(context: EffectSite): Promise<void> {
  const { site } = context;
  const { release, page } = await makeRelease(context);
  await site.request('DELETE', page);
  await site.request('POST', `${release}/schedule`, { json: { at: new Date(Date.now() + DAY_MS).toISOString() } });
  await site.kernel.db.query({
    text: `update release set due = now() - interval '1 second' where id = $1`,
    values: [release.slice('/@releases/'.length)],
  });
  while (await publishDue(site.kernel));
  // The site may have taken it first.
  await expect.poll(async () => (await site.request('GET', release)).body.state).toBe('failed');
}

export const RELEASE_EFFECTS: Effects = {
  'releases.days_kept': async (context) => {
    const { release } = await makeRelease(context);
    expect((await context.site.request('POST', `${release}/publish`, { json: {} })).status).toBe(200);
    await context.set('releases', { days_kept: 0 });
    expect((await tidied(context, 4000)).removed).toBe(0);
    await context.set('releases', { days_kept: 5 });
    expect((await tidied(context, 4)).removed).toBe(0);
    expect((await tidied(context, 6)).removed).toBeGreaterThan(0);
  },
  'releases.mail_failures': async (context) => {
    // Without an address the mail would be dropped at once.
    await context.site.request('PATCH', '/@users/admin', { json: { email: 'admin@example.org' } });
    expect(await mailsOf(context, () => fail(context))).toBe(1);
    await context.set('releases', { mail_failures: false });
    expect(await mailsOf(context, () => fail(context))).toBe(0);
    await context.set('releases', { mail_failures: true });
  },
};
