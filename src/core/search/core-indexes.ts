import type { CatalogIndex, CountedValue } from './catalog-index.ts';
import { type Expression, ofCatalog, ofContent, ofSharedContent } from './expression.ts';
import {
  booleanIndex,
  fieldIndex,
  keywordIndex,
  positionIndex,
  referenceIndex,
  TYPE,
  typeIndex,
  uuidIndex,
} from './indexes/basic.ts';
import { dateIndex, dateRangeIndex, recurringDateIndex } from './indexes/dates.ts';
import { isProvided } from './indexes/provided.ts';
import { textIndex } from './indexes/text-index.ts';
import { sortableTitle } from './text.ts';
import { parseBoolean } from './values.ts';

const isDefaultPage = ofContent('exists (select from content p where p.oid = c.parent and p.default_page = c.name)');
const TITLE = ofCatalog('k.sortable_title');
const STATE = ofSharedContent('c.review_state');
const OWNER = ofContent('c.owner');
const NAME = ofContent('c.name');
const LANGUAGE = ofSharedContent('c.language');
const SUBJECTS = ofCatalog('k.subjects');
const BLOCK_TYPES = ofCatalog('k.block_types');
const CREATED = ofContent('c.created');
const MODIFIED = ofContent('c.modified');
const EFFECTIVE = ofSharedContent('c.effective');
const EXPIRES = ofSharedContent('c.expires');
const DATE = ofContent('coalesce(c.effective, c.created)');
const STARTS = ofCatalog('k.starts');
const ENDS = ofCatalog('k.ends');
const folderish = (name: string) => typeIndex(name, (type, value) => parseBoolean(name, value) === type.folderish);

/** An index by whose values results are counted. */
const counted = (index: CatalogIndex, value: CountedValue): CatalogIndex => ({ ...index, counted: () => value });

/** An index of dates by whose years, in UTC, results are counted. */
const byYear = (index: CatalogIndex, date: Expression): CatalogIndex =>
  counted(index, { expression: { ...date, sql: `to_char(${date.sql} at time zone 'UTC', 'FMYYYY')` } });

/** An index whose value all objects have. */
const always = (index: CatalogIndex): CatalogIndex => ({ ...index, lacking: 'never' });

/** Types by their names here and in other systems: Plone's `Document` is the page of this site. */
const portalType: CatalogIndex = {
  ...typeIndex(
    'portal_type',
    ({ id, aliases = [] }, value) => id === value || aliases.some((alias) => alias === value),
  ),
  sort: () => TYPE,
  lacking: 'never',
  counted: () => ({ expression: TYPE }),
};

/**
 * The indexes of Plone's catalog (plone.restapi §6.2, §6.4) and Nick's. Values in columns of the content are not stored twice. The viewers of an
 * object are no index for clients, because every query is limited to the content that its caller may see. The path is also no index, see
 * `CatalogQuery`.
 */
export const CORE_INDEXES: readonly CatalogIndex[] = [
  textIndex('SearchableText', ''),
  { ...textIndex('Title', 'A'), sort: () => TITLE, lacking: 'never' },
  textIndex('Description', 'B'),
  always(fieldIndex('sortable_title', TITLE, (text) => [sortableTitle(text)])),
  portalType,
  typeIndex('Type', ({ title }, value) => title === value),
  typeIndex('object_provides', isProvided),
  typeIndex('behaviors', ({ behaviorNames }, value) => typeof value === 'string' && behaviorNames.has(value)),
  folderish('is_folderish'),
  folderish('isFolderish'),
  counted(fieldIndex('review_state', STATE), { expression: STATE }),
  always(counted(fieldIndex('Creator', OWNER), { expression: OWNER })),
  always(fieldIndex('getId', NAME)),
  always(fieldIndex('id', NAME)),
  counted(fieldIndex('Language', LANGUAGE), { expression: LANGUAGE }),
  uuidIndex('UID', ofContent('c.uid')),
  counted(keywordIndex('Subject', SUBJECTS), { expression: SUBJECTS, several: true }),
  counted(keywordIndex('block_types', BLOCK_TYPES), { expression: BLOCK_TYPES, several: true }),
  referenceIndex('getRawRelatedItems', 'relatedItems'),
  counted(booleanIndex('exclude_from_nav', ofCatalog('k.exclude_from_nav')), {
    expression: ofCatalog('k.exclude_from_nav::text'),
  }),
  booleanIndex('is_default_page', isDefaultPage),
  booleanIndex('isDefaultPage', isDefaultPage),
  always(byYear(dateIndex('created', CREATED), CREATED)),
  always(byYear(dateIndex('modified', MODIFIED), MODIFIED)),
  byYear(dateIndex('effective', EFFECTIVE, '-infinity'), EFFECTIVE),
  byYear(dateIndex('expires', EXPIRES, 'infinity'), EXPIRES),
  byYear(dateIndex('Date', DATE), DATE),
  dateRangeIndex('effectiveRange', EFFECTIVE, EXPIRES),
  byYear(recurringDateIndex('start', STARTS), ofCatalog('lower(k.starts)')),
  byYear(recurringDateIndex('end', ENDS), ofCatalog('lower(k.ends)')),
  always(positionIndex('getObjPositionInParent', ofContent('c.position'))),
  { name: 'path', sort: () => ofContent('c.path'), lacking: 'never' },
];
