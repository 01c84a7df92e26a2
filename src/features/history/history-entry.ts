import type { JsonObject } from '../../lib/json-object.ts';
import type { Site } from '../../site/site.ts';
import type { HistoryRow } from './statements.ts';

/** What all entries of one response have in common. */
export type EntryContext = {
  site: Site;
  /** Address of the site root, and of `@history` of the object. */
  base: string;
  url: string;
  /** Language of the reader. */
  language: string;
  mayRevert: boolean;
  /** Whether the caller may read a field. */
  mayRead: (field: string) => boolean;
};

/**
 * An entry as in plone.restapi (§7, `@history`). Versions have the names of the changed fields as well; entries of the
 * workflow have no key `version`.
 */
export function historyEntry(
  { site, base, url, language, mayRevert, mayRead }: EntryContext,
  row: HistoryRow,
): JsonObject {
  const say = (text: string) => site.registries.messages.translate(text, language);
  const { number, actor, fullname, at, comments, action } = row;
  const common = {
    actor: { '@id': `${base}/@users/${encodeURIComponent(actor)}`, id: actor, fullname, username: actor },
    time: at.toISOString(),
  };
  if (number !== null) {
    return {
      '@id': `${url}/${number}`,
      type: 'versioning',
      version: number,
      action: say('Edited'),
      transition_title: say('Edited'),
      ...common,
      // Plone's comment of the version that creation makes, unless somebody wrote one. Those of the server are in English.
      comments: say(number === 0 && comments === '' ? 'Initial version' : comments),
      changed_fields: row.fields.filter(mayRead),
      may_revert: mayRevert,
    };
  }
  const workflow = site.workflows.get(row.workflow ?? '');
  const state = row.reviewState ?? '';
  return {
    type: 'workflow',
    action: action ?? say('Create'),
    transition_title: say(action === null ? 'Create' : (workflow?.transitions[action]?.title ?? action)),
    ...common,
    comments,
    review_state: state,
    state_title: say(workflow?.states[state]?.title ?? state),
  };
}
