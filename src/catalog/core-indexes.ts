import type { CatalogIndex } from './catalog-index.ts';
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

/** Types by their names here and elsewhere: Plone's `Document` is the page of this site. */
const portalType: CatalogIndex = {
  ...typeIndex(
    'portal_type',
    ({ id, aliases = [] }, value) => id === value || aliases.some((alias) => alias === value),
  ),
  sort: () => 'c.type',
};

/**
 * The indexes of Plone's catalog (plone.restapi §6.2, §6.4) and Nick's. What is a column of the content is not kept
 * twice. Who may view an object is no index for clients: every query is bound to what its caller may see. The path is
 * none either, see `CatalogQuery`.
 */
export const CORE_INDEXES: readonly CatalogIndex[] = [
  textIndex('SearchableText', ''),
  { ...textIndex('Title', 'A'), sort: () => 'k.sortable_title' },
  textIndex('Description', 'B'),
  fieldIndex('sortable_title', 'k.sortable_title', (text) => [sortableTitle(text)]),
  portalType,
  typeIndex('Type', ({ title }, value) => title === value),
  typeIndex('object_provides', isProvided),
  typeIndex('behaviors', ({ behaviorNames }, value) => typeof value === 'string' && behaviorNames.has(value)),
  folderish('is_folderish'),
  folderish('isFolderish'),
  fieldIndex('review_state', 'c.review_state'),
  fieldIndex('Creator', 'c.owner'),
  fieldIndex('getId', 'c.name'),
  fieldIndex('id', 'c.name'),
  fieldIndex('Language', 'c.language'),
  uuidIndex('UID', 'c.uid'),
  keywordIndex('Subject', 'k.subjects'),
  keywordIndex('block_types', 'k.block_types'),
  referenceIndex('getRawRelatedItems', 'relatedItems'),
  booleanIndex('exclude_from_nav', 'k.exclude_from_nav'),
  booleanIndex('is_default_page', isDefaultPage),
  booleanIndex('isDefaultPage', isDefaultPage),
  dateIndex('created', 'c.created'),
  dateIndex('modified', 'c.modified'),
  dateIndex('effective', 'c.effective', `coalesce(c.effective, '-infinity')`),
  dateIndex('expires', 'c.expires', `coalesce(c.expires, 'infinity')`),
  dateIndex('Date', 'coalesce(c.effective, c.created)'),
  dateRangeIndex('effectiveRange', 'c.effective', 'c.expires'),
  recurringDateIndex('start', 'k.starts'),
  recurringDateIndex('end', 'k.ends'),
  positionIndex('getObjPositionInParent', 'c.position'),
  { name: 'path', sort: () => 'c.path' },
];
