import type { Answers } from './row.ts';

// Columns:      Anonymous Member Reader Editor Contrib. Reviewer Owner SiteAdm. Manager

// biome-ignore format: a table
/** Everybody, on any content in any state. */
export const EVERYBODY: Answers = {
  private:      'ok        ok     ok     ok     ok       ok       ok    ok       ok',
  published:    'ok        ok     ok     ok     ok       ok       ok    ok       ok',
};
// biome-ignore format: a table
/** Every user who is logged in. */
export const LOGGED_IN: Answers = {
  private:      '401       ok     ok     ok     ok       ok       ok    ok       ok',
  published:    '401       ok     ok     ok     ok       ok       ok    ok       ok',
};
// biome-ignore format: a table
/** The permissions to manage users, groups and most control panels. */
export const ADMINISTRATORS: Answers = {
  private:      '401       403    403    403    403      403      403   ok       ok',
  published:    '401       403    403    403    403      403      403   ok       ok',
};
// biome-ignore format: a table
/** `cmf.ManagePortal`. */
export const MANAGER: Answers = {
  private:      '401       403    403    403    403      403      403   403      ok',
  published:    '401       403    403    403    403      403      403   403      ok',
};
// biome-ignore format: a table
/** Nobody, whatever the permissions. */
export const NOBODY: Answers = {
  private:      '401       403    403    403    403      403      403   403      403',
  published:    '401       403    403    403    403      403      403   403      403',
};

// biome-ignore format: a table
/** `View` of a page. */
export const VIEW: Answers = {
  private:      '401       403    ok     ok     ok       403      ok    ok       ok',
  published:    'ok        ok     ok     ok     ok       ok       ok    ok       ok',
};
// biome-ignore format: a table
/** `View` of a page, for those who are logged in. */
export const VIEW_LOGGED_IN: Answers = {
  private:      '401       403    ok     ok     ok       403      ok    ok       ok',
  published:    '401       ok     ok     ok     ok       ok       ok    ok       ok',
};
// biome-ignore format: a table
/** `View` and `canopy: Propose changes` of a page. */
export const PROPOSE: Answers = {
  private:      '401       403    ok     ok     ok       403      ok    ok       ok',
  published:    '401       403    ok     ok     ok       ok       ok    ok       ok',
};
// biome-ignore format: a table
/** `Modify portal content` of a page, and what goes with it: deletion, versions to go back to, aliases, working copies. */
export const MODIFY: Answers = {
  private:      '401       403    403    ok     403      403      ok    ok       ok',
  published:    '401       403    403    ok     403      403      ok    ok       ok',
};
// biome-ignore format: a table
/** `Add portal content` to a page. */
export const ADD: Answers = {
  private:      '401       403    403    403    ok       403      ok    ok       ok',
  published:    '401       403    403    403    ok       403      ok    ok       ok',
};
// biome-ignore format: a table
/** `View` and `CMFEditions: Access previous versions` of a page. */
export const VERSIONS: Answers = {
  private:      '401       403    403    ok     ok       403      ok    ok       ok',
  published:    '401       403    403    ok     ok       ok       ok    ok       ok',
};
// biome-ignore format: a table
/** `View` and `Access Plone vocabularies` of a page. */
export const VOCABULARIES: Answers = {
  private:      '401       403    403    ok     ok       403      ok    ok       ok',
  published:    '401       403    403    ok     ok       ok       ok    ok       ok',
};
// biome-ignore format: a table
/** `View` and `Sharing page: Delegate roles` of a page. */
export const DELEGATE: Answers = {
  private:      '401       403    403    ok     403      403      ok    ok       ok',
  published:    '401       403    403    ok     403      ok       ok    ok       ok',
};

// biome-ignore format: a table
/** A proposal of "Reader", for those who may do its writes. */
export const DECIDE: Answers = {
  private:      '401       403    403    ok     404      403      ok    ok       ok',
  published:    '401       404    403    ok     404      404      ok    ok       ok',
};
// biome-ignore format: a table
/** A proposal of "Reader", for all who see it. */
export const SEE_PROPOSAL: Answers = {
  private:      '401       403    ok     ok     404      403      ok    ok       ok',
  published:    '401       404    ok     ok     404      404      ok    ok       ok',
};

// "Owner" owns pages, but not the site root, where it is a Member.

// biome-ignore format: a table
export const ROOT_VIEW: Answers = {
  private:      '401       403    ok     ok     ok       403      403   ok       ok',
  published:    'ok        ok     ok     ok     ok       ok       ok    ok       ok',
};
// biome-ignore format: a table
export const ROOT_VIEW_LOGGED_IN: Answers = {
  private:      '401       403    ok     ok     ok       403      403   ok       ok',
  published:    '401       ok     ok     ok     ok       ok       ok    ok       ok',
};
// biome-ignore format: a table
export const ROOT_PROPOSE: Answers = {
  private:      '401       403    ok     ok     ok       403      403   ok       ok',
  published:    '401       403    ok     ok     ok       ok       403   ok       ok',
};
// biome-ignore format: a table
/** `canopy: Make releases`. */
export const MAKE_RELEASES: Answers = {
  private:      '401       403    403    ok     ok       ok       403   ok       ok',
  published:    '401       403    403    ok     ok       ok       403   ok       ok',
};
// biome-ignore format: a table
/** `canopy: Publish releases`. */
export const PUBLISH_RELEASES: Answers = {
  private:      '401       403    403    403    403      ok       403   ok       ok',
  published:    '401       403    403    403    403      ok       403   ok       ok',
};
// biome-ignore format: a table
/** `canopy: Make releases`, and a proposal of a change of a page. */
export const ADD_PARTS: Answers = {
  private:      '401       403    403    ok     ok       403      403   ok       ok',
  published:    '401       403    403    ok     ok       ok       403   ok       ok',
};
// biome-ignore format: a table
/** `canopy: Make releases`, for a part that changes a page: those who may not view the page do not learn of the part. */
export const SEE_PARTS: Answers = {
  private:      '401       403    403    ok     ok       404      403   ok       ok',
  published:    '401       403    403    ok     ok       ok       403   ok       ok',
};
// biome-ignore format: a table
/** `canopy: Publish releases`, for a release with a transition of a page, whose parts one must see. */
export const PUBLISH_PARTS: Answers = {
  private:      '401       403    403    403    403      403      403   ok       ok',
  published:    '401       403    403    403    403      ok       403   ok       ok',
};
// biome-ignore format: a table
/** A proposal of "Reader" at the address of the site, for those who may do its writes. */
export const ROOT_DECIDE: Answers = {
  private:      '401       403    403    ok     404      403      403   ok       ok',
  published:    '401       404    403    ok     404      404      ok    ok       ok',
};
// biome-ignore format: a table
/** A proposal of "Reader" at the address of the site, for all who see it. */
export const ROOT_SEE_PROPOSAL: Answers = {
  private:      '401       403    ok     ok     404      403      403   ok       ok',
  published:    '401       404    ok     ok     404      404      ok    ok       ok',
};
// biome-ignore format: a table
export const ROOT_MODIFY: Answers = {
  private:      '401       403    403    ok     403      403      403   ok       ok',
  published:    '401       403    403    ok     403      403      403   ok       ok',
};
// biome-ignore format: a table
export const ROOT_ADD: Answers = {
  private:      '401       403    403    403    ok       403      403   ok       ok',
  published:    '401       403    403    403    ok       403      403   ok       ok',
};
// biome-ignore format: a table
export const ROOT_VERSIONS: Answers = {
  private:      '401       403    403    ok     ok       403      403   ok       ok',
  published:    '401       403    403    ok     ok       ok       403   ok       ok',
};
// biome-ignore format: a table
export const ROOT_VOCABULARIES: Answers = {
  private:      '401       403    403    ok     ok       403      403   ok       ok',
  published:    '401       403    403    ok     ok       ok       403   ok       ok',
};
// biome-ignore format: a table
export const ROOT_DELEGATE: Answers = {
  private:      '401       403    403    ok     403      403      403   ok       ok',
  published:    '401       403    403    ok     403      ok       403   ok       ok',
};
