import {
  access,
  batching,
  type CatalogQuery,
  contentPath,
  contentRows,
  findContents,
  has,
  type LoadedColumns,
  permissions,
  publishing,
  type RenderContext,
  type ResolvedNode,
  type SearchSource,
  say,
  searchResults,
  security,
  urlOf,
} from '#core';
import type { JsonObject } from '#lib/json-object';
import { commentJson } from './comment-json.ts';
import { commentRights, REVIEW_COMMENTS, VIEW_COMMENTS } from './rights.ts';
import {
  commentedObjects,
  commentFigures,
  type FoundComment,
  type FoundCommentsQuery,
  findComments,
} from './statements/found-comments.ts';

/** Comments have this type in Plone. */
const COMMENT_TYPE = 'Discussion Item';
/** Characters of a comment that its summary shows. */
const EXCERPT_LENGTH = 200;

/**
 * The objects whose comments the caller may see, and the objects where the caller sees unpublished comments, too: the 1,000 that were commented last.
 * Two statements.
 */
async function readableObjects(
  context: RenderContext,
  resolved: ResolvedNode,
  { paths = [{ path: contentPath.ROOT }] }: CatalogQuery,
): Promise<{ readable: number[]; reviewable: number[] }> {
  const { db, site, caller } = context;
  const objects = await commentedObjects(db, {
    ...publishing.viewersOf(site, caller),
    inactive: has(site, caller, resolved, permissions.ACCESS_INACTIVE),
    places: paths.filter(({ depth }) => depth === undefined).map(({ path }) => path),
    exact: paths.filter(({ depth }) => depth === 0).map(({ path }) => path),
  });
  const nodes = await contentRows.nodesAt(db, [...new Set(objects.flatMap(({ path }) => contentPath.to(path)))]);
  const byPath = new Map(nodes.map((node) => [node.path, access.node(site, node)]));
  const may = (permission: string) =>
    objects
      .filter(({ path }) =>
        security.can(
          permission,
          caller,
          [...contentPath.to(path)].reverse().flatMap((step) => byPath.get(step) ?? []),
          site.roleMap,
        ),
      )
      .map(({ oid }) => oid);
  return { readable: may(VIEW_COMMENTS), reviewable: may(REVIEW_COMMENTS) };
}

const textsOf = (query: CatalogQuery, index: string): string[] =>
  (query.constraints.find((one) => one.index === index)?.constraint.values ?? []).filter(
    (value) => typeof value === 'string',
  );

/** The order of results: by the time of their creation, or of their last change. */
function orderOf({ sort }: CatalogQuery): Pick<FoundCommentsQuery, 'column' | 'descending'> {
  const [first] = sort;
  return { column: first?.on === 'modified' ? 'modified' : 'created', descending: first?.descending ?? false };
}

/** The columns of the catalog that a comment has a value for; the others of content are null. */
function columnsOf(
  { id, author, created, modified }: FoundComment,
  { title, description, url }: { title: string; description: string; url: string },
): JsonObject {
  const none = [
    ...['Subject', 'block_types', 'cmf_uid', 'commentators', 'effective', 'end', 'exclude_from_nav', 'expires'],
    ...['getObjSize', 'getRemoteUrl', 'hasPreviewImage', 'head_title', 'is_working_copy', 'last_comment_date'],
    ...['listCreators', 'location', 'mime_type', 'nav_title', 'start', 'sync_uid', 'total_comments', 'EffectiveDate'],
    ...['ExpirationDate'],
  ];
  return {
    ...Object.fromEntries(none.map((name) => [name, null])),
    CreationDate: created.toISOString(),
    Creator: author,
    Date: created.toISOString(),
    Description: description,
    ModificationDate: modified.toISOString(),
    Title: title,
    Type: 'Comment',
    UID: id,
    getIcon: false,
    getId: id,
    getURL: url,
    is_folderish: false,
  };
}

/** A comment as searches show it: the keys of a summary, with Plone's columns. */
function summaryOf(context: RenderContext, { object }: ResolvedNode, comment: FoundComment) {
  const { site, base, metadataFields } = context;
  const { id, body, author, authorName, created, modified, reviewState } = comment;
  const name = authorName ?? '';
  const url = `${urlOf(base, object.path)}/@comments/${encodeURIComponent(id)}`;
  const title = name === '' ? object.title : `${name}: ${object.title}`;
  const description = body.slice(0, EXCERPT_LENGTH);
  return {
    ...searchResults.chosenMetadata(columnsOf(comment, { title, description, url }), metadataFields),
    '@id': url,
    '@type': COMMENT_TYPE,
    title,
    description,
    review_state: reviewState,
    type_title: say(site, 'Comment'),
    image_field: '',
    image_scales: null,
    id,
    portal_type: COMMENT_TYPE,
    Creator: author,
    author_name: authorName,
    in_response_to: object.title,
    created: created.toISOString(),
    modified: modified.toISOString(),
  };
}

/** Comments in searches for their type: comments on content that the caller may view, unpublished ones for reviewers and authors. */
export const commentSource: SearchSource = {
  type: COMMENT_TYPE,
  title: 'Comment',
  async find(context, resolved, { query, batch, fullObjects, url }) {
    const { db, site, caller } = context;
    // Rights and dates are checked for each request.
    const objects = query ? await readableObjects(context, resolved, query) : { readable: [], reviewable: [] };
    const found = query
      ? await findComments(db, {
          ...objects,
          ...orderOf(query),
          user: caller.id,
          states: textsOf(query, 'review_state'),
          authors: textsOf(query, 'Creator'),
          text: textsOf(query, 'SearchableText')
            .join(' ')
            .replace(/[*"()]/g, ' ')
            .trim(),
          start: batch.start,
          size: batch.size,
        })
      : { items: [], total: 0 };
    const contents = await findContents(db, { oids: [...new Set(found.items.map(({ content }) => content))] });
    const byOid = new Map(contents.map((one) => [one.object.oid, one]));
    const items = found.items.flatMap((comment) => {
      const commented = byOid.get(comment.content);
      if (!commented) return [];
      const summary = summaryOf(context, commented, comment);
      if (!fullObjects) return [summary];
      const rights = commentRights(site, caller, commented);
      return [{ ...summary, ...commentJson({ ...context, resolved: commented }, rights, comment) }];
    });
    return { items, items_total: found.total, ...batching.linksOf(url, batch, found.total) };
  },
};

/** Plone's columns about the comments on content. Only published comments count. */
export const commentColumns: LoadedColumns = {
  names: ['total_comments', 'commentators', 'last_comment_date', 'author_name', 'in_response_to'],
  missing: { total_comments: 0, commentators: [], last_comment_date: null, author_name: null, in_response_to: null },
  async load({ db }, oids) {
    const figures = await commentFigures(db, oids);
    return new Map(
      figures.map(({ content, total, authors, last }) => [
        content,
        {
          total_comments: total,
          commentators: authors,
          last_comment_date: last.toISOString(),
          author_name: null,
          in_response_to: null,
        },
      ]),
    );
  },
};
