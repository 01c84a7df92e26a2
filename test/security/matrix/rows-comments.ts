import { ROOT_VIEW, ROOT_VIEW_LOGGED_IN, VIEW, VIEW_LOGGED_IN } from './patterns.ts';
import type { Answers, Row } from './row.ts';

// Columns:      Anonymous Member Reader Editor Contrib. Reviewer Owner SiteAdm. Manager

// biome-ignore format: a table
/** `View` and `Edit comments` of a page. */
const EDIT: Answers = {
  private:      '401       403    403    403    403      403      ok    ok       ok',
  published:    '401       403    403    403    403      403      ok    ok       ok',
};
// biome-ignore format: a table
/** `View` and `Delete comments` of a page. */
const DELETE: Answers = {
  private:      '401       403    403    403    403      403      ok    ok       ok',
  published:    '401       403    403    403    403      ok       ok    ok       ok',
};
// biome-ignore format: a table
/** `View` and `Review comments` of any content. */
const REVIEW: Answers = {
  private:      '401       403    403    403    403      403      403   ok       ok',
  published:    '401       403    403    403    403      ok       403   ok       ok',
};
// "Owner" owns pages, but not the site root, where it is a Member.
// biome-ignore format: a table
const ROOT_EDIT: Answers = {
  private:      '401       403    403    403    403      403      403   ok       ok',
  published:    '401       403    403    403    403      403      403   ok       ok',
};

const TEXT = { text: 'Comment <n>' };
const OTHERS = { comment: '<comment of another>' };
const OWN = { comment: '<comment of caller>' };
const REJECT = { ...OTHERS, transition: 'reject' };
const SITE_OTHERS = { comment: '<site comment of another>' };
const SITE_OWN = { comment: '<site comment of caller>' };
const SITE_REJECT = { ...SITE_OTHERS, transition: 'reject' };

// biome-ignore format: a table
/** The comments on a page. */
export const COMMENTS_CONTENT: Row[] = [
  { ask: 'GET /{path}/@comments',                                                         ...VIEW },
  { ask: 'GET /{path}/@comments/{comment}',    with: OTHERS,                              ...VIEW },
  { ask: 'POST /{path}/@comments',             json: TEXT, ok: '204',                     ...VIEW_LOGGED_IN },
  { ask: 'POST /{path}/@comments/{comment}',   with: OTHERS, json: TEXT, ok: '204',       ...VIEW_LOGGED_IN },
  { ask: 'PATCH /{path}/@comments/{comment}',  with: OTHERS, json: TEXT, ok: '204',       ...EDIT },
  { ask: 'PATCH /{path}/@comments/{comment}',  with: OWN, json: TEXT, ok: '204',          ...VIEW_LOGGED_IN },
  { ask: 'DELETE /{path}/@comments/{comment}', with: OTHERS, ok: '204',                   ...DELETE },
  { ask: 'DELETE /{path}/@comments/{comment}', with: OWN, ok: '204',                      ...VIEW_LOGGED_IN },
  { ask: 'POST /{path}/@comments/{comment}/@workflow/{transition}', with: REJECT, ok: '204', ...REVIEW },
];

// biome-ignore format: a table
/** The comments on the site root. */
export const COMMENTS_ROOT: Row[] = [
  { ask: 'GET /@comments',                                                           ...ROOT_VIEW },
  { ask: 'GET /@comments/{comment}',    with: SITE_OTHERS,                           ...ROOT_VIEW },
  { ask: 'POST /@comments',             json: TEXT, ok: '204',                       ...ROOT_VIEW_LOGGED_IN },
  { ask: 'POST /@comments/{comment}',   with: SITE_OTHERS, json: TEXT, ok: '204',    ...ROOT_VIEW_LOGGED_IN },
  { ask: 'PATCH /@comments/{comment}',  with: SITE_OTHERS, json: TEXT, ok: '204',    ...ROOT_EDIT },
  { ask: 'PATCH /@comments/{comment}',  with: SITE_OWN, json: TEXT, ok: '204',       ...ROOT_VIEW_LOGGED_IN },
  { ask: 'DELETE /@comments/{comment}', with: SITE_OTHERS, ok: '204',                ...REVIEW },
  { ask: 'DELETE /@comments/{comment}', with: SITE_OWN, ok: '204',                   ...ROOT_VIEW_LOGGED_IN },
  { ask: 'POST /@comments/{comment}/@workflow/{transition}', with: SITE_REJECT, ok: '204', ...REVIEW },
];
