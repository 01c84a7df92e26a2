import { internalPath } from '../../src/core/content/blocks/internal-path.ts';
import { storedReference } from '../../src/core/content/blocks/resolve-uid.ts';
import type { Target } from '../../src/core/types/field-kind.ts';

export const BASE = 'https://example.org/site';

export const SCALES = { image: [{ width: 400, height: 200, download: '@@images/image-400.png', scales: {} }] };

const target = (uid: string, path: string, more: Partial<Target> = {}): Target => ({
  uid,
  url: BASE + path,
  visible: true,
  ...more,
  summary: { '@id': BASE + path, '@type': 'Page', title: `Title of ${uid}`, description: '', ...more.summary },
});

const found = [
  target('page-1', '/page'),
  target('picture-1', '/picture', { summary: { '@type': 'Image', image_field: 'image', image_scales: SCALES } }),
  target('secret-1', '/vault/secret', { visible: false, summary: { title: 'Hidden title', image_scales: SCALES } }),
  target('file-1', '/report', { primaryUrl: `${BASE}/report/@@download/file` }),
];

/** A small site: /page, /picture, /report (a file) and /vault/secret, which the caller may not view. */
export const targets = (uid: string): Target | undefined => found.find((item) => item.uid === uid);

/** The stored form of links to that site, as the SQL statement would return it. */
export function resolve(link: string): string {
  const internal = internalPath(link, [BASE]);
  if (internal === undefined) return link;
  const hit = found.find(({ uid, url }) => ('uid' in internal ? internal.uid === uid : url === BASE + internal.path));
  return hit === undefined ? link : storedReference(hit.uid, internal.suffix);
}

/** A `blocks` object with this one block. */
export const block = (value: unknown): Record<string, unknown> => ({ one: value });
