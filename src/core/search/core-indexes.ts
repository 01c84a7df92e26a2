import type { CatalogIndex, CountedValue } from './catalog-index.ts';
import {
  booleanIndex,
  fieldIndex,
  keywordIndex,
  positionIndex,
  referenceIndex,
  typeIndex,
  uuidIndex,
} from './indexes/basic.ts';
import { dateIndex, dateRangeIndex, recurringDateIndex } from './indexes/dates.ts';
import { isProvided } from './indexes/provided.ts';
import { textIndex } from './indexes/text-index.ts';
import { sortableTitle } from './text.ts';
import { parseBoolean } from './values.ts';

const isDefaultPage = 'exists (select from content p where p.oid = c.parent and p.default_page = c.name)';
const folderish = (name: string) => typeIndex(name, (type, value) => parseBoolean(name, value) === type.folderish);

/** An index by whose values results are counted. */
const counted = (index: CatalogIndex, value: CountedValue): CatalogIndex => ({ ...index, counted: () => value });

/** An index of dates by whose years, in UTC, results are counted. */
const byYear = (index: CatalogIndex, date: string): CatalogIndex =>
  counted(index, { expression: `to_char(${date} at time zone 'UTC', 'FMYYYY')` });

/** An index whose value all objects have. */
const always = (index: CatalogIndex): CatalogIndex => ({ ...index, lacking: 'never' });

/** Types by their names here and elsewhere: Plone's `Document` is the page of this site. */
const portalType: CatalogIndex = {
  ...typeIndex(
    'portal_type',
    ({ id, aliases = [] }, value) => id === value || aliases.some((alias) => alias === value),
  ),
  sort: () => 'c.type',
  lacking: 'never',
  counted: () => ({ expression: 'c.type' }),
};

/**
 * The indexes of Plone's catalog (plone.restapi §6.2, §6.4) and Nick's. What is a column of the content is not kept
 * twice. Who may view an object is no index for clients: every query is bound to what its caller may see. The path is
 * none either, see `CatalogQuery`.
 */
export const CORE_INDEXES: readonly CatalogIndex[] = [
  textIndex('SearchableText', ''),
  { ...textIndex('Title', 'A'), sort: () => 'k.sortable_title', lacking: 'never' },
  textIndex('Description', 'B'),
  always(fieldIndex('sortable_title', 'k.sortable_title', (text) => [sortableTitle(text)])),
  portalType,
  typeIndex('Type', ({ title }, value) => title === value),
  typeIndex('object_provides', isProvided),
  typeIndex('behaviors', ({ behaviorNames }, value) => typeof value === 'string' && behaviorNames.has(value)),
  folderish('is_folderish'),
  folderish('isFolderish'),
  counted(fieldIndex('review_state', 'c.review_state'), { expression: 'c.review_state' }),
  always(counted(fieldIndex('Creator', 'c.owner'), { expression: 'c.owner' })),
  always(fieldIndex('getId', 'c.name')),
  always(fieldIndex('id', 'c.name')),
  counted(fieldIndex('Language', 'c.language'), { expression: 'c.language' }),
  uuidIndex('UID', 'c.uid'),
  counted(keywordIndex('Subject', 'k.subjects'), { expression: 'k.subjects', several: true }),
  counted(keywordIndex('block_types', 'k.block_types'), { expression: 'k.block_types', several: true }),
  referenceIndex('getRawRelatedItems', 'relatedItems'),
  counted(booleanIndex('exclude_from_nav', 'k.exclude_from_nav'), { expression: 'k.exclude_from_nav::text' }),
  booleanIndex('is_default_page', isDefaultPage),
  booleanIndex('isDefaultPage', isDefaultPage),
  always(byYear(dateIndex('created', 'c.created'), 'c.created')),
  always(byYear(dateIndex('modified', 'c.modified'), 'c.modified')),
  byYear(dateIndex('effective', 'c.effective', '-infinity'), 'c.effective'),
  byYear(dateIndex('expires', 'c.expires', 'infinity'), 'c.expires'),
  byYear(dateIndex('Date', 'coalesce(c.effective, c.created)'), 'coalesce(c.effective, c.created)'),
  dateRangeIndex('effectiveRange', 'c.effective', 'c.expires'),
  byYear(recurringDateIndex('start', 'k.starts'), 'lower(k.starts)'),
  byYear(recurringDateIndex('end', 'k.ends'), 'lower(k.ends)'),
  always(positionIndex('getObjPositionInParent', 'c.position')),
  { name: 'path', sort: () => 'c.path', lacking: 'never' },
];
