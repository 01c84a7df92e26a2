import type { ExportProblem } from '@canopy-server/site-reader';

type Data = Readonly<Record<string, unknown>>;

/** The first of several keys that has a value. */
function first(data: Data, ...keys: readonly string[]): unknown {
  for (const key of keys) {
    const value = data[key];
    if (value !== undefined && value !== null && value !== '') return value;
  }
  return undefined;
}

const textOrUndefined = (value: unknown): string | undefined => {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : undefined;
};

/** A list of texts, which may be written as one text with commas, or as objects with names. */
function texts(value: unknown): string[] {
  if (typeof value === 'string')
    return value
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
  if (!Array.isArray(value)) return textOrUndefined(value) === undefined ? [] : [String(value)];
  return value.flatMap((one) => {
    const name: unknown = typeof one === 'object' && one !== null && 'name' in one ? one.name : one;
    return textOrUndefined(name) ?? [];
  });
}

/** Lists of words in one text have spaces between them in some generators, commas in others. */
const words = (value: unknown): string[] =>
  texts(typeof value === 'string' && !value.includes(',') ? value.split(/\s+/) : value);

/** The last part of the address, where the front matter gives one; addresses with a slash are old addresses. */
export function slugOf(data: Data): string | undefined {
  const slug = textOrUndefined(first(data, 'slug', 'id'));
  return slug === undefined || /[/\0]/.test(slug) || slug === '.' || slug === '..' ? undefined : slug;
}

export function languageOf(data: Data): string | undefined {
  const language = textOrUndefined(first(data, 'language', 'lang', 'locale'))
    ?.toLowerCase()
    .replace('_', '-');
  return language !== undefined && /^[a-z]{2,3}(?:-[a-z]{2,4})?$/.test(language) ? language : undefined;
}

/** The place among siblings: the smallest first. Hugo's 0 is no weight. */
export function numberOf(data: Data): number | null {
  for (const key of ['weight', 'order', 'sidebar_position', 'nav_order', 'position']) {
    const value = data[key];
    if (typeof value === 'number' && Number.isFinite(value) && !(key === 'weight' && value === 0)) return value;
  }
  return null;
}

/** Old addresses of a page, as they are written. */
export const aliasesOf = (data: Data): string[] => [
  ...texts(first(data, 'aliases')),
  ...texts(first(data, 'redirect_from')),
  ...texts(data.permalink).filter((url) => !url.includes(':')),
  ...texts(data.url),
  ...texts(data.slug).filter((slug) => slug.includes('/')),
];

/** Says if somebody may see the page. */
const isDraft = (data: Data): boolean => data.draft === true || data.published === false || data.unlisted === true;

/** Dates of pages: `2024-05-01`, also with a time and a zone. Without a zone they are in UTC. */
function parseDate(value: unknown): Date | null | undefined {
  if (value === undefined) return undefined;
  const text = typeof value === 'string' ? value.trim() : '';
  const parts = /^(\d{4}-\d{2}-\d{2})(?:[T ]+(\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?))?\s*(Z|[+-]\d{2}:?\d{2})?$/i.exec(
    text,
  );
  if (!parts) return null;
  const [, day = '', time = '00:00', zone = 'Z'] = parts;
  const colon = zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone.toUpperCase();
  const date = new Date(
    `${day}T${time.padStart(time.indexOf(':') === 1 ? time.length + 1 : time.length, '0')}${colon}`,
  );
  return Number.isNaN(date.getTime()) ? null : date;
}

/** Keys that steer the generator of the old site, and mean nothing elsewhere. */
const OF_GENERATOR = new Set([
  ...[
    'layout',
    'template',
    'type',
    'theme',
    'outputs',
    'cascade',
    'menu',
    'menus',
    'head',
    'sidebar',
    'editLink',
    'lastUpdated',
  ],
  ...[
    'pagination_next',
    'pagination_prev',
    'pagination_label',
    'sidebar_class_name',
    'hide_title',
    'prev',
    'next',
    'markup',
  ],
  ...[
    'hide_table_of_contents',
    'toc_min_heading_level',
    'toc_max_heading_level',
    'parent',
    'grand_parent',
    'has_children',
  ],
  ...['custom_edit_url', 'displayed_sidebar', 'build', 'sitemap', 'items', 'owner', 'hide'],
]);

/** Keys with a meaning of their own, see the functions above. */
const UNDERSTOOD = new Set([
  ...[
    'title',
    'description',
    'summary',
    'excerpt',
    'tags',
    'keywords',
    'categories',
    'category',
    'tag',
    'author',
    'authors',
  ],
  ...[
    'date',
    'lastmod',
    'updated',
    'last_modified_at',
    'modified',
    'publishDate',
    'expiryDate',
    'draft',
    'published',
    'unlisted',
  ],
  ...[
    'slug',
    'id',
    'aliases',
    'redirect_from',
    'permalink',
    'url',
    'weight',
    'order',
    'sidebar_position',
    'nav_order',
    'position',
  ],
  ...['language', 'lang', 'locale', 'translationKey', 'linkTitle', 'sidebar_label', 'nav_exclude', 'toc', 'copyright'],
]);

/** Properties of a page in its front matter. */
export type Metadata = {
  title: string | undefined;
  fields: Record<string, unknown>;
  creators: string[];
  isDraft: boolean;
  created: Date | null;
  modified: Date | null;
  effective: Date | null;
  expires: Date | null;
};

/** Reads the front matter of a page. Other keys than the known ones become fields of their own names. */
export function readMetadata(
  data: Data,
  report: (problem: Pick<ExportProblem, 'reason' | 'key' | 'message'>) => void,
): Metadata {
  const date = (...keys: string[]): Date | null => {
    const key = keys.find((one) => first(data, one) !== undefined);
    const parsed = key === undefined ? undefined : parseDate(data[key]);
    if (parsed === null && key !== undefined)
      report({ reason: 'value', key, message: `The date ${key} cannot be read.` });
    return parsed ?? null;
  };
  const set = (value: unknown, name: string): Record<string, unknown> => (value === undefined ? {} : { [name]: value });
  const subjects = [
    ...words(first(data, 'tags', 'tag')),
    ...texts(data.keywords),
    ...texts(first(data, 'categories', 'category')),
  ];
  const others = Object.entries(data).filter(([key, value]) => {
    if (UNDERSTOOD.has(key) || value === null || value === '') return false;
    if (OF_GENERATOR.has(key))
      report({
        reason: 'unsupported',
        key,
        message: `The key ${key} of front matter steers the old generator; it is left out.`,
      });
    return !OF_GENERATOR.has(key);
  });
  const written = date('date');
  return {
    title: textOrUndefined(data.title),
    fields: {
      ...Object.fromEntries(others),
      ...set(textOrUndefined(first(data, 'description', 'summary', 'excerpt')), 'description'),
      ...(subjects.length > 0 ? { subjects: [...new Set(subjects)] } : {}),
      ...set(textOrUndefined(first(data, 'linkTitle', 'sidebar_label')), 'nav_title'),
      ...set(data.nav_exclude === true ? true : undefined, 'exclude_from_nav'),
      ...set(typeof data.toc === 'boolean' ? data.toc : undefined, 'table_of_contents'),
      ...set(textOrUndefined(data.copyright), 'rights'),
    },
    creators: texts(first(data, 'authors', 'author')),
    isDraft: isDraft(data),
    created: written,
    modified: date('lastmod', 'updated', 'last_modified_at', 'modified'),
    effective: date('publishDate') ?? written,
    expires: date('expiryDate'),
  };
}
