import type { Site } from '../site/site.ts';
import { definePanel, panelSettings } from './panel.ts';
import { whole } from './setting-forms.ts';

const MEBIBYTE = 1024 * 1024;

/** The maximum size of files, and the number that a user may send at a time. */
export const uploadsPanel = definePanel({
  id: 'uploads',
  title: 'Uploads',
  group: 'Content',
  settings: [
    whole('max_size', {
      title: 'Largest file',
      description: 'In mebibytes. Files that come as JSON are bounded by the size of a request as well, 64 mebibytes.',
      default: 5120,
      minimum: 1,
      maximum: 1024 * 1024,
      required: true,
      record: 'canopy.uploads.max_size',
    }),
    whole('expire_hours', {
      title: 'Hours that an upload may rest',
      description: 'An upload that has not gone on for so long is removed.',
      default: 24,
      minimum: 1,
      maximum: 24 * 30,
      required: true,
      record: 'canopy.uploads.expire_hours',
    }),
    whole('max_open', {
      title: 'Open uploads of a user',
      description: 'How many uploads a user may have begun and not finished.',
      default: 50,
      minimum: 1,
      maximum: 10_000,
      required: true,
      record: 'canopy.uploads.max_open',
    }),
    whole('max_open_size', {
      title: 'Size of the open uploads of a user',
      description: 'In mebibytes, all of them together.',
      default: 20_480,
      minimum: 1,
      maximum: 16 * 1024 * 1024,
      required: true,
      record: 'canopy.uploads.max_open_size',
    }),
  ],
});

/** Maximum bytes of a file on the site. */
export const maxUploadBytes = (site: Pick<Site, 'settings'>): number =>
  panelSettings(site, uploadsPanel).max_size * MEBIBYTE;
