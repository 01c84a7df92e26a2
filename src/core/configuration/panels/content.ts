import { DEFAULT_SCALES, parseScaleLine, type ScaleTable } from '../../files/images/image-scales.ts';
import {
  DEFAULT_QUALITIES,
  type Qualities,
  SMALLER_FORMATS,
  type SmallerFormat,
} from '../../files/images/make-scale.ts';
import type { Site } from '../site/site.ts';
import { type Choices, definePanel, panelSettings } from './panel.ts';
import { choice, flag, list, plainChoices, several, textsOf, whole } from './setting-forms.ts';

/** How content is edited. */
export const editingPanel = definePanel({
  id: 'editing',
  title: 'Editing',
  group: 'Content',
  settings: [
    list('available_editors', {
      title: 'Available editors',
      description: 'Editors of formatted text that front ends have.',
      default: ['TinyMCE', 'None'],
    }),
    choice('default_editor', {
      title: 'Default editor',
      description: 'The editor that the schemas of content types name for formatted text.',
      default: 'TinyMCE',
      choices: (_site, values) => plainChoices(textsOf(values.available_editors)),
    }),
    flag('enable_link_integrity_checks', {
      title: 'Check links before deleting',
      description: 'Warn editors about links to content that they delete.',
      default: true,
    }),
    flag('lock_on_ttw_edit', {
      title: 'Lock content while it is edited',
      description: 'Off: nobody can take a lock. Locks that are held stay until they are released or run out.',
      default: true,
    }),
    flag('merge_ended_locks', {
      title: 'Merge changes of forms whose lock has ended',
      description:
        'A form may be saved after its lock has run out or was removed, when others have changed the content. Off: it replaces what they have written.',
      default: true,
      record: 'canopy.editing.merge_ended_locks',
    }),
    flag('subjects_of_navigation_root', {
      title: 'Tags of the navigation root only',
      description:
        'Whether forms offer only tags that content of the same navigation root has, such as those of one language.',
      default: false,
    }),
  ],
  check: ({ available_editors: available, default_editor: chosen }) =>
    textsOf(available).includes(String(chosen))
      ? []
      : [{ field: 'default_editor', message: 'Must be one of the available editors.' }],
});

/** The formats that formatted text can have. */
export const FORMATS: Choices = [
  ['text/html', 'HTML'],
  ['text/plain', 'Plain text'],
];

/** The formats of formatted text. */
export const markupPanel = definePanel({
  id: 'markup',
  title: 'Markup',
  group: 'Content',
  settings: [
    several('allowed_types', {
      title: 'Formats',
      description: 'Text in another format is refused, unless it is in that format already.',
      default: ['text/html', 'text/plain'],
      choices: () => FORMATS,
    }),
    choice('default_type', {
      title: 'Default format',
      description: 'The format of text that comes without one.',
      default: 'text/html',
      choices: (_site, values) => FORMATS.filter(([token]) => textsOf(values.allowed_types).includes(token)),
    }),
  ],
  check: ({ allowed_types: allowed, default_type: chosen }) =>
    textsOf(allowed).includes(String(chosen))
      ? []
      : [{ field: 'default_type', message: 'Must be one of the formats that are allowed.' }],
});

const MAX_SCALES = 50;

const isWidth = (text: string): boolean => /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 10_000;

const quality = <N extends string>(name: N, form: { title: string; default: number }) =>
  whole(name, {
    ...form,
    description: 'Of scales in this format, from 1 to 100. Browsers may keep the pictures that they have.',
    minimum: 1,
    maximum: 100,
    required: true,
  });

/** The scales of pictures. */
export const imagingPanel = definePanel({
  id: 'imaging',
  title: 'Image Handling',
  group: 'Content',
  settings: [
    list('allowed_sizes', {
      title: 'Scales',
      description:
        'Largest width and height in pixels, one scale a line: <name> <width>:<height>. 65536 is no limit. With "crop" at the end of the line the scale has these proportions, and the rest is cut off.',
      default: Object.entries(DEFAULT_SCALES).map(([name, [width, height]]) => `${name} ${width}:${height}`),
      problem: (text) =>
        parseScaleLine(text)
          ? undefined
          : `"${text}" must have the form <name> <width>:<height> or <name> <width>:<height> crop, such as large 800:65536 or square 400:400 crop.`,
    }),
    list('requested_widths', {
      title: 'Other widths',
      description: 'Widths in pixels that addresses of pictures may ask for with ?width=, beside those of the scales.',
      default: [],
      problem: (text) => (isWidth(text) ? undefined : `"${text}" must be a whole number from 1 to 10000.`),
    }),
    several('smaller_formats', {
      title: 'Smaller formats',
      description: 'Browsers that take these formats get scales in them where that is smaller.',
      default: SMALLER_FORMATS.map((type) => type),
      choices: () => [
        ['image/avif', 'AVIF'],
        ['image/webp', 'WebP'],
      ],
    }),
    quality('quality', { title: 'Quality of JPEG', default: DEFAULT_QUALITIES['image/jpeg'] }),
    quality('quality_webp', { title: 'Quality of WebP', default: DEFAULT_QUALITIES['image/webp'] }),
    quality('quality_avif', { title: 'Quality of AVIF', default: DEFAULT_QUALITIES['image/avif'] }),
  ],
  check({ allowed_sizes: sizes, requested_widths: widths }) {
    const names = textsOf(sizes).map((text) => parseScaleLine(text)?.name);
    const twice = names.find((name, i) => names.indexOf(name) !== i);
    return [
      ...(twice === undefined ? [] : [{ field: 'allowed_sizes', message: `There are two scales "${twice}".` }]),
      ...(names.length > MAX_SCALES
        ? [{ field: 'allowed_sizes', message: `There may be ${MAX_SCALES} scales at most.` }]
        : []),
      ...(textsOf(widths).length > MAX_SCALES
        ? [{ field: 'requested_widths', message: `There may be ${MAX_SCALES} widths at most.` }]
        : []),
    ];
  },
});

/** Cached by site, because a site is immutable, and every picture needs its scales. */
const known = new WeakMap<Site, ScaleTable>();

/** The scales of pictures, from the setting `imaging.allowed_sizes`. */
export function siteScales(site: Site): ScaleTable {
  const present = known.get(site);
  if (present) return present;
  const scales = panelSettings(site, imagingPanel).allowed_sizes.flatMap((line) => parseScaleLine(line) ?? []);
  const table = Object.fromEntries(scales.map(({ name, box }) => [name, box]));
  known.set(site, table);
  return table;
}

/** The scales of pictures of a site by their names. */
export const scaleChoices = (site: Site): Choices => plainChoices(Object.keys(siteScales(site)));

/** The quality of scales by their format: the settings `imaging.quality`, `quality_webp` and `quality_avif`. */
export function siteQualities(site: Site): Qualities {
  const { quality, quality_webp, quality_avif } = panelSettings(site, imagingPanel);
  return { 'image/jpeg': quality, 'image/webp': quality_webp, 'image/avif': quality_avif };
}

/** The formats that scales may be sent in if this is smaller, the smallest first: the setting `imaging.smaller_formats`. */
export function smallerFormats(site: Site): SmallerFormat[] {
  const chosen = panelSettings(site, imagingPanel).smaller_formats;
  return SMALLER_FORMATS.filter((type) => chosen.includes(type));
}

/** Says if addresses may request pictures of this width in pixels: the width of a scale, or a width in `imaging.requested_widths`. */
export function isRequestedWidth(site: Site, width: number): boolean {
  const widths = panelSettings(site, imagingPanel).requested_widths;
  return widths.includes(String(width)) || Object.values(siteScales(site)).some(([scaleWidth]) => scaleWidth === width);
}
