import { type CatalogIndex, indexes, ofContent } from '#core';

const PUBLISHED = "from comment m where m.content = c.oid and m.review_state = 'published'";

/**
 * Plone's indexes of the comments on content. Only published comments count, as in the columns of the same names. Searches read the comments
 * themselves, so that a comment is found at once and content need not be indexed again.
 */
export const commentIndexes: readonly CatalogIndex[] = [
  { ...indexes.positionIndex('total_comments', ofContent(`(select count(*) ${PUBLISHED})`)), lacking: 'never' },
  indexes.keywordIndex(
    'commentators',
    ofContent(`array(select distinct m.author ${PUBLISHED} and m.author is not null)`),
  ),
];
